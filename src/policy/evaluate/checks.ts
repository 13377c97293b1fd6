import { passesOnItself, type RequestContext } from '../request-context.ts';
import { refuseUnnamedCameras, refuseByRole } from './refuse-by-role.ts';
import { answerChange } from '../recorder/changed-answers.ts';
import { isConfigurationPath } from '../recorder/masked-configuration.ts';
import { isCrossSite } from '../cross-site.ts';
import type { Capability, May } from '../capability.ts';
import type { Allowed } from '../decision.ts';
import { globalDenial } from '../global-denial.ts';
import type { Grant } from '../grant.ts';
import type { Identity, ShareScope } from '../identity.ts';
import { isUnfilteredList } from './narrow.ts';
import { mayOfferAnything, offerPlaceOf, refuseOfferInBody } from '../recorder/offers.ts';
import { isNoRole } from '../names.ts';
import { headerValues, isNamed, type RawHeaders } from '../raw-headers.ts';
import type { Reason } from '../reasons.ts';
import { refuseBefore } from './recorded-since.ts';
import { areMessagesFiltered } from './revalidation.ts';
import type { ResolvedResource, Resource } from '../resource.ts';
import { isPersonalRole } from '../role-access.ts';
import type { ScheduleState } from '../schedule.ts';
import type { Rules } from './rules.ts';
import { stoppedUntil, type Stop } from '../stop.ts';

/** Inputs that do not depend on the identity. */
interface Asked {
  readonly request: RequestContext;
  readonly rules: Rules;
}

/** Inputs if the identity is unknown. */
interface Unidentified {
  readonly refused: Reason;
  readonly isPublicPath: boolean;
}

/** Inputs once the identity is known. */
export interface AskedBy extends Asked {
  readonly identity: Identity;
  readonly grant: Grant;
  readonly may: May;
  readonly schedule: ScheduleState | undefined;
  /** Stops that an admin has set for this identity. */
  readonly stops: readonly Stop[];
  /** Absent when there is no URI, or when it is unreadable. */
  readonly resolved: ResolvedResource | undefined;
  /** Why the URI cannot be read. */
  readonly unreadable: Reason | undefined;
}

/** Inputs once the target is known. */
interface AskedFor extends AskedBy {
  readonly resolved: ResolvedResource;
  readonly path: string;
  /** As passed on. */
  readonly query: string;
  /** Including the cameras from the recorder's database and the body. */
  readonly resource: Resource;
  /** The decision depends on the body, which servers may read differently. */
  readonly isBodyUnreadable: boolean;
  /** Why the query was not narrowed to granted cameras. */
  readonly unnarrowed: Reason | undefined;
  /** Whether the gate reads messages and bodies, because the recorder may not refuse them. */
  readonly isGuarded: boolean;
}

interface Shared extends ShareScope {
  /** Whether the creator may make shares now. */
  readonly creatorMayShare: boolean;
  /** Scope of the link, not of its creator. */
  readonly stops: readonly Stop[];
}

interface SharedTarget {
  readonly permitted: Allowed;
  readonly camera: string;
}

/** One reason to refuse a request, or a group of them. */
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

/** Before public paths: no identity changes them. */
const ofAnyone: ReadonlyArray<Check<Asked>> = [
  // First: nothing else in a request counts if its front cannot be understood.
  { name: 'front_fault', refuse: ({ request }) => request.fault?.reason },
  // Before public paths: a page that reaches the gate by a foreign name gets nothing, not even the login.
  { name: 'global_denial', refuse: ({ request, rules }) => globalDenial(request, rules.internalHosts) },
];

/** For paths that are not public, if the identity is unknown. */
const ofUnidentified: ReadonlyArray<Check<Unidentified>> = [
  // Before the missing identity: signing in would not help with a front that should not have asked.
  {
    name: 'front_public_path',
    refuse: ({ isPublicPath }) => (isPublicPath ? 'front_public_path' : undefined),
  },
  // Before everything that depends on the identity.
  { name: 'unidentified', refuse: ({ refused }) => refused },
];

/** For a share, before its creator's access is decided by the checks for an identity and a target below. */
const ofShare: ReadonlyArray<Check<Shared>> = [
  // First: an expired share reveals nothing else.
  { name: 'share_over', refuse: ({ isOver }) => (isOver ? 'share_over' : undefined) },
  // Before the scope: all of the share is stopped.
  { name: 'share_stopped', refuse: ({ stops }) => (stops.length > 0 ? 'stopped' : undefined) },
  // Before the scope: without a creator nothing is shared.
  { name: 'share_creator', refuse: ({ creator }) => (creator === undefined ? 'share_maker' : undefined) },
  // Before the scope: like the creator, it counts for all of the share.
  {
    name: 'share_may',
    refuse: ({ needsWord, creatorMayShare }) => (needsWord && !creatorMayShare ? 'role_may_not' : undefined),
  },
  { name: 'share_scope', refuse: ({ target }) => (target === undefined ? 'share_scope' : undefined) },
];

/** Once the identity is known. */
const ofIdentity: ReadonlyArray<Check<AskedBy>> = [
  // Before everything that depends on the role.
  { name: 'no_role', refuse: refuseWithoutRole },
  // Before the URI is read: a user without the second factor only learns where to set it up.
  { name: 'second_factor', refuse: refuseWithoutSecondFactor },
  // Before everything that reads the path.
  { name: 'uri', refuse: ({ unreadable }) => unreadable },
  // Before the role's access: outside its schedule it has none.
  { name: 'schedule', refuse: refuseOutsideSchedule },
  // Last of the checks without a target: those below need one.
  {
    name: 'uri_missing',
    refuse: ({ resolved, grant }) => (resolved || grant === 'all' ? undefined : 'uri_missing'),
  },
];

/** Once the target is known. */
const ofTarget: ReadonlyArray<Check<AskedFor>> = [
  // Before the role: a body that can be read in two ways names no resource to check the role against.
  { name: 'body', refuse: ({ isBodyUnreadable }) => (isBodyUnreadable ? 'body_unreadable' : undefined) },
  // Before the role: even an admin's token is refused.
  { name: 'login_needed', refuse: refuseApiToken },
  // Before the role: the limits of a display apply whatever the role.
  { name: 'display', refuse: refuseDisplay },
  // The main check. Those below narrow the role's access.
  { name: 'role', refuse: refuseRole },
  // After the cameras: don't reveal stops of other cameras. Before what the role may do, which is the same afterwards.
  { name: 'stopped', refuse: refuseStopped },
  // After the cameras: a role has its words only for its own cameras.
  {
    name: 'may',
    refuse: ({ resolved, may }) => (missingFor(resolved, may) === undefined ? undefined : 'role_may_not'),
  },
  // After what watching needs: an offer may send something as well.
  { name: 'offer', refuse: refuseOffer },
  // The query names cameras, none of which is granted: the resource of such a list does not show it.
  {
    name: 'query',
    refuse: ({ unnarrowed }) => (unnarrowed === 'camera_not_granted' ? unnarrowed : undefined),
  },
  // After the cameras: recording times are only revealed for granted ones.
  { name: 'recorded_since', refuse: refuseRecordedBefore },
  // After the role, which the recorder gets: a token narrows it further.
  { name: 'unnamed_cameras', refuse: refuseUnnamed },
  // After the request itself: from here on the result depends on the recorder.
  { name: 'unfiltered_list', refuse: refuseUnfilteredList },
  // After what other fronts would get too: these two are only open by one of the gate's own fronts.
  { name: 'messages', refuse: refuseMessages },
  { name: 'changed_answer', refuse: refuseUnchanged },
  // Last: the reason implies that everything else was right.
  { name: 'cross_site', refuse: refuseCrossSite },
];

/** Checks of a share, once its creator may see the target. */
const ofSharedTarget: ReadonlyArray<Check<SharedTarget>> = [
  // Some rule may read a name as that of another file or camera.
  { name: 'share_camera', refuse: refuseOtherCameras },
];

/** All reasons to refuse, in order: the first one wins. */
export const checks = { ofAnyone, ofUnidentified, ofShare, ofIdentity, ofTarget, ofSharedTarget };

function refuseOtherCameras({ permitted: { resource, narrowed }, camera }: SharedTarget): Reason | undefined {
  const isOfCamera =
    resource?.kind === 'cameras' &&
    resource.cameras.length > 0 &&
    resource.cameras.every((name) => name === camera);
  return isOfCamera && narrowed === undefined ? undefined : 'share_scope';
}

/** A role of one person without its definition is none: the other checks would tell the person of cameras. */
function refuseWithoutRole({ identity: { role }, rules: { roles } }: AskedBy): Reason | undefined {
  const isLost = !roles.has(role) && isPersonalRole(role, roles);
  return isNoRole(role) || isLost ? 'no_role' : undefined;
}

function refuseWithoutSecondFactor({ identity, resolved }: AskedBy): Reason | undefined {
  const isOpen = identity.restricted === undefined || resolved?.rule.beforeSecondFactor === true;
  return isOpen ? undefined : 'second_factor_missing';
}

/** The user's own account and its page stay open. */
function refuseOutsideSchedule({ schedule, resolved }: AskedBy): Reason | undefined {
  if (schedule?.isOpen !== false) return undefined;
  const isOwnAccount =
    resolved?.resource.kind === 'own-account' || resolved?.rule.beforeSecondFactor === true;
  if (isOwnAccount) return undefined;
  return schedule.isClockBehind ? 'clock_behind' : 'role_outside_schedule';
}

function refuseApiToken({ identity, resolved }: AskedFor): Reason | undefined {
  return identity.source === 'api-token' && resolved.rule.requiresSession === true
    ? 'login_needed'
    : undefined;
}

/** A display reads pictures and the recorder's API: it changes nothing, has no account, and opens no page. */
function refuseDisplay({ request, identity, resolved, path }: AskedFor): Reason | undefined {
  const { rule, resource, needs } = resolved;
  if (identity.source !== 'display' || rule.display === true) return undefined;
  const isRead = request.method === 'GET' || request.method === 'HEAD';
  const isOwn = resource.kind === 'own-account' || rule.requiresSession === true || isOwnPath(path);
  // The recorder's own UI reads its configuration, and a display does not open that.
  return isRead && !isOwn && !isConfigurationPath(path) && (needs.length > 0 || path.startsWith('/api/'))
    ? undefined
    : 'display_only_shows';
}

function isOwnPath(path: string): boolean {
  return path === '/postern' || path.startsWith('/postern/');
}

function refuseRole({
  request,
  identity,
  grant,
  may,
  resource,
  resolved,
  isGuarded,
}: AskedFor): Reason | undefined {
  // A role that may not do something may not do it with any body.
  const isBodyToCome = request.body === 'to-come' || !isGuarded || missingFor(resolved, may) !== undefined;
  const { changes = false } = resolved.rule;
  return refuseByRole({
    role: identity.role,
    grant,
    method: request.method,
    resource,
    changes,
    isBodyToCome,
  });
}

function refuseStopped({ stops, resolved, resource }: AskedFor): Reason | undefined {
  return stoppedUntil(stops, resolved, resource) === undefined ? undefined : 'stopped';
}

/** @returns the first capability that a target needs and the role lacks; `undefined` if it lacks none */
export function missingFor(
  { rule, resource, needs }: Pick<ResolvedResource, 'rule' | 'resource' | 'needs'>,
  may: May,
): Capability | undefined {
  if (resource.kind === 'public') return undefined;
  const [missing, ...others] = needs.filter((capability) => !may.has(capability));
  const isEnough = rule.may === 'live-or-history' && others.length + 1 < needs.length;
  return isEnough ? undefined : missing;
}

/** Messages are decided one by one, and a body once it has arrived. Through a front that shows the gate neither, only admins offer. */
function refuseOffer({ request, identity, may, path }: AskedFor): Reason | undefined {
  const { front, method, headers, body } = request;
  if (mayOfferAnything(identity)) return undefined;
  const place = offerPlaceOf(path, method, opensWebSocket(headers));
  if (place === undefined) return undefined;
  const isHidden = !passesOnItself(front) || (place === 'body' && body === undefined);
  if (isHidden) return place === 'messages' ? 'messages_unfiltered' : 'body_unread';
  if (place === 'messages' || !(body instanceof Uint8Array)) return undefined;
  return refuseOfferInBody(body, headers, { role: identity.role, may });
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

/** Only the recorder filters such lists, and it may treat an unknown role as viewer. */
function refuseUnfilteredList({ request, rules, identity, grant, resolved, query, unnarrowed }: AskedFor) {
  if (grant === 'all' || !isUnfilteredList(resolved.rule, query)) return undefined;
  const isFiltered = rules.listsAreFiltered(identity.role, request.front);
  return isFiltered ? undefined : (unnarrowed ?? 'recorder_role_unverified');
}

/**
 * Messages are filtered only where the gate itself passes on the WebSocket: there everyone opens it, and only admins elsewhere. A role that
 * is limited to cameras, and anyone but an admin where the gate is the only guard, may open no other WebSocket that names no camera.
 */
function refuseMessages({ request, identity, resolved, resource, isGuarded }: AskedFor): Reason | undefined {
  const { front, headers } = request;
  const { rule } = resolved;
  if (resource.kind !== 'neutral') return undefined;
  const isRefused =
    rule.messages === true
      ? areMessagesFiltered({ rule, isGuarded, identity }) && !passesOnItself(front)
      : isGuarded && opensWebSocket(headers);
  return isRefused ? 'messages_unfiltered' : undefined;
}

/** For an answer that the gate changes, if only a front passes it on. */
function refuseUnchanged({ request, path, identity, grant, may }: AskedFor): Reason | undefined {
  if (passesOnItself(request.front)) return undefined;
  return answerChange(path, { role: identity.role, grant, may })?.reason;
}

/**
 * Refuses changes by a page of another site with credentials that browsers send by themselves: our cookie, the cookie of a proxy's
 * login, Basic, or a place inside the network. A bearer is not sent that way. A WebSocket is a GET that may change anything; on the
 * internal entry point, services pass on those of their own pages.
 */
function refuseCrossSite({ request, rules, identity: { source, scheme } }: AskedFor): Reason | undefined {
  const isBasic = scheme === 'basic';
  if (!isBasic && (source === 'bearer' || source === 'api-token')) return undefined;
  const { method, headers, host } = request;
  const isWebSocket = source !== 'internal' && opensWebSocket(headers);
  const isChange = isWebSocket || (method !== 'GET' && method !== 'HEAD');
  // In a frame the cookie of a display travels with requests of the page around it.
  const changesState = isChange || (source === 'display' && !isNavigation(headers));
  const site = { host, publicOrigin: rules.publicOrigin };
  return changesState && isCrossSite(headers, site) ? 'cross_site' : undefined;
}

function isNavigation(headers: RawHeaders): boolean {
  return headerValues(headers, 'sec-fetch-mode').some((mode) => mode === 'navigate');
}

/** Any sign counts: fronts differ in which of them they pass on (RFC 6455, 4.1; Fetch Metadata). */
function opensWebSocket(headers: RawHeaders): boolean {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string;
    if (isNamed(name, 'sec-websocket-key')) return true;
    const isSign = isNamed(name, 'sec-fetch-mode') || isNamed(name, 'upgrade');
    if (isSign && headers[i + 1]?.toLowerCase().includes('websocket') === true) return true;
  }
  return false;
}
