import { auditEvents } from '../audit/audit-events.ts';
import type { AuditRecord } from '../audit/audit-query.ts';
import { localTime } from './frame/local-time.ts';

const longestEvent = Math.max(...Object.keys(auditEvents).map(({ length }) => length));

const columns: ReadonlyArray<readonly [title: string, width: number, of: (record: AuditRecord) => string]> = [
  ['TIME', 25, ({ time }) => localTime(Date.parse(time))],
  ['EVENT', longestEvent, ({ event }) => event],
  ['RESULT', 7, ({ result }) => result],
  ['WHO', 12, ({ user, source }) => user ?? (source === 'system' ? '(system)' : '-')],
  ['FROM', 15, ({ address, source }) => address ?? (source === 'cli' ? '(command)' : '-')],
  ['ON', 24, ({ object }) => object ?? '-'],
  ['REASON', 18, ({ reason }) => reason ?? '-'],
  ['DECISION', 10, ({ decision }) => decision ?? '-'],
  ['DETAIL', 0, ({ detail }) => detailText(detail)],
];

/** @returns the lines of a table, with its title */
export function auditTable(records: readonly AuditRecord[]): string[] {
  const titles = columns.map(([title, width]) => title.padEnd(width)).join('  ');
  return [titles.trimEnd(), ...records.map(auditLine)];
}

export function auditLine(record: AuditRecord): string {
  return columns
    .map(([, width, of]) => of(record).padEnd(width))
    .join('  ')
    .trimEnd();
}

function detailText(detail: AuditRecord['detail']): string {
  return Object.entries(detail)
    .map(([name, value]) => `${name}=${Array.isArray(value) ? value.join(',') : String(value)}`)
    .join(' ');
}
