import { isAlias, isCollection, isScalar, type Document, type YAMLMap, type YAMLSeq } from 'yaml';
import { isPlainObject } from '../../policy/json.ts';
import { isBuiltIn, noRole } from '../../policy/names.ts';
import type { ConfiguredAccess } from '../../policy/role-access.ts';
import {
  createConfigurationFile,
  type CheckConfiguration,
  type Committed,
  mapAt,
  sectionAt,
  type StoreTurn,
} from '../../config/configuration-file.ts';
import type { Disk } from '../../config/replace-file.ts';
import type { FileFirst } from '../../config/write-orders.ts';
import { releaseAnchors } from '../../config/yaml.ts';
import { renameCameraIn } from './camera-in-file.ts';

/** The changes that define a role for someone. */
type AddedRole = Extract<FileFirst, 'personal role named' | 'roles imported'>;

/** The roles and camera groups of config.yml, changed in place: comments and the rest stay as they are. */
export interface RolesFile {
  /**
   * Defines a role.
   * @param access `null` restores the default, `undefined` keeps it as it is
   * @throws as `ConfigurationFile.change`
   */
  set(role: string, cameras: readonly string[], access?: ConfiguredAccess | null): Promise<void>;
  /** Defines a role that the same transaction gives to someone. @throws as `set` */
  add(which: AddedRole, role: string, cameras: readonly string[], access?: ConfiguredAccess): Promise<void>;
  /** Writes nothing. @throws as `set`, when the file would not be valid with the role */
  check(role: string, cameras: readonly string[], access?: ConfiguredAccess | null): void;
  /**
   * Removes the role from `auth.roles`, `auth.role_access`, the role map and the user map, once no one in the store has it.
   * @returns and @throws as `ConfigurationFile.changeAfter`
   */
  remove<T>(role: string, store: StoreTurn<T>): Promise<Committed<T>>;
  /**
   * Gives a camera its new name in `cameras`, `auth.roles` and `auth.camera_groups`, once everything in the store has it.
   * @returns and @throws as `ConfigurationFile.changeAfter`
   */
  renameCamera<T>(camera: string, to: string, store: StoreTurn<T>): Promise<Committed<T>>;
  /** Removes definitions that do not count, and nothing else. @throws as `set` */
  forget(roles: readonly string[]): Promise<void>;
  /**
   * Defines a group of cameras.
   * @param grant called with each role that has the group in the file, which may not be loaded yet
   * @throws as `set`, and errors of `grant`; the file is then unchanged
   */
  setGroup(group: string, cameras: readonly string[], grant: (role: string) => unknown): Promise<void>;
  /** Writes nothing. @throws as `setGroup`, when the file would not be valid with the group */
  checkGroup(group: string, cameras: readonly string[]): void;
  /** @throws as `set` */
  removeGroup(group: string): Promise<void>;
}

/** @param check as for `createConfigurationFile` */
export function createRolesFile(directory: string, check: CheckConfiguration, disk?: Disk): RolesFile {
  const file = createConfigurationFile(directory, check, disk);
  const { change } = file;
  const putGroup = (group: string, cameras: readonly string[]) => (document: Document) =>
    put(document, groups, group, document.createNode([...cameras], { flow: true }));
  return {
    set: (role, cameras, access) => change('role defined', putRole(role, cameras, access)),
    add: (which, role, cameras, access) => change(which, putRole(role, cameras, access ?? null)),
    check: (role, cameras, access) => file.check(putRole(role, cameras, access)),
    remove: (role, store) => {
      const edit = (document: Document) => {
        for (const place of [
          rolesOf.cameras,
          rolesOf.access,
          ['proxy', 'role_map'],
          ['proxy', 'header_map', 'role_map'],
        ])
          drop(document, place, role);
        dropUsers(document, role);
      };
      return file.changeAfter('role removed', edit, store);
    },
    renameCamera: (camera, to, store) =>
      file.changeAfter('camera renamed', (document) => renameCameraIn(document, camera, to), store),
    forget: (roles) =>
      change('copied roles removed', (document) => {
        for (const role of roles)
          for (const place of [rolesOf.cameras, rolesOf.access]) drop(document, place, role);
      }),
    setGroup: (group, cameras, grant) =>
      change('camera group defined', (document) => {
        for (const role of rolesWithGroup(document, group)) grant(role);
        putGroup(group, cameras)(document);
      }),
    checkGroup: (group, cameras) => file.check(putGroup(group, cameras)),
    removeGroup: (group) => change('camera group removed', (document) => drop(document, groups, group)),
  };
}

const rolesOf = { cameras: ['auth', 'roles'], access: ['auth', 'role_access'] } as const;
const groups = ['auth', 'camera_groups'] as const;

function put(document: Document, place: readonly string[], role: string, value: YAMLMap | YAMLSeq): void {
  const section = sectionAt(document, place);
  const former = section.items.find(({ key }) => nameOf(key) === role);
  if (former === undefined) {
    section.add(document.createPair(role, value));
    return;
  }
  releaseAnchors(document, former.value);
  // A comment after the value belongs to the role, not to its value.
  if (isCollection(former.value)) value.comment = former.value.comment ?? null;
  former.value = value;
}

function isIn(document: Document, place: readonly string[], role: string): boolean {
  return mapAt(document, place)?.items.some(({ key }) => nameOf(key) === role) === true;
}

function drop(document: Document, place: readonly string[], role: string): void {
  const section = mapAt(document, place);
  const found = section?.items.find(({ key }) => nameOf(key) === role);
  if (section === undefined || found === undefined) return;
  releaseAnchors(document, found.value);
  section.items = section.items.filter((pair) => pair !== found);
  // An empty role map counts as none, and then the groups themselves would be roles: the last entry leaves a map that grants
  // nothing.
  if (section.items.length === 0 && place.at(-1) === 'role_map') section.add(document.createPair(noRole, []));
}

function rolesWithGroup(document: Document, group: string): readonly string[] {
  const access = mapAt(document, rolesOf.access)?.toJS(document) as unknown;
  if (!isPlainObject(access)) return [];
  return Object.entries(access).flatMap(([role, entry]) => {
    const named = isPlainObject(entry) ? entry['groups'] : undefined;
    return Array.isArray(named) && named.includes(group) ? [role] : [];
  });
}

/** Removes the users of a role from the user map. */
function dropUsers(document: Document, role: string): void {
  const section = mapAt(document, ['proxy', 'user_map']);
  if (section === undefined) return;
  const isOfRole = ({ value }: YAMLMap['items'][number]) =>
    nameOf(isAlias(value) ? value.resolve(document) : value) === role;
  for (const { value } of section.items.filter(isOfRole)) releaseAnchors(document, value);
  section.items = section.items.filter((pair) => !isOfRole(pair));
}

/** @param access as for `RolesFile.set` */
function putRole(role: string, cameras: readonly string[], access?: ConfiguredAccess | null) {
  return (document: Document): void => {
    const list = document.createNode([...cameras], { flow: true });
    const hasAccess = access === undefined ? isIn(document, rolesOf.access, role) : access !== null;
    // A role with only groups has no list, and recorders list their built-in roles with an empty one. Without both, the
    // empty list stays for the check to refuse: a role must not disappear while it has users.
    if (cameras.length > 0 || !(hasAccess || isBuiltIn(role))) put(document, rolesOf.cameras, role, list);
    else if (!isBuiltIn(role)) drop(document, rolesOf.cameras, role);
    if (access === null) drop(document, rolesOf.access, role);
    else if (access !== undefined)
      put(document, rolesOf.access, role, document.createNode({ ...access }, { flow: true }));
  };
}

/** YAML may parse a role's name as a number or a boolean. */
function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}
