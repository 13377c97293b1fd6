import type { Transaction } from 'kysely';
import { AppError } from '../../errors.ts';
import {
  accessByDefinition,
  accessOfRole,
  currentRole,
  expandRoles,
  isPersonalRole,
  type DefinedRoles,
  type RoleDefinition,
} from '../../policy/role-access.ts';
import type { Change, Permission, Permit, Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import { forgetPersonalRole, isGiven, newPersonalRole } from '../users/personal-roles.ts';
import { raiseRolesVersion, readStoredRoles, removeStored, writeStoredRole } from './role-definitions.ts';
import { readRolePreview, type RolePreview } from './role-preview.ts';
import type { RoleReading } from './role-reading.ts';
import { requireValidDefinition } from './valid-definition.ts';

/**
 * Changes roles that were made for one person, in the store with whoever has them: config.yml never has their definitions. Each change is a
 * transaction that asks its permit first. Access that may become wider needs a fresh proof.
 */
export interface PersonalRoleChanges {
  /**
   * Makes a role, by a name that no role has.
   * @param former the role that its person has now; undefined for someone new
   * @param use a change that needs the role, in the same transaction
   * @throws ConfigurationError for what config.yml could not have, and errors of `use`; then nothing is written
   */
  make<T>(
    definition: RoleDefinition,
    former: string | undefined,
    use: (role: string, on: Transaction<Tables>, permission: Permission) => Promise<T>,
    permit: Permit,
  ): Promise<T>;
  /** Replaces the definition. @throws AppError `role_unknown`, and ConfigurationError as `make` */
  set(role: string, definition: RoleDefinition, permit: Permit): Promise<void>;
  /**
   * Writes nothing.
   * @param role undefined: one that would be made
   * @returns the changes that `set` would make; `undefined` if it changes neither cameras nor capabilities. @throws as `set`
   */
  preview(role: string | undefined, definition: RoleDefinition): Promise<RolePreview | undefined>;
  /** Removes a role that no user has and no invitation gives. @returns false if someone does; then nothing is written */
  remove(role: string, permit: Permit): Promise<boolean>;
}

interface Dependencies {
  readonly store: Reading;
  readonly change: Change;
  readonly reading: Pick<RoleReading, 'adopt'>;
  /** Roles and groups as they are at the moment of the call. */
  readonly defined: () => DefinedRoles;
  /** `cameras` of config.yml; absent when any camera name is allowed. */
  readonly cameras: readonly string[] | undefined;
}

export function personalRolesInStore(dependencies: Dependencies): PersonalRoleChanges {
  const { store, change, reading, defined, cameras: known } = dependencies;

  const requireValid = (role: string, definition: RoleDefinition) =>
    requireValidDefinition(role, definition, defined().groups, known);
  const write = async (on: Transaction<Tables>, role: string, { cameras, access }: RoleDefinition) => {
    await writeStoredRole(on, role, cameras, access ?? null);
    await raiseRolesVersion(on);
    return readStoredRoles(on);
  };
  const accessBy = (definition: RoleDefinition) => accessByDefinition(definition, defined().groups, known);

  return {
    make: async (definition, former, use, permit) => {
      const { made, stored } = await change(permit, async (on, permission) => {
        const { definitions, personal } = await readStoredRoles(on);
        const now = defined();
        const role = newPersonalRole(
          new Set([...definitions.keys(), ...personal, ...now.definitions.keys()]),
        );
        requireValid(role, definition);
        const roles = expandRoles(now, known);
        const before = accessOfRole(former === undefined ? role : currentRole(former, roles), roles);
        const granted = permission.grant(role, { before, after: accessBy(definition) });
        const done = await use(granted, on, permission);
        return { made: done, stored: await write(on, granted, definition) };
      });
      reading.adopt(stored);
      return made;
    },

    set: async (role, definition, permit) => {
      const stored = await change(permit, async (on, { grant }) => {
        const former = await findPersonal(on, role);
        requireValid(role, definition);
        return write(on, grant(role, { before: accessBy(former), after: accessBy(definition) }), definition);
      });
      reading.adopt(stored);
    },

    preview: async (role, definition) => {
      const now = defined();
      const shown = role ?? newPersonalRole(new Set(now.definitions.keys()));
      if (role !== undefined) await findPersonal(store, role);
      requireValid(shown, definition);
      return readRolePreview(store, shown, definition, now);
    },

    remove: async (role, permit) => {
      const stored = await change(permit, async (on) => {
        if (await isGiven(on, role)) return undefined;
        await removePersonal(on, role);
        return readStoredRoles(on);
      });
      if (stored !== undefined) reading.adopt(stored);
      return stored !== undefined;
    },
  };
}

/** @throws AppError `role_unknown` for a role that was not made for one person, or is gone */
export async function findPersonal(on: Reading, role: string): Promise<RoleDefinition> {
  const stored = await readStoredRoles(on);
  const found = stored.definitions.get(role);
  if (found === undefined || !isPersonalRole(role, stored)) throw new AppError('role_unknown');
  return found;
}

/** Removes the definition, in the transaction after which no one has the role. */
export async function removePersonal(on: Transaction<Tables>, role: string): Promise<void> {
  await removeStored(on, 'custom_roles', role);
  await forgetPersonalRole(on, role);
  await raiseRolesVersion(on);
}
