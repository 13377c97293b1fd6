import { DatabaseSync } from 'node:sqlite';
import type { StoredRoles } from '../../../../src/accounts/roles/role-definitions.ts';
import type { Store } from '../../../../src/store/store.ts';
import { storePath } from '../../../../src/store/sqlite/open-store.ts';
import { temporaryDirectory, temporaryStore } from '../../store/temporary-store.ts';

/** The roles of a shared store without any. */
export const noStoredRoles: StoredRoles = {
  definitions: new Map(),
  groups: new Map(),
  personal: new Set(),
  isShared: true,
};

/** A store with the tables of roles and camera groups that only a shared one has. */
export async function storeWithRoles(): Promise<Store> {
  const directory = temporaryDirectory();
  const store = await temporaryStore(directory);
  const database = new DatabaseSync(storePath(directory));
  database.exec(`
    DROP TABLE custom_roles;
    CREATE TABLE custom_roles (position integer PRIMARY KEY AUTOINCREMENT, name text UNIQUE, cameras text,
      access text);
    CREATE UNIQUE INDEX custom_roles_folded_name ON custom_roles (lower(name));
    CREATE TABLE camera_groups (position integer PRIMARY KEY AUTOINCREMENT, name text UNIQUE, cameras text);
    CREATE UNIQUE INDEX camera_groups_folded_name ON camera_groups (lower(name));
    CREATE TABLE store_version (version integer, roles integer);
    INSERT INTO store_version VALUES (7, 1);
  `);
  database.close();
  return store;
}
