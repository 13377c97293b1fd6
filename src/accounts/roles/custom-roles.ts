import type { Transaction } from 'kysely';
import { camerasProblems } from '../../config/resolve-roles.ts';
import { AppError } from '../../errors.ts';
import { twinOf } from '../../policy/names.ts';
import {
  accessByDefinition,
  isPersonalRole,
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
import { isPersonal } from '../users/personal-roles.ts';
import { findPersonal, removePersonal } from './personal-role-changes.ts';
import { readRolePreview, type RolePreview, readGroupChanges, type GroupChange } from './role-preview.ts';
import {
  raiseRolesVersion,
  type RoleDefinitions,
  type StoredRoles,
  readStoredRoles,
  removeStored,
  twinProblem,
  writeStoredGroup,
  writeStoredRole,
} from './role-definitions.ts';
import type { RoleReading } from './role-reading.ts';
import type { RolesFile } from './roles-file.ts';
import { refuseProblems, requireValidDefinition } from './valid-definition.ts';
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

/**
 * Changes named roles and camera groups, each in a transaction that asks its permit first. Roles made for one person are unknown here.
 */
export interface CustomRoleChanges {
  /** Defines a role. @throws AppError `role_declared`, `role_unknown`, and as `RolesFile.set` */
  set(role: string, definition: NewDefinition, permit: Permit): Promise<void>;
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
  readonly reading: Pick<RoleReading, 'adopt'>;
  /** Roles and groups as they are at the moment of the call. */
  readonly defined: () => DefinedRoles;
}

/** Writes roles and groups to config.yml, whose check refuses invalid ones. */
export function customRolesInFile({
  store,
  change,
  users,
  rolesFile,
  reading,
  defined,
}: FileDependencies): CustomRoleChanges {
  const remove: CustomRoleChanges['remove'] = async (role, successor, permit) => {
    const { result, left } = await rolesFile.remove(role, {
      commit: (prepare) => users.reassignRole(role, successor, prepare, ifNamed(role, permit)),
      alone: (put) => change(unconditional, put),
    });
    return { reassigned: result, ...(left !== undefined && { left }) };
  };
  return {
    set: (role, { cameras, access }, permit) =>
      change(ifNamed(role, permit), (_, { grant }) => rolesFile.set(grant(role), cameras, access)),
    name: async (personal, name, permit) => {
      let stored: StoredRoles | undefined;
      const rename = async (on: Transaction<Tables>) => {
        const definition = await findPersonal(on, personal);
        if (defined().definitions.has(name)) throw new AppError('role_exists');
        await moveTokens(on, personal, name);
        await rolesFile.add('personal role named', name, definition.cameras, definition.access);
        await removePersonal(on, personal);
        stored = await readStoredRoles(on);
      };
      await users.reassignRole(personal, name, rename, ifPersonal(personal, permit));
      if (stored !== undefined) reading.adopt(stored);
    },
    preview: async (role, { cameras, access }) => {
      await requireNamed(store, role);
      rolesFile.check(role, cameras, access);
      const before = defined();
      return readRolePreview(store, role, definitionOf(role, { cameras, access }, before), before);
    },
    remove,
    setGroup: (group, cameras, permit) =>
      change(permit, async (on, permission) => {
        const before = defined();
        grantByGroup(group, cameras, before, permission);
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
  const read = (on: Reading) => readStoredRoles(on, true);
  const readWritten = async (on: Transaction<Tables>) => {
    await raiseRolesVersion(on, true);
    return read(on);
  };
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
    personal: stored.personal,
  });
  return {
    set: async (role, { cameras, access }, permit) => {
      requireOwnRole(role);
      const stored = await change(ifNamed(role, permit), async (on, { grant }) => {
        await writeStoredRole(on, grant(role), cameras, access);
        const written = await readWritten(on);
        requireValid(role, written, groupsWith(written), known);
        return written;
      });
      reading.adopt(stored);
    },
    name: async (personal, name, permit) => {
      requireOwnRole(name);
      let stored: StoredRoles | undefined;
      const rename = async (on: Transaction<Tables>) => {
        const definition = await findPersonal(on, personal);
        if ((await read(on)).definitions.has(name)) throw new AppError('role_exists');
        await moveTokens(on, personal, name);
        await writeStoredRole(on, name, definition.cameras, definition.access ?? null);
        await removePersonal(on, personal);
        stored = await readWritten(on);
      };
      await users.reassignRole(personal, name, rename, ifPersonal(personal, permit));
      if (stored !== undefined) reading.adopt(stored);
    },
    preview: async (role, definition) => {
      requireOwnRole(role);
      await requireNamed(store, role);
      const stored = await read(store);
      requireNoTwin('roles', role, stored.definitions.keys(), () => true);
      const before = inEffect(stored);
      const next = definitionOf(role, definition, before);
      const written = { ...before, definitions: new Map(before.definitions).set(role, next) };
      requireValid(role, written, before.groups, known);
      return readRolePreview(store, role, next, before);
    },
    remove: async (role, successor, permit) => {
      requireOwn(role);
      let left: StoredRoles | undefined;
      const remove = async (on: Transaction<Tables>) => {
        await removeStored(on, 'custom_roles', role);
        left = await readWritten(on);
      };
      const reassigned = await users.reassignRole(role, successor, remove, ifNamed(role, permit));
      if (left !== undefined) reading.adopt(left);
      return { reassigned };
    },
    setGroup: async (group, cameras, permit) => {
      requireValidGroup(group, cameras);
      const { changes, stored } = await change(permit, async (on, permission) => {
        const before = await read(on);
        grantByGroup(group, cameras, before, permission);
        const made = await readGroupChanges(on, group, cameras, inEffect(before));
        await writeStoredGroup(on, group, cameras);
        return { changes: made, stored: await readWritten(on) };
      });
      reading.adopt(stored);
      return changes;
    },
    previewGroup: async (group, cameras) => {
      requireValidGroup(group, cameras);
      const stored = await read(store);
      requireNoTwin('camera_groups', group, stored.groups.keys(), () => true);
      return readGroupChanges(store, group, cameras, inEffect(stored));
    },
    removeGroup: async (group, permit) => {
      requireOwnGroup(group);
      const stored = await change(permit, async (on) => {
        requireUnused(group, await read(on));
        await removeStored(on, 'camera_groups', group);
        return readWritten(on);
      });
      reading.adopt(stored);
    },
  };
}

/** @throws AppError `role_unknown` for a role that was made for one person */
async function requireNamed(on: Reading, role: string): Promise<void> {
  if (await isPersonal(on, role)) throw new AppError('role_unknown');
}

/** @returns the permit, for a role that was not made for one person */
function ifNamed(role: string, permit: Permit): Permit {
  return async (on) => {
    const permission = await permit(on);
    await requireNamed(on, role);
    return permission;
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
  if (definition !== undefined) requireValidDefinition(role, definition, groups, known);
}

/** A group gives its cameras to roles, of which some may only be given with a fresh proof, and so may wider access of one person. */
function grantByGroup(
  group: string,
  cameras: readonly string[],
  defined: DefinedRoles,
  { grant }: Permission,
): void {
  const after = new Map(defined.groups).set(group, cameras);
  for (const role of rolesWith(group, defined)) {
    const definition = defined.definitions.get(role);
    if (definition === undefined || !isPersonalRole(role, defined)) grant(role);
    else
      grant(role, {
        before: accessByDefinition(definition, defined.groups),
        after: accessByDefinition(definition, after),
      });
  }
}

/** @throws AppError `camera_group_used` */
function requireUnused(group: string, defined: DefinedRoles): void {
  const roles = rolesWith(group, defined);
  if (roles.length > 0) throw new AppError('camera_group_used', { also: { roles } });
}
