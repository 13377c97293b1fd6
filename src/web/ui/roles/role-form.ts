import { fieldOf } from '../forms/form-action.ts';
import { FormProblem } from '../../api-client.ts';
import { text } from '../../text.ts';
import type { RoleDefinition } from './roles-api.ts';
import { capabilities, mayByDefault, type Capability, type RoleAccess } from './role-access.ts';
import { scheduleIn } from './schedule.ts';

/** Reads the fields of the dialog for a custom role. @throws FormProblem */
export function definitionIn(form: FormData): RoleDefinition {
  const cameras = checkedIn(form, 'camera');
  const groups = checkedIn(form, 'group');
  if (cameras.length === 0 && groups.length === 0) throw new FormProblem(text.roleDialogs.needsCameras);
  const may = differingMay(form, 'custom');
  const access = {
    ...(groups.length === 0 ? {} : { groups }),
    ...(may === undefined ? {} : { may }),
    ...scheduleIn(form),
  };
  return { cameras, access: orDefault(access) };
}

/** Reads the fields of the dialog for `viewer`, of which only `may` can be set. @throws FormProblem */
export function viewerIn(form: FormData): RoleDefinition {
  const may = differingMay(form, 'viewer');
  return { cameras: [], access: may === undefined ? null : { may } };
}

/** @returns a valid name for a new role. @throws FormProblem */
export function newNameIn(form: FormData, taken: readonly string[]): string {
  const name = fieldOf(form, 'name');
  const isSame = (other: string) => other.toLowerCase() === name.toLowerCase();
  if (isReservedRole(name)) throw new FormProblem(text.roleDialogs.isReserved);
  if (taken.some(isSame)) throw new FormProblem(text.roleDialogs.taken);
  return name;
}

/** @returns the values of the switches of that name that are on */
export function checkedIn(form: FormData, name: string): string[] {
  return form.getAll(name).filter((value) => typeof value === 'string');
}

/**
 * @returns the chosen capabilities, or `undefined` if they are the default of the role.
 * @throws FormProblem when none is chosen
 */
function differingMay(form: FormData, role: string): Capability[] | undefined {
  const checked = new Set(checkedIn(form, 'may'));
  const may = capabilities.filter((capability) => checked.has(capability));
  if (may.length === 0) throw new FormProblem(text.roleDialogs.needsMay);
  return may.join() === mayByDefault(role).join() ? undefined : may;
}

function orDefault(access: NonNullable<RoleAccess>): RoleAccess {
  return Object.keys(access).length === 0 ? null : access;
}

const reserved: ReadonlySet<string> = new Set(['admin', 'viewer', 'none']);

/** Whether the name is reserved, in any letter case, so that no custom role can have it. */
export function isReservedRole(name: string): boolean {
  return reserved.has(name.toLowerCase());
}
