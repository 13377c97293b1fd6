import { useId, useState } from 'preact/hooks';
import { fieldOf, FormProblem } from './form-field.ts';

const shortest = 12;

/** A new password, twice. `passwordOf` reads it. */
export function NewPassword(props: { readonly label?: string; readonly autofocus?: boolean }) {
  const { label = 'New password', autofocus = false } = props;
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
      <small id={hint}>At least {shortest} characters.</small>
      <label>
        Repeat the password
        <input name="repeated" type={type} autocomplete="new-password" aria-describedby={hint} required />
      </label>
      <label class="inline">
        <input type="checkbox" checked={shown} onChange={(event) => setShown(event.currentTarget.checked)} />
        Show the password
      </label>
    </>
  );
}

/** @throws FormProblem when the two differ or are short */
export function passwordOf(form: FormData): string {
  const password = fieldOf(form, 'password');
  if ([...password].length < shortest)
    throw new FormProblem(`The password needs at least ${shortest} characters.`);
  if (password !== fieldOf(form, 'repeated')) throw new FormProblem('The two passwords differ.');
  return password;
}
