import type { AccessRule } from './access-rule.ts';
import { answerChange } from './changed-answers.ts';
import { passesOnItself, type AuthorizationRequest, type Front } from './authorization-request.ts';
import type { Allowed, Decision, Refused } from './decision.ts';
import type { Authentication, Identity } from './identity.ts';
import { canonicalUri } from './canonical-uri.ts';
import { isCrossSite, isCrossSiteBehindProxy } from './cross-site.ts';
import { refuseByRole } from './role-access.ts';
import type { CustomRoles, Grant } from './grant.ts';
import { isUnfilteredList } from './lists.ts';
import { refuseUnnamedCameras } from './camera-scope.ts';
import { isNoRole } from './names.ts';
import { narrow } from './narrow.ts';
import { isNamed, type RawHeaders } from './raw-headers.ts';
import type { Reason } from './reasons.ts';
import type { ResolveResource } from './rule-tree.ts';
import { isPublicTo, isSpelt } from './public-path.ts';
import { refuseToEverybody } from './refused-to-everybody.ts';
import { refuseBefore, type RecordedTimes } from './recorded-since.ts';
import type { WindowState } from './role-window.ts';
import { resourceInBody } from './resource-in-body.ts';
import { completeResource, type RecordedCameras, type ResolvedResource, type Resource } from './resource.ts';
import { grantOfIdentity } from './token-scope.ts';

/** What a decision depends on, besides the request and who is asking. */
export interface Rules {
  readonly customRoles: CustomRoles;
  readonly resolveResource: ResolveResource;
  readonly recorded: RecordedCameras;
  /** Undefined: nobody knows when anything was recorded. */
  readonly recordedTimes?: RecordedTimes | undefined;
  /** Names by which the internal entry point may be called; lower-case. */
  readonly internalHosts: ReadonlySet<string>;
  /**
   * Whether what stands behind a front leaves out of its lists what a custom role is not granted, as far as that is known at
   * this moment.
   */
  readonly listsAreFiltered: (role: string, front: Front | undefined) => boolean;
  /**
   * Whether the recorder takes everyone for an admin, or may, as it has not answered yet: then the gate is the only guard of what
   * those without a limit to cameras send.
   */
  readonly everyoneIsAdmin?: (() => boolean) | undefined;
  /** What the window of a role means at this moment; undefined: the role has none. Not there when no role has one. */
  readonly windowOf?: ((role: string) => WindowState | undefined) | undefined;
  /** Prefix that a front takes away before it asks or passes on; empty when there is none. */
  readonly basePath: string;
}

/** @returns whether a request may pass, and what that was made of */
export function evaluate(
  request: AuthorizationRequest,
  authentication: Authentication,
  rules: Rules,
): Decision {
  if (request.fault !== undefined) return forbidden(request.fault.reason);
  const outright = refuseToEverybody(request, rules.internalHosts);
  if (outright !== undefined) return forbidden(outright);
  const uri = request.uri === undefined ? undefined : readUri(request.uri, rules.basePath);
  const readable = uri === undefined || 'refused' in uri ? undefined : uri;
  const resolved = readable && rules.resolveResource(readable, request.method);
  const basis = { path: readable?.path, rule: resolved?.rule, resource: resolved?.resource };

  if (resolved?.resource.kind === 'public' && isSpelt(request.uri, readable?.path)) {
    if (isPublicTo(request, resolved.rule))
      return { ...basis, outcome: 'allow', reason: 'public', identity: undefined, grant: noCameras };
    if ('refused' in authentication) return { ...basis, ...forbidden('front_public_path') };
  }
  if ('refused' in authentication) return { ...basis, ...unidentified(authentication.refused) };
  const { identity } = authentication;
  if (isNoRole(identity.role)) return { ...basis, ...forbidden('no_role', identity) };
  if (identity.restricted !== undefined && resolved?.rule.beforeSecondFactor !== true)
    return { ...basis, ...forbidden('second_factor_missing', identity) };
  const grant = grantOfIdentity(identity, rules.customRoles);
  if (uri !== undefined && 'refused' in uri) return { ...basis, ...forbidden(uri.refused, identity) };
  const window = rules.windowOf === undefined ? undefined : rules.windowOf(identity.role);
  if (window?.isOpen === false && !isOfOwnAccount(resolved))
    return { ...basis, ...forbidden('role_outside_window', identity) };
  if (resolved === undefined)
    return { ...basis, ...(grant === 'all' ? allowed(identity, grant) : forbidden('uri_missing', identity)) };

  const { rule } = resolved;
  const since = window?.since;
  const isCameraScoped = identity.token?.cameras !== undefined;
  const narrowing = readable && narrow(request, readable, rule, grant, since);
  const narrowed = narrowing !== undefined && 'uri' in narrowing ? narrowing : undefined;
  const unnarrowed = narrowing !== undefined && 'reason' in narrowing ? narrowing.reason : undefined;
  const query = narrowed?.query ?? readable?.query ?? '';
  // The recorder is asked for roles that are limited to cameras alone: to the others its answer means nothing.
  const named = narrowed?.cameras === undefined ? resolved.resource : camerasIn(narrowed.cameras);
  // A recorder with roles of its own refuses by itself what only an admin may send, but does not keep a role of ours to its cameras.
  const isGuarded = grant !== 'all' || (identity.role !== 'admin' && rules.everyoneIsAdmin?.() === true);
  const resource = isGuarded ? complete(named, request, rules, grant, isCameraScoped) : named;
  if (resource === undefined) return { ...basis, ...forbidden('body_unreadable', identity) };
  // What is not granted is left out by the recorder alone: to it a role that it does not know may be a viewer.
  const reliesOnRecorder = grant !== 'all' && isUnfilteredList(rule, query);
  const refused =
    (identity.source === 'api-token' && rule.requiresSession === true ? 'login_needed' : undefined) ??
    refuseByRole(
      identity.role,
      grant,
      request.method,
      resource,
      rule.changes === true,
      request.body === 'to-come' || !isGuarded,
    ) ??
    (unnarrowed === 'camera_not_granted' ? unnarrowed : undefined) ??
    (since === undefined || readable === undefined
      ? undefined
      : refuseBefore(since, { ...resolved, path: readable.path, query }, request, rules)) ??
    (isCameraScoped ? refuseUnnamedCameras(rule, resource, request.method, query) : undefined) ??
    (reliesOnRecorder && !rules.listsAreFiltered(identity.role, request.front)
      ? (unnarrowed ?? 'recorder_role_unverified')
      : undefined) ??
    (isGuarded ? refuseMessages(request, rule, resource) : undefined) ??
    refuseUnchanged(request, basis.path, identity.role, grant) ??
    refuseCrossSite(request, identity);
  const { path } = basis;
  if (refused !== undefined) return { path, rule, resource, ...forbidden(refused, identity) };
  const permitted = { path, rule, resource, ...allowed(identity, grant), isGuarded };
  if (window !== undefined) return { ...permitted, narrowed: narrowed?.uri, until: window.until, since };
  return narrowed === undefined ? permitted : { ...permitted, narrowed: narrowed.uri };
}

/** What of the own account stays open to whoever may see nothing: its page too. */
function isOfOwnAccount(resolved: ResolvedResource | undefined): boolean {
  return resolved?.resource.kind === 'own-account' || resolved?.rule.beforeSecondFactor === true;
}

function camerasIn(cameras: readonly string[]): Resource {
  return { kind: 'cameras', cameras };
}

const noCameras: Grant = new Set();

/** @returns undefined when the body cannot be read */
function complete(
  resource: Resource,
  request: AuthorizationRequest,
  rules: Rules,
  grant: Grant,
  isCameraScoped: boolean,
): Resource | undefined {
  const { body } = request;
  const names = namedInBody(resource);
  if (names === undefined || !(body instanceof Uint8Array))
    return grant === 'all' ? resource : completeResource(resource, rules.recorded, isCameraScoped);
  const read = resourceInBody(names, body, request, rules, grant);
  if (resource.kind !== 'cameras' || read?.kind !== 'cameras') return read;
  return { kind: 'cameras', cameras: [...new Set([...resource.cameras, ...read.cameras])] };
}

function namedInBody(resource: Resource) {
  return resource.kind === 'in-body' || resource.kind === 'cameras' ? resource.names : undefined;
}

/** Whether a request was permitted for now: what its body names decides, once somebody has read it. */
export function dependsOnBody({ resource, isGuarded }: Allowed): boolean {
  return isGuarded === true && resource !== undefined && namedInBody(resource) !== undefined;
}

/** A prefix that is still there is read by the gate as a part of the path, and may be taken away by whoever is next. */
function readUri(sent: string, basePath: string): ReturnType<typeof canonicalUri> {
  const uri = canonicalUri(sent);
  const isBelow = basePath !== '' && 'path' in uri && `${uri.path}/`.startsWith(`${basePath}/`);
  return isBelow ? { refused: 'uri_base_path' } : uri;
}

/** Known, but nobody here: to log in again would not help. */
function unidentified(reason: Reason): Refused {
  return reason === 'no_role'
    ? forbidden(reason)
    : { outcome: 'unauthenticated', reason, identity: undefined };
}

/**
 * What a page of another site would change, with what the browser has without that page's doing: our cookie, the cookie of a
 * proxy's sign-on, or its place inside of the network. A bearer it has not, be it a session token or an API token. A WebSocket is a GET that may say anything;
 * on the internal entry point, services pass those of their own pages on.
 */
function refuseCrossSite(
  { method, headers, host }: AuthorizationRequest,
  { source }: Identity,
): Reason | undefined {
  if (source === 'bearer' || source === 'api-token') return undefined;
  const isWebSocket = source !== 'internal' && opensWebSocket(headers);
  const changesState = isWebSocket || (method !== 'GET' && method !== 'HEAD');
  const isForeign = source === 'session' ? isCrossSite : isCrossSiteBehindProxy;
  return changesState && isForeign(headers, host) ? 'cross_site' : undefined;
}

/** By any of its signs: which of them a front passes on is the front's to choose (RFC 6455, 4.1; Fetch Metadata). */
function opensWebSocket(headers: RawHeaders): boolean {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string;
    if (isNamed(name, 'sec-websocket-key')) return true;
    const isSign = isNamed(name, 'sec-fetch-mode') || isNamed(name, 'upgrade');
    if (isSign && headers[i + 1]?.toLowerCase().includes('websocket') === true) return true;
  }
  return false;
}

/**
 * The gate alone reads the messages of a WebSocket, where it passes it on itself. A role that is limited to cameras, and anyone but an
 * admin where the gate is the only guard, opens no WebSocket but those of cameras and the one whose messages are filtered.
 */
function refuseMessages(
  { front, headers }: AuthorizationRequest,
  { messages }: AccessRule,
  { kind }: Resource,
): Reason | undefined {
  if (kind !== 'neutral' || (messages === true && passesOnItself(front))) return undefined;
  return messages === true || opensWebSocket(headers) ? 'messages_unfiltered' : undefined;
}

/** An answer of which the gate changes something, where only a front passes it on. */
function refuseUnchanged(
  { front }: AuthorizationRequest,
  path: string | undefined,
  role: string,
  grant: Grant,
): Reason | undefined {
  if (path === undefined || passesOnItself(front)) return undefined;
  return answerChange(path, { role, grant })?.reason;
}

function allowed(identity: Identity, grant: Grant): Allowed {
  return { outcome: 'allow', reason: 'allowed', identity, grant };
}

function forbidden(reason: Reason, identity?: Identity): Refused {
  return { outcome: 'forbidden', reason, identity };
}
