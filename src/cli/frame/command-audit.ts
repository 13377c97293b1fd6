import { userInfo } from 'node:os';
import { systemClock } from '../../clock.ts';
import { boundEntry, type AuditEntry } from '../../audit/audit-entry.ts';
import { createAuditTable } from '../../audit/audit-table.ts';
import { onActivity, type Keeping } from './open-kept.ts';
import { complain } from './output.ts';

/** Records a command in the audit under the name of the operating system's user; a failure is logged, the command stays done. */
export async function keepAudit(keeping: Keeping, entries: readonly AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const at = systemClock.now();
  const who = { user: operatingUser(), source: 'cli' };
  try {
    const bounded = entries.map((entry) => ({ entry: boundEntry({ ...entry, ...who }), at }));
    await onActivity(keeping, (activity) => createAuditTable(activity).add(bounded, unlimited));
  } catch {
    complain('it is done, but the audit has no record of it');
  }
}

// The server prunes what exceeds the limit.
const unlimited = { session: Number.POSITIVE_INFINITY, refusal: Number.POSITIVE_INFINITY };

function operatingUser(): string {
  try {
    return userInfo().username;
  } catch {
    // In a container a user may have no name, only a number.
    return `uid ${process.getuid?.() ?? ''}`;
  }
}
