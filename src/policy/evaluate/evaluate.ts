import { mayNothing } from '../capability.ts';
import type { RequestContext } from '../request-context.ts';
import { checks, firstRefusal } from './checks.ts';
import { decide, forbidden, targetOf } from './decide.ts';
import type { Allowed, Decision, Refused } from '../decision.ts';
import { noCameras } from '../grant.ts';
import type { Authentication } from '../identity.ts';
import { isPublicTo, isSpelt } from './public-path.ts';
import type { Reason } from '../reasons.ts';
import { mayOfferAnything, offerPlaceOf } from '../recorder/offers.ts';
import { namedInBody } from '../resource.ts';
import type { Rules } from './rules.ts';
import { decideShared } from './share-access.ts';

/** @returns whether a request may pass, by the table of checks, and the basis of that decision */
export function evaluate(request: RequestContext, authentication: Authentication, rules: Rules): Decision {
  const denied = firstRefusal(checks.ofAnyone, { request, rules });
  if (denied !== undefined) return forbidden(denied);
  const target = targetOf(request, rules);
  const { resolved, basis } = target;
  const isPublicPath = resolved?.resource.kind === 'public' && isSpelt(request.uri, basis.path);
  if (isPublicPath && isPublicTo(request, resolved.rule))
    return {
      outcome: 'allow',
      reason: 'public',
      identity: undefined,
      grant: noCameras,
      may: mayNothing,
      ...basis,
    };
  if ('refused' in authentication) {
    const { refused } = authentication;
    const reason = firstRefusal(checks.ofUnidentified, { refused, isPublicPath }) ?? refused;
    return { ...basis, ...unidentified(reason) };
  }
  const { identity, share, session } = authentication;
  return share === undefined
    ? decide(request, target, identity, rules, session)
    : decideShared(request, basis.path, identity, share, rules);
}

/** Whether a request was permitted for now, and its body decides once it has been read: by the names in it, or as an offer. */
export function dependsOnBody(
  { resource, isGuarded, path, identity }: Allowed,
  method: string | undefined,
): boolean {
  const isNaming = isGuarded === true && resource !== undefined && namedInBody(resource) !== undefined;
  const isOffering = identity !== undefined && !mayOfferAnything(identity);
  return isNaming || (isOffering && offerPlaceOf(path ?? '', method, false) === 'body');
}

/** Signing in would not help if something else is wrong. */
function unidentified(reason: Reason): Refused {
  const isForbidden = otherFaults.has(reason) || reason.startsWith('uri_');
  return { outcome: isForbidden ? 'forbidden' : 'unauthenticated', reason, identity: undefined };
}

const otherFaults: ReadonlySet<Reason> = new Set(['no_role', 'front_public_path', 'share_scope']);
