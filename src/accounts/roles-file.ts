import { isScalar, isSeq } from 'yaml';
import { createConfigurationFile, mapAt, sectionAt } from '../config/configuration-file.ts';

/** `auth.roles` of config.yml, changed in place: comments and everything else stay as they are. */
export interface RolesFile {
  /** @throws as `ConfigurationFile.change` */
  set(role: string, cameras: readonly string[]): void;
  /** Takes the role out of `auth.roles`, of the windows and of the role map. @throws as `set` */
  remove(role: string): void;
}

/** @param check as for `createConfigurationFile` */
export function createRolesFile(directory: string, check: (text: string) => () => void): RolesFile {
  const { change } = createConfigurationFile(directory, check);
  return {
    set: (role, cameras) =>
      change((document) => {
        const roles = sectionAt(document, ['auth', 'roles']);
        const list = document.createNode([...cameras], { flow: true });
        const former = roles.items.find(({ key }) => nameOf(key) === role);
        if (former === undefined) {
          roles.add(document.createPair(role, list));
          return;
        }
        // A comment behind the list is of the role, not of its cameras.
        if (isSeq(former.value)) list.comment = former.value.comment ?? null;
        former.value = list;
      }),
    remove: (role) =>
      change((document) => {
        for (const place of [
          ['auth', 'roles'],
          ['auth', 'role_windows'],
          ['proxy', 'role_map'],
          ['proxy', 'header_map', 'role_map'],
        ]) {
          const roles = mapAt(document, place);
          if (roles !== undefined) roles.items = roles.items.filter(({ key }) => nameOf(key) !== role);
        }
      }),
  };
}

/** YAML may read a role's name as a number or a truth. */
function nameOf(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}
