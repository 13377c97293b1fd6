import * as v from 'valibot';
import { givenSecret, type Environment, type GivenSecret } from '../../config/environment.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { newPassword } from './credentials.ts';
import type { User } from './user-list.ts';

const name = 'SERVICE_ADMIN_PASSWORD';

/**
 * Finds the password that the first admin gets in place of a generated one.
 * @param users all of them: once one is an admin, the password means nothing and is not even read
 * @returns undefined when none is given
 * @throws ConfigurationError when it is no valid password, or its file cannot be read
 */
export function firstAdminPassword(
  environment: Environment,
  users: ReadonlyArray<Pick<User, 'role'>>,
): GivenSecret | undefined {
  if (users.some(({ role }) => role === 'admin')) return undefined;
  const given = givenSecret(environment, name);
  if (given === undefined) return undefined;
  const [issue] = v.safeParse(newPassword, given.secret).issues ?? [];
  if (issue === undefined) return given;
  const found = given.secret === '' ? 'an empty password' : 'a password that cannot be used';
  throw new ConfigurationError([
    { path: name, found: `${found}, in ${given.source}`, allowed: `${issue.message}; or no ${name}` },
  ]);
}
