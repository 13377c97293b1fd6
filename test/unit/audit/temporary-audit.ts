import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { createAuditLog, type AuditLog, type AuditLogOptions } from '../../../src/audit/audit-log.ts';
import { createAuditRecords, type AuditRecords } from '../../../src/audit/audit-query.ts';
import { createAuditTable, type AuditTable } from '../../../src/audit/audit-table.ts';
import { activityPath, openActivity, type Activity } from '../../../src/store/store.ts';
import { createLogger } from '../../../src/telemetry/logger.ts';
import { temporaryDirectory } from '../store/temporary-store.ts';

type LogLine = Readonly<Record<string, unknown>>;

/** An activity database on disk, that goes with the test. */
export async function temporaryActivity(
  directory = temporaryDirectory(),
): Promise<{ readonly activity: Activity; readonly path: string; readonly file: DatabaseSync }> {
  const path = activityPath(directory);
  const activity = await openActivity(path, 50);
  onTestFinished(() => activity.destroy());
  // Past everything that guards the records, as another program would see them.
  const file = new DatabaseSync(path);
  onTestFinished(() => file.close());
  return { activity, path, file };
}

export interface TemporaryAudit {
  readonly audit: AuditLog;
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
  const { activity, path, file } = await temporaryActivity();
  const table = createAuditTable(activity);
  const log: LogLine[] = [];
  const time = { passed: 0 };
  const audit = createAuditLog({
    logger: createLogger('debug', { write: (line) => void log.push(JSON.parse(line) as LogLine) }),
    table,
    retention: () => ({ keepDays: 90, keepRefusals: 1_000 }),
    clientOf: (address) => address,
    now: () => new Date(1_800_000_000_000),
    clock: () => time.passed,
    ...changes,
  });
  onTestFinished(() => audit.close());
  return { audit, table, records: createAuditRecords(activity), log, path, file, time };
}
