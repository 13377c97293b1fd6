import type { ComponentChildren, ComponentProps, Ref } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  /** Help below the field. */
  readonly hint?: string | undefined;
}

/** Attributes of a field for a name or an address, which the browser neither fills nor corrects. */
export const asTyped = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const;

interface TextProps extends FieldProps, Omit<ComponentProps<'input'>, 'label' | 'ref' | 'role' | 'type'> {
  readonly type?: 'text' | 'password' | 'email' | 'datetime-local';
  readonly inputRef?: Ref<HTMLInputElement>;
  /** Id of a `datalist`. */
  readonly list?: string;
}

/** A line of text. */
export function Field({ label, hint, inputRef, type = 'text', ...input }: TextProps) {
  // Typed like a password field: some attributes depend on the type.
  const typed = { ref: inputRef ?? null, type: type as 'password' };
  return (
    <Labelled label={label} hint={hint}>
      {(described) => <input {...typed} {...described} {...input} />}
    </Labelled>
  );
}

interface ChoiceProps
  extends FieldProps, Omit<ComponentProps<'select'>, 'label' | 'children' | 'role' | 'size' | 'multiple'> {
  readonly options: ReadonlyArray<readonly [value: string | number, words: string]>;
}

/** A selection; `value` is selected at first. */
export function Choice({ label, hint, options, value, ...select }: ChoiceProps) {
  return (
    <Labelled label={label} hint={hint}>
      {(described) => (
        <select {...described} {...select}>
          {options.map(([option, words]) => (
            <option key={option} value={option} selected={option === value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  );
}

function Labelled(
  props: FieldProps & {
    readonly children: (described: { readonly 'aria-describedby'?: string }) => ComponentChildren;
  },
) {
  const { label, hint, children } = props;
  const id = useId();
  return (
    <>
      <label>
        {label}
        {children(hint === undefined ? {} : { 'aria-describedby': id })}
      </label>
      {hint !== undefined && <small id={id}>{hint}</small>}
    </>
  );
}

interface CheckProps extends Omit<ComponentProps<'input'>, 'label' | 'role' | 'type'> {
  readonly label: ComponentChildren;
  /** Help below the field. */
  readonly hint?: string | undefined;
}

/** A checkbox. */
export function Checkbox(props: CheckProps) {
  return <Tickable {...props} look="inline" kind={{ type: 'checkbox' }} />;
}

/** A checkbox shown as a switch. */
export function Switch(props: CheckProps) {
  return <Tickable {...props} look="switch" kind={{ type: 'checkbox', role: 'switch' }} />;
}

/** One of several choices with the same name. */
export function Radio(props: CheckProps) {
  return <Tickable {...props} look="switch" kind={{ type: 'radio' }} />;
}

interface TickableProps extends CheckProps {
  readonly look: 'inline' | 'switch';
  readonly kind: { readonly type: 'checkbox'; readonly role?: 'switch' } | { readonly type: 'radio' };
}

function Tickable({ label, hint, look, kind, ...input }: TickableProps) {
  const id = useId();
  return (
    <>
      <label class={look}>
        <input {...kind} {...(hint === undefined ? {} : { 'aria-describedby': id })} {...input} />
        {label}
      </label>
      {hint !== undefined && <small id={id}>{hint}</small>}
    </>
  );
}

interface ChipsProps<Value extends string | number> {
  readonly legend: string;
  /** `radio`: one of them. */
  readonly type: 'checkbox' | 'radio';
  readonly name: string;
  readonly options: ReadonlyArray<readonly [value: Value, words: string]>;
  /** The values that are on at first. */
  readonly chosen: readonly Value[];
  readonly onChoose?: (value: Value) => void;
}

/** A few choices that are seen at once. */
export function Chips<Value extends string | number>(props: ChipsProps<Value>) {
  const { legend, type, name, options, chosen, onChoose } = props;
  return (
    <fieldset class="hinted">
      <legend>{legend}</legend>
      <div class="chips">
        {options.map(([value, words]) => (
          <label key={value} class="chip">
            <input
              type={type}
              name={name}
              value={value}
              defaultChecked={chosen.includes(value)}
              onChange={() => onChoose?.(value)}
            />
            {words}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
