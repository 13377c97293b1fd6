import { requireOwnAccount } from '../accounts/requirements.ts';
import { updateEndingSessions } from '../accounts/users.ts';
import type { Clock } from '../clock.ts';
import type { Permit } from '../store/permit.ts';
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
    await updateEndingSessions(on, username, {}, clock);
    for (const table of ['passkeys', 'one_time_codes', 'recovery_codes'] as const)
      await on.deleteFrom(table).where('username', '=', username).execute();
  });
}
