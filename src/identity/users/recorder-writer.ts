import { sql, type Kysely } from 'kysely';
import type { SharingTables } from '../../store/sharing-schema.ts';
import type { Activity } from '../../store/store.ts';

/** What the processes of a shared store have to agree on before one of them writes custom roles to the recorder. */
export interface RecorderWriter {
  /** Whether this process is the one, for half a minute from now. @param recorder its address */
  mayWrite(recorder: string): Promise<boolean>;
  /** Names of the roles that the gates have at a recorder. */
  at(recorder: string): Promise<ReadonlySet<string>>;
  keep(recorder: string, names: ReadonlySet<string>): Promise<void>;
  /** Another process need not wait. */
  release(): Promise<void>;
}

/** Of the clock of PostgreSQL; a recorder has 10 seconds for a change. */
const lease = sql<Date>`now() + interval '30 seconds'`;

/**
 * The first that asks writes, and goes on as long as it asks in time. No decision depends on it, so it raises no version.
 * @param holder another text for each process
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
