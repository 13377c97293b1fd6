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
  /** The only cameras of the role that the token sees; undefined: all of them. */
  readonly cameras: ReadonlySet<string> | undefined;
}

/** What a decision knows of the API token that names its identity. */
export interface IdentityToken extends Pick<TokenScope, 'cameras'> {
  /** Names the token; no secret. */
  readonly id: string;
  /** Milliseconds since the epoch; undefined: it does not expire. */
  readonly expiresAt?: number | undefined;
}

/** @returns the grant of whoever has a role, and perhaps a token that limits it to some cameras */
export function grantOfIdentity(
  { role, token }: { readonly role: string; readonly token?: IdentityToken },
  customRoles: CustomRoles,
): Grant {
  const grant = grantOf(role, customRoles);
  return token?.cameras === undefined ? grant : narrowGrant(grant, token.cameras);
}

/**
 * Whether an API token gives nothing that its owner does not have now. Its cameras are left out of this: what stands behind
 * the gate is told the role alone, so the whole role has to be within the owner's.
 * @param ownerRole as it is kept; one that is defined no longer counts as viewer
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
  // An admin reaches the configuration: to limit that to cameras would be a promise that nothing keeps.
  if (role === 'admin') return owner === 'admin' && cameras === undefined;
  if (role === owner) return true;
  // Another role is good at other times.
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

/** What is wrong with a scope that somebody asks for, and which part of it. */
export interface ScopeProblem {
  readonly part: 'role' | 'cameras';
  readonly message: string;
}

/**
 * @param known the cameras there are; undefined when that is not known
 * @returns undefined when the owner may have such a token
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
