import { accessOfRole, expandRoles, rolesWith, type DefinedRoles, type Roles } from './role-access.ts';

/** The cameras that a role gains and loses by other cameras of a group. */
export interface RoleChange {
  readonly role: string;
  readonly gains: readonly string[];
  readonly loses: readonly string[];
}

/** @returns the roles that a new or changed group changes. A camera that a role has by other means does not count. */
export function changesByGroup(
  group: string,
  cameras: readonly string[],
  defined: DefinedRoles,
): readonly RoleChange[] {
  const before = expandRoles(defined);
  const after = expandRoles({ ...defined, groups: new Map(defined.groups).set(group, cameras) });
  return rolesWith(group, defined).flatMap((role) => {
    const [former, next] = [camerasOf(role, before), camerasOf(role, after)];
    const [gains, loses] = [[...next.difference(former)], [...former.difference(next)]];
    return gains.length + loses.length === 0 ? [] : [{ role, gains, loses }];
  });
}

/** A role that sees every camera has nothing to gain. */
export function camerasOf(role: string, roles: Roles): ReadonlySet<string> {
  const { cameras } = accessOfRole(role, roles);
  return cameras === 'all' ? new Set() : cameras;
}
