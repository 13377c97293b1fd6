import { sql, type Transaction } from 'kysely';
import { wholeSeconds } from '../clock.ts';
import { unconditional } from '../store/permit.ts';
import type { Tables } from '../store/schema.ts';
import type { Activity, Store } from '../store/store.ts';
import { stepAt } from './second-factor/codes.ts';
import { revokeSessions } from './sessions/revocations.ts';

/** What ended with a reset, by its name for people. */
const made = {
  'API tokens and screens': { table: 'api_tokens', at: 'created_at' },
  shares: { table: 'shares', at: 'created_at' },
  invitations: { table: 'invitations', at: 'created_at' },
  stops: { table: 'stops', at: 'made_at' },
  requests: { table: 'access_requests', at: 'asked_at' },
} as const;

export type EndedByReset = Readonly<Record<'sessions' | keyof typeof made, number>>;

export interface TimeReset {
  /** The latest time until then, in milliseconds since the epoch. Absent: none was saved. */
  readonly was: number | undefined;
  readonly ended: EndedByReset;
}

// Seconds, as a clock may differ without being wrong.
const tolerance = 300;

/**
 * Puts the latest time right after the machine's clock was ahead, and ends what was made meanwhile: it would last for too long.
 * @param now milliseconds since the epoch, by a clock that is right
 * @param sessionLength milliseconds
 * @throws AppError `store_unavailable`
 */
export async function resetTime(
  { store, activity }: { readonly store: Store; readonly activity: Activity },
  now: number,
  sessionLength: number,
): Promise<TimeReset> {
  const at = wholeSeconds(now);
  const ahead = at + tolerance;
  // A token that was refreshed meanwhile lasts longer than any that is made now.
  const sessions = await activity
    .selectFrom('seen_sessions')
    .select(['session_id', 'expires_at'])
    .where(({ eb, or }) =>
      or([eb('began_at', '>', ahead), eb('expires_at', '>', ahead + wholeSeconds(sessionLength))]),
    )
    .execute();
  const ids = sessions.map(({ session_id: id }) => id);
  const reset = await store.change(unconditional, async (on) => {
    const before = await on.selectFrom('trusted_time').selectAll().executeTakeFirst();
    await on.deleteFrom('trusted_time').execute();
    await on
      .insertInto('trusted_time')
      .values({ at, resets: (before?.resets ?? 0) + 1 })
      .execute();
    for (let i = 0; i < ids.length; i += idsAtOnce) {
      const some = sessions.slice(i, i + idsAtOnce);
      const expiresAt = Math.max(...some.map(({ expires_at: end }) => end)) * 1_000;
      await revokeSessions(on, ids.slice(i, i + idsAtOnce), expiresAt);
      await on
        .deleteFrom('provider_sessions')
        .where('session_id', 'in', ids.slice(i, i + idsAtOnce))
        .execute();
    }
    const ended: Record<string, number> = { sessions: ids.length };
    for (const [what, { table, at: column }] of Object.entries(made)) {
      const { numDeletedRows } = await on
        .deleteFrom(table)
        .where(sql.ref<number>(column), '>', ahead)
        .executeTakeFirstOrThrow();
      ended[what] = Number(numDeletedRows);
    }
    await putRight(on, at, ahead);
    return { was: before && before.at * 1_000, ended: ended as EndedByReset };
  });
  await activity.deleteFrom('pairing_codes').where('created_at', '>', ahead).execute();
  return reset;
}

const idsAtOnce = 500;

/** Times that would hold something up until they are reached. */
async function putRight(on: Transaction<Tables>, at: number, ahead: number): Promise<void> {
  await on.updateTable('last_pruning').set({ at }).where('at', '>', at).execute();
  await on
    .updateTable('users')
    .set({ sessions_not_before: at })
    .where('sessions_not_before', '>', ahead)
    .execute();
  const step = stepAt(at * 1_000);
  await on
    .updateTable('one_time_codes')
    .set({ last_step: step })
    .where('last_step', '>', step + 1)
    .execute();
  await on
    .updateTable('provider_sessions')
    .set({ refreshing_until: at })
    .where('refreshing_until', '>', ahead)
    .execute();
  await on
    .updateTable('outbox')
    .set({ created_at: at, due_at: at })
    .where('created_at', '>', ahead)
    .execute();
  // An alert that was sent in the wrong year may be sent again.
  await on.deleteFrom('used_once').where('purpose', '=', 'alert').where('expires_at', '>', ahead).execute();
}
