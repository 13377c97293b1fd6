import { sql, type Insertable, type Transaction } from 'kysely';
import { isPostgres } from '../store/engine.ts';
import type { ActivityTables } from '../store/activity-schema.ts';
import type { Activity } from '../store/store.ts';
import type { AuditEntry } from './audit-entry.ts';
import { eventRow } from './audit-events.ts';

/** An entry, and when it happened, in milliseconds since the epoch. */
export interface TimedEntry {
  readonly entry: AuditEntry;
  readonly at: number;
}

/** How many records of a kind there may be. */
export interface KindLimits {
  readonly session: number;
  readonly refusal: number;
}

/** The records in the database: they are added, and removed by age and number. */
export interface AuditTable {
  /** Adds records in their order, all or none; the oldest of a kind that is full give way. */
  add(entries: readonly TimedEntry[], limits: KindLimits): Promise<void>;
  /**
   * Removes what is older than a moment (in milliseconds since the epoch), or beyond the limits; a little at a time, with room
   * for others in between.
   * @param span milliseconds from the oldest record on within which records go by age; what is younger stays until the next time
   */
  prune(before: number, limits: KindLimits, span?: number): Promise<void>;
}

type LimitedKind = keyof KindLimits;
const limitedKinds: readonly LimitedKind[] = ['session', 'refusal'];

/** Among the advisory locks of PostgreSQL. */
const recordsLock = 7_065_163_003;

// The thread waits for each: about three milliseconds.
const mostAtOnce = 250;

export function createAuditTable(activity: Activity): AuditTable {
  /** Undefined until they are counted. */
  let counts: Record<LimitedKind, number> | undefined;

  const counted = async () => {
    if (counts !== undefined) return counts;
    const found = { session: 0, refusal: 0 };
    for (const kind of limitedKinds) {
      const { number } = await activity
        .selectFrom('audit_records')
        .select((all) => all.fn.countAll<number>().as('number'))
        .where('kind', '=', kind)
        .executeTakeFirstOrThrow();
      found[kind] = number;
    }
    counts = found;
    return found;
  };

  /** @returns how many records went */
  const removeOldest = async (
    on: Activity | Transaction<ActivityTables>,
    kind: LimitedKind,
    most: number,
  ) => {
    const oldest = on
      .selectFrom('audit_records')
      .select('record_id')
      .where('kind', '=', kind)
      .orderBy('record_id')
      .limit(most);
    const { numDeletedRows } = await on
      .deleteFrom('audit_records')
      .where('record_id', 'in', oldest)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };

  const removeOlder = async (before: number) => {
    const oldest = activity
      .selectFrom('audit_records')
      .select('record_id')
      .where('recorded_at', '<', before / 1000)
      .orderBy('recorded_at')
      .limit(mostAtOnce);
    const { numDeletedRows } = await activity
      .deleteFrom('audit_records')
      .where('record_id', 'in', oldest)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };

  return {
    add: async (entries, limits) => {
      const after = { ...(await counted()) };
      await activity.transaction().execute(async (on) => {
        const rows = entries.map(rowOf);
        // The numbers of records are given out before they are committed: whoever asks for what came after one would miss some.
        if (isPostgres(on)) await sql`SELECT pg_advisory_xact_lock(${recordsLock})`.execute(on);
        // All gates wait for the lock: as long as one answer takes, and not one for each record. SQLite takes half the time too.
        await on.insertInto('audit_records').values(rows).execute();
        for (const { kind } of rows) if (kind !== 'account') after[kind] += 1;
        for (const kind of limitedKinds) {
          const excess = Math.min(after[kind] - limits[kind], mostAtOnce);
          if (excess > 0) after[kind] -= await removeOldest(on, kind, excess);
        }
      });
      counts = after;
    },

    prune: async (before, limits, span = Number.POSITIVE_INFINITY) => {
      const { oldest } = await activity
        .selectFrom('audit_records')
        .select((all) => all.fn.min<number | null>('recorded_at').as('oldest'))
        .executeTakeFirstOrThrow();
      const end = oldest === null ? before : Math.min(before, oldest * 1000 + span);
      while ((await removeOlder(end)) > 0) await otherWork();
      // Another process may have written, and what was removed was not counted.
      counts = undefined;
      const found = await counted();
      for (const kind of limitedKinds) {
        while (found[kind] > limits[kind]) {
          const removed = await removeOldest(
            activity,
            kind,
            Math.min(found[kind] - limits[kind], mostAtOnce),
          );
          if (removed === 0) break;
          found[kind] -= removed;
          await otherWork();
        }
      }
      counts = undefined;
    },
  };
}

function rowOf({ entry, at }: TimedEntry): Insertable<ActivityTables['audit_records']> {
  const { event, user, role, source, address, object, reason, decision, detail } = entry;
  const { kind, result } = eventRow(event);
  return {
    recorded_at: at / 1000,
    event,
    kind,
    result,
    username: user ?? null,
    role: role ?? null,
    source: source ?? null,
    address: address ?? null,
    object: object ?? null,
    reason: reason ?? null,
    decision: decision ?? null,
    detail: detail === undefined ? null : JSON.stringify(detail),
  };
}

function otherWork(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 10));
}
