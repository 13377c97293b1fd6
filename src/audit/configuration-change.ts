import type { Problem } from '../config/problem.ts';
import type { AuditEntry } from './audit-entry.ts';

/** How an attempt to read the configuration anew ended. */
export interface ReloadOutcome {
  readonly successful: boolean;
  readonly problems: readonly Problem[];
  /** Keys whose change waits for a restart. */
  readonly waiting: readonly string[];
  /** Of the configuration that is in force. */
  readonly hash: string;
}

/** Of what is wrong it says where, and not what stands there: that may be a secret. */
export function reloadEntry(
  cause: string,
  { successful, problems, waiting, hash }: ReloadOutcome,
): AuditEntry {
  const system = { source: 'system' } as const;
  if (successful) return { event: 'configuration_reloaded', ...system, detail: { cause, hash, waiting } };
  const paths = problems.map(({ path }) => path);
  return {
    event: 'configuration_refused',
    ...system,
    detail: { cause, hash, problems: problems.length, paths },
  };
}
