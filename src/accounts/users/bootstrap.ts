import * as v from 'valibot';
import { generatePassword, newPassword } from './credentials.ts';
import { type Environment, givenSecret } from '../../config/environment.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { AppError } from '../../errors.ts';
import { isSameUserName } from '../../policy/names.ts';
import { onceItAnswers } from '../../store/slow-store.ts';
import { onlyIf, unconditional, type Permit } from '../../store/permit.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { Ended } from './recovery.ts';
import type { Users } from './users.ts';
import type { User } from './user-list.ts';
import { allowedSecret, secretFault, type GivenSecret } from '../../config/whole-secret.ts';

/** Result for the admin account at the start. The caller prints a generated password once. */
interface Bootstrapped {
  readonly done: 'created' | 'reset';
  readonly password: { readonly generated: string } | { readonly source: string };
  /** Everything that ended with the previous password; absent when there was no admin. */
  readonly ended: Ended | undefined;
}

/**
 * Makes sure that someone can sign in: adds the user `admin` when there are no users, and gives it a new password on request.
 * @param environment may give the password of the first admin
 * @returns undefined when there was nothing to do
 * @throws ConfigurationError when `admin` is a federated user
 */
export async function bootstrapAdmin(
  users: Users,
  hasher: PasswordHasher,
  reset: boolean,
  environment: Environment = {},
): Promise<Bootstrapped | undefined> {
  const all = await onceItAnswers(() => users.list());
  const admin = all.find(({ username }) => isSameUserName(username, 'admin'));
  if (admin !== undefined && !reset) return undefined;
  if (all.length > 0 && !reset) return undefined;
  const given = admin === undefined ? firstAdminPassword(environment, all) : undefined;
  const generated = generatePassword();
  const passwordHash = await hasher.hash(given?.secret ?? generated);
  if (admin === undefined) {
    const isFirst = await addAdmin(
      users,
      passwordHash,
      given === undefined,
      reset ? unconditional : noUserYet,
    );
    const password = given === undefined ? { generated } : { source: given.source };
    return isFirst ? { done: 'created', password, ended: undefined } : undefined;
  }
  const { username } = admin;
  if ((await users.find(username))?.issuer !== undefined) throw new ConfigurationError([personIsAdmin]);
  // Anyone who can write the configuration may do this anyway.
  await users.unblock(username, unconditional);
  const { ended } = await users.setPassword(username, passwordHash, unconditional, {
    generated: true,
  });
  if (admin.role !== 'admin') await users.setRole(username, 'admin', unconditional);
  return { done: 'reset', password: { generated }, ended };
}

const personIsAdmin = {
  path: 'auth.reset_admin_password',
  found: 'a user admin who is a person of a provider, and has no password here',
  allowed: 'false; `postern users add NAME --role admin` makes another admin',
};

/** @returns false when another starting process added one first */
async function addAdmin(
  users: Users,
  passwordHash: string,
  generated: boolean,
  permit: Permit,
): Promise<boolean> {
  try {
    await users.add({ username: 'admin', role: 'admin', passwordHash, generated }, permit);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'user_exists') return false;
    throw error;
  }
}

const noUserYet = onlyIf(async (on) => {
  const existing = await on.selectFrom('users').select('username').executeTakeFirst();
  if (existing !== undefined) throw new AppError('user_exists');
});

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
  const fault = secretFault(given.secret);
  if (issue === undefined && fault === undefined) return given;
  const found = given.secret === '' ? 'an empty password' : (fault ?? 'a password that cannot be used');
  throw new ConfigurationError([
    {
      path: name,
      found: `${found}, in ${given.source}`,
      allowed: `${issue?.message ?? allowedSecret}; or no ${name}`,
    },
  ]);
}
