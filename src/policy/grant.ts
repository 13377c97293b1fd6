import { isNoRole } from './names.ts';

/** The cameras an identity may see: all of them, or a set of names. */
export type Grant = 'all' | ReadonlySet<string>;

/** Custom roles in the order of `auth.roles`, each with its cameras. */
export type CustomRoles = ReadonlyMap<string, ReadonlySet<string>>;

/** @returns every role that is defined, in the order in which they win over each other */
export function definedRoles(customRoles: CustomRoles): string[] {
  return ['admin', 'viewer', ...customRoles.keys()];
}

export function isDefinedRole(role: string, customRoles: CustomRoles): boolean {
  return role === 'admin' || role === 'viewer' || customRoles.has(role);
}

/** @returns the role of a user as it counts: one that is defined no longer counts as viewer, but for `none` */
export function currentRole(role: string, customRoles: CustomRoles): string {
  return isDefinedRole(role, customRoles) || isNoRole(role) ? role : 'viewer';
}

const noCameras: ReadonlySet<string> = new Set();

/** @returns the grant of a role; a role that is not defined is granted nothing. */
export function grantOf(role: string, customRoles: CustomRoles): Grant {
  if (role === 'admin' || role === 'viewer') return 'all';
  return customRoles.get(role) ?? noCameras;
}

/** @returns what is in a grant and among some cameras too */
export function narrowGrant(grant: Grant, cameras: ReadonlySet<string>): Grant {
  return grant === 'all' ? cameras : grant.intersection(cameras);
}

export function isGranted(grant: Grant, camera: string): boolean {
  return grant === 'all' || grant.has(camera);
}
