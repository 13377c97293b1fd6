import {
  accessOfRole,
  expandRoles,
  rolesWith,
  type DefinedRoles,
  type Roles,
  type RoleDefinition,
} from './role-access.ts';
import type { Capability } from './capability.ts';

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
    const [previous, next] = [camerasOf(role, before), camerasOf(role, after)];
    const [gains, loses] = [[...next.difference(previous)], [...previous.difference(next)]];
    return gains.length + loses.length === 0 ? [] : [{ role, gains, loses }];
  });
}

/** A role that sees every camera has nothing to gain. */
function camerasOf(role: string, roles: Roles): ReadonlySet<string> {
  const { cameras } = accessOfRole(role, roles);
  return cameras === 'all' ? new Set() : cameras;
}

/** The change of a role by another definition, besides its schedule. */
export interface DefinitionChange extends RoleChange {
  readonly gainsMay: readonly Capability[];
  readonly losesMay: readonly Capability[];
}

/** @returns undefined if the role keeps its cameras and what it may do */
export function changeByDefinition(
  role: string,
  definition: RoleDefinition,
  defined: DefinedRoles,
): DefinitionChange | undefined {
  const before = expandRoles(defined);
  const after = expandRoles({ ...defined, definitions: new Map(defined.definitions).set(role, definition) });
  const [previous, next] = [camerasOf(role, before), camerasOf(role, after)];
  const [could, can] = [accessOfRole(role, before).may, accessOfRole(role, after).may];
  const change = {
    role,
    gains: [...next.difference(previous)],
    loses: [...previous.difference(next)],
    gainsMay: [...can.difference(could)],
    losesMay: [...could.difference(can)],
  };
  const { gains, loses, gainsMay, losesMay } = change;
  return gains.length + loses.length + gainsMay.length + losesMay.length === 0 ? undefined : change;
}
