import { requireOwnAccount } from '../users/requirements.ts';
import { recover, type Recovered, type RecoveryOptions } from '../users/users.ts';
import type { Clock } from '../../clock.ts';
import type { Permit } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';

/**
 * Removes all factors of a user, and ends the sessions and what the user has given out.
 * @throws AppError `user_unknown`, `user_of_provider`, what the permit throws
 */
export async function resetFactors(
  store: Pick<Store, 'change'>,
  username: string,
  clock: Clock,
  permit: Permit,
  { keep }: RecoveryOptions = {},
): Promise<Recovered> {
  return store.change(permit, async (on, { requireProof, alert }) => {
    requireProof();
    await requireOwnAccount(on, username);
    for (const table of ['passkeys', 'one_time_codes', 'recovery_codes'] as const)
      await on.deleteFrom(table).where('username', '=', username).execute();
    alert('factor_removed', { user: username, object: 'all of them' });
    return recover(on, username, {}, alert, clock, keep);
  });
}
