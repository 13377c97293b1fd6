import type { AuditEntry } from '../../audit/audit-entry.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { Tallies } from '../../telemetry/tallies.ts';
import type { ApiContext } from '../environment.ts';

const code = 'too_many_requests';

/** The audit entry of a login that a limit has refused. */
export const limitedLogin = {
  event: 'login_limited',
  reason: code,
  detail: { code },
} as const satisfies AuditEntry;

interface LimitedLoginDependencies {
  readonly audit: Pick<AuditLog, 'record'>;
  readonly tallies: Pick<Tallies, 'logins'>;
}

/** Counts and records such a login, in place of the record of other refusals. */
export async function recordLimitedLogin(
  { audit, tallies }: LimitedLoginDependencies,
  c: ApiContext,
  how: Pick<AuditEntry, 'source' | 'address'>,
): Promise<void> {
  tallies.logins.limited += 1;
  await audit.record({ ...limitedLogin, ...how });
  c.set('isRecorded', true);
}
