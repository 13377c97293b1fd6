import { generatePassword } from './credentials.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { AppError } from '../../errors.ts';
import { isSameName } from '../../policy/names.ts';
import { onlyIf, unconditional, type Permit } from '../../store/permit.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { Ended } from './recovery.ts';
import type { Users } from './users.ts';

/** What became of the admin account at the start; the password is to be printed, once. */
export interface Bootstrapped {
  readonly done: 'created' | 'reset';
  readonly password: string;
  /** What went with the former password of what the admin had given out; undefined: there was no admin. */
  readonly ended: Ended | undefined;
}

/**
 * Sees to it that somebody can log in: makes the user `admin` when there is no user at all, and gives it
 * a new password when that is asked for.
 * @returns undefined when there was nothing to do
 * @throws ConfigurationError when somebody else has that name
 */
export async function bootstrapAdmin(
  users: Users,
  hasher: PasswordHasher,
  reset: boolean,
): Promise<Bootstrapped | undefined> {
  const all = await users.list();
  const admin = all.find(({ username }) => isSameName(username, 'admin'));
  if (admin !== undefined && !reset) return undefined;
  if (all.length > 0 && !reset) return undefined;
  const password = generatePassword();
  const passwordHash = await hasher.hash(password);
  if (admin === undefined) {
    const isFirst = await addAdmin(users, passwordHash, reset ? unconditional : noUserYet);
    return isFirst ? { done: 'created', password, ended: undefined } : undefined;
  }
  const { username } = admin;
  if ((await users.find(username))?.issuer !== undefined) throw new ConfigurationError([personIsAdmin]);
  // Whoever can write the configuration has the last word.
  await users.unblock(username, unconditional);
  const { ended } = await users.setPassword(username, passwordHash, unconditional, {
    generated: true,
  });
  if (admin.role !== 'admin') await users.setRole(username, 'admin', unconditional);
  return { done: 'reset', password, ended };
}

const personIsAdmin = {
  path: 'auth.reset_admin_password',
  found: 'a user admin who is a person of a provider, and has no password here',
  allowed: 'false; `postern users add NAME --role admin` makes another admin',
};

/** @returns false when another process that starts has made one meanwhile */
async function addAdmin(users: Users, passwordHash: string, permit: Permit): Promise<boolean> {
  try {
    await users.add({ username: 'admin', role: 'admin', passwordHash, generated: true }, permit);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'user_exists') return false;
    throw error;
  }
}

const noUserYet = onlyIf(async (on) => {
  const anybody = await on.selectFrom('users').select('username').executeTakeFirst();
  if (anybody !== undefined) throw new AppError('user_exists');
});
