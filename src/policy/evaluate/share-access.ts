import type { RequestContext } from '../request-context.ts';
import { checks, firstRefusal } from './checks.ts';
import { decide, forbidden, targetOf } from './decide.ts';
import type { Allowed, Decision } from '../decision.ts';
import type { Identity, ShareScope } from '../identity.ts';
import { completeResource } from '../resource.ts';
import type { Rules } from './rules.ts';
import type { Stop } from '../stop.ts';
import { accessOf } from '../token-scope.ts';

/**
 * Decides about a part of a share: whether the share is valid, and whether its creator may see that part.
 * @param path of the request
 */
export function decideShared(
  { method }: Pick<RequestContext, 'method'>,
  path: string | undefined,
  { identity, share }: { readonly identity: Identity; readonly share: ShareScope },
  rules: Rules,
): Decision {
  const { creator, target, camera, expiresAt } = share;
  const creatorMayShare = creator !== undefined && mayShare(creator, rules);
  const stops = rules.stopsOf?.(identity, () => undefined) ?? [];
  const reason = firstRefusal(checks.ofShare, { ...share, creatorMayShare, stops });
  if (reason === 'stopped')
    return { path, ...forbidden(reason, identity), opening: { opens: lastOf(stops) } };
  if (reason === 'role_may_not') return { path, ...forbidden(reason, identity), missing: 'share' };
  if (reason !== undefined || creator === undefined || target === undefined)
    return { path, ...forbidden(reason ?? 'share_scope', identity) };
  const decided = decideForCreator({ target, method, camera }, creator, rules);
  if (decided.outcome !== 'allow')
    return {
      path,
      ...forbidden(decided.reason, identity),
      missing: decided.missing,
      opening: decided.opening,
    };
  const { rule, resource } = decided;
  return {
    path,
    rule,
    resource,
    outcome: 'allow',
    reason: 'shared',
    identity,
    grant: new Set([camera]),
    may: decided.may,
    until: Math.min(decided.until ?? Number.POSITIVE_INFINITY, expiresAt),
    onBehalf: { target, identity: creator },
  };
}

/** Whether an identity may make shares; those that it made end otherwise. */
export function mayShare(identity: Identity, { roles }: Pick<Rules, 'roles'>): boolean {
  return accessOf(identity, roles).may.has('share');
}

function lastOf(stops: readonly Stop[]): number {
  return Math.max(...stops.map(({ until }) => until));
}

/** A part of a share, as a visitor asks for it. */
interface AskedPart {
  /** A target of the recorder, as `sharedTarget` returns it. */
  readonly target: string;
  readonly method: string | undefined;
  /** The only camera that it may show. */
  readonly camera: string;
}

/** Decides whether the creator of a share may see a part of it at this moment, and whether it shows nothing but the shared camera. */
export function decideForCreator(
  { target, method, camera }: AskedPart,
  creator: Identity,
  rules: Rules,
): Decision {
  // The gate itself passes it on. Only the path of the visitor's own request counts.
  const request: RequestContext = {
    entryPoint: 'authenticated',
    front: 'embedded',
    method,
    uri: target,
    headers: [],
    peer: '',
    host: undefined,
    secure: true,
  };
  const decision = decide(request, targetOf(request, rules), { identity: creator }, rules);
  if (decision.outcome !== 'allow') return decision;
  const permitted: Allowed = {
    ...decision,
    resource: decision.resource && completeResource(decision.resource, rules.recorded, true),
  };
  const reason = firstRefusal(checks.ofSharedTarget, { permitted, camera });
  if (reason === undefined) return permitted;
  const { path, rule, resource } = permitted;
  return { path, rule, resource, ...forbidden(reason, creator) };
}
