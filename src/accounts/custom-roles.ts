import type { Change, Permit } from '../store/permit.ts';
import type { RolesFile } from './roles-file.ts';
import type { Users } from './users.ts';

/** Changes of custom roles, each in a transaction that asks its permit first, as every change of the accounts. */
export interface CustomRoleChanges {
  /** Defines a role, or gives it other cameras. @throws as `RolesFile.set` */
  set(role: string, cameras: readonly string[], permit: Permit): Promise<void>;
  /** Removes a role; its users become `viewer`. @returns how many those were. @throws as `RolesFile.remove` */
  remove(role: string, permit: Permit): Promise<number>;
}

export function createCustomRoleChanges(
  change: Change,
  users: Pick<Users, 'reassignRole'>,
  rolesFile: RolesFile,
): CustomRoleChanges {
  return {
    set: (role, cameras, permit) => change(permit, () => rolesFile.set(role, cameras)),
    remove: (role, permit) => users.reassignRole(role, () => rolesFile.remove(role), permit),
  };
}
