import { isBuiltIn, isNoRole } from './names.ts';

// A recorder reads dots as levels, and a name made of digits as a position in a list.
const writableName = /^[A-Za-z0-9_]*[A-Za-z][A-Za-z0-9_]*$/;

/** @returns why a role can never be written to a recorder's configuration; undefined if it can */
export function obstacleTo(
  role: string,
  cameras: ReadonlySet<string>,
): 'role_name_refused' | 'role_without_cameras' | undefined {
  // Recorders look roles up in lower case.
  if (!writableName.test(role) || isBuiltIn(role) || isNoRole(role)) return 'role_name_refused';
  // Some recorders read no cameras as all cameras, others as an error.
  return cameras.size === 0 ? 'role_without_cameras' : undefined;
}
