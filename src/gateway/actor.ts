import type { AuditEntry } from '../audit/audit-entry.ts';
import type { InForce } from './dependencies.ts';
import { clientOf, type GatewayContext } from './gateway-environment.ts';

/** Who asks for something that was permitted, from where, and by which decision: for the audit. */
export function actorOf(
  c: GatewayContext,
  settings: InForce,
): Pick<AuditEntry, 'user' | 'role' | 'source' | 'address' | 'decision'> {
  const { subject } = c.var.allowed;
  return {
    user: subject?.user,
    role: subject?.role,
    source: subject?.source,
    address: clientOf(c.env, settings).address,
    decision: c.var.decision,
  };
}
