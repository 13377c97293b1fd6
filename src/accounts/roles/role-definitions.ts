import { sql, type Kysely, type Transaction } from 'kysely';
import * as v from 'valibot';
import type { Configuration } from '../../config/configuration.ts';
import {
  expandRoles,
  isPersonalRole,
  type CameraGroups,
  type DefinedRoles,
  type ConfiguredAccess,
  type RoleDefinition,
} from '../../policy/role-access.ts';
import { ConfigurationError } from '../../config/problem.ts';
import { twinFault } from '../../config/resolve-roles.ts';
import { roleAccess } from '../../config/role-access.ts';
import { mayNothing } from '../../policy/capability.ts';
import { isTextList, readJson } from '../../policy/json.ts';
import { foldName, isGroupName, isRoleName } from '../../policy/names.ts';
import { readPersonalRoles } from '../users/personal-roles.ts';
import { neverOpen } from '../../policy/schedule.ts';
import { isPostgres } from '../../store/engine.ts';
import type { Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import type { SharingTables } from '../../store/sharing-schema.ts';

/** Which roles and camera groups are defined, and which of them only the configuration can change. */
export interface RoleDefinitions {
  /** In order of precedence: the declared ones first, then those of the store. */
  readonly current: DefinedRoles;
  /** Whether a role is declared in a config.yml that the gate does not write. */
  isFixed(role: string): boolean;
  /** As `isFixed`, for a group of cameras. */
  isFixedGroup(group: string): boolean;
  /** Stored named roles that a declared role of the same name overrides. */
  readonly hidden: ReadonlySet<string>;
  /** Declared roles that don't count, because their names are those of roles made for one person. Copied ones are left out. */
  readonly ignored: ReadonlySet<string>;
}

/** The roles and camera groups that the store has. */
export interface StoredRoles extends DefinedRoles {
  /** Roles made for one person. Not all of them need a definition, and those of config.yml don't count. */
  readonly personal: ReadonlySet<string>;
  /** Named roles and camera groups made in the UI are in the store too, and not in config.yml. */
  readonly isShared: boolean;
}

/**
 * Joins the roles of config.yml with those of the store.
 * @param declared those of config.yml: named roles, and remains of personal ones, which don't count
 */
export function defineRoles(declared: DefinedRoles, stored: StoredRoles): RoleDefinitions {
  const { personal, isShared } = stored;
  const named = new Map([...declared.definitions].filter(([name]) => !isPersonalRole(name, stored)));
  const withStored = <T>(ofDeclared: ReadonlyMap<string, T>, ofStored: ReadonlyMap<string, T>) =>
    new Map([...ofDeclared, ...[...ofStored].filter(([name]) => !ofDeclared.has(name))]);
  return {
    current: {
      definitions: withStored(named, stored.definitions),
      groups: withStored(declared.groups, stored.groups),
      personal,
    },
    isFixed: (name) => isShared && named.has(name),
    isFixedGroup: (name) => isShared && declared.groups.has(name),
    hidden: new Set([...stored.definitions.keys()].filter((name) => named.has(name))),
    ignored: new Set(
      [...declared.definitions.keys()].filter((name) => !named.has(name) && !personal.has(name)),
    ),
  };
}

/** A configuration with the current roles. */
export function withRoles(configuration: Configuration, stored: StoredRoles): Configuration {
  const { auth, cameras } = configuration;
  const defined = defineRoles(auth.defined, stored).current;
  return { ...configuration, auth: { ...auth, defined, roles: expandRoles(defined, cameras) } };
}

/**
 * Reads them in the order of creation.
 * @param on the store, or a transaction of it
 * @param isShared as `StoredRoles.isShared`
 */
export async function readStoredRoles(on: Reading, isShared = isPostgres(on)): Promise<StoredRoles> {
  const roles = await on
    .selectFrom('custom_roles')
    .select(['name', 'cameras', 'access'])
    .orderBy('position')
    .orderBy('name')
    .execute();
  const valid = roles.filter(({ name }) => isRoleName(name) || name === 'viewer');
  return {
    definitions: new Map(valid.map(({ name, cameras, access }) => [name, definitionOf(cameras, access)])),
    groups: isShared ? await readGroups(on) : new Map(),
    personal: await readPersonalRoles(on),
    isShared,
  };
}

async function readGroups(on: Reading): Promise<CameraGroups> {
  const groups = await (on as unknown as Kysely<SharingTables>)
    .selectFrom('camera_groups')
    .select(['name', 'cameras'])
    .orderBy('position')
    .execute();
  return new Map(
    groups.filter(({ name }) => isGroupName(name)).map(({ name, cameras }) => [name, camerasOf(cameras)]),
  );
}

/**
 * Defines a role after the existing ones, or changes an existing one in place.
 * @param access `null` restores the default, `undefined` keeps it as it is
 * @throws ConfigurationError when another role has the same name except for case
 */
export async function writeStoredRole(
  transaction: Transaction<Tables>,
  name: string,
  cameras: readonly string[],
  access?: ConfiguredAccess | null,
): Promise<void> {
  await requireNoTwin(transaction, 'custom_roles', name);
  const listed = {
    cameras: JSON.stringify(cameras),
    ...(access === undefined ? {} : { access: access === null ? null : JSON.stringify(access) }),
  };
  await transaction
    .insertInto('custom_roles')
    .values({ name, ...listed })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(listed))
    .execute();
}

/** Defines a group, or changes its cameras. @throws as `writeStoredRole` */
export async function writeStoredGroup(
  transaction: Transaction<Tables>,
  name: string,
  cameras: readonly string[],
): Promise<void> {
  const on = sharing(transaction);
  await requireNoTwin(on, 'camera_groups', name);
  const listed = { cameras: JSON.stringify(cameras) };
  await on
    .insertInto('camera_groups')
    .values({ name, ...listed })
    .onConflict((conflict) => conflict.column('name').doUpdateSet(listed))
    .execute();
}

async function requireNoTwin(
  on: Transaction<SharingTables> | Transaction<Tables>,
  table: 'custom_roles' | 'camera_groups',
  name: string,
): Promise<void> {
  const twin = await sharing(on)
    .selectFrom(table)
    .select('name')
    .where(sql<string>`lower(name)`, '=', foldName(name))
    .where('name', '!=', name)
    .executeTakeFirst();
  if (twin !== undefined) throw twinProblem(`auth.${sections[table]}.${name}`, twin.name);
}

const sections = { custom_roles: 'roles', camera_groups: 'camera_groups' } as const;

/** @returns the error for a name that differs from another one only in case */
export function twinProblem(path: string, twin: string): ConfigurationError {
  return new ConfigurationError([{ path, found: twinFault(twin), allowed: 'another name' }]);
}

export async function removeStored(
  transaction: Transaction<Tables>,
  table: 'custom_roles' | 'camera_groups',
  name: string,
): Promise<void> {
  await sharing(transaction).deleteFrom(table).where('name', '=', name).execute();
}

/**
 * Tells the other gates that roles or groups have changed, in the transaction that changes them. Each change raises the version; `roles` is the
 * version of the last change of roles and groups. A SQLite file sees its writes by itself.
 */
export async function raiseRolesVersion(
  transaction: Transaction<Tables>,
  isShared = isPostgres(transaction),
): Promise<void> {
  if (!isShared) return;
  await sharing(transaction)
    .updateTable('store_version')
    .set(({ ref }) => ({ roles: ref('version') }))
    .execute();
}

function sharing(on: unknown): Transaction<SharingTables & Tables> {
  return on as Transaction<SharingTables & Tables>;
}

/** An access that cannot be read grants nothing. */
function definitionOf(cameras: string, access: string | null): RoleDefinition {
  if (access === null) return { cameras: camerasOf(cameras) };
  const read = v.safeParse(roleAccess, readJson(access));
  return read.success
    ? { cameras: camerasOf(cameras), access: read.output }
    : { cameras: [], access: { ...neverOpen, may: [...mayNothing] } };
}

/** Anything but a list of names grants nothing. */
function camerasOf(text: string): readonly string[] {
  const listed = readJson(text);
  return isTextList(listed) ? listed : [];
}

/** @returns the keys of an access with their values, for the audit and for terminals */
export function accessInWords(access: ConfiguredAccess | null | undefined): string[] {
  return Object.entries(access ?? {}).flatMap(([key, value]) =>
    value === undefined ? [] : [`${key}: ${[value].flat().join(', ')}`],
  );
}
