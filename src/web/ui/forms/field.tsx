import type { ComponentChildren, ComponentProps, Ref } from 'preact';
import { useId } from 'preact/hooks';

interface FieldProps {
  readonly label: string;
  /** Help below the field. */
  readonly hint?: string | undefined;
}

/** For a name or an address: the browser neither fills nor corrects it. */
export const asTyped = { autocomplete: 'off', autocapitalize: 'none', spellcheck: false } as const;

interface TextProps extends FieldProps, Omit<ComponentProps<'input'>, 'label' | 'ref' | 'role' | 'type'> {
  readonly type?: 'text' | 'password' | 'datetime-local';
  readonly inputRef?: Ref<HTMLInputElement>;
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

type CheckProps = Omit<ComponentProps<'input'>, 'label' | 'role' | 'type'> & {
  readonly label: ComponentChildren;
};

/** A checkbox. */
export function Check({ label, ...input }: CheckProps) {
  return (
    <label class="inline">
      <input type="checkbox" {...input} />
      {label}
    </label>
  );
}

/** A checkbox shown as a switch. */
export function Switch({ label, ...input }: CheckProps) {
  return (
    <label class="switch">
      <input type="checkbox" role="switch" {...input} />
      {label}
    </label>
  );
}
