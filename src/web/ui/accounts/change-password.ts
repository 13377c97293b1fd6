import { bodyOf, usersApi } from '../../api-client.ts';
import { keptOf } from './end-given-out.tsx';
import { fieldOf } from '../forms/form-field.ts';
import { passwordOf } from './new-password.tsx';

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
