import {
  grantOf,
  isDefinedRole,
  isGranted,
  narrowGrant,
  currentRole,
  type CustomRoles,
  type Grant,
} from './grant.ts';
import { isNoRole } from './names.ts';
import type { Schedules } from './schedule.ts';

/** What an API token may do. */
export interface TokenScope {
  readonly role: string;
  /** The only cameras of the role that the token may see; undefined: all of them. */
  readonly cameras: ReadonlySet<string> | undefined;
}

/** The API token of an identity, as decisions see it. */
export interface IdentityToken extends Pick<TokenScope, 'cameras'> {
  /** Identifies the token; not a secret. */
  readonly id: string;
  /** Milliseconds since the epoch; undefined: it does not expire. */
  readonly expiresAt?: number | undefined;
}

/** @returns the grant of a role, possibly limited to some cameras by a token */
export function grantOfIdentity(
  { role, token }: { readonly role: string; readonly token?: IdentityToken },
  customRoles: CustomRoles,
): Grant {
  const grant = grantOf(role, customRoles);
  return token?.cameras === undefined ? grant : narrowGrant(grant, token.cameras);
}

/**
 * Whether an API token grants nothing beyond its owner's current access. The token's cameras do not count: the upstream
 * only gets the role, so the whole role has to be within the owner's.
 * @param ownerRole as stored; one that is not defined any more counts as viewer
 */
export function isWithinOwner(
  scope: TokenScope,
  ownerRole: string,
  customRoles: CustomRoles,
  schedules: Schedules,
): boolean {
  const { role, cameras } = scope;
  if (!isDefinedRole(role, customRoles)) return false;
  const owner = currentRole(ownerRole, customRoles);
  if (isNoRole(owner)) return false;
  // An admin can reach the configuration: limiting that to cameras would be an empty promise.
  if (role === 'admin') return owner === 'admin' && cameras === undefined;
  if (role === owner) return true;
  // Another role is active at other times.
  if (schedules.has(owner)) return false;
  const has = grantOf(owner, customRoles);
  if (has === 'all') return true;
  const gives = grantOf(role, customRoles);
  return gives !== 'all' && gives.isSubsetOf(has);
}

/** @returns the roles that the API tokens of an owner may have */
export function tokenRoles(ownerRole: string, customRoles: CustomRoles, schedules: Schedules): string[] {
  return ['admin', 'viewer', ...customRoles.keys()].filter((role) =>
    isWithinOwner({ role, cameras: undefined }, ownerRole, customRoles, schedules),
  );
}

/** What is wrong with a requested scope, and in which part. */
export interface ScopeProblem {
  readonly part: 'role' | 'cameras';
  readonly message: string;
}

/**
 * @param known all cameras; undefined if they are unknown
 * @returns undefined if the owner may have such a token
 */
export function scopeProblem(
  { role, cameras }: TokenScope,
  ownerRole: string,
  customRoles: CustomRoles,
  schedules: Schedules,
  known: readonly string[] | undefined,
): ScopeProblem | undefined {
  const roles = tokenRoles(ownerRole, customRoles, schedules);
  if (!roles.includes(role)) {
    return { part: 'role', message: `The role should be one that its owner may give: ${roles.join(', ')}` };
  }
  if (cameras === undefined) return undefined;
  const wrong = (message: string): ScopeProblem => ({ part: 'cameras', message });
  if (role === 'admin') return wrong('A token with the role admin cannot be limited to cameras');
  if (cameras.size === 0)
    return wrong('Name a camera at least, or leave the cameras out for all of the role');
  const grant = grantOf(role, customRoles);
  for (const camera of cameras) {
    if (!isGranted(grant, camera)) return wrong(`The role ${role} is not granted the camera ${camera}`);
    if (grant === 'all' && known?.includes(camera) === false) return wrong(`There is no camera ${camera}`);
  }
  return undefined;
}
