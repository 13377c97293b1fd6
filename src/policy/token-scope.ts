import { isGranted, narrowGrant } from './grant.ts';
import { narrowMay, type May } from './capability.ts';
import { isNoRole } from './names.ts';
import { accessOfRole, currentRole, type RoleAccess, type Roles } from './role-access.ts';
import type { Schedule } from './schedule.ts';

/** Limits of an API token. */
export interface TokenScope {
  readonly role: string;
  /** The only cameras of the role that the token may see. Absent when it may see all of them. */
  readonly cameras: ReadonlySet<string> | undefined;
  /** As `cameras`, of what the role may do. */
  readonly may?: May | undefined;
  /** When the token is active, besides the role's own schedule. Absent when it is always active. */
  readonly schedule?: Schedule | undefined;
}

/** The API token of an identity, as decisions see it. */
export interface IdentityToken extends Omit<TokenScope, 'role'> {
  /** Identifies the token; not a secret. */
  readonly id: string;
  /** Milliseconds since the epoch. Absent when it does not expire. */
  readonly expiresAt?: number | undefined;
  /** Only of a display: the user who approved it. */
  readonly owner?: string;
  /** Only of a display: what people call it. */
  readonly name?: string;
  /** Only of a display: which of its credentials the screen has. */
  readonly generation?: DisplayGeneration;
}

/** One credential of a display, without its secret. */
export interface DisplayGeneration {
  /** One more than that of the credential which it replaces. */
  readonly number: number;
  /** Random: a credential that is exchanged twice has two successors of the same number. */
  readonly key: string;
  /** Key of the credential which it replaces; undefined: the first one, or of Postern 1.0. */
  readonly parent: string | undefined;
}

/** @returns what decisions take from a stored API token */
export function identityToken({ id, cameras, may, schedule, expiresAt }: IdentityToken): IdentityToken {
  return { id, cameras, may, schedule, expiresAt };
}

/** @returns the access of an identity's role, narrowed by its API token; the token's schedule is not in it */
export function accessOf(
  { role, token }: { readonly role: string; readonly token?: IdentityToken },
  roles: Roles,
): RoleAccess {
  const access = accessOfRole(role, roles);
  if (token === undefined || (token.cameras === undefined && token.may === undefined)) return access;
  return {
    ...access,
    cameras: token.cameras === undefined ? access.cameras : narrowGrant(access.cameras, token.cameras),
    may: narrowMay(access.may, token.may),
  };
}

/**
 * Whether an API token grants nothing beyond its owner's current access. What narrows the token does not count: the upstream
 * only gets the role, so the whole role has to be within the owner's.
 * @param ownerRole as stored; one that is not defined anymore counts as viewer
 */
export function isWithinOwner(scope: TokenScope, ownerRole: string, roles: Roles): boolean {
  const { role, cameras, may } = scope;
  if (!roles.has(role)) return false;
  const owner = currentRole(ownerRole, roles);
  if (isNoRole(owner)) return false;
  // An admin can reach the configuration: limiting that would be an empty promise.
  if (role === 'admin') return owner === 'admin' && cameras === undefined && may === undefined;
  if (role === owner) return true;
  return isWithin(accessOfRole(role, roles), accessOfRole(owner, roles));
}

function isWithin(given: RoleAccess, has: RoleAccess): boolean {
  // Another role is active at other times.
  if (has.schedule !== undefined || !given.may.isSubsetOf(has.may)) return false;
  return has.cameras === 'all' || (given.cameras !== 'all' && given.cameras.isSubsetOf(has.cameras));
}

/** @returns the roles that the API tokens of an owner may have */
export function tokenRoles(ownerRole: string, roles: Roles): string[] {
  return [...roles.keys()].filter((role) => isWithinOwner({ role, cameras: undefined }, ownerRole, roles));
}

/** The fault of a requested scope, and the part that has it. */
export interface ScopeProblem {
  readonly part: 'role' | 'cameras' | 'may';
  readonly message: string;
}

/**
 * @param known all cameras; undefined if they are unknown
 * @returns undefined if the owner may have such a token
 */
export function scopeProblem(
  { role, cameras, may }: TokenScope,
  ownerRole: string,
  roles: Roles,
  known: readonly string[] | undefined,
): ScopeProblem | undefined {
  const given = tokenRoles(ownerRole, roles);
  if (!given.includes(role)) {
    const message =
      given.length === 0
        ? 'Its owner has no role, and so no API tokens'
        : `The role should be one that its owner may give: ${given.join(', ')}`;
    return { part: 'role', message };
  }
  if (role === 'admin' && may !== undefined)
    return { part: 'may', message: 'A token with the role admin may do everything' };
  const access = accessOfRole(role, roles);
  const missing = may?.difference(access.may).values().next().value;
  if (missing !== undefined) return { part: 'may', message: `The role ${role} does not have ${missing}` };
  if (cameras === undefined) return undefined;
  const wrong = (message: string): ScopeProblem => ({ part: 'cameras', message });
  if (role === 'admin') return wrong('A token with the role admin cannot be limited to cameras');
  if (cameras.size === 0)
    return wrong('Name a camera at least, or leave the cameras out for all of the role');
  for (const camera of cameras) {
    if (!isGranted(access.cameras, camera))
      return wrong(`The role ${role} is not granted the camera ${camera}`);
    if (access.cameras === 'all' && known?.includes(camera) === false)
      return wrong(`There is no camera ${camera}`);
  }
  return undefined;
}
