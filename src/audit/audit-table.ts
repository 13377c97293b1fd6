import { sql, type Insertable, type Transaction } from 'kysely';
import { setTimeout as pause } from 'node:timers/promises';
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
   */
  prune(before: number, limits: KindLimits, careful?: Careful): Promise<void>;
}

/** How a wrong clock is kept from deleting everything. */
export interface Careful {
  /** Milliseconds after the oldest record: younger ones are not removed by age until the next call. */
  readonly span?: number;
  /** Whether that many of all records may be removed by age now. */
  readonly mayDelete?: (over: number, all: number) => boolean;
  readonly signal?: AbortSignal;
}

type LimitedKind = keyof KindLimits;
const limitedKinds: readonly LimitedKind[] = ['session', 'refusal'];

/** An advisory lock of PostgreSQL. */
const recordsLock = 7_065_163_003;

/** Rows that are deleted at once: in SQLite they block the thread for about three milliseconds. */
export const mostInSlice = 250;

export function createAuditTable(activity: Activity): AuditTable {
  /** Absent until they are counted. */
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
      .limit(mostInSlice);
    const { numDeletedRows } = await activity
      .deleteFrom('audit_records')
      .where('record_id', 'in', oldest)
      .executeTakeFirst();
    return Number(numDeletedRows);
  };

  /** @param before milliseconds since the epoch. Omit it to count all */
  const countOlder = async (before?: number) => {
    const all = activity.selectFrom('audit_records').select(({ fn }) => fn.countAll<number>().as('number'));
    const found = before === undefined ? all : all.where('recorded_at', '<', before / 1000);
    return (await found.executeTakeFirstOrThrow()).number;
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
          const excess = Math.min(after[kind] - limits[kind], mostInSlice);
          if (excess > 0) after[kind] -= await removeOldest(on, kind, excess);
        }
      });
      counts = after;
    },

    prune: async (before, limits, { span = Number.POSITIVE_INFINITY, mayDelete, signal } = {}) => {
      const { oldest } = await activity
        .selectFrom('audit_records')
        .select((all) => all.fn.min<number | null>('recorded_at').as('oldest'))
        .executeTakeFirstOrThrow();
      const end = oldest === null ? before : Math.min(before, oldest * 1000 + span);
      const isAllowed = mayDelete === undefined || mayDelete(await countOlder(before), await countOlder());
      if (isAllowed) await inSlices(() => removeOlder(end), signal);
      // Other processes may have written, and removed records were not counted.
      counts = undefined;
      const found = await counted();
      for (const kind of limitedKinds) {
        await inSlices(async () => {
          const excess = Math.min(found[kind] - limits[kind], mostInSlice);
          const removed = excess > 0 ? await removeOldest(activity, kind, excess) : 0;
          found[kind] -= removed;
          return removed;
        }, signal);
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

/**
 * Deletes a few rows at a time, so that others can run in between.
 * @param removeSome deletes at most `mostInSlice` rows, and returns how many there were
 */
export async function inSlices(removeSome: () => Promise<number>, signal?: AbortSignal): Promise<void> {
  const isStopped = () => signal?.aborted === true;
  while (!isStopped() && (await removeSome()) > 0) await pause(10);
}
