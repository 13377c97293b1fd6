import { canonicalUri } from './canonical-uri.ts';
import { isCrossSite } from './cross-site.ts';
import { decide } from './decide.ts';
import { grantOf, type CustomRoles } from './grant.ts';
import type { Identification } from './identify.ts';
import type { Reason } from './reasons.ts';
import type { ResolveTarget } from './resolve-target.ts';
import type { Target } from './target.ts';
import type { AccessRequest, Subject, Verdict } from './verdict.ts';

/** What a verdict depends on, besides the request and its subject. */
export interface Rules {
  readonly customRoles: CustomRoles;
  readonly resolveTarget: ResolveTarget;
}

/** @returns the verdict on a request whose subject was identified. */
export function judge(request: AccessRequest, identification: Identification, rules: Rules): Verdict {
  const target = findTarget(request, rules.resolveTarget);
  if (target !== undefined && 'kind' in target && target.kind === 'public') {
    return { kind: 'allow', reason: 'public', subject: undefined, grant: new Set() };
  }
  if ('refused' in identification) {
    const { refused } = identification;
    // Known, but nobody here: to log in again would not help.
    return refused === 'no_role'
      ? forbidden(refused)
      : { kind: 'unauthenticated', reason: refused, subject: undefined };
  }
  const { subject } = identification;
  const grant = grantOf(subject.role, rules.customRoles);
  if (target === undefined) {
    return grant === 'all'
      ? { kind: 'allow', reason: 'allowed', subject, grant }
      : forbidden('uri_missing', subject);
  }
  const refused =
    'refused' in target
      ? target.refused
      : (decide(subject.role, grant, request.method, target) ?? refuseCrossSite(request, subject));
  return refused === undefined
    ? { kind: 'allow', reason: 'allowed', subject, grant }
    : forbidden(refused, subject);
}

function findTarget(
  { uri, method }: AccessRequest,
  resolveTarget: ResolveTarget,
): Target | { readonly refused: Reason } | undefined {
  if (uri === undefined) return undefined;
  const canonical = canonicalUri(uri);
  return 'refused' in canonical ? canonical : resolveTarget(canonical, method);
}

/** Only a cookie is sent by a browser without the page's doing. */
function refuseCrossSite(request: AccessRequest, subject: Subject): Reason | undefined {
  const changesState = request.method !== 'GET' && request.method !== 'HEAD';
  return subject.source === 'session' && changesState && isCrossSite(request.headers, request.host)
    ? 'cross_site'
    : undefined;
}

function forbidden(reason: Reason, subject?: Subject): Verdict {
  return { kind: 'forbidden', reason, subject };
}
