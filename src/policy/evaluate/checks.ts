import { passesOnItself, type RequestContext } from '../request-context.ts';
import { refuseUnnamedCameras } from './camera-scope.ts';
import { answerChange } from '../recorder/changed-answers.ts';
import { isCrossSite, isCrossSiteBehindProxy } from '../cross-site.ts';
import type { Allowed } from '../decision.ts';
import { globalDenial } from '../global-denial.ts';
import type { Grant } from '../grant.ts';
import type { Identity, ShareScope } from '../identity.ts';
import { isUnfilteredList } from './lists.ts';
import { isNoRole } from '../names.ts';
import { isNamed, type RawHeaders } from '../raw-headers.ts';
import type { Reason } from '../reasons.ts';
import { refuseBefore } from './recorded-since.ts';
import type { ResolvedResource, Resource } from '../resource.ts';
import { refuseByRole } from './role-access.ts';
import type { ScheduleState } from '../schedule.ts';
import type { Rules } from './rules.ts';

/** What is known of a request, whoever sends it. */
interface Asked {
  readonly request: RequestContext;
  readonly rules: Rules;
}

/** What is known when no one is. */
interface Unidentified {
  readonly refused: Reason;
  readonly isPublicPath: boolean;
}

/** What is known once the identity is. */
export interface AskedBy extends Asked {
  readonly identity: Identity;
  readonly grant: Grant;
  readonly schedule: ScheduleState | undefined;
  /** Undefined: there is no URI, or none that can be read. */
  readonly resolved: ResolvedResource | undefined;
  /** Why the URI cannot be read. */
  readonly unreadable: Reason | undefined;
}

/** What is known once it is clear what the request is for. */
interface AskedFor extends AskedBy {
  readonly resolved: ResolvedResource;
  readonly path: string;
  /** As it is passed on. */
  readonly query: string;
  /** With the cameras that the recorder's database and the body say. */
  readonly resource: Resource;
  /** The body decides, and cannot be read as everyone would read it. */
  readonly isBodyUnreadable: boolean;
  /** Why the query was not narrowed to granted cameras. */
  readonly unnarrowed: Reason | undefined;
  /** Whether the gate reads messages and bodies, since the recorder alone may not be trusted to refuse them. */
  readonly isGuarded: boolean;
}

interface SharedTarget {
  readonly permitted: Allowed;
  readonly camera: string;
}

/** One reason, or a group of them, for which a request is refused. */
export interface Check<Known> {
  readonly name: string;
  /** @returns undefined when the next check decides */
  readonly refuse: (known: Known) => Reason | undefined;
}

/** @returns the reason of the first check that refuses */
export function firstRefusal<Known>(table: ReadonlyArray<Check<Known>>, known: Known): Reason | undefined {
  for (const { refuse } of table) {
    const reason = refuse(known);
    if (reason !== undefined) return reason;
  }
  return undefined;
}

/** Before anything is public, and before anyone is asked who they are. */
const ofAnyone: ReadonlyArray<Check<Asked>> = [
  // First: nothing else that a request says counts when its front cannot be understood.
  { name: 'front_fault', refuse: ({ request }) => request.fault?.reason },
  // Before public paths: a page that reaches the gate by a foreign name learns nothing, not even the login.
  { name: 'global_denial', refuse: ({ request, rules }) => globalDenial(request, rules.internalHosts) },
];

/** Of what is not public, when the identity is not known. */
const ofUnidentified: ReadonlyArray<Check<Unidentified>> = [
  // Before the missing identity: to sign in would not help a front that should not have asked.
  {
    name: 'front_public_path',
    refuse: ({ isPublicPath }) => (isPublicPath ? 'front_public_path' : undefined),
  },
  // Before all that depends on who it is.
  { name: 'unidentified', refuse: ({ refused }) => refused },
];

/** Of a share, before what its creator may see: by the very checks of an identity and a target that follow. */
const ofShare: ReadonlyArray<Check<ShareScope>> = [
  // First: what is over says nothing else.
  { name: 'share_over', refuse: ({ isOver }) => (isOver ? 'share_over' : undefined) },
  // Before the part: without a creator nothing is shared.
  { name: 'share_creator', refuse: ({ creator }) => (creator === undefined ? 'share_maker' : undefined) },
  { name: 'share_scope', refuse: ({ target }) => (target === undefined ? 'share_scope' : undefined) },
];

/** Once the identity is known. */
const ofIdentity: ReadonlyArray<Check<AskedBy>> = [
  // Before all that depends on the role: without one there is nothing to depend on.
  { name: 'no_role', refuse: ({ identity }) => (isNoRole(identity.role) ? 'no_role' : undefined) },
  // Before the URI is looked at: a user without the second factor learns nothing but where to set it up.
  { name: 'second_factor', refuse: refuseWithoutSecondFactor },
  // Before whatever reads the path.
  { name: 'uri', refuse: ({ unreadable }) => unreadable },
  // Before what the role may do: outside its schedule it may do nothing.
  { name: 'role_window', refuse: refuseOutsideSchedule },
  // Last of those without a target: the checks below need one.
  {
    name: 'uri_missing',
    refuse: ({ resolved, grant }) => (resolved || grant === 'all' ? undefined : 'uri_missing'),
  },
];

/** Once it is known what the request is for. */
const ofTarget: ReadonlyArray<Check<AskedFor>> = [
  // Before the role: a body that is read in two ways names no resource to hold the role against.
  { name: 'body', refuse: ({ isBodyUnreadable }) => (isBodyUnreadable ? 'body_unreadable' : undefined) },
  // Before the role: an admin's token is refused too.
  { name: 'login_needed', refuse: refuseApiToken },
  // The main one. What follows narrows what the role may reach.
  { name: 'role', refuse: refuseRole },
  // A query that names cameras, none of which is granted: the resource of such a list does not show it.
  {
    name: 'query',
    refuse: ({ unnarrowed }) => (unnarrowed === 'camera_not_granted' ? unnarrowed : undefined),
  },
  // After the cameras: when something was recorded is told only of granted ones.
  { name: 'recorded_since', refuse: refuseRecordedBefore },
  // After the role, which the recorder is told: a token narrows it further.
  { name: 'unnamed_cameras', refuse: refuseUnnamed },
  // After what the request itself says: here the answer depends on the recorder.
  { name: 'unfiltered_list', refuse: refuseUnfilteredList },
  // After what another front would get too: these are open by a front of the gate's own alone.
  { name: 'messages', refuse: refuseMessages },
  { name: 'changed_answer', refuse: refuseUnchanged },
  // Last: the reason says that everything else would have been right.
  { name: 'cross_site', refuse: refuseCrossSite },
];

/** Of a share, once its creator may see the target. */
const ofSharedTarget: ReadonlyArray<Check<SharedTarget>> = [
  // A name of a file or a camera may stand for something else too, to some rule.
  { name: 'share_camera', refuse: refuseOtherCameras },
];

/** Every reason to refuse, in the order in which they decide: the first one wins. */
export const checks = { ofAnyone, ofUnidentified, ofShare, ofIdentity, ofTarget, ofSharedTarget };

function refuseOtherCameras({ permitted: { resource, narrowed }, camera }: SharedTarget): Reason | undefined {
  const isOfCamera =
    resource?.kind === 'cameras' &&
    resource.cameras.length > 0 &&
    resource.cameras.every((name) => name === camera);
  return isOfCamera && narrowed === undefined ? undefined : 'share_scope';
}

function refuseWithoutSecondFactor({ identity, resolved }: AskedBy): Reason | undefined {
  const isOpen = identity.restricted === undefined || resolved?.rule.beforeSecondFactor === true;
  return isOpen ? undefined : 'second_factor_missing';
}

/** One's own account, and its page, stay open. */
function refuseOutsideSchedule({ schedule, resolved }: AskedBy): Reason | undefined {
  if (schedule?.isOpen !== false) return undefined;
  const isOwnAccount =
    resolved?.resource.kind === 'own-account' || resolved?.rule.beforeSecondFactor === true;
  return isOwnAccount ? undefined : 'role_outside_window';
}

function refuseApiToken({ identity, resolved }: AskedFor): Reason | undefined {
  return identity.source === 'api-token' && resolved.rule.requiresSession === true
    ? 'login_needed'
    : undefined;
}

function refuseRole({
  request,
  identity,
  grant,
  resource,
  resolved,
  isGuarded,
}: AskedFor): Reason | undefined {
  const isBodyToCome = request.body === 'to-come' || !isGuarded;
  const { changes = false } = resolved.rule;
  return refuseByRole(identity.role, grant, request.method, resource, changes, isBodyToCome);
}

function refuseRecordedBefore({
  request,
  rules,
  schedule,
  resolved,
  path,
  query,
}: AskedFor): Reason | undefined {
  const since = schedule?.since;
  return since === undefined ? undefined : refuseBefore(since, { ...resolved, path, query }, request, rules);
}

function refuseUnnamed({ request, identity, resolved, resource, query }: AskedFor): Reason | undefined {
  if (identity.token?.cameras === undefined) return undefined;
  return refuseUnnamedCameras(resolved.rule, resource, request.method, query);
}

/** What is not granted is left out by the recorder alone: to it a role that it does not know may be a viewer. */
function refuseUnfilteredList({ request, rules, identity, grant, resolved, query, unnarrowed }: AskedFor) {
  if (grant === 'all' || !isUnfilteredList(resolved.rule, query)) return undefined;
  const isFiltered = rules.listsAreFiltered(identity.role, request.front);
  return isFiltered ? undefined : (unnarrowed ?? 'recorder_role_unverified');
}

/**
 * The gate alone reads the messages of a WebSocket, where it passes it on itself. A role that is limited to cameras, and anyone but
 * an admin where the gate is the only guard, opens no WebSocket but those of cameras and the one whose messages are filtered.
 */
function refuseMessages({ request, resolved, resource, isGuarded }: AskedFor): Reason | undefined {
  const { front, headers } = request;
  const { messages } = resolved.rule;
  if (!isGuarded || resource.kind !== 'neutral' || (messages === true && passesOnItself(front)))
    return undefined;
  return messages === true || opensWebSocket(headers) ? 'messages_unfiltered' : undefined;
}

/** An answer of which the gate changes something, where only a front passes it on. */
function refuseUnchanged({ request, path, identity, grant }: AskedFor): Reason | undefined {
  if (passesOnItself(request.front)) return undefined;
  return answerChange(path, { role: identity.role, grant })?.reason;
}

/**
 * What a page of another site would change, with what the browser sends by itself: our cookie, the cookie of a proxy's sign-on, or
 * its place inside the network. A session token as bearer and an API token it does not send. A WebSocket is a GET that may say
 * anything; on the internal entry point, services pass on those of their own pages.
 */
function refuseCrossSite({ request, identity: { source } }: AskedFor): Reason | undefined {
  if (source === 'bearer' || source === 'api-token') return undefined;
  const { method, headers, host } = request;
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
