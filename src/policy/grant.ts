import { isNoRole } from './names.ts';

/** The cameras an identity may see: all of them, or a set of names. */
export type Grant = 'all' | ReadonlySet<string>;

/** Custom roles in the order of `auth.roles`, each with its cameras. */
export type CustomRoles = ReadonlyMap<string, ReadonlySet<string>>;

/** @returns every defined role, in order of precedence */
export function definedRoles(customRoles: CustomRoles): string[] {
  return ['admin', 'viewer', ...customRoles.keys()];
}

export function isDefinedRole(role: string, customRoles: CustomRoles): boolean {
  return role === 'admin' || role === 'viewer' || customRoles.has(role);
}

/** @returns the effective role of a user: one that is not defined any more counts as viewer, except `none` */
export function currentRole(role: string, customRoles: CustomRoles): string {
  return isDefinedRole(role, customRoles) || isNoRole(role) ? role : 'viewer';
}

export const noCameras: ReadonlySet<string> = new Set();

/** @returns the grant of a role; an undefined role is granted nothing */
export function grantOf(role: string, customRoles: CustomRoles): Grant {
  if (role === 'admin' || role === 'viewer') return 'all';
  return customRoles.get(role) ?? noCameras;
}

/** @returns the cameras that are both in the grant and among these */
export function narrowGrant(grant: Grant, cameras: ReadonlySet<string>): Grant {
  return grant === 'all' ? cameras : grant.intersection(cameras);
}

export function isGranted(grant: Grant, camera: string): boolean {
  return grant === 'all' || grant.has(camera);
}
