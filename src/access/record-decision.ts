import type { Clock } from '../clock.ts';
import type { AuditLog } from '../audit/audit-log.ts';
import { pathOf, type AuditEntry } from '../audit/audit-entry.ts';
import { lostPortHint } from '../policy/cross-site.ts';
import type { RequestContext } from '../policy/request-context.ts';
import type { Decision, Refused } from '../policy/decision.ts';
import type { RequestLog } from '../telemetry/request-log.ts';
import type { DecisionLog } from './decision-log.ts';

/**
 * Records a current decision: a refusal in the audit log, and permitted requests in the log at `debug`.
 * @param entry additional or different fields of the audit record
 * @returns its id
 */
export type RecordDecision = (
  request: RequestContext,
  decision: Decision,
  entry?: Partial<Pick<AuditEntry, 'event' | 'user' | 'source' | 'detail'>>,
) => string;

export interface DecisionRecorderDependencies {
  readonly decisions: DecisionLog;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly logger: RequestLog;
  /** The address of the client that a request is about. */
  readonly addressOf: (request: RequestContext) => string;
  readonly clock: Clock;
}

export function decisionRecorder(dependencies: DecisionRecorderDependencies): RecordDecision {
  const { decisions, audit, logger, addressOf, clock } = dependencies;
  const logsAllowed = logger.isLevelEnabled('debug');
  let loggedMissingUri = false;

  const addressIn = (request: RequestContext): string | undefined => {
    try {
      return addressOf(request);
    } catch {
      // The fault that caused the refusal is logged already.
      return undefined;
    }
  };

  return (request, decision, entry) => {
    const id = decisions.keep(request, decision, clock.now());
    const { outcome, reason, identity } = decision;
    if (outcome === 'allow' && !logsAllowed) return id;
    const who = { user: identity?.user, role: identity?.role, source: identity?.source };
    const { entryPoint, front, fault, method } = request;
    const detail = {
      // Operators search logs for these names.
      verdict: outcome,
      entry_point: entryPoint,
      front,
      header: fault?.header,
      method,
      token_id: identity?.token?.id,
      missing: outcome === 'allow' ? undefined : decision.missing,
      opens: outcome === 'allow' ? undefined : opensAt(decision.opening),
      hint: reason === 'cross_site' ? lostPortHint(request.headers, request.host) : undefined,
    };
    const path = pathOf(request.uri);
    if (outcome === 'allow') {
      const narrowed = decision.narrowed === undefined ? undefined : true;
      logger.debug({ decision: id, reason, ...who, ...detail, path, narrowed }, 'allowed');
      return id;
    }
    const address = addressIn(request);
    void audit.record({
      event: 'refused',
      decision: id,
      reason,
      ...who,
      address,
      object: path,
      ...entry,
      detail: entry === undefined ? detail : { ...detail, ...entry.detail },
    });
    if (reason === 'uri_missing' && !loggedMissingUri) {
      loggedMissingUri = true;
      logger.warn(
        {},
        'a front sends no X-Original-URL: add "proxy_set_header X-Original-URL $request_uri;" and X-Original-Method',
      );
    }
    return id;
  };
}

function opensAt(opening: Refused['opening']): string | undefined {
  return opening?.opens === undefined ? undefined : new Date(opening.opens).toISOString();
}
