import type { Settings } from '../access/settings/settings.ts';
import { clientOf } from '../http/fronts/client.ts';
import type { AuditEntry } from '../audit/audit-entry.ts';
import type { ApiContext } from './environment.ts';

/** Who makes a permitted request, from where, and by which decision: for the audit. */
export function actorOf(
  c: ApiContext,
  settings: Settings,
): Pick<AuditEntry, 'user' | 'role' | 'source' | 'address' | 'decision'> {
  const { identity } = c.var.allowed;
  return {
    user: identity?.user,
    role: identity?.role,
    source: identity?.source,
    address: clientOf(c.env, settings).address,
    decision: c.var.decision,
  };
}
