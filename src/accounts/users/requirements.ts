import { AppError } from '../../errors.ts';
import type { Reading } from '../../store/permit.ts';
import { spellingsOf } from '../../policy/issuer.ts';

/* Requirements of a change of a user, checked in the transaction of the change. */

/** @throws AppError `user_unknown` */
export async function requireUser(on: Reading, username: string) {
  const found = await on
    .selectFrom('users')
    .select(['role', 'blocked', 'issuer', 'role_reason', 'email'])
    .where('username', '=', username)
    .executeTakeFirst();
  if (found === undefined) throw new AppError('user_unknown');
  return found;
}

/**
 * Roles and passwords of federated users are the provider's.
 * @throws AppError `user_unknown`, `user_of_provider`
 */
export async function requireOwnAccount(on: Reading, username: string): Promise<void> {
  const { issuer } = await requireUser(on, username);
  if (issuer !== null) throw new AppError('user_of_provider');
}

/**
 * Requires another admin who can sign in: neither blocked, nor a federated user of a previous provider.
 * @param username of the admin who is about to lose the role or the account
 * @param issuer of the current provider
 * @throws AppError `last_admin`
 */
export async function requireOtherAdmin(
  on: Reading,
  username: string,
  issuer: string | undefined,
): Promise<void> {
  const admins = await on
    .selectFrom('users')
    .select('username')
    .where('role', '=', 'admin')
    .where('blocked', 'is', null)
    .where((where) =>
      where.or([where('issuer', 'is', null), where('issuer', 'in', spellingsOf(issuer ?? ''))]),
    )
    .limit(2)
    .execute();
  if (admins.length === 1 && admins[0]?.username === username) throw new AppError('last_admin');
}
