import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { clockAt } from '../../support/clock-at.ts';
import { createAuditLog, type AuditLog, type AuditLogOptions } from '../../../src/audit/audit-log.ts';
import { createAuditRecords, type AuditRecords } from '../../../src/audit/audit-query.ts';
import { createAuditTable, type AuditTable } from '../../../src/audit/audit-table.ts';
import type { Activity } from '../../../src/store/store.ts';
import { activityPath } from '../../../src/store/sqlite/open-store.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { createRequestLog } from '../../../src/telemetry/request-log.ts';
import { temporaryActivity, temporaryDirectory } from '../store/temporary-store.ts';

type LogLine = Readonly<Record<string, unknown>>;

/** An activity database that goes with the test, and its file, as another program would open it, past all that guards it. */
export async function temporaryActivityFile(): Promise<{
  readonly activity: Activity;
  readonly path: string;
  readonly file: DatabaseSync;
}> {
  const directory = temporaryDirectory();
  const path = activityPath(directory);
  const activity = await temporaryActivity(directory);
  let opened: DatabaseSync | undefined;
  onTestFinished(() => opened?.close());
  return {
    activity,
    path,
    get file() {
      return (opened ??= new DatabaseSync(path));
    },
  };
}

export interface TemporaryAudit {
  readonly audit: AuditLog;
  readonly requestLog: ReturnType<typeof createRequestLog>;
  readonly activity: Activity;
  readonly table: AuditTable;
  readonly records: AuditRecords;
  readonly log: readonly LogLine[];
  readonly path: string;
  readonly file: DatabaseSync;
  /** Milliseconds that have passed. */
  readonly time: { passed: number };
}

/** The audit on a database of its own. */
export async function temporaryAudit(changes: Partial<AuditLogOptions> = {}): Promise<TemporaryAudit> {
  const made = await temporaryActivityFile();
  const { activity, path } = made;
  const table = createAuditTable(activity);
  const log: LogLine[] = [];
  const time = { passed: 0 };
  const logger = createLogger('debug', { write: (line) => void log.push(JSON.parse(line) as LogLine) });
  const clientOf = (address: string) => address;
  const requestLog = createRequestLog({ logger, clientOf, elapsed: () => time.passed });
  onTestFinished(requestLog.close);
  const audit = createAuditLog({
    logger,
    requestLog,
    table,
    retention: () => ({ keepDays: 90, keepRefusals: 1_000 }),
    clientOf,
    clock: clockAt(1_800_000_000_000),
    elapsed: () => time.passed,
    ...changes,
  });
  onTestFinished(() => audit.close());
  return {
    audit,
    requestLog,
    activity,
    table,
    records: createAuditRecords(activity),
    log,
    path,
    get file() {
      return made.file;
    },
    time,
  };
}
