import { sql, type Kysely } from 'kysely';
import { boundedCache } from '../../bounded-cache.ts';
import type { SharingTables } from '../../store/sharing-schema.ts';
import { createLimiter } from '../../store/slow-store.ts';
import { windowId, type CountedWindows, type Taken, type WindowRule } from './counted-windows.ts';

/** The current time as SQL: milliseconds since the epoch. */
const now = sql<number>`floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint`;

/** Milliseconds for which a full window is not looked up again. */
const lookAgain = 1_000;

/** Number of queries at once: one per connection. */
const turns = 2;

/** Windows that one statement deletes. */
const mostAtOnce = 2_000;

/** Full windows remembered in this process. */
const mostRemembered = 10_000;

/**
 * Counts in the store, for all processes that share it, by the clock of the store; a restart of one process resets nothing.
 * Clients over the limit cost the store nothing, so a flood of guesses keeps no one else from signing in.
 * @param elapsed milliseconds that never go back
 * @throws AppError `store_unavailable`
 */
export function createWindowsInStore(
  database: Kysely<SharingTables>,
  elapsed: () => number = () => performance.now(),
): CountedWindows {
  const full = boundedCache<string, Pick<Taken, 'ends' | 'wait'> & { readonly at: number }>(mostRemembered);
  const inTurn = createLimiter(turns, elapsed);
  const recall = (id: string): Taken | undefined => {
    const found = full.get(id);
    const since = found === undefined ? Number.POSITIVE_INFINITY : elapsed() - found.at;
    if (found === undefined || since >= Math.min(lookAgain, found.wait)) return undefined;
    return { isTaken: false, ends: found.ends, wait: found.wait - since };
  };
  return {
    take: (rule, key) => {
      const id = windowId(rule, key);
      return inTurn(
        async () => {
          const taken = await takeIn(database, rule, key);
          if (!taken.isTaken) full.set(id, { ...taken, at: elapsed() });
          return taken;
        },
        () => recall(id),
      );
    },
    giveBack: async (rule, key, ends) => {
      const { name } = rule;
      full.delete(windowId(rule, key));
      await database
        .updateTable('failure_windows')
        .set((eb) => ({ count: eb('count', '-', 1) }))
        .where('name', '=', name)
        .where('key', '=', key)
        .where('ends', '=', ends)
        .where('count', '>', 0)
        .execute();
    },
    prune: async () => {
      for (;;) {
        const { numAffectedRows = 0n } = await sql`
          DELETE FROM failure_windows WHERE ctid IN (
            SELECT ctid FROM failure_windows WHERE ends <= ${now} LIMIT ${mostAtOnce})`.execute(database);
        if (numAffectedRows < mostAtOnce) return;
      }
    },
  };
}

async function takeIn(
  database: Kysely<SharingTables>,
  { name, most, seconds }: WindowRule,
  key: string,
): Promise<Taken> {
  for (;;) {
    // Reading costs no write.
    const full = await database
      .selectFrom('failure_windows')
      .select((eb) => ['ends', eb('ends', '-', now).as('wait')])
      .where('name', '=', name)
      .where('key', '=', key)
      .where('count', '>=', most)
      .where('ends', '>', now)
      .executeTakeFirst();
    if (full !== undefined) return { isTaken: false, ...full };
    const { rows } = await sql<{ readonly ends: number; readonly wait: number }>`
      INSERT INTO failure_windows AS counted (name, key, ends, count)
      VALUES (${name}, ${key}, ${now} + ${seconds * 1_000}, 1)
      ON CONFLICT (name, key) DO UPDATE SET
        count = CASE WHEN counted.ends > ${now} THEN counted.count + 1 ELSE 1 END,
        ends = CASE WHEN counted.ends > ${now} THEN counted.ends ELSE excluded.ends END
      WHERE counted.ends <= ${now} OR counted.count < ${most}
      RETURNING ends, ends - ${now} AS wait`.execute(database);
    const [taken] = rows;
    if (taken !== undefined) return { isTaken: true, ...taken };
    // Other attempts took the last places meanwhile.
  }
}
