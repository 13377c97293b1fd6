import type { AuditRecord } from '../audit/audit-query.ts';
import type { Decision } from '../policy/decision.ts';
import { capabilities } from '../policy/capability.ts';
import { plainIdentity, type Identity } from '../policy/identity.ts';
import { reasons } from '../policy/reasons.ts';
import type { ExplainedRequest } from './explain.ts';

/**
 * Rebuilds a refusal from its audit record, without the access rule and the cameras, which only the process that decided
 * has.
 * @returns undefined for a record of anything else
 */
export function recordedDecision(
  record: AuditRecord,
): { readonly request: ExplainedRequest; readonly decision: Decision } | undefined {
  const { event, reason, object, detail } = record;
  const { verdict, entry_point: entryPoint, method, front, header, missing, opens } = detail;
  const known = reasons.find((name) => name === reason);
  if ((event !== 'refused' && event !== 'login_failed') || known === undefined) return undefined;
  if (verdict !== 'unauthenticated' && verdict !== 'forbidden') return undefined;
  const uri = object ?? undefined;
  return {
    request: {
      entryPoint: entryPoint === 'internal' ? 'internal' : 'authenticated',
      front: typeof front === 'string' ? (front as ExplainedRequest['front']) : undefined,
      fault: typeof header === 'string' ? { reason: known, header } : undefined,
      method: typeof method === 'string' ? method : undefined,
      uri,
    },
    decision: {
      outcome: verdict,
      reason: known,
      identity: identityOf(record),
      // An unreadable URI has no path.
      path: known.startsWith('uri_') ? undefined : uri,
      missing: capabilities.find((capability) => capability === missing),
      opening: typeof opens === 'string' ? { opens: Date.parse(opens) } : undefined,
    },
  };
}

function identityOf({ user, role, source, detail }: AuditRecord): Identity | undefined {
  if (user === null || role === null || source === null) return undefined;
  const identity = plainIdentity(user, role, source as Identity['source']);
  const { token_id: token } = detail;
  return typeof token === 'string' ? { ...identity, token: { id: token, cameras: undefined } } : identity;
}
