import { mkdirSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { clockAt } from '../../support/clock-at.ts';
import { createUsers } from '../../../src/accounts/users/users.ts';
import { accounts } from '../../../src/store/accounts-migrations.ts';
import type { Migration } from '../../../src/store/migrate.ts';
import { openDatabase } from '../../../src/store/sqlite/open-database.ts';
import { activityPath, openActivity, openStore, storePath } from '../../../src/store/sqlite/open-store.ts';
import { temporaryDirectory, temporaryStore } from './temporary-store.ts';
import { unconditional } from '../../../src/store/permit.ts';

/** Changes a database with another program. @returns its tables */
function withFile(path: string, sql: string): string[] {
  const file = new DatabaseSync(path);
  file.exec(sql);
  const tables = file.prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name").all();
  file.close();
  return tables.map(({ name }) => String(name));
}

/** One row in every table that both schemas have, except the version. */
const rowsOf = (path: string) => {
  const file = new DatabaseSync(path);
  const rows = tables
    .filter((name) => name !== 'schema_version')
    .map((name) => file.prepare(`SELECT * FROM "${name}" ORDER BY 1`).all());
  file.close();
  return rows;
};

const tables = [
  'access_requests',
  'api_tokens',
  'custom_roles',
  'first_run',
  'forgotten_revocations',
  'former_credentials',
  'invitations',
  'last_pruning',
  'one_time_codes',
  'outbox',
  'passkeys',
  'personal_roles',
  'provider_sessions',
  'push_keys',
  'push_subscriptions',
  'recovery_codes',
  'revoked_sessions',
  'schema_version',
  'shares',
  'stops',
  'trusted_time',
  'used_once',
  'users',
];

test('a new database has every table and the version', async () => {
  const directory = temporaryDirectory();
  const store = await temporaryStore(directory);
  expect(await store.selectFrom('schema_version').selectAll().execute()).toEqual([{ version: known }]);
  expect(withFile(storePath(directory), '')).toEqual(tables);
});

test('leaves a current database unchanged', async () => {
  const directory = temporaryDirectory();
  for (let i = 0; i < 3; i += 1) {
    const store = await openStore(storePath(directory), 5_000);
    const users = createUsers(store, clockAt(1_000_000));
    await users.add({ username: `olaf${i}`, role: 'viewer', passwordHash: 'h' }, unconditional);
    expect(await users.list()).toHaveLength(i + 1);
    expect(await store.selectFrom('schema_version').selectAll().execute()).toEqual([{ version: known }]);
    await store.destroy();
  }
});

/** The schema version of this program. */
const known = accounts.steps.length;

/** The schema of a program with one more step. */
const nextSteps: readonly Migration[] = [
  ...accounts.steps,
  async ({ schema }) => schema.createTable('rings').addColumn('id', 'text').execute(),
];
const openNext = async (path: string) => {
  const copied = vi.fn<(copy: string) => void>();
  const { database } = await openDatabase(path, {
    lockTimeout: 100,
    synchronous: 'FULL',
    steps: nextSteps,
    onWrite: () => undefined,
    notices: { copied, alone: () => undefined },
  });
  await database.destroy();
  return copied.mock.calls;
};
const versionOf = (path: string) => {
  const file = new DatabaseSync(path);
  const version = file.prepare('SELECT version FROM schema_version').get()?.['version'];
  file.close();
  return version;
};

describe('an upgrade', () => {
  test('keeps every row, and a copy of the former database; a second start changes nothing', async () => {
    const directory = temporaryDirectory();
    const path = storePath(directory);
    const store = await openStore(path, 5_000);
    const olaf = { username: 'olaf', role: 'viewer', passwordHash: 'h' };
    await createUsers(store, clockAt(1_000_000)).add(olaf, unconditional);
    await store.destroy();
    const copy = `${path}.v${known}`;
    expect(await openNext(path)).toEqual([[copy]]);
    expect([versionOf(path), versionOf(copy)]).toEqual([known + 1, known]);
    expect(withFile(path, '')).toEqual([...tables, 'rings'].toSorted());
    expect(withFile(copy, '')).toEqual(tables);
    expect(rowsOf(path)).toEqual(rowsOf(copy));
    expect(statSync(copy).mode & 0o777).toBe(0o600);
    const { mtimeMs } = statSync(copy);
    expect(await openNext(path)).toEqual([]);
    expect(statSync(copy).mtimeMs).toBe(mtimeMs);
  });

  test('does not begin when the copy fails, and leaves the database unchanged', async () => {
    const path = storePath(temporaryDirectory());
    await (await openStore(path, 5_000)).destroy();
    // Something is in the way of the copy that it cannot replace.
    mkdirSync(`${path}.v${known}`);
    writeFileSync(join(`${path}.v${known}`, 'x'), '');
    await expect(openNext(path)).rejects.toThrow(
      `${path} is not upgraded, since no copy of it could be made before: ${path}.v${known} cannot be used`,
    );
    expect([versionOf(path), withFile(path, '')]).toEqual([known, tables]);
    rmSync(`${path}.v${known}`, { recursive: true });
    await openNext(path);
    expect(versionOf(path)).toBe(known + 1);
  });

  test('makes no copy of a new database', async () => {
    const directory = temporaryDirectory();
    expect(await openNext(storePath(directory))).toEqual([]);
    expect(readdirSync(directory).filter((name) => /\.v\d/.test(name))).toEqual([]);
  });
});

test('the database of a newer program stops the start with advice, and stays unchanged', async () => {
  const path = storePath(temporaryDirectory());
  await (await openStore(path, 5_000)).destroy();
  withFile(path, `UPDATE schema_version SET version = ${known + 1}; CREATE TABLE rings (id TEXT)`);
  await expect(openStore(path, 5_000)).rejects.toThrow(
    `the database has schema version ${known + 1}, this program knows ${known}: ` +
      'start the newer program, or restore the backup that was made before the upgrade' +
      ` (${path}.v${known})`,
  );
  expect(withFile(path, '')).toEqual([...tables, 'rings'].toSorted());
});

test.each<[what: string, before: string, expected: string[]]>([
  ['the first table', 'CREATE TABLE users (id TEXT)', ['users']],
  ['a later table', 'CREATE TABLE revoked_sessions (id TEXT)', ['revoked_sessions']],
])('a migration that fails in %s leaves nothing of itself', async (_, before, expected) => {
  const path = join(temporaryDirectory(), 'postern.db');
  withFile(path, before);
  await expect(openStore(path, 5_000)).rejects.toThrow('already exists');
  expect(withFile(path, '')).toEqual(expected);
  withFile(path, `DROP TABLE ${expected[0]}`);
  await (await openStore(path, 5_000)).destroy();
  expect(withFile(path, '')).toEqual(tables);
});

describe('a database of', () => {
  const markOf = (path: string) => {
    const file = new DatabaseSync(path);
    const found = file.prepare('PRAGMA application_id').get()?.['application_id'];
    file.close();
    return found;
  };
  /** As an earlier program left it: without a mark. */
  const made = async (sql: string, steps = accounts.steps.slice(0, 1)) => {
    const path = storePath(temporaryDirectory());
    const options = { lockTimeout: 100, synchronous: 'FULL', onWrite: () => undefined } as const;
    const { database } = await openDatabase(path, { ...options, steps });
    await database.destroy();
    withFile(path, sql);
    return path;
  };
  const ours = accounts.mark?.applicationId;

  test('this program is marked, and so is one of 1.0.0 by its upgrade', async () => {
    const path = await made('');
    expect(markOf(path)).toBe(0);
    for (const database of [path, storePath(temporaryDirectory())]) {
      await (await openStore(database, 5_000)).destroy();
      expect(markOf(database)).toBe(ours);
      await (await openStore(database, 5_000)).destroy();
    }
  });

  test('1.0.0 loses the keys of assertions, and keeps its users', async () => {
    const path = await made(
      `INSERT INTO assertion_keys VALUES ('k', 'sealed', '{}', 1);
       INSERT INTO users (username, password_hash, role, session_generation, sessions_not_before, created_at)
       VALUES ('olaf', 'h', 'viewer', 'g', 0, 1)`,
    );
    expect(withFile(path, '')).toContain('assertion_keys');
    const store = await openStore(path, 5_000);
    expect(await createUsers(store, clockAt(1_000_000)).list()).toMatchObject([{ username: 'olaf' }]);
    await store.destroy();
    expect(withFile(path, '')).toEqual(tables);
  });

  test.each([
    ['the development, with version 1', 'DROP TABLE outbox', 'development version before 1.0.0'],
    ['the development, with version 2', 'UPDATE schema_version SET version = 2', 'development version'],
    [
      'the development, with the version of today',
      `UPDATE schema_version SET version = ${known}`,
      'development version',
    ],
    ['the development, with version 7', 'UPDATE schema_version SET version = 7', 'development version'],
    ['another program', 'PRAGMA application_id = 77', 'belongs to another program'],
  ])('%s is refused, and stays as it is', async (_, sql, reason) => {
    const path = await made(sql);
    const before = [markOf(path), versionOf(path), withFile(path, '')];
    await expect(openStore(path, 5_000)).rejects.toThrow(reason);
    await expect(openStore(path, 5_000)).rejects.toMatchObject({ fault: 'foreign' });
    expect([markOf(path), versionOf(path), withFile(path, '')]).toEqual(before);
  });

  test.each([
    'DELETE FROM schema_version',
    'DROP TABLE schema_version',
    'UPDATE schema_version SET version = -1',
  ])('a marked file without its version is refused: %s', async (sql) => {
    const path = storePath(temporaryDirectory());
    await (await openStore(path, 5_000)).destroy();
    withFile(path, sql);
    await expect(openStore(path, 5_000)).rejects.toThrow('has lost its schema version');
  });

  test('the activity is none of the accounts', async () => {
    const directory = temporaryDirectory();
    await (await openActivity(activityPath(directory), 100)).destroy();
    renameSync(activityPath(directory), storePath(directory));
    await expect(openStore(storePath(directory), 5_000)).rejects.toThrow('another one of ours');
  });
});
