import { isLimited, mayNothing } from '../capability.ts';
import { canonicalOf, type RequestContext } from '../request-context.ts';
import type { CanonicalUri } from '../canonical-uri.ts';
import { checks, firstRefusal, missingFor, type AskedBy } from './checks.ts';
import type { Allowed, Basis, Decision, Refused } from '../decision.ts';
import type { Identity, IdentitySession } from '../identity.ts';
import { narrow } from './narrow.ts';
import { narrowEvents } from './narrow-events.ts';
import type { Reason } from '../reasons.ts';
import {
  completeResource,
  namedInBody,
  type ResolvedResource,
  type Resource,
  type RecordedCameras,
} from '../resource.ts';
import { type Rules, openingOf, scheduleStateOf } from './rules.ts';
import { stoppedUntil, type Stop } from '../stop.ts';
import { accessOf } from '../token-scope.ts';
import { noCameras, type Grant } from '../grant.ts';
import { readBody } from '../recorder/named-in-body.ts';
import type { ResolveResource } from '../rule-tree.ts';

/** The target of a request, regardless of the identity. */
interface Target {
  /** Absent when there is none, or when it is unreadable. */
  readonly uri: CanonicalUri | undefined;
  readonly unreadable: Reason | undefined;
  readonly resolved: ResolvedResource | undefined;
  readonly basis: Basis;
}

export function targetOf(request: RequestContext, rules: Rules): Target {
  const uri = canonicalOf(request);
  if (uri === undefined) return nothing;
  if ('refused' in uri) return { ...nothing, unreadable: uri.refused };
  if (isBelow(uri.path, rules.basePath)) return { ...nothing, unreadable: 'uri_base_path' };
  const { path } = uri;
  // No rule covers the path of a share: the recorder's target decides.
  if (request.isSharedMedia === true) return { ...nothing, uri, basis: { path } };
  const resolved = rules.resolveResource(uri, request.method);
  const { rule, resource } = resolved;
  return { uri, unreadable: undefined, resolved, basis: { path, rule, resource } };
}

const nothing: Target = {
  uri: undefined,
  unreadable: undefined,
  resolved: undefined,
  basis: { path: undefined, rule: undefined, resource: undefined },
};

/** The gate would read a remaining prefix as part of the path, but the next server may remove it. */
function isBelow(path: string, basePath: string): boolean {
  return basePath !== '' && `${path}/`.startsWith(`${basePath}/`);
}

/** @returns the decision for an identity, by the table of checks */
export function decide(
  request: RequestContext,
  { uri, unreadable, resolved: found, basis }: Target,
  { identity, session }: { readonly identity: Identity; readonly session?: IdentitySession | undefined },
  rules: Rules,
): Decision {
  const access = accessOf(identity, rules.roles);
  const { cameras: grant, may } = access;
  const schedule = scheduleStateOf(access, identity.token, rules);
  const stops = rules.stopsOf?.(identity, () => session?.claims.sessionId) ?? [];
  const events =
    uri &&
    found &&
    narrowEvents(request, uri, found, {
      recorded: rules.recorded,
      isCameraScoped: identity.token?.cameras !== undefined,
    });
  const resolved = found && events ? { ...found, resource: events.resource } : found;
  const asked = { request, rules, identity, grant, may, schedule, stops, resolved, unreadable };
  const reason = firstRefusal(checks.ofIdentity, asked);
  if (reason === 'role_outside_schedule')
    return { ...basis, ...forbidden(reason, identity), opening: openingOf(access, identity.token, rules) };
  if (reason !== undefined) return { ...basis, ...forbidden(reason, identity) };
  if (resolved === undefined || uri === undefined)
    return { outcome: 'allow', reason: 'allowed', identity, grant, may, ...basis };

  const narrowing = narrow(request, uri, resolved.rule, { grant, since: schedule?.since });
  const narrowed = narrowing !== undefined && 'uri' in narrowing ? narrowing : undefined;
  // The recorder is only asked about roles that are limited to cameras: for others its answer changes nothing.
  const named = narrowed?.cameras === undefined ? resolved.resource : camerasIn(narrowed.cameras);
  // A recorder with its own roles refuses admin requests by itself, but does not limit one of our roles to its cameras or to what it
  // may do.
  const mayNow = areMessagesStopped(stops, resolved) ? mayNothing : may;
  const isNarrow = grant !== 'all' || isLimited(mayNow);
  const isGuarded = isNarrow || (identity.role !== 'admin' && rules.everyoneIsAdmin?.() === true);
  const completed = isGuarded ? complete(named, asked, events === undefined) : named;
  const resource = completed ?? resolved.resource;
  const refused = firstRefusal(checks.ofTarget, {
    request,
    rules,
    identity,
    grant,
    may,
    schedule,
    stops,
    resolved,
    unreadable,
    path: uri.path,
    query: narrowed?.query ?? uri.query,
    resource,
    isBodyUnreadable: completed === undefined,
    unnarrowed: narrowing !== undefined && 'reason' in narrowing ? narrowing.reason : undefined,
    isGuarded,
  });
  const { rule } = resolved;
  const { path } = uri;
  if (refused === 'role_may_not')
    return {
      path,
      rule,
      resource,
      ...forbidden(refused, identity),
      // Nothing else is needed besides what the rule has.
      missing: missingFor(resolved, may) ?? 'talk',
    };
  if (refused === 'stopped') {
    const opening = { opens: stoppedUntil(stops, resolved, resource) };
    return { path, rule, resource, ...forbidden(refused, identity), opening };
  }
  // The page about a name that is no camera's is the same.
  if (refused === 'camera_not_granted' || refused === 'target_unresolved')
    return { path, rule, resource, ...forbidden(refused, identity), granted: watchable(asked) };
  if (refused !== undefined) return { path, rule, resource, ...forbidden(refused, identity) };
  const permitted: Allowed = {
    outcome: 'allow',
    reason: 'allowed',
    identity,
    grant,
    may: mayNow,
    path,
    rule,
    resource,
    isGuarded,
  };
  const passedOn = events?.uri ?? narrowed?.uri;
  if (schedule !== undefined)
    return { ...permitted, narrowed: passedOn, until: schedule.until, since: schedule.since };
  return passedOn === undefined ? permitted : { ...permitted, narrowed: passedOn };
}

/** The granted cameras, without those that are stopped for now. */
function watchable({ grant, may, stops }: Pick<AskedBy, 'grant' | 'may' | 'stops'>): Grant {
  if (!may.has('live') && !may.has('history')) return noCameras;
  if (grant === 'all' || stops.length === 0) return grant;
  if (stops.some(({ cameras }) => cameras === undefined)) return noCameras;
  return grant.difference(new Set(stops.flatMap(({ cameras }) => cameras ?? [])));
}

/** The socket itself stays open; its messages are about what is stopped. */
function areMessagesStopped(stops: readonly Stop[], { rule }: ResolvedResource): boolean {
  return rule.messages === true && stops.some(({ cameras }) => cameras === undefined);
}

function camerasIn(cameras: readonly string[]): Resource {
  return { kind: 'cameras', cameras };
}

/**
 * @param mayBeUnknown whether the request may name events that are unknown here
 * @returns undefined if the body is unreadable
 */
function complete(
  resource: Resource,
  { request, rules, identity, grant }: AskedBy,
  mayBeUnknown: boolean,
): Resource | undefined {
  const { body } = request;
  const names = namedInBody(resource);
  if (names === undefined || !(body instanceof Uint8Array)) {
    const isStrict = mayBeUnknown && identity.token?.cameras !== undefined;
    return grant === 'all' ? resource : completeResource(resource, rules.recorded, isStrict);
  }
  const named = readBody(names, body, request.headers);
  const read = named && resourceNamed(named, rules, grant);
  if (resource.kind !== 'cameras' || read?.kind !== 'cameras') return read;
  return { kind: 'cameras', cameras: [...new Set([...resource.cameras, ...read.cameras])] };
}

export function forbidden(reason: Reason, identity?: Identity): Refused {
  return { outcome: 'forbidden', reason, identity };
}

interface Lookup {
  readonly resolveResource: ResolveResource;
  readonly recorded: RecordedCameras;
}

/** @returns the resource that the body of a request names; `unresolved` if something in it belongs to no camera */
function resourceNamed(
  named: NonNullable<ReturnType<typeof readBody>>,
  { resolveResource, recorded }: Lookup,
  grant: Grant,
): Resource {
  const parts: readonly Resource[] = [
    { kind: 'cameras', cameras: named.cameras },
    ...(named.reviews.length === 0 ? [] : [{ kind: 'recorded', in: 'reviews', ids: named.reviews } as const]),
    // The picture that represents an export needs the same access as the picture itself.
    ...named.images.map((path) => resolveResource({ path, query: '' }, 'GET').resource),
  ];
  const cameras = new Set<string>();
  for (const part of parts) {
    // All cameras are granted.
    if (part.kind === 'recorded' && grant === 'all') continue;
    const complete = completeResource(part, recorded);
    if (complete.kind !== 'cameras') return { kind: 'unresolved' };
    for (const camera of complete.cameras) cameras.add(camera);
  }
  return { kind: 'cameras', cameras: [...cameras] };
}
