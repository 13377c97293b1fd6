import { sql, type Kysely } from 'kysely';
import type { SharingTables } from '../../store/sharing-schema.ts';
import type { Activity } from '../../store/store.ts';

/** Elects the process of a shared store that writes custom roles to the recorder. */
export interface RecorderWriter {
  /** Whether this process may write, for the next 30 seconds. @param recorder its address */
  mayWrite(recorder: string): Promise<boolean>;
  /** Names of the roles that the gates have written to a recorder. */
  at(recorder: string): Promise<ReadonlySet<string>>;
  keep(recorder: string, names: ReadonlySet<string>): Promise<void>;
  /** Gives up the lease at once. */
  release(): Promise<void>;
}

/** Uses the clock of PostgreSQL; a change at a recorder may take 10 seconds. */
const lease = sql<Date>`now() + interval '30 seconds'`;

/**
 * The first process that asks gets the lease, and keeps it by asking in time. Decisions do not depend on it, so it
 * raises no version.
 * @param holder unique to the process
 */
export function createRecorderWriter(activity: Activity, holder: string): RecorderWriter {
  const on = activity as unknown as Kysely<SharingTables>;
  const at = async (recorder: string, through: Pick<typeof on, 'selectFrom'> = on) => {
    const rows = await through
      .selectFrom('recorder_roles')
      .select('role')
      .where('recorder', '=', recorder)
      .execute();
    return new Set(rows.map(({ role }) => role));
  };
  return {
    mayWrite: async (recorder) => {
      const held = await on
        .insertInto('recorder_writers')
        .values({ recorder, holder, until: lease })
        .onConflict((conflict) =>
          conflict
            .column('recorder')
            .doUpdateSet({ holder, until: lease })
            .where(({ or, eb }) =>
              or([
                eb('recorder_writers.holder', '=', holder),
                eb('recorder_writers.until', '<', sql<Date>`now()`),
              ]),
            ),
        )
        .returning('holder')
        .executeTakeFirst();
      return held !== undefined;
    },
    at,
    keep: (recorder, names) =>
      on.transaction().execute(async (transaction) => {
        const kept = await at(recorder, transaction);
        const added = [...names.difference(kept)].map((role) => ({ recorder, role }));
        const gone = [...kept.difference(names)];
        if (added.length > 0)
          await transaction
            .insertInto('recorder_roles')
            .values(added)
            .onConflict((conflict) => conflict.doNothing())
            .execute();
        if (gone.length > 0)
          await transaction
            .deleteFrom('recorder_roles')
            .where('recorder', '=', recorder)
            .where('role', 'in', gone)
            .execute();
      }),
    release: async () => {
      await on.deleteFrom('recorder_writers').where('holder', '=', holder).execute();
    },
  };
}
