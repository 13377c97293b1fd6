import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { clockAt } from '../../support/clock-at.ts';
import { createUsers } from '../../../src/accounts/users.ts';
import { openStore, storePath } from '../../../src/store/sqlite/open-store.ts';
import { temporaryDirectory, temporaryStore } from './temporary-store.ts';
import { unconditional } from '../../../src/store/permit.ts';

/** Does something to a database with another program, and says what tables are in it then. */
function withFile(path: string, sql: string): string[] {
  const file = new DatabaseSync(path);
  file.exec(sql);
  const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  file.close();
  return tables.map(({ name }) => String(name));
}
const tables = [
  'api_tokens',
  'assertion_keys',
  'first_run',
  'forgotten_revocations',
  'one_time_codes',
  'passkeys',
  'provider_sessions',
  'recovery_codes',
  'revoked_sessions',
  'schema_version',
  'shares',
  'used_once',
  'users',
];

test('a new database has every table and the version', async () => {
  const directory = temporaryDirectory();
  const store = await temporaryStore(directory);
  expect(await store.selectFrom('schema_version').selectAll().execute()).toEqual([{ version: 7 }]);
  expect(withFile(storePath(directory), '')).toEqual(tables);
});

test('a database that is up to date stays as it is', async () => {
  const directory = temporaryDirectory();
  for (let i = 0; i < 3; i += 1) {
    const store = await openStore(storePath(directory), 5_000);
    const users = createUsers(store, clockAt(1_000_000));
    await users.add({ username: `olaf${i}`, role: 'viewer', passwordHash: 'h' }, unconditional);
    expect(await users.list()).toHaveLength(i + 1);
    expect(await store.selectFrom('schema_version').selectAll().execute()).toEqual([{ version: 7 }]);
    await store.destroy();
  }
});

test('users whose names differ in case alone stop an upgrade, with their names', async () => {
  const path = storePath(temporaryDirectory());
  await (await openStore(path, 5_000)).destroy();
  const add = (name: string) =>
    `INSERT INTO users (username, password_hash, role, session_generation, sessions_not_before, created_at) VALUES ('${name}', '', 'viewer', '', 0, 0);`;
  const before = `DROP INDEX users_folded_name; UPDATE schema_version SET version = 6; ${add('olaf')} ${add('OLAF')} ${add('vera')}`;
  withFile(path, before);
  await expect(openStore(path, 5_000)).rejects.toThrow(
    'users: these names differ in upper and lower case alone: OLAF, olaf; keep one of each',
  );
  withFile(path, "DELETE FROM users WHERE username = 'OLAF'");
  const store = await openStore(path, 5_000);
  expect(await store.selectFrom('schema_version').selectAll().execute()).toEqual([{ version: 7 }]);
  expect(await store.selectFrom('users').select('username').execute()).toHaveLength(2);
  await store.destroy();
});

test('the database of a newer program stops the start, says what to do, and stays as it is', async () => {
  const path = storePath(temporaryDirectory());
  await (await openStore(path, 5_000)).destroy();
  withFile(path, 'UPDATE schema_version SET version = 8; CREATE TABLE rings (id TEXT)');
  await expect(openStore(path, 5_000)).rejects.toThrow(
    'the database has schema version 8, this program knows 7: ' +
      'start the newer program, or restore the backup that was made before the upgrade',
  );
  expect(withFile(path, '')).toEqual([...tables, 'rings'].toSorted());
});

test.each<[what: string, before: string, expected: string[]]>([
  ['the first step', 'CREATE TABLE users (id TEXT)', ['users']],
  ['a later step', 'CREATE TABLE revoked_sessions (id TEXT)', ['revoked_sessions']],
])('a migration that fails in %s leaves nothing of itself', async (_, before, expected) => {
  const path = join(temporaryDirectory(), 'postern.db');
  withFile(path, before);
  await expect(openStore(path, 5_000)).rejects.toThrow('already exists');
  expect(withFile(path, '')).toEqual(expected);
  withFile(path, `DROP TABLE ${expected[0]}`);
  await (await openStore(path, 5_000)).destroy();
  expect(withFile(path, '')).toEqual(tables);
});
