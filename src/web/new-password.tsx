import { useId, useState } from 'preact/hooks';
import { fieldOf, FormProblem } from './form-field.ts';
import { text } from './text.ts';

const shortest = 12;

/** The password that one has, as `old_password`: it is asked for whatever the role. */
export function OldPassword(props: { readonly autofocus?: boolean }) {
  return (
    <label>
      {text.account.oldPassword}
      <input
        name="old_password"
        type="password"
        autocomplete="current-password"
        autofocus={props.autofocus ?? false}
        required
      />
    </label>
  );
}

/** A new password, twice. `passwordOf` reads it. */
export function NewPassword(props: { readonly label?: string; readonly autofocus?: boolean }) {
  const { label = text.passwords.new, autofocus = false } = props;
  const hint = useId();
  const [shown, setShown] = useState(false);
  // Typed like a password field: some attributes hang on the type.
  const type = (shown ? 'text' : 'password') as 'password';
  return (
    <>
      <label>
        {label}
        <input
          name="password"
          type={type}
          autocomplete="new-password"
          minLength={shortest}
          maxLength={1024}
          aria-describedby={hint}
          autofocus={autofocus}
          required
        />
      </label>
      <small id={hint}>{text.passwords.hint(shortest)}</small>
      <label>
        {text.passwords.repeat}
        <input name="repeated" type={type} autocomplete="new-password" aria-describedby={hint} required />
      </label>
      <label class="inline">
        <input type="checkbox" checked={shown} onChange={(event) => setShown(event.currentTarget.checked)} />
        {text.passwords.show}
      </label>
    </>
  );
}

/** @throws FormProblem when the two differ or are short */
export function passwordOf(form: FormData): string {
  const password = fieldOf(form, 'password');
  if ([...password].length < shortest) throw new FormProblem(text.passwords.tooShort(shortest));
  if (password !== fieldOf(form, 'repeated')) throw new FormProblem(text.passwords.differ);
  return password;
}
