import { isBuiltIn, isNoRole } from './names.ts';

// A recorder reads dots as levels, and a name of digits as a place in a list.
const writableName = /^[A-Za-z0-9_]*[A-Za-z][A-Za-z0-9_]*$/;

/** @returns why a role is never written to a recorder, whatever that has; undefined: it can be */
export function obstacleTo(
  role: string,
  cameras: ReadonlySet<string>,
): 'role_name_refused' | 'role_without_cameras' | undefined {
  // Recorders make the letters of a role small before they look it up.
  if (!writableName.test(role) || isBuiltIn(role) || isNoRole(role)) return 'role_name_refused';
  // No camera means every camera to some recorders, and a mistake to others.
  return cameras.size === 0 ? 'role_without_cameras' : undefined;
}
