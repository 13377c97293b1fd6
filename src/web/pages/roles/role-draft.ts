import type { RoleDefinition } from '../../ui/roles/roles-api.ts';
import {
  capabilities,
  mayByDefault,
  mayOf,
  type Capability,
  type RoleAccess,
  type PaneStates,
} from '../../ui/roles/role-access.ts';

interface DefinedRole extends RoleDefinition {
  readonly name: string;
}

/** What the panel of a cell can change. */
export interface Draft {
  readonly seesCamera: boolean;
  readonly may: readonly Capability[];
}

export function draftOf(role: DefinedRole, camera: string): Draft {
  return { seesCamera: role.cameras.includes(camera), may: mayOf(role) };
}

/** @returns the role as the draft would make it: the camera is switched alone, the rest applies to all cameras of the role */
export function drafted(role: DefinedRole, camera: string, { seesCamera, may }: Draft): RoleDefinition {
  const others = role.cameras.filter((other) => other !== camera);
  const had = role.cameras.includes(camera);
  const cameras = seesCamera ? (had ? role.cameras : [...others, camera]) : others;
  const { may: _, ...rest } = role.access ?? {};
  const isDefault = may.join() === mayByDefault(role.name).join();
  const access: NonNullable<RoleAccess> = isDefault ? rest : { ...rest, may: [...may] };
  return { cameras: [...cameras], access: Object.keys(access).length === 0 ? null : access };
}

/** @returns what the cell would show */
export function draftedPanes(may: readonly Capability[], isOpen: boolean): PaneStates {
  const state = isOpen ? 'may' : 'closed';
  return Object.fromEntries(
    capabilities.map((word) => [word, may.includes(word) ? state : 'no'] as const),
  ) as PaneStates;
}
