import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import type { Identity } from '../policy/identity.ts';
import { reasons } from '../policy/reasons.ts';
import type { Decision } from '../policy/decision.ts';

/** The parts of a request that its explanation shows. */
export type ExplainedRequest = Pick<
  AuthorizationRequest,
  'entryPoint' | 'front' | 'fault' | 'method' | 'uri'
>;

/** One step on the way to a decision. */
export interface Step {
  readonly step: 'trust' | 'identity' | 'role' | 'uri' | 'row' | 'cameras' | 'query' | 'verdict';
  readonly says: string;
}

/** Tells, in the order in which it was decided, what led to a decision. */
export function explain(
  { entryPoint, front, fault, method, uri }: ExplainedRequest,
  decision: Decision,
): Step[] {
  const { outcome, reason, identity, path, rule, resource } = decision;
  const steps: Step[] = [
    { step: 'trust', says: trust(entryPoint, reason) },
    {
      step: 'identity',
      says: identity === undefined ? 'nobody was identified' : whoIs(identity),
    },
  ];
  if (identity !== undefined) {
    const groups = identity.groups === '' ? '' : `, from the groups ${JSON.stringify(identity.groups)}`;
    steps.push({ step: 'role', says: `${identity.role}${groups}` });
  }
  if (fault !== undefined)
    steps.push({
      step: 'uri',
      says: `the authorization request of ${front} is not understood: ${fault.header}`,
    });
  else if (uri === undefined) steps.push({ step: 'uri', says: 'the front did not say it' });
  else
    steps.push({
      step: 'uri',
      says:
        path === undefined
          ? `${uri.split('?', 1)[0]} cannot be read safely`
          : `${method ?? 'no method'} ${path}`,
    });
  if (rule !== undefined) {
    const methods = rule.methods === undefined ? '' : `${rule.methods.join(', ')} `;
    const changes = rule.changes === true ? ', and may be changed by whoever may read it' : '';
    const requiresSession = rule.requiresSession === true ? ', and closed to API tokens' : '';
    steps.push({ step: 'row', says: `${methods}${rule.path} is ${rule.level}${changes}${requiresSession}` });
    if (outcome === 'forbidden' && rule.stricter !== undefined)
      steps.push({ step: 'row', says: `stricter than a release of the recorder: ${rule.stricter}` });
  }
  if (resource?.kind === 'cameras') {
    steps.push({ step: 'cameras', says: namesOf(resource) });
  } else if (resource?.kind === 'recorded') {
    steps.push({
      step: 'cameras',
      says: `the recorder was not asked about ${resource.ids.join(', ')}: the role sees all`,
    });
  }
  if (decision.outcome === 'allow' && decision.grant !== 'all' && identity !== undefined) {
    const who = identity.token?.cameras === undefined ? 'the role' : 'the API token';
    steps.push({ step: 'cameras', says: `${who} is granted ${[...decision.grant].join(', ') || 'none'}` });
  }
  if (decision.outcome === 'allow' && decision.narrowed !== undefined)
    steps.push({ step: 'query', says: `narrowed to ${namesOf(resource)}, which are granted` });
  steps.push({ step: 'verdict', says: `${outcome}: ${reason}, ${reasons[reason]}` });
  return steps;
}

function namesOf(resource: Decision['resource']): string {
  return (resource?.kind === 'cameras' && resource.cameras.join(', ')) || 'none';
}

function whoIs({ user, source, token }: Identity): string {
  return token === undefined ? `${user}, by ${source}` : `${user}, by the API token ${token.id}`;
}

function trust(entryPoint: AuthorizationRequest['entryPoint'], reason: keyof typeof reasons): string {
  if (reason === 'host_unknown') return reasons[reason];
  if (entryPoint === 'internal')
    return 'the internal entry point: anonymous and admin, and no identity header is looked at';
  return reason.startsWith('proxy_secret_') ? reasons[reason] : 'the authenticated entry point';
}
