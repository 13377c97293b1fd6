import type { Transaction } from 'kysely';
import { ConfigurationError } from '../../config/problem.ts';
import { AppError } from '../../errors.ts';
import { twinOf } from '../../policy/names.ts';
import type { Schedule } from '../../policy/schedule.ts';
import type { Change, Permit } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import type { DefinedRoles, RoleDefinitions } from './role-definitions.ts';
import type { RoleReading } from './role-reading.ts';
import type { RolesFile } from './roles-file.ts';
import { readStoredRoles, removeStoredRole, twinProblem, writeStoredRole } from './stored-roles.ts';
import type { Users } from '../users/users.ts';

interface RoleAccess {
  readonly cameras: readonly string[];
  /** Null: the role is always valid. Undefined: its schedule stays as it is. */
  readonly window?: Schedule | null | undefined;
}

/** Changes custom roles, each in a transaction that asks its permit first. */
export interface CustomRoleChanges {
  /** Defines a role, or changes its cameras and schedule. @throws AppError `role_declared`, and as `RolesFile.set` */
  set(role: string, access: RoleAccess, permit: Permit): Promise<void>;
  /**
   * Removes a role and gives its users another one.
   * @returns how many users it had
   * @throws as `set`
   */
  set(role: string, access: RoleAccess, permit: Permit): Promise<void>;
  /** Deletes a role and gives its users another one. @returns how many users changed role @throws as `set` */
  remove(role: string, successor: string, permit: Permit): Promise<number>;
}

/** Writes roles to config.yml. */
export function customRolesInFile(
  change: Change,
  users: Pick<Users, 'reassignRole'>,
  rolesFile: RolesFile,
): CustomRoleChanges {
  return {
    set: (role, { cameras, window }, permit) =>
      change(permit, (_, { grant }) => rolesFile.set(grant(role), cameras, window)),
    remove: (role, successor, permit) =>
      users.reassignRole(role, successor, () => rolesFile.remove(role), permit),
  };
}

interface StoredRolesDependencies {
  readonly change: Change;
  readonly users: Pick<Users, 'reassignRole'>;
  readonly definitions: Pick<RoleDefinitions, 'isFixed' | 'current'>;
  readonly reading: Pick<RoleReading, 'adopt'>;
  /** `cameras` of config.yml; undefined: any camera name is allowed. */
  readonly cameras: readonly string[] | undefined;
}

/** Keeps roles in the shared store; those of config.yml stay there. */
export function customRolesInStore(dependencies: StoredRolesDependencies): CustomRoleChanges {
  const { change, users, reading, cameras: known } = dependencies;
  const { isFixed, current } = dependencies.definitions;
  const requireOwn = (role: string) => {
    if (isFixed(role)) throw new AppError('role_declared');
  };
  return {
    set: async (role, { cameras, window }, permit) => {
      requireOwn(role);
      const twin = twinOf(role, current.roles.keys());
      if (twin !== undefined && isFixed(twin)) throw twinProblem(role, twin);
      requireKnown(role, cameras, known);
      const roles = await change(permit, async (on, { grant }) => {
        await writeStoredRole(on, grant(role), cameras, window);
        return readStoredRoles(on);
      });
      reading.adopt(roles);
    },
    remove: async (role, successor, permit) => {
      requireOwn(role);
      let left: DefinedRoles | undefined;
      const remove = async (on: Transaction<Tables>) => {
        await removeStoredRole(on, role);
        left = await readStoredRoles(on);
      };
      const reassigned = await users.reassignRole(role, successor, remove, permit);
      if (left !== undefined) reading.adopt(left);
      return reassigned;
    },
  };
}

/** The same check as for a role in config.yml. */
function requireKnown(role: string, cameras: readonly string[], known: readonly string[] | undefined): void {
  const unknown = known && cameras.find((camera) => !known.includes(camera));
  if (known === undefined || unknown === undefined) return;
  throw new ConfigurationError([
    {
      path: `auth.roles.${role}`,
      found: `the unknown camera ${JSON.stringify(unknown)}`,
      allowed: `one of ${known.join(', ')}`,
    },
  ]);
}
