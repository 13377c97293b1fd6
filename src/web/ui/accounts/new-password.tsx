import { useId, useState } from 'preact/hooks';
import { Checkbox, Field } from '../forms/field.tsx';
import { fieldOf } from '../forms/form-action.ts';
import { FormProblem, bodyOf, usersApi } from '../../api-client.ts';
import { fill, text } from '../../text.ts';
import { keptOf } from './end-given-out.tsx';

const shortest = 12;

/** The current password, as `old_password`: required for every role. */
export function OldPassword({ autofocus = false }: { readonly autofocus?: boolean }) {
  return (
    <Field
      label={text.account.oldPassword}
      name="old_password"
      type="password"
      autocomplete="current-password"
      autofocus={autofocus}
      required
    />
  );
}

/** @returns the type of fields for a new password, and a checkbox that reveals them */
export function useShownPassword() {
  const [isShown, show] = useState(false);
  const box = (
    <Checkbox
      label={text.passwords.show}
      checked={isShown}
      onChange={(event) => show(event.currentTarget.checked)}
    />
  );
  return [{ type: isShown ? 'text' : 'password', autocomplete: 'new-password' } as const, box] as const;
}

/** A new password, twice. `passwordOf` reads it. */
export function NewPassword(props: { readonly label?: string; readonly autofocus?: boolean }) {
  const { label = text.passwords.new, autofocus = false } = props;
  const hint = useId();
  const [field, box] = useShownPassword();
  return (
    <>
      <Field
        label={label}
        name="password"
        {...field}
        minLength={shortest}
        maxLength={1024}
        aria-describedby={hint}
        autofocus={autofocus}
        required
      />
      <small id={hint}>{fill(text.passwords.hint, { length: shortest })}</small>
      <Field label={text.passwords.repeat} name="repeated" {...field} aria-describedby={hint} required />
      {box}
    </>
  );
}

/** @throws FormProblem when the two differ or are short */
export function passwordOf(form: FormData): string {
  const password = fieldOf(form, 'password');
  if ([...password].length < shortest)
    throw new FormProblem(fill(text.passwords.tooShort, { length: shortest }));
  if (password !== fieldOf(form, 'repeated')) throw new FormProblem(text.passwords.differ);
  return password;
}

/**
 * Sends the values of `NewPassword`, `EndGivenOut` and, for the user's own account, `OldPassword`.
 * @returns what was ended
 * @throws FormProblem, ApiFailure
 */
export async function changePassword(username: string, form: FormData) {
  const old = form.has('old_password') ? { old_password: fieldOf(form, 'old_password') } : {};
  const json = { password: passwordOf(form), keep: keptOf(form), ...old };
  return bodyOf(usersApi[':username'].password.$put({ param: { username }, json }));
}
