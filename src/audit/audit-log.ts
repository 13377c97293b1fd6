import type { Clock } from '../clock.ts';
import { createWriteBehind } from '../store/write-behind.ts';
import type { Logger } from '../telemetry/logger.ts';
import { createMinuteBudget } from '../telemetry/pacing.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import { boundEntry, type AuditEntry } from './audit-entry.ts';
import { eventRow } from './audit-events.ts';
import type { AuditTable, Careful, KindLimits, TimedEntry } from './audit-table.ts';

/** Records what happens to accounts, sessions and the configuration: in the log, and in the database. */
export interface AuditLog {
  /**
   * Writes the log line at once, and the record. It resolves once the record is in the database, so that a response never
   * precedes its record; if the database fails, it resolves anyway and retries later. Refusals are not waited for: they come
   * in floods, of which log and database each take a bounded number a minute.
   */
  record(entry: AuditEntry): Promise<void>;
  /** Writes only the record, for events that have a log line of their own with `event` in it. */
  keep(entry: AuditEntry): Promise<void>;
  /** Removes outdated records. It never rejects. @param careful keeps a wrong clock from removing everything */
  prune(careful?: Careful): Promise<void>;
  /** Writes what is pending. */
  close(): Promise<void>;
}

/** The section `audit`. */
interface Retention {
  /** 0: no records are kept. */
  readonly keepDays: number;
  /** Number of refusals, the newest ones. */
  readonly keepRefusals: number;
}

export interface AuditLogOptions {
  readonly logger: Logger;
  /** For refusals. */
  readonly requestLog: Pick<RequestLog, 'refusal'>;
  readonly table: AuditTable;
  readonly retention: () => Retention;
  /** Sees every entry, as it was given. */
  readonly onRecord?: (entry: AuditEntry) => void;
  /** Maps an address to its client. */
  readonly clientOf: (address: string) => string;
  readonly clock: Clock;
  /** Milliseconds, monotonic. */
  readonly elapsed?: () => number;
}

/** A user can cause at most as many as the gate can compare passwords, or as the change limit permits. */
const mostSessionRecords = 1_000_000;

// Milliseconds.
const day = 86_400_000;

const interval = 250;
// Writes at most 400 refusals a second, in batches of a millisecond or two.
const batch = 100;
const mostPending = { account: 10_000, refusal: 6_000 } as const;
const perMinute = { client: 600, all: 6_000 } as const;

// Milliseconds. Each attempt at a locked database blocks the whole thread.
const restAfterFailure = 5_000;
const complaintInterval = 60_000;
const dropReportInterval = 60_000;

export function createAuditLog(options: AuditLogOptions): AuditLog {
  const {
    logger,
    requestLog,
    table,
    retention,
    clientOf,
    clock,
    elapsed = () => performance.now(),
  } = options;
  const budget = createMinuteBudget({ perClient: perMinute.client, perMinute: perMinute.all, elapsed });
  const limits = (): KindLimits => ({ session: mostSessionRecords, refusal: retention().keepRefusals });
  let dropped = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  let complainsAgain = Number.NEGATIVE_INFINITY;

  const write = async (entries: readonly TimedEntry[]) => {
    if (elapsed() < restsUntil) throw resting;
    try {
      await table.add(entries, limits());
    } catch (error) {
      restsUntil = elapsed() + restAfterFailure;
      throw error;
    }
  };
  const onError = (error: unknown) => {
    if (error === resting || elapsed() < complainsAgain) return;
    complainsAgain = elapsed() + complaintInterval;
    logger.error(
      { err: error },
      'audit records cannot be stored: they are in the log, and will be tried again',
    );
  };
  const onDrop = () => {
    dropped += 1;
  };
  const queueOf = (most: number) =>
    createWriteBehind<TimedEntry>({ write, interval, batch, most, onError, onDrop });
  const queue = queueOf(mostPending.account);
  const refusals = queueOf(mostPending.refusal);

  const putRefusal = (timed: TimedEntry) => {
    // A copy, because an address cut out of a long header would keep the whole header in memory.
    if (budget.take(clientOf(timed.entry.address ?? ''))) refusals.put(structuredClone(timed));
    else onDrop();
  };
  const keepBounded = (entry: AuditEntry): Promise<void> => {
    try {
      const { keepDays, keepRefusals } = retention();
      if (keepDays === 0) return done;
      const timed = { entry, at: clock.now() };
      if (eventRow(entry.event).kind === 'refusal') {
        if (keepRefusals > 0) putRefusal(timed);
        return done;
      }
      queue.put(timed);
      return queue.flush();
    } catch (error) {
      onError(error);
      return done;
    }
  };
  const record = (entry: AuditEntry) => {
    options.onRecord?.(entry);
    const { kind, says } = eventRow(entry.event);
    const bounded = boundEntry(entry);
    if (kind === 'refusal') requestLog.refusal(lineOf(bounded), says);
    else logger.info(lineOf(bounded), says);
    return keepBounded(bounded);
  };
  const reportDropped = async () => {
    const count = dropped;
    dropped = 0;
    if (count > 0) await record({ event: 'records_dropped', source: 'system', detail: { count } });
  };
  const reporting = setInterval(() => void reportDropped(), dropReportInterval).unref();

  return {
    record,
    keep: (entry) => keepBounded(boundEntry(entry)),
    prune: async (careful) => {
      const { keepDays } = retention();
      const before = clock.now() - keepDays * day;
      // Hourly, a day's records at most: a clock that is years ahead for some hours must not erase everything.
      await table
        .prune(before, limits(), keepDays > 0 ? { span: day, ...careful } : {})
        .catch((error: unknown) => logger.warn({ err: error }, 'no audit record was pruned'));
    },
    close: async () => {
      clearInterval(reporting);
      restsUntil = Number.NEGATIVE_INFINITY;
      await refusals.close();
      await reportDropped();
      await queue.close();
    },
  };
}

const done = Promise.resolve();
const resting = new Error('the last attempt failed a moment ago');

/** The fields of the log line, under the names that operators know. */
function lineOf({ event, user, role, source, object, detail, ...rest }: AuditEntry): Record<string, unknown> {
  const named = eventRow(event).object;
  const who = named === 'user' || named === 'role' ? { by: user } : { user, role };
  return { event, ...(named === undefined ? {} : { [named]: object }), ...who, source, ...rest, ...detail };
}
