import type { Capability } from './capability.ts';
import { camerasOf, type RoleChange } from './group-changes.ts';
import { accessOfRole, expandRoles, type DefinedRoles, type RoleDefinition } from './role-access.ts';

/** What another definition of a role changes for it, besides its schedule. */
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
  const [former, next] = [camerasOf(role, before), camerasOf(role, after)];
  const [could, can] = [accessOfRole(role, before).may, accessOfRole(role, after).may];
  const change = {
    role,
    gains: [...next.difference(former)],
    loses: [...former.difference(next)],
    gainsMay: [...can.difference(could)],
    losesMay: [...could.difference(can)],
  };
  const { gains, loses, gainsMay, losesMay } = change;
  return gains.length + loses.length + gainsMay.length + losesMay.length === 0 ? undefined : change;
}
