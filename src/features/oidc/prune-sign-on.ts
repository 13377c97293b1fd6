import { wholeSeconds, type Clock } from '../../clock.ts';
import { unconditional } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';

/** Removes sessions whose last token has expired, and expired one-time values. */
export async function pruneSignOn(store: Store, clock: Clock): Promise<void> {
  const now = wholeSeconds(clock.now());
  const has = async (table: 'provider_sessions' | 'used_once') =>
    (await store.selectFrom(table).select('expires_at').where('expires_at', '<', now).executeTakeFirst()) !==
    undefined;
  // Every change drops what all processes have cached.
  if (!(await has('provider_sessions')) && !(await has('used_once'))) return;
  await store.change(unconditional, async (on) => {
    await on.deleteFrom('provider_sessions').where('expires_at', '<', now).execute();
    await on.deleteFrom('used_once').where('expires_at', '<', now).execute();
  });
}
