import { DatabaseSync } from 'node:sqlite';
import type { Store } from '../../../../src/store/store.ts';
import { storePath } from '../../../../src/store/sqlite/open-store.ts';
import { temporaryDirectory, temporaryStore } from '../../store/temporary-store.ts';

/** A store with the tables of custom roles that only a shared one has. */
export async function storeWithRoles(): Promise<Store> {
  const directory = temporaryDirectory();
  const store = await temporaryStore(directory);
  const database = new DatabaseSync(storePath(directory));
  database.exec(`
    CREATE TABLE custom_roles (position integer PRIMARY KEY AUTOINCREMENT, name text UNIQUE, cameras text,
      access_window text);
    CREATE UNIQUE INDEX custom_roles_folded_name ON custom_roles (lower(name));
    CREATE TABLE store_version (version integer, roles integer);
    INSERT INTO store_version VALUES (7, 1);
  `);
  database.close();
  return store;
}
