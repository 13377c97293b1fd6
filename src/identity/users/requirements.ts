import type { Transaction } from 'kysely';
import { AppError } from '../../errors.ts';
import type { Tables } from '../../store/schema.ts';

/** What a change of a user depends on, asked in the transaction that makes it. */

/** @throws AppError `user_unknown` */
export async function requireUser(on: Transaction<Tables>, username: string) {
  const found = await on
    .selectFrom('users')
    .select(['role', 'blocked', 'issuer', 'role_reason'])
    .where('username', '=', username)
    .executeTakeFirst();
  if (found === undefined) throw new AppError('user_unknown');
  return found;
}

/**
 * The provider says what its people are, and has their passwords.
 * @throws AppError `user_unknown`, `user_of_provider`
 */
export async function requireOwnAccount(on: Transaction<Tables>, username: string): Promise<void> {
  const { issuer } = await requireUser(on, username);
  if (issuer !== null) throw new AppError('user_of_provider');
}

/**
 * Somebody must be left who can manage users: an admin whom nobody blocks, and who is no person of a former provider.
 * @param username who is about to be none any more
 * @param issuer of the provider at which people sign in
 * @throws AppError `last_admin`
 */
export async function requireOtherAdmin(
  on: Transaction<Tables>,
  username: string,
  issuer: string | undefined,
): Promise<void> {
  const admins = await on
    .selectFrom('users')
    .select('username')
    .where('role', '=', 'admin')
    .where('blocked', 'is', null)
    .where((where) => where.or([where('issuer', 'is', null), where('issuer', '=', issuer ?? '')]))
    .limit(2)
    .execute();
  if (admins.length === 1 && admins[0]?.username === username) throw new AppError('last_admin');
}
