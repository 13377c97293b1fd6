import type { Transaction } from 'kysely';
import { requireOwnAccount } from '../accounts/requirements.ts';
import type { SessionState } from '../accounts/users.ts';
import type { Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Permit } from '../store/permit.ts';
import type { Tables } from '../store/schema.ts';
import { newGeneration } from '../store/session-generation.ts';
import type { Store } from '../store/store.ts';

/**
 * Takes away all factors of a user, and ends the sessions.
 * @throws AppError `user_unknown`, `user_of_provider`, what the permit throws
 */
export async function resetFactors(
  store: Pick<Store, 'change'>,
  username: string,
  clock: Clock,
  permit: Permit,
): Promise<void> {
  await store.change(permit, async (on) => {
    await requireOwnAccount(on, username);
    await endSessions(on, username, clock);
    for (const table of ['passkeys', 'one_time_codes', 'recovery_codes'] as const)
      await on.deleteFrom(table).where('username', '=', username).execute();
  });
}

/** Ends the sessions of a user, in a transaction. @returns what a session is held against from now on */
export async function endSessions(
  on: Transaction<Tables>,
  username: string,
  clock: Clock,
): Promise<Omit<SessionState, 'hasSecondFactor'>> {
  const row = await on
    .updateTable('users')
    .set(newGeneration(on, clock.now()))
    .where('username', '=', username)
    .returning(['username', 'role', 'session_generation as generation', 'sessions_not_before', 'issuer'])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('user_unknown');
  const { sessions_not_before: notBeforeSeconds, issuer, ...user } = row;
  const notBefore = notBeforeSeconds * 1_000;
  return { ...user, issuer: issuer ?? undefined, notBefore };
}
