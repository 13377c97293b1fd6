import { mayNothing } from '../capability.ts';
import type { RequestContext } from '../request-context.ts';
import { checks, firstRefusal } from './checks.ts';
import { decide, forbidden, targetOf } from './decide.ts';
import type { Allowed, Decision, Refused } from '../decision.ts';
import { noCameras } from '../grant.ts';
import type { Authentication } from '../identity.ts';
import type { Reason } from '../reasons.ts';
import { mayOfferAnything, offerPlaceOf, offerToPassOn } from '../recorder/offers.ts';
import { namedInBody } from '../resource.ts';
import type { Rules } from './rules.ts';
import { decideShared } from './share-access.ts';
import { sentPath } from '../canonical-uri.ts';
import type { AccessRule } from '../access-rule.ts';

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
  const { identity, share } = authentication;
  return share === undefined
    ? decide(request, target, authentication, rules)
    : decideShared(request, basis.path, { identity, share }, rules);
}

/** Whether a request was permitted for now, and its body decides once it has been read: by the names in it, or as an offer. */
export function dependsOnBody(permitted: Allowed, method: string | undefined): boolean {
  const { resource, isGuarded } = permitted;
  const isNaming = isGuarded === true && resource !== undefined && namedInBody(resource) !== undefined;
  return isNaming || isOfferRead(permitted, method);
}

function isOfferRead({ path, identity }: Allowed, method: string | undefined): boolean {
  const isOffering = identity !== undefined && !mayOfferAnything(identity);
  return isOffering && offerPlaceOf(path ?? '', method, false) === 'body';
}

/** @returns the body of a permitted request as the recorder gets it: an offer without what only admins may have in it */
export function bodyToPassOn(
  body: Buffer,
  { method, headers }: Pick<RequestContext, 'method' | 'headers'>,
  permitted: Allowed,
): Buffer {
  return isOfferRead(permitted, method) ? Buffer.from(offerToPassOn(body, headers)) : body;
}

/** Signing in would not help if something else is wrong. */
function unidentified(reason: Reason): Refused {
  const isForbidden = otherFaults.has(reason) || reason.startsWith('uri_');
  return { outcome: isForbidden ? 'forbidden' : 'unauthenticated', reason, identity: undefined };
}

const otherFaults: ReadonlySet<Reason> = new Set(['no_role', 'front_public_path', 'share_scope']);

/**
 * Whether the path of a request is spelt as the gate reads it, so that a front recognizes it as one of the gate's own too. A
 * front could take another spelling of a public path for the recorder's: it needs an identity.
 */
function isSpelt(sent: string | undefined, path: string | undefined): boolean {
  return sent !== undefined && sentPath(sent) === path;
}

/**
 * Whether a public path is open without an identity. The gate answers its own requests itself. Another front passes on what is
 * allowed, and should send the gate's paths there without asking: one that asks anyway may have no location for this path, and would
 * pass it on without an identity. nginx checks the identity before it passes anything on (nginx/postern/server.conf), and may ask
 * about a path that the rule names literally: a pattern also matches paths that its locations read as something else.
 */
function isPublicTo({ front }: Pick<RequestContext, 'front'>, { path }: Pick<AccessRule, 'path'>): boolean {
  if (front === undefined || front === 'embedded') return true;
  return front === 'auth-request' && !path.includes('*');
}
