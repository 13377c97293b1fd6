import { Chips } from '../forms/chips.tsx';
import { Field } from '../forms/field.tsx';
import { fieldOf, FormProblem } from '../forms/form-field.ts';
import { CameraPicks } from '../cameras/camera-picks.tsx';
import { text } from '../../text.ts';
import { displayMay } from './displays-api.ts';

interface DisplayFieldsProps {
  readonly name: string;
  /** What the user may see. */
  readonly cameras: readonly string[];
  /** What is on at first. */
  readonly chosen: readonly string[];
  readonly may: readonly string[];
}

/** What a display is called, shows and may. */
export function DisplayFields({ name, cameras, chosen, may }: DisplayFieldsProps) {
  const words = text.displays;
  return (
    <>
      <Field
        label={words.name}
        hint={words.nameHint}
        name="name"
        autocomplete="off"
        maxLength={64}
        defaultValue={name}
        required
      />
      <CameraPicks cameras={cameras} legend={words.shows} chosen={chosen} />
      <Chips
        legend={words.may}
        type="checkbox"
        name="may"
        options={displayMay.map((capability) => [capability, text.capabilities.names[capability]])}
        chosen={may}
      />
    </>
  );
}

/** The values of the fields, for the API. */
export interface ChosenDisplay {
  readonly name: string;
  /** Null: all that the user may see, now and later. */
  readonly cameras: string[] | null;
  readonly may: Array<(typeof displayMay)[number]>;
}

/** @param cameras what the user may see. @throws FormProblem */
export function chosenIn(form: FormData, cameras: readonly string[]): ChosenDisplay {
  const ticked = form.getAll('camera').map(String);
  if (ticked.length === 0) throw new FormProblem(text.displays.chooseCamera);
  const may = displayMay.filter((capability) => form.getAll('may').includes(capability));
  return {
    name: fieldOf(form, 'name').trim(),
    cameras: ticked.length === cameras.length ? null : ticked,
    may: may.length === 0 ? ['live'] : may,
  };
}
