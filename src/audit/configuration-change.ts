import type { ReloadReport } from '../config/reload-report.ts';
import type { AuditEntry } from './audit-entry.ts';

/** It names the place of each problem, never the value: that may be a secret. */
export function reloadEntry({
  cause,
  successful,
  problems,
  waiting,
  hash,
}: Pick<ReloadReport, 'cause' | 'successful' | 'problems' | 'waiting' | 'hash'>): AuditEntry {
  const system = { source: 'system' } as const;
  if (successful) return { event: 'configuration_reloaded', ...system, detail: { cause, hash, waiting } };
  const paths = problems.map(({ path }) => path);
  return {
    event: 'configuration_refused',
    ...system,
    detail: { cause, hash, problems: problems.length, paths },
  };
}

export function startedEntry({ hash }: Pick<ReloadReport, 'hash'>): AuditEntry {
  return { event: 'started', source: 'system', detail: { hash } };
}
