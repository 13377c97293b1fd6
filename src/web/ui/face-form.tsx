import { useState } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { appearanceApi, bodyOf, type Appearance } from '../api-client.ts';
import { Field } from './forms/field.tsx';
import { Form } from './forms/form.tsx';
import { useAction } from './forms/form-action.ts';
import { Arch } from './drawings.tsx';
import { text } from '../text.ts';

const defaultAccent = '#1f6f5e';

const colours = {
  patina: defaultAccent,
  harbour: '#1d5f96',
  plum: '#7a3f7c',
  brick: '#9c4127',
  moss: '#5a6a1e',
  slate: '#4b5560',
} as const;

/** Name and colour of the house, with what guests will see beside them. */
export function FaceForm(props: {
  readonly face: Appearance;
  readonly submit: string;
  readonly onSaved: () => void;
  /** Beside the submit button. */
  readonly beside?: ComponentChildren;
}) {
  const { face, submit, onSaved, beside } = props;
  const words = text.appearance;
  const action = useAction();
  const [name, setName] = useState(face.house ?? '');
  const [accent, setAccent] = useState((face.accent ?? defaultAccent).toLowerCase());
  const save = async () => {
    const json = {
      house: name.trim() === '' ? null : name,
      accent: accent === defaultAccent ? null : accent,
    };
    await bodyOf(appearanceApi.index.$put({ json }));
    onSaved();
  };
  return (
    <div class="face">
      <Form action={action} onSubmit={save} submit={submit} below={beside}>
        <Field
          label={words.name}
          name="name"
          value={name}
          maxLength={40}
          placeholder="Postern"
          autocomplete="off"
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
        <fieldset>
          <legend>{words.accent}</legend>
          <div class="swatches">
            {Object.entries(colours).map(([colour, value]) => (
              <label key={colour}>
                <input
                  type="radio"
                  name="accent"
                  value={value}
                  checked={accent === value}
                  onChange={() => setAccent(value)}
                />
                <i style={{ background: value }} />
                <span class="hidden-text">{words.colours[colour as keyof typeof colours]}</span>
              </label>
            ))}
            <label class="any">
              {words.otherColour}
              <input
                type="color"
                value={accent}
                onInput={({ currentTarget }) => setAccent(currentTarget.value)}
              />
            </label>
          </div>
          <small>{words.accentHint}</small>
        </fieldset>
      </Form>
      <Preview name={name.trim() === '' ? 'Postern' : name} accent={accent} />
    </div>
  );
}

function Preview({ name, accent }: { readonly name: string; readonly accent: string }) {
  return (
    <div class="face-preview" aria-hidden="true" style={{ '--accent': accent }}>
      <Arch />
      <strong>{name}</strong>
      <span class="pressed">{text.login.logIn}</span>
    </div>
  );
}
