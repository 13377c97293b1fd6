import type { Clock } from '../../clock.ts';
import { atMostEvery } from '../../telemetry/at-most-every.ts';
import type { Activity } from '../../store/store.ts';

// Milliseconds: the count takes longer with every session there is, and whoever asks more often gets the last one.
const remembered = 10_000;

/** @returns what counts the sessions that were seen and whose last token has not expired */
export function sessionCounter(activity: Activity, clock: Clock): () => Promise<number> {
  const count = async () => {
    const { sessions } = await activity
      .selectFrom('seen_sessions')
      .select(({ fn }) => fn.countAll<number>().as('sessions'))
      .where('expires_at', '>', clock.now() / 1000)
      .executeTakeFirstOrThrow();
    return sessions;
  };
  return atMostEvery(remembered, count);
}
