import type { AuthorizationRequest } from './authorization-request.ts';
import { canonicalUri } from './canonical-uri.ts';
import { checks, firstRefusal, type AskedBy } from './checks.ts';
import type { Allowed, Basis, Decision, Refused } from './decision.ts';
import type { Grant } from './grant.ts';
import type { Authentication, Identity } from './identity.ts';
import { narrow } from './narrow.ts';
import { isPublicTo, isSpelt } from './public-path.ts';
import type { Reason } from './reasons.ts';
import { resourceInBody } from './resource-in-body.ts';
import { completeResource, type Resource } from './resource.ts';
import type { Rules } from './rules.ts';
import { grantOfIdentity } from './token-scope.ts';

/** @returns whether a request may pass by the table of checks, and what that was made of */
export function evaluate(
  request: AuthorizationRequest,
  authentication: Authentication,
  rules: Rules,
): Decision {
  const denied = firstRefusal(checks.ofAnyone, { request, rules });
  if (denied !== undefined) return forbidden(denied);
  const uri = request.uri === undefined ? undefined : readUri(request.uri, rules.basePath);
  const readable = uri === undefined || 'refused' in uri ? undefined : uri;
  const resolved = readable && rules.resolveResource(readable, request.method);
  const path = readable?.path;
  const basis: Basis = { path, rule: resolved?.rule, resource: resolved?.resource };

  const isPublicPath = resolved?.resource.kind === 'public' && isSpelt(request.uri, path);
  if (isPublicPath && isPublicTo(request, resolved.rule))
    return { outcome: 'allow', reason: 'public', identity: undefined, grant: noCameras, ...basis };
  if ('refused' in authentication) {
    const reason = firstRefusal(checks.ofUnidentified, { refused: authentication.refused, isPublicPath });
    return { ...basis, ...unidentified(reason ?? authentication.refused) };
  }

  const { identity } = authentication;
  const grant = grantOfIdentity(identity, rules.customRoles);
  const window = rules.windowOf === undefined ? undefined : rules.windowOf(identity.role);
  const unreadable = uri !== undefined && 'refused' in uri ? uri.refused : undefined;
  const asked = { request, rules, identity, grant, window, resolved, unreadable };
  const reason = firstRefusal(checks.ofIdentity, asked);
  if (reason !== undefined) return { ...basis, ...forbidden(reason, identity) };
  if (resolved === undefined || readable === undefined)
    return { outcome: 'allow', reason: 'allowed', identity, grant, ...basis };

  const narrowing = narrow(request, readable, resolved.rule, grant, window?.since);
  const narrowed = narrowing !== undefined && 'uri' in narrowing ? narrowing : undefined;
  // The recorder is asked for roles that are limited to cameras alone: to the others its answer means nothing.
  const named = narrowed?.cameras === undefined ? resolved.resource : camerasIn(narrowed.cameras);
  // A recorder with roles of its own refuses by itself what only an admin may send, but does not keep a role of ours to its cameras.
  const isGuarded = grant !== 'all' || (identity.role !== 'admin' && rules.everyoneIsAdmin?.() === true);
  const completed = isGuarded ? complete(named, asked) : named;
  const resource = completed ?? resolved.resource;
  const refused = firstRefusal(checks.ofTarget, {
    request,
    rules,
    identity,
    grant,
    window,
    resolved,
    unreadable,
    path: readable.path,
    query: narrowed?.query ?? readable.query,
    resource,
    isBodyUnreadable: completed === undefined,
    unnarrowed: narrowing !== undefined && 'reason' in narrowing ? narrowing.reason : undefined,
    isGuarded,
  });
  const { rule } = resolved;
  if (refused !== undefined) return { path, rule, resource, ...forbidden(refused, identity) };
  return {
    outcome: 'allow',
    reason: 'allowed',
    identity,
    grant,
    path,
    rule,
    resource,
    isGuarded,
    narrowed: narrowed?.uri,
    until: window?.until,
    since: window?.since,
  };
}

function camerasIn(cameras: readonly string[]): Resource {
  return { kind: 'cameras', cameras };
}

const noCameras: Grant = new Set();

/** @returns undefined when the body cannot be read */
function complete(resource: Resource, { request, rules, identity, grant }: AskedBy): Resource | undefined {
  const { body } = request;
  const names = namedInBody(resource);
  if (names === undefined || !(body instanceof Uint8Array)) {
    const isCameraScoped = identity.token?.cameras !== undefined;
    return grant === 'all' ? resource : completeResource(resource, rules.recorded, isCameraScoped);
  }
  const read = resourceInBody(names, body, request, rules, grant);
  if (resource.kind !== 'cameras' || read?.kind !== 'cameras') return read;
  return { kind: 'cameras', cameras: [...new Set([...resource.cameras, ...read.cameras])] };
}

function namedInBody(resource: Resource) {
  return resource.kind === 'in-body' || resource.kind === 'cameras' ? resource.names : undefined;
}

/** Whether a request was permitted for now: what its body names decides, once it has been read. */
export function dependsOnBody({ resource, isGuarded }: Allowed): boolean {
  return isGuarded === true && resource !== undefined && namedInBody(resource) !== undefined;
}

/** A prefix that is still there is read by the gate as a part of the path, and may be taken away by the next server. */
function readUri(sent: string, basePath: string): ReturnType<typeof canonicalUri> {
  const uri = canonicalUri(sent);
  const isBelow = basePath !== '' && 'path' in uri && `${uri.path}/`.startsWith(`${basePath}/`);
  return isBelow ? { refused: 'uri_base_path' } : uri;
}

/** No login would help those who are known, but have no role, nor a front that should not have asked. */
function unidentified(reason: Reason): Refused {
  const outcome = reason === 'no_role' || reason === 'front_public_path' ? 'forbidden' : 'unauthenticated';
  return { outcome, reason, identity: undefined };
}

function forbidden(reason: Reason, identity?: Identity): Refused {
  return { outcome: 'forbidden', reason, identity };
}
