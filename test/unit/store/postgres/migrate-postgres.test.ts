import { Kysely, PostgresDialect, sql, type Transaction } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { accounts } from '../../../../src/store/accounts-migrations.ts';
import { activity } from '../../../../src/store/activity-schema.ts';
import type { Migration, SchemaPart, VersionTable } from '../../../../src/store/migrate.ts';
import { createBoundedPool } from '../../../../src/store/postgres/bounded-pool.ts';
import { clientConfig } from '../../../../src/store/postgres/client.ts';
import { migratePostgres } from '../../../../src/store/postgres/migrate-postgres.ts';
import { presenceLock } from '../../../../src/store/postgres/heartbeat.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { emptyDatabase } from '../../../support/postgres.ts';
import { sharedStore } from './shared-store.ts';

async function connected(url?: string): Promise<Kysely<VersionTable>> {
  const config = clientConfig(url ?? (await emptyDatabase()).url);
  const pool = createBoundedPool({ config, connections: 1, timeoutMs: 30_000 });
  const database = new Kysely<VersionTable>({ dialect: new PostgresDialect({ pool }) });
  onTestFinished(() => database.destroy());
  return database;
}

const run: string[] = [];
const step =
  (name: string): Migration =>
  async (on) => {
    run.push(name);
    await on.schema.createTable(name).addColumn('n', 'integer').execute();
  };
const part = (steps: number, usableFrom: number) => ({
  name: 'accounts' as const,
  steps: Array.from({ length: steps }, (_, i) => step(`made_by_${i + 1}`)),
  usableFrom,
});
const alone = async () => true;
const notAlone = async () => false;
const migrateTo = (
  database: Kysely<VersionTable>,
  to: ReturnType<typeof part>,
  isAlone: (on: Transaction<VersionTable>) => Promise<boolean> = alone,
) => migratePostgres(database, isAlone, [to]);

describe('a newer program', () => {
  test.each<[what: string, usableFrom: number, isAlone: boolean, migrates: boolean]>([
    ['that the older can still work with, beside it', 1, false, true],
    ['that the older can still work with, alone', 1, true, true],
    ['that the older cannot work with, alone', 2, true, true],
    ['that the older cannot work with, beside it', 2, false, false],
  ])('%s: migrates %j', async (_, usableFrom, isAlone, migrates) => {
    const database = await connected();
    await migrateTo(database, part(1, 1));
    const migrating = migrateTo(database, part(2, usableFrom), isAlone ? alone : notAlone);
    if (migrates) await migrating;
    else await expect(migrating).rejects.toThrow(/stop all of them, then start this program/);
    const tables = (await database.introspection.getTables()).map(({ name }) => name);
    expect(tables.includes('made_by_2')).toBe(migrates);
  });
});

test.each<[usableFrom: number, goesOn: boolean]>([
  [1, true],
  [2, false],
])('an older program still works with a schema that needs version %i: %j', async (usableFrom, goesOn) => {
  const database = await connected();
  await migrateTo(database, part(2, usableFrom));
  const starting = migrateTo(database, part(1, 1));
  if (goesOn) await starting;
  else await expect(starting).rejects.toThrow(/version 2 .* knows 1: start the newer program/);
});

test('if several start at once, the first one runs each step', async () => {
  const { url } = await emptyDatabase();
  const databases = await Promise.all(Array.from({ length: 5 }, () => connected(url)));
  run.length = 0;
  await Promise.all(databases.map((database) => migrateTo(database, part(2, 1))));
  expect(run).toEqual(['made_by_1', 'made_by_2']);
});

test('a failed step leaves nothing behind', async () => {
  const database = await connected();
  const fault: Migration = async () => {
    throw new Error('no');
  };
  const { steps, ...rest } = part(1, 1);
  await expect(migratePostgres(database, alone, [{ ...rest, steps: [...steps, fault] }])).rejects.toThrow(
    'no',
  );
  expect(await database.introspection.getTables()).toEqual([]);
});

test('a process is not alone while another works with the store', async () => {
  const { url } = await emptyDatabase();
  const { store } = await sharedStore(url);
  const database = await connected(url);
  const couldBeAlone = async () => {
    const { rows } = await sql<{
      free: boolean;
    }>`SELECT pg_try_advisory_xact_lock(${presenceLock}) AS free`.execute(database);
    return rows[0]?.free;
  };
  expect(await couldBeAlone()).toBe(false);
  await store.destroy();
  await expect.poll(couldBeAlone).toBe(true);
});

test('names sort byte by byte, as in SQLite, in a database of any language', async () => {
  const { store } = await sharedStore((await emptyDatabase()).url);
  const names = ['b', 'A', 'aa', 'BB', '_', '1', 'a.b', 'a-b'];
  await store.change(unconditional, (on, { grant }) =>
    on
      .insertInto('users')
      .values(
        names.map((username) => ({
          username,
          user_id: username,
          password_hash: 'h',
          role: grant('viewer'),
          session_generation: 'g',
          sessions_not_before: 0,
          created_at: 0,
        })),
      )
      .execute(),
  );
  const rows = await store.selectFrom('users').select('username').orderBy('username').execute();
  expect(rows.map(({ username }) => username)).toEqual(names.toSorted());
});

test('names of users and roles differ in more than case', async () => {
  const { store } = await sharedStore((await emptyDatabase()).url);
  const add = (name: string) =>
    store.change(unconditional, (on) =>
      on.insertInto('custom_roles').values({ name, cameras: '[]' }).execute(),
    );
  await add('guard');
  await expect(add('Guard')).rejects.toMatchObject({
    cause: { cause: { constraint: 'custom_roles_folded_name' } },
  });
  await add('guard2');
});

test.each([
  ['with version 1', 'UPDATE schema_version SET version = 1; DROP TABLE outbox'],
  ['with a later version', 'UPDATE schema_version SET version = 5'],
])('a database of the development before 1.0.0, %s, is refused', async (_, statements) => {
  const { url } = await emptyDatabase();
  const database = await connected(url);
  await migratePostgres(database, alone);
  await sql.raw(`DELETE FROM schema_version WHERE part = 'postern'; ${statements}`).execute(database);
  await expect(migratePostgres(database, alone)).rejects.toThrow('development version before 1.0.0');
});

test('one of 1.0.0 is upgraded and marked, and loses the keys of assertions', async () => {
  const { url } = await emptyDatabase();
  const database = await connected(url);
  const firstOf = (known: SchemaPart): SchemaPart => ({ ...known, steps: known.steps.slice(0, 1) });
  const first = [accounts, activity].map(firstOf);
  await migratePostgres(database, alone, first);
  await sql`DELETE FROM schema_version WHERE part = 'postern'`.execute(database);
  await sql`INSERT INTO assertion_keys VALUES ('k', 'sealed', '{}', 1)`.execute(database);
  await migratePostgres(database, alone);
  const { rows } = await sql<{
    part: string;
    version: number;
  }>`SELECT part, version FROM schema_version`.execute(database);
  expect(rows).toContainEqual({ part: 'postern', version: 1 });
  expect(rows).toContainEqual({ part: 'accounts', version: accounts.steps.length });
  const tables = await database.introspection.getTables();
  expect(tables.map(({ name }) => name)).not.toContain('assertion_keys');
});
