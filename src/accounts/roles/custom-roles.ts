import type { Transaction } from 'kysely';
import { ConfigurationError, type Problem } from '../../config/problem.ts';
import { accessProblems, camerasProblems } from '../../config/resolve-roles.ts';
import { AppError } from '../../errors.ts';
import { isBuiltIn, noRole, twinOf } from '../../policy/names.ts';
import {
  rolesWith,
  type CameraGroups,
  type ConfiguredAccess,
  type DefinedRoles,
  type RoleDefinition,
} from '../../policy/role-access.ts';
import {
  unconditional,
  type Change,
  type Permission,
  type Permit,
  type Reading,
} from '../../store/permit.ts';
import type { Permitted, Tables } from '../../store/schema.ts';
import { addPersonalRole, newPersonalRole, isPersonal, unlessGiven } from '../users/personal-roles.ts';
import { readRolePreview, type RolePreview, readGroupChanges, type GroupChange } from './role-preview.ts';
import {
  type RoleDefinitions,
  readStoredRoles,
  removeStored,
  twinProblem,
  writeStoredGroup,
  writeStoredRole,
} from './role-definitions.ts';
import type { RoleReading } from './role-reading.ts';
import type { RolesFile } from './roles-file.ts';
import type { Users } from '../users/users.ts';

interface NewDefinition {
  readonly cameras: readonly string[];
  /** `null` restores the default, `undefined` keeps it as it is. */
  readonly access?: ConfiguredAccess | null | undefined;
}

interface Removal {
  /** How many users have the other role now. */
  readonly reassigned: number;
  /** Why the role is still defined, for no one: config.yml could not be written once its users had the other role. */
  readonly left?: unknown;
}

/** Changes roles and camera groups, each in a transaction that asks its permit first. */
export interface CustomRoleChanges {
  /** Defines a role. @throws AppError `role_declared`, and as `RolesFile.set` */
  set(role: string, definition: NewDefinition, permit: Permit): Promise<void>;
  /**
   * Defines a role for one person, by a name that no role has.
   * @param use a change that needs the role, in the same transaction
   * @throws as `set`, and errors of `use`; then nothing is written
   */
  make<T>(
    definition: NewDefinition,
    use: (role: string, on: Transaction<Tables>, permission: Permission) => Promise<T>,
    permit: Permit,
  ): Promise<T>;
  /** Gives a personal role a name, by which lists show it and others may get it. @throws AppError `role_unknown`, `role_exists`, and as `set` */
  name(personal: string, name: string, permit: Permit): Promise<void>;
  /** Writes nothing. @returns the changes that `set` would make; `undefined` if it changes neither cameras nor capabilities. @throws as `set` */
  preview(role: string, definition: NewDefinition): Promise<RolePreview | undefined>;
  /** Deletes a role and gives its users another one. @throws as `set`; then nothing has changed */
  remove(role: string, successor: string, permit: Permit): Promise<Removal>;
  /** Defines a group of cameras. @returns the changes for roles. @throws AppError `camera_group_declared`, and as `set` */
  setGroup(group: string, cameras: readonly string[], permit: Permit): Promise<readonly GroupChange[]>;
  /** Writes nothing. @returns the changes that `setGroup` would make. @throws as `setGroup` */
  previewGroup(group: string, cameras: readonly string[]): Promise<readonly GroupChange[]>;
  /** @throws AppError `camera_group_used`, and as `setGroup` */
  removeGroup(group: string, permit: Permit): Promise<void>;
}

interface FileDependencies {
  readonly store: Reading;
  readonly change: Change;
  readonly users: Pick<Users, 'reassignRole'>;
  readonly rolesFile: RolesFile;
  /** Roles and groups as they are at the moment of the call. */
  readonly defined: () => DefinedRoles;
}

/** Writes roles and groups to config.yml, whose check refuses invalid ones. */
export function customRolesInFile({
  store,
  change,
  users,
  rolesFile,
  defined,
}: FileDependencies): CustomRoleChanges {
  const remove: CustomRoleChanges['remove'] = async (role, successor, permit) => {
    const { result, left } = await rolesFile.remove(role, {
      commit: (prepare) => users.reassignRole(role, successor, prepare, permit),
      alone: (put) => change(unconditional, put),
    });
    return { reassigned: result, ...(left !== undefined && { left }) };
  };
  return {
    set: (role, { cameras, access }, permit) =>
      change(permit, (_, { grant }) => rolesFile.set(grant(role), cameras, access)),
    make: ({ cameras, access }, use, permit) =>
      change(permit, async (on, permission) => {
        const role = newPersonalRole(new Set(defined().definitions.keys()));
        const made = await use(role, on, permission);
        await rolesFile.add('personal role made', permission.grant(role), cameras, access ?? undefined);
        return made;
      }),
    name: async (personal, name, permit) => {
      const rename = async (on: Transaction<Tables>) => {
        const { definitions } = defined();
        const definition = definitions.get(personal);
        if (definition === undefined) throw new AppError('role_unknown');
        if (definitions.has(name)) throw new AppError('role_exists');
        await moveTokens(on, personal, name);
        // No one has it from now on: it is removed below, or as an orphan.
        await addPersonalRole(on, personal);
        await rolesFile.add('personal role named', name, definition.cameras, definition.access);
      };
      await users.reassignRole(personal, name, rename, ifPersonal(personal, permit));
      await remove(personal, noRole, unlessGiven(personal)).catch(() => undefined);
    },
    preview: async (role, { cameras, access }) => {
      rolesFile.check(role, cameras, access);
      const before = defined();
      return readRolePreview(store, role, definitionOf(role, { cameras, access }, before), before);
    },
    remove,
    setGroup: (group, cameras, permit) =>
      change(permit, async (on, permission) => {
        const before = defined();
        grantByGroup(group, before, permission);
        const changes = await readGroupChanges(on, group, cameras, before);
        await rolesFile.setGroup(group, cameras, permission.grant);
        return changes;
      }),
    previewGroup: async (group, cameras) => {
      rolesFile.checkGroup(group, cameras);
      return readGroupChanges(store, group, cameras, defined());
    },
    removeGroup: (group, permit) =>
      change(permit, () => {
        requireUnused(group, defined());
        return rolesFile.removeGroup(group);
      }),
  };
}

interface StoredRolesDependencies {
  readonly store: Reading;
  readonly change: Change;
  readonly users: Pick<Users, 'reassignRole'>;
  readonly definitions: Pick<RoleDefinitions, 'isFixed' | 'isFixedGroup' | 'current'>;
  readonly reading: Pick<RoleReading, 'adopt'>;
  /** `cameras` of config.yml; absent when any camera name is allowed. */
  readonly cameras: readonly string[] | undefined;
}

/** Keeps roles and groups in the shared store; those of config.yml stay there. */
export function customRolesInStore(dependencies: StoredRolesDependencies): CustomRoleChanges {
  const { store, change, users, reading, cameras: known } = dependencies;
  const { isFixed, isFixedGroup, current } = dependencies.definitions;
  const requireOwn = (role: string) => {
    if (isFixed(role)) throw new AppError('role_declared');
  };
  const requireOwnRole = (role: string) => {
    requireOwn(role);
    requireNoTwin('roles', role, current.definitions.keys(), isFixed);
  };
  const requireOwnGroup = (group: string) => {
    if (isFixedGroup(group)) throw new AppError('camera_group_declared');
  };
  const requireNoTwin = (
    section: string,
    name: string,
    others: Iterable<string>,
    isDeclared: typeof isFixed,
  ) => {
    const twin = twinOf(name, others);
    if (twin !== undefined && isDeclared(twin)) throw twinProblem(`auth.${section}.${name}`, twin);
  };
  /** With the declared groups, which a stored role may name too. */
  const groupsWith = ({ groups }: DefinedRoles) =>
    new Map([...groups, ...[...current.groups].filter(([name]) => isFixedGroup(name))]);
  const requireValidGroup = (group: string, cameras: readonly string[]) => {
    requireOwnGroup(group);
    requireNoTwin('camera_groups', group, current.groups.keys(), isFixedGroup);
    refuseProblems(camerasProblems(`auth.camera_groups.${group}`, cameras, known));
  };
  /** The stored roles that count: a declared one comes before a stored one of its name. */
  const inEffect = (stored: DefinedRoles): DefinedRoles => ({
    definitions: new Map([...stored.definitions].filter(([name]) => !isFixed(name))),
    groups: groupsWith(stored),
  });
  return {
    set: async (role, { cameras, access }, permit) => {
      requireOwnRole(role);
      const stored = await change(permit, async (on, { grant }) => {
        await writeStoredRole(on, grant(role), cameras, access);
        const written = await readStoredRoles(on);
        requireValid(role, written, groupsWith(written), known);
        return written;
      });
      reading.adopt(stored);
    },
    make: async ({ cameras, access }, use, permit) => {
      const { made, stored } = await change(permit, async (on, permission) => {
        const { definitions } = await readStoredRoles(on);
        const role = newPersonalRole(new Set([...definitions.keys(), ...current.definitions.keys()]));
        const made = await use(role, on, permission);
        await writeStoredRole(on, permission.grant(role), cameras, access);
        const written = await readStoredRoles(on);
        requireValid(role, written, groupsWith(written), known);
        return { made, stored: written };
      });
      reading.adopt(stored);
      return made;
    },
    name: async (personal, name, permit) => {
      requireOwnRole(name);
      let stored: DefinedRoles | undefined;
      const rename = async (on: Transaction<Tables>) => {
        const { definitions } = await readStoredRoles(on);
        const definition = definitions.get(personal);
        if (definition === undefined) throw new AppError('role_unknown');
        if (definitions.has(name)) throw new AppError('role_exists');
        await moveTokens(on, personal, name);
        await writeStoredRole(on, name, definition.cameras, definition.access ?? null);
        await removeStored(on, 'custom_roles', personal);
        stored = await readStoredRoles(on);
      };
      await users.reassignRole(personal, name, rename, ifPersonal(personal, permit));
      if (stored !== undefined) reading.adopt(stored);
    },
    preview: async (role, definition) => {
      requireOwnRole(role);
      const stored = await readStoredRoles(store);
      requireNoTwin('roles', role, stored.definitions.keys(), () => true);
      const before = inEffect(stored);
      const next = definitionOf(role, definition, before);
      const written = { ...before, definitions: new Map(before.definitions).set(role, next) };
      requireValid(role, written, before.groups, known);
      return readRolePreview(store, role, next, before);
    },
    remove: async (role, successor, permit) => {
      requireOwn(role);
      let left: DefinedRoles | undefined;
      const remove = async (on: Transaction<Tables>) => {
        await removeStored(on, 'custom_roles', role);
        left = await readStoredRoles(on);
      };
      const reassigned = await users.reassignRole(role, successor, remove, permit);
      if (left !== undefined) reading.adopt(left);
      return { reassigned };
    },
    setGroup: async (group, cameras, permit) => {
      requireValidGroup(group, cameras);
      const { changes, stored } = await change(permit, async (on, permission) => {
        const before = await readStoredRoles(on);
        grantByGroup(group, before, permission);
        const made = await readGroupChanges(on, group, cameras, inEffect(before));
        await writeStoredGroup(on, group, cameras);
        return { changes: made, stored: await readStoredRoles(on) };
      });
      reading.adopt(stored);
      return changes;
    },
    previewGroup: async (group, cameras) => {
      requireValidGroup(group, cameras);
      const stored = await readStoredRoles(store);
      requireNoTwin('camera_groups', group, stored.groups.keys(), () => true);
      return readGroupChanges(store, group, cameras, inEffect(stored));
    },
    removeGroup: async (group, permit) => {
      requireOwnGroup(group);
      const stored = await change(permit, async (on) => {
        requireUnused(group, await readStoredRoles(on));
        await removeStored(on, 'camera_groups', group);
        return readStoredRoles(on);
      });
      reading.adopt(stored);
    },
  };
}

/** @returns the permit, for a role that was made for one person */
function ifPersonal(role: string, permit: Permit): Permit {
  return async (on) => {
    const permission = await permit(on);
    if (!(await isPersonal(on, role))) throw new AppError('role_unknown');
    return permission;
  };
}

/** API tokens and screens of the person have the role under its new name. */
async function moveTokens(on: Transaction<Tables>, role: string, name: string): Promise<void> {
  await on
    .updateTable('api_tokens')
    // The same rights as before.
    .set({ role: name as Permitted })
    .where('role', '=', role)
    .execute();
}

/** @returns the role as it would be; a definition without an access keeps the current one */
export function definitionOf(
  role: string,
  { cameras, access }: NewDefinition,
  { definitions }: DefinedRoles,
): RoleDefinition {
  return { cameras, access: access === undefined ? definitions.get(role)?.access : (access ?? undefined) };
}

/** @throws ConfigurationError if config.yml could not define a stored role */
function requireValid(
  role: string,
  { definitions }: DefinedRoles,
  groups: CameraGroups,
  known: readonly string[] | undefined,
): void {
  const definition = definitions.get(role);
  if (definition === undefined) return;
  const { cameras, access } = definition;
  const hasOthers = isBuiltIn(role) || access?.groups !== undefined;
  refuseProblems([
    ...(cameras.length === 0 && hasOthers ? [] : camerasProblems(`auth.roles.${role}`, cameras, known)),
    ...accessProblems(role, access, groups),
  ]);
}

function refuseProblems(problems: readonly Problem[]): void {
  if (problems.length > 0) throw new ConfigurationError(problems);
}

/** A group gives its cameras to roles, of which some may only be given with a fresh proof. */
function grantByGroup(group: string, defined: DefinedRoles, { grant }: Permission): void {
  for (const role of rolesWith(group, defined)) grant(role);
}

/** @throws AppError `camera_group_used` */
function requireUnused(group: string, defined: DefinedRoles): void {
  const roles = rolesWith(group, defined);
  if (roles.length > 0) throw new AppError('camera_group_used', { also: { roles } });
}
