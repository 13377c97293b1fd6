import { isCollection, isScalar, type Document, type YAMLMap, type YAMLSeq } from 'yaml';
import { noRole } from '../../policy/names.ts';
import type { Schedule } from '../../policy/schedule.ts';
import {
  createConfigurationFile,
  mapAt,
  releaseAnchors,
  sectionAt,
} from '../../config/configuration-file.ts';

/** `auth.roles` and `auth.role_windows` of config.yml, changed in place: comments and the rest stay as they are. */
export interface RolesFile {
  /**
   * @param window null: the role is always valid; undefined: its schedule stays as it is
   * @throws as `ConfigurationFile.change`
   */
  set(role: string, cameras: readonly string[], window?: Schedule | null): void;
  /** Removes the role from `auth.roles`, `auth.role_windows` and the role map. @throws as `set` */
  remove(role: string): void;
}

/** @param check as for `createConfigurationFile` */
export function createRolesFile(directory: string, check: (text: string) => () => void): RolesFile {
  const { change } = createConfigurationFile(directory, check);
  return {
    set: (role, cameras, window) =>
      change((document) => {
        put(document, ['auth', 'roles'], role, document.createNode([...cameras], { flow: true }));
        if (window === null) drop(document, windows, role);
        else if (window !== undefined)
          put(document, windows, role, document.createNode({ ...window }, { flow: true }));
      }),
    remove: (role) =>
      change((document) => {
        for (const place of [
          ['auth', 'roles'],
          windows,
          ['proxy', 'role_map'],
          ['proxy', 'header_map', 'role_map'],
        ])
          drop(document, place, role);
      }),
  };
}

const windows = ['auth', 'role_windows'];

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

/** YAML may parse a role's name as a number or a boolean. */
function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}
