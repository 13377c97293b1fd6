import {
  accessOfRole,
  expandRoles,
  rolesWith,
  type DefinedRoles,
  type RoleAccess,
  type Roles,
  type RoleDefinition,
} from './role-access.ts';
import type { Capability } from './capability.ts';
import { isNoWider } from './schedule.ts';

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
  const change = {
    role,
    ...changeOfAccess(accessOfRole(role, before), accessOfRole(role, after), new Set()),
  };
  const { gains, loses, gainsMay, losesMay } = change;
  return gains.length + loses.length + gainsMay.length + losesMay.length === 0 ? undefined : change;
}

/** @param all cameras that an access to all of them means. @returns the change, besides the schedule */
export function changeOfAccess(
  previous: RoleAccess,
  next: RoleAccess,
  all: ReadonlySet<string>,
): Omit<DefinitionChange, 'role'> {
  const had = previous.cameras === 'all' ? all : previous.cameras;
  const has = next.cameras === 'all' ? all : next.cameras;
  return {
    gains: [...has.difference(had)],
    loses: [...had.difference(has)],
    gainsMay: [...next.may.difference(previous.may)],
    losesMay: [...previous.may.difference(next.may)],
  };
}

/** @returns whether an access may give something that the previous one does not */
export function isWider(next: RoleAccess, previous: RoleAccess): boolean {
  const hasCameras =
    previous.cameras === 'all' || (next.cameras !== 'all' && next.cameras.isSubsetOf(previous.cameras));
  return !(hasCameras && next.may.isSubsetOf(previous.may) && isNoWider(next.schedule, previous.schedule));
}
