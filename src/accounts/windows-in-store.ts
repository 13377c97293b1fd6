import { sql, type Kysely } from 'kysely';
import type { SharingTables } from '../store/sharing-schema.ts';
import type { CountedWindows } from './counted-windows.ts';

/** What a statement takes for this moment: milliseconds since the epoch. */
const now = sql<number>`floor(extract(epoch FROM statement_timestamp()) * 1000)::bigint`;

/**
 * Counts in the store, for all processes that share it, by the clock of the store. A restart of one takes nothing back.
 * @throws AppError `store_unavailable`
 */
export function createWindowsInStore(database: Kysely<SharingTables>): CountedWindows {
  return {
    take: async ({ name, most, seconds }, key) => {
      for (;;) {
        // Whoever guesses on costs a look, and no write.
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
        // Others were faster: now it is full.
      }
    },
    giveBack: async ({ name }, key, ends) => {
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
      await database.deleteFrom('failure_windows').where('ends', '<=', now).execute();
    },
  };
}
