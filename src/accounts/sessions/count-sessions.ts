import type { Clock } from '../../clock.ts';
import { atMostEvery } from '../../telemetry/pacing.ts';
import type { Activity } from '../../store/store.ts';

// Milliseconds: counting takes longer with every session, so more frequent callers get the last count.
const remembered = 10_000;

/** @returns a function that counts the seen sessions whose last token has not expired */
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
