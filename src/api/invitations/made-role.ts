import { isRoleName, twinOf } from '../../policy/names.ts';

/**
 * @param name the proposed user name, by which people recognize the role
 * @param taken names of all roles
 * @returns a name for a role that is made for an invitation
 */
export function madeRoleName(name: string | undefined, taken: readonly string[]): string {
  const base = `guest.${(name ?? '').replaceAll(/[^A-Za-z0-9._]/g, '').slice(0, 48) || 'one'}`;
  const isFree = (role: string) =>
    isRoleName(role) && !taken.includes(role) && twinOf(role, taken) === undefined;
  for (let number = 1; ; number += 1) {
    const role = number === 1 ? base : `${base}.${number}`;
    if (isFree(role)) return role;
  }
}
