import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { clockAt } from '../../../support/clock-at.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { AppError } from '../../../../src/errors.ts';
import { writing, type Store } from '../../../../src/store/store.ts';
import {
  lookedForByOthers,
  openStore,
  openVersionedStore,
  storePath,
} from '../../../../src/store/sqlite/open-store.ts';
import { temporaryDirectory, temporaryStore, temporaryVersionedStore } from '../temporary-store.ts';
import { unconditional } from '../../../../src/store/permit.ts';

const modes = (directory: string) =>
  Object.fromEntries(
    readdirSync(directory).map((name) => [name, (statSync(join(directory, name)).mode & 0o777).toString(8)]),
  );
const writer = (path: string, ...rest: string[]) => {
  const child = spawn(process.execPath, [join(import.meta.dirname, 'committing-writer.ts'), path, ...rest]);
  let output = '';
  let errors = '';
  child.stdout.on('data', (chunk) => (output += String(chunk)));
  child.stderr.on('data', (chunk) => (errors += String(chunk)));
  // The last line may be cut off.
  return {
    child,
    ended: once(child, 'close'),
    said: () => output.split('\n').slice(0, -1),
    errors: () => errors,
  };
};

describe('the file', () => {
  test.each([0o000, 0o022])('is private to the owner, with its log, for any umask (%o)', async (mask) => {
    const directory = temporaryDirectory();
    const path = storePath(directory);
    const before = process.umask(mask);
    const { child, ended } = writer(path, 'u');
    process.umask(before);
    await once(child.stdout, 'data');
    const found = modes(directory);
    child.kill('SIGKILL');
    await ended;
    expect(found).toEqual({
      'postern.db': '600',
      'postern.db-wal': '600',
      'postern.db-shm': '600',
      'postern.lock': '600',
    });
  });

  test('that others could read becomes private', async () => {
    const directory = temporaryDirectory();
    await (await openStore(storePath(directory), 5_000)).destroy();
    chmodSync(storePath(directory), 0o644);
    await temporaryStore(directory);
    expect(modes(directory)['postern.db']).toBe('600');
  });

  test('is synced to disk before a commit returns', async () => {
    const store = await temporaryStore();
    const pragma = async (name: string) =>
      Object.values((await sql.raw<Record<string, unknown>>(`PRAGMA ${name}`).execute(store)).rows[0] ?? {});
    expect(await pragma('journal_mode')).toEqual(['wal']);
    expect(await pragma('synchronous')).toEqual([2]);
    expect(await pragma('foreign_keys')).toEqual([1]);
  });

  test.each<[what: string, make: (path: string) => void]>([
    ['a directory', (path) => mkdirSync(path)],
    ['no database', (path) => writeFileSync(path, 'not SQLite'.repeat(200))],
  ])('that is %s is an error, and stays as it is', async (_, make) => {
    const path = storePath(temporaryDirectory());
    make(path);
    const before = statSync(path).isFile() ? readFileSync(path) : undefined;
    await expect(openStore(path, 5_000)).rejects.toThrow(/EISDIR|not a database/);
    if (before !== undefined) expect(readFileSync(path)).toEqual(before);
  });

  test('needs its directory', async () => {
    await expect(openStore(join(temporaryDirectory(), 'missing', 'postern.db'), 5_000)).rejects.toThrow(
      'ENOENT',
    );
  });
});

test('reports failures of the store as such, and no others', async () => {
  const store = await temporaryStore();
  const unwritable = writing(() => sql`INSERT INTO nowhere VALUES (1)`.execute(store));
  await expect(unwritable).rejects.toMatchObject({
    code: 'store_unavailable',
    cause: expect.any(Error) as Error,
  });
  const refusal = new AppError('last_admin');
  await expect(writing(() => Promise.reject(refusal))).rejects.toBe(refusal);
  expect(await writing(async () => 7)).toBe(7);
});

test('programs that start at once create the tables once, write in parallel and wait for each other', async () => {
  const path = storePath(temporaryDirectory());
  const writers = ['a', 'b', 'c'].map((name) => writer(path, name, '40'));
  for (const { ended } of writers) await ended;
  expect(writers.map(({ errors }) => errors())).toEqual(['', '', '']);
  const users = createUsers(await temporaryStore(join(path, '..')), clockAt(1_000_000));
  expect(await users.list()).toHaveLength(120);
});

test('a failed transaction leaves nothing, and the next one works', async () => {
  const store = await temporaryStore();
  const users = createUsers(store, clockAt(1_000_000));
  await users.add({ username: 'olaf', role: 'family', passwordHash: 'h' }, unconditional);
  await expect(
    store.change(unconditional, async (on, { grant }) => {
      await on
        .updateTable('users')
        .set({ role: grant('admin') })
        .execute();
      throw new Error('no');
    }),
  ).rejects.toThrow('no');
  expect(await users.list()).toEqual([{ username: 'olaf', role: 'family' }]);
  await users.setRole('olaf', 'viewer', unconditional);
  expect(await users.list()).toEqual([{ username: 'olaf', role: 'viewer' }]);
});

test('a killed writer loses nothing it has acknowledged, and leaves nothing half done', async () => {
  const directory = temporaryDirectory();
  const path = storePath(directory);
  const acknowledged: string[] = [];
  for (const [round, milliseconds] of [5, 37, 71, 113].entries()) {
    const { child, ended, said } = writer(path, `r${round}-`);
    await once(child.stdout, 'data');
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    child.kill('SIGKILL');
    await ended;
    expect(said().length).toBeGreaterThan(0);
    acknowledged.push(...said());

    const store = await openStore(path, 5_000);
    const kept = new Map(
      (await createUsers(store, clockAt(1_000_000)).list()).map((user) => [user.username, user.role]),
    );
    const integrity = await sql<{ integrity_check: string }>`PRAGMA integrity_check`.execute(store);
    await store.destroy();
    expect(acknowledged.filter((name) => kept.get(name) !== 'family')).toEqual([]);
    // Each round may have written one more than it could print.
    expect(kept.size - acknowledged.length).toBeLessThanOrEqual(round + 1);
    expect(integrity.rows).toEqual([{ integrity_check: 'ok' }]);
  }
});

test('a change waits for one of another process, and the thread does not', async () => {
  const directory = temporaryDirectory();
  const { store } = await openVersionedStore(storePath(directory), 0);
  const other = new DatabaseSync(storePath(directory));
  other.exec('BEGIN IMMEDIATE');
  const change = createUsers(store, clockAt(0)).add(
    { username: 'olaf', role: 'viewer', passwordHash: 'h' },
    unconditional,
  );
  // It was locked when the change began.
  await nextTurn();
  other.close();
  await change;
  await store.destroy();
});

describe('the check for writability', () => {
  test('writes nothing: what is remembered stays valid, here and in other processes', async () => {
    const directory = temporaryDirectory();
    const { version, requireWritable } = await temporaryVersionedStore(directory);
    const other = await temporaryVersionedStore(directory);
    const before = [version(), other.version(), readFileSync(`${storePath(directory)}-wal`)];
    await requireWritable();
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect([version(), other.version(), readFileSync(`${storePath(directory)}-wal`)]).toEqual(before);
  });

  test('succeeds during a write of its own', async () => {
    const { store, requireWritable } = await temporaryVersionedStore();
    await store.change(unconditional, async (on) => {
      await sql`UPDATE schema_version SET version = version`.execute(on);
      await requireWritable();
    });
  });

  test('succeeds when another writing program finishes in time', async () => {
    const directory = temporaryDirectory();
    const { requireWritable } = await temporaryVersionedStore(directory);
    const other = new DatabaseSync(storePath(directory));
    other.exec('BEGIN IMMEDIATE');
    const asked = requireWritable();
    setTimeout(() => other.close(), 100);
    await asked;
  });

  test('fails while another program has the lock, and statements wait as long as before', async () => {
    const directory = temporaryDirectory();
    const { store, version, requireWritable } = await openVersionedStore(storePath(directory), 60);
    const other = new DatabaseSync(storePath(directory));
    other.exec('BEGIN IMMEDIATE');
    const before = version();
    await expect(requireWritable()).rejects.toThrow(/postern\.db is locked by another program/);
    expect(version()).toBe(before);
    const { rows } = await sql<{ readonly timeout: number }>`PRAGMA busy_timeout`.execute(store);
    expect(rows).toEqual([{ timeout: 60 }]);
    other.close();
    await requireWritable();
    await store.destroy();
  });
});

describe('the version', () => {
  const users = (store: Store) => createUsers(store, clockAt(0));
  const olaf = { username: 'olaf', role: 'viewer', passwordHash: 'h' };

  test('stays while nothing is written, and changes at once with each write', async () => {
    const { store, version } = await temporaryVersionedStore();
    const seen = [version()];
    await users(store).list();
    await users(store).find('olaf');
    expect(version()).toBe(seen[0]);
    for (const write of [
      () => users(store).add(olaf, unconditional),
      () => users(store).setRole('olaf', 'admin', unconditional),
      () => users(store).setPassword('olaf', 'i', unconditional),
      () => users(store).add({ ...olaf, username: 'anna' }, unconditional),
      () => users(store).remove('anna', unconditional),
    ]) {
      await write();
      expect(seen).not.toContain(version());
      seen.push(version());
    }
  });

  test('changes when another process has written', async () => {
    const directory = temporaryDirectory();
    const { version } = await temporaryVersionedStore(directory);
    const other = await temporaryStore(directory);
    const before = version();
    await users(other).add(olaf, unconditional);
    await lookedForByOthers();
    expect(version()).not.toBe(before);
  });
});

test('an error after which SQLite has rolled back by itself is the one that is reported', async () => {
  const store = await temporaryStore();
  const change = store.change(unconditional, async (on) => {
    // As SQLite does when the disk is full.
    await sql`ROLLBACK`.execute(on);
    throw new Error('the disk is full');
  });
  await expect(change).rejects.toThrow('the disk is full');
  const next = store.change(unconditional, (on) => sql`SELECT 1 AS one`.execute(on));
  await expect(next).resolves.toMatchObject({ rows: [{ one: 1 }] });
});
