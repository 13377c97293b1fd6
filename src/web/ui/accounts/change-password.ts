import { bodyOf, usersApi } from '../../api-client.ts';
import { keptOf } from './end-given-out.tsx';
import { fieldOf } from '../forms/form-field.ts';
import { passwordOf } from './new-password.tsx';

/**
 * Sends what `NewPassword`, `EndGivenOut` and, for one's own account, `OldPassword` ask for.
 * @returns what has ended
 * @throws FormProblem, ApiFailure
 */
export async function changePassword(username: string, form: FormData) {
  const old = form.has('old_password') ? { old_password: fieldOf(form, 'old_password') } : {};
  const json = { password: passwordOf(form), keep: keptOf(form), ...old };
  return bodyOf(usersApi[':username'].password.$put({ param: { username }, json }));
}
