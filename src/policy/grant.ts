/** The cameras a subject may see: all of them, or a set of names. */
export type Grant = 'all' | ReadonlySet<string>;

/** Custom roles in the order of `auth.roles`, each with its cameras. */
export type CustomRoles = ReadonlyMap<string, ReadonlySet<string>>;

const noCameras: ReadonlySet<string> = new Set();

/** @returns the grant of a role; a role that is not defined is granted nothing. */
export function grantOf(role: string, customRoles: CustomRoles): Grant {
  if (role === 'admin' || role === 'viewer') return 'all';
  return customRoles.get(role) ?? noCameras;
}

export function isGranted(grant: Grant, camera: string): boolean {
  return grant === 'all' || grant.has(camera);
}
