import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { activityMigrations } from '../../src/store/activity-migrations.ts';
import { migrations } from '../../src/store/migrations.ts';
import {
  hasEarlierActivity,
  hasEarlierStore,
  putEarlierActivity,
  putEarlierStore,
} from '../support/earlier-store.ts';
import { clockAt } from '../support/clock-at.ts';
import { visitor } from '../support/log-in.ts';
import { startGateway } from '../support/start-gateway.ts';

/** A configuration directory with the database of an earlier release. */
function earlierStore(version: number) {
  const directory = mkdtempSync(join(tmpdir(), 'postern-upgrade-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const store = putEarlierStore(version, directory);
  const start = () =>
    startGateway({
      directory,
      config: { auth: { roles: { operator: ['garage'] } } },
      ...store.gatewayOptions,
    });
  return { directory, store, start };
}

/** Every row of every table, but for the version. */
function contentOf(path: string): Record<string, unknown[]> {
  const file = new DatabaseSync(path);
  try {
    expect(file.prepare('PRAGMA integrity_check').all()).toEqual([{ integrity_check: 'ok' }]);
    expect(file.prepare('PRAGMA foreign_key_check').all()).toEqual([]);
    const tables = file
      .prepare(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT IN ('schema_version') ORDER BY name",
      )
      .all();
    return Object.fromEntries(
      tables.map(({ name }) => [
        String(name),
        file.prepare(`SELECT * FROM "${String(name)}" ORDER BY 1`).all(),
      ]),
    );
  } finally {
    file.close();
  }
}
const recordsIn = (path: string) => contentOf(path)['audit_records'] as Array<{ recorded_at: number }>;
const versionOf = (path: string) => {
  const file = new DatabaseSync(path);
  const version = file.prepare('SELECT version FROM schema_version').get()?.['version'];
  file.close();
  return version;
};

const earlier = migrations.slice(1).map((_, index) => index + 1);
const earlierActivity = activityMigrations.slice(1).map((_, index) => index + 1);

test('there is a store of every earlier version', () => {
  const missing = earlier.filter((version) => !hasEarlierStore(version));
  const missingActivity = earlierActivity.filter((version) => !hasEarlierActivity(version));
  const howTo = 'test/support/earlier-stores/README.md says how to make it';
  expect([missing, missingActivity], howTo).toEqual([[], []]);
});

describe.each(earlier)('a store of version %d', (version) => {
  test('is upgraded: passwords, sessions, revocations and roles are what they were', async () => {
    const { directory, store, start } = earlierStore(version);
    const gateway = await start();
    const address = gateway.addresses.authenticated ?? '';
    const profile = async (token: string | undefined) => {
      const client = visitor(address);
      client.token = token;
      const { status, body } = await client.send('GET', '/api/profile');
      return status === 200 ? (JSON.parse(body) as { username: string; role: string }) : status;
    };
    expect(await profile(store.tokens['vera'])).toMatchObject({ username: 'vera', role: 'viewer' });
    expect(await profile(store.tokens['olaf'])).toMatchObject({ username: 'olaf', role: 'operator' });
    expect(await profile(store.tokens['lena'])).toMatchObject({ username: 'lena', role: 'viewer' });
    expect(await profile(store.tokens['logged out'])).toBe(401);
    expect(await profile(store.tokens['before lena had another password'])).toBe(401);
    for (const [user, password] of Object.entries(store.passwords)) {
      expect((await visitor(address).logIn(user, password)).status, user).toBe(200);
    }
    expect((await visitor(address).logIn('vera', 'vera-watches-bird')).status).toBe(401);
    // Whether a generated password was used, the first release did not know.
    const loginPage = await visitor(address).send('GET', '/api/login');
    expect(JSON.parse(loginPage.body)).toMatchObject({ generated_password_unused: version > 1 });
    expect((await visitor(address).logIn('admin', store.generatedPassword)).status).toBe(200);
    await gateway.close();
    expect(versionOf(join(directory, 'postern.db'))).toBe(migrations.length);
  });

  test('loses nothing, is kept as it was, and a second start changes nothing', async () => {
    const { directory, start } = earlierStore(version);
    const path = join(directory, 'postern.db');
    const copy = `${path}.v${version}`;
    const before = contentOf(path);
    const first = await start();
    expect(first.log).toContainEqual(
      expect.objectContaining({
        level: 'info',
        copy,
        msg: 'postern.db is upgraded; the copy is as it was before',
      }),
    );
    await first.close();
    const after = contentOf(path);
    for (const [table, rows] of Object.entries(before)) {
      expect(after[table]).toEqual(rows.map((row) => expect.objectContaining(row as object)));
    }
    expect(contentOf(copy)).toEqual(before);
    expect(versionOf(copy)).toBe(version);
    expect(statSync(copy).mode & 0o777).toBe(0o600);

    const { mtimeMs } = statSync(copy);
    const files = readdirSync(directory);
    const second = await start();
    await second.close();
    expect(contentOf(path)).toEqual(after);
    expect(readdirSync(directory)).toEqual(files);
    expect(statSync(copy).mtimeMs).toBe(mtimeMs);
    expect(second.log.filter(({ copy: made }) => made !== undefined)).toEqual([]);
  });

  test('is not upgraded when it cannot be kept, and stays as it is', async () => {
    const { directory, start } = earlierStore(version);
    const path = join(directory, 'postern.db');
    const before = contentOf(path);
    // Where the copy would go there is something that it cannot replace.
    mkdirSync(`${path}.v${version}`);
    writeFileSync(join(`${path}.v${version}`, 'x'), '');
    await expect(start()).rejects.toThrow(
      `${path} is not upgraded, since no copy of it could be made before: ${path}.v${version} cannot be used`,
    );
    expect([versionOf(path), contentOf(path)]).toEqual([version, before]);
    rmSync(`${path}.v${version}`, { recursive: true });
    await (await start()).close();
    expect(versionOf(path)).toBe(migrations.length);
  });
});

test.each(earlierActivity)('activity of version %d is upgraded, and keeps its records', async (version) => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-upgrade-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  putEarlierActivity(version, directory);
  const path = join(directory, 'activity.db');
  const before = recordsIn(path);
  expect(before).not.toEqual([]);
  const lastRecord = Math.max(...before.map(({ recorded_at: at }) => at));
  await (await startGateway({ directory, clock: clockAt(lastRecord * 1000) })).close();
  expect(versionOf(path)).toBe(activityMigrations.length);
  expect(recordsIn(path)).toEqual(expect.arrayContaining(before));
});

test('a new database has no copy', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-upgrade-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  await (await startGateway({ directory })).close();
  expect(readdirSync(directory).filter((name) => /\.v\d/.test(name))).toEqual([]);
});
