import { sql, type Insertable, type Transaction } from 'kysely';
import { isPostgres } from '../store/engine.ts';
import type { ActivityTables } from '../store/activity-schema.ts';
import type { Activity } from '../store/store.ts';
import type { AuditEntry } from './audit-entry.ts';
import { eventRow } from './audit-events.ts';

export interface TimedEntry {
  readonly entry: AuditEntry;
  readonly at: number;
}

/** The most records of each kind. */
export interface KindLimits {
  readonly session: number;
  readonly refusal: number;
}

/** The audit records in the database. */
export interface AuditTable {
  /** Adds records in order, all or none; when a kind is full, its oldest ones are removed. */
  add(entries: readonly TimedEntry[], limits: KindLimits): Promise<void>;
  /**
   * Removes records that are older than a moment (milliseconds since the epoch) or beyond the limits, a few at a time so that
   * others can run in between.
   * @param span milliseconds after the oldest record: younger ones are not removed by age until the next call
   */
  prune(before: number, limits: KindLimits, span?: number): Promise<void>;
}

type LimitedKind = keyof KindLimits;
const limitedKinds: readonly LimitedKind[] = ['session', 'refusal'];

/** An advisory lock of PostgreSQL. */
const recordsLock = 7_065_163_003;

// Each delete blocks the thread for about three milliseconds.
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

  /** @returns how many records were removed */
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
        // Ids are assigned before the commit: without the lock, a reader of `after` would miss records that commit
        // late.
        if (isPostgres(on)) await sql`SELECT pg_advisory_xact_lock(${recordsLock})`.execute(on);
        // All gates wait for the lock, so one insert writes all records. It halves the time in SQLite too.
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
      // Other processes may have written, and removed records were not counted.
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
