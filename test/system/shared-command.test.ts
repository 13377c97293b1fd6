import { execFileSync } from 'node:child_process';
import { globSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test, vi } from 'vitest';
import { stringify } from 'yaml';
import { freePort } from '../support/ports.ts';
import { emptyDatabase } from '../support/postgres.ts';
import type { PostgresDatabase } from '../support/postgres-cluster.ts';
import { outputOf, postern } from '../support/postern-command.ts';
import { startGateway } from '../support/start-gateway.ts';
import { temporaryDirectory } from '../unit/store/temporary-store.ts';
import { patience } from '../support/patience.ts';

const password = 'correct-horse-battery';
const environment = { SERVICE_JWT_SECRET: 's'.repeat(64) };

let database: PostgresDatabase;
beforeAll(async () => {
  database = await emptyDatabase();
});

function configured(url: string): string {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'config.yml'), stringify({ store: { url }, tls: { enabled: false } }));
  return directory;
}

test('a command works on the store that config.yml names, and every gate picks it up', async () => {
  const { url } = database;
  const directory = configured(url);
  expect(await outputOf(directory, ['users', 'add', 'olaf'], { input: password })).toBe(
    'added olaf as viewer\n',
  );
  const gate = await startGateway({ config: { store: { url }, tls: { enabled: false } }, environment });
  try {
    const login = await fetch(`http://${gate.addresses.authenticated}/api/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ user: 'olaf', password }),
    });
    const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const profile = async () =>
      (await fetch(`http://${gate.addresses.authenticated}/api/profile`, { headers: { cookie } })).status;
    expect(await profile()).toBe(200);
    const isListed = async () =>
      expect(await outputOf(directory, ['sessions', 'list', '--json'])).toContain('"username":"olaf"');
    await vi.waitFor(isListed, { timeout: patience });
    expect(await outputOf(directory, ['tokens', 'add', 'olaf', 'script'])).toMatch(/^postern_/);
    await outputOf(directory, ['sessions', 'end', '--user', 'olaf']);
    await expect.poll(profile).toBe(401);
  } finally {
    await gate.close();
  }
  const audit = await outputOf(directory, ['audit', '--event', 'user_added,session_ended', '--json']);
  expect(
    audit
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown),
  ).toMatchObject([
    { event: 'user_added', object: 'olaf', source: 'cli' },
    { event: 'session_ended', object: 'olaf', source: 'cli' },
  ]);
});

test('the backup command names PostgreSQL’s own, whose backup is complete', async () => {
  const directory = configured(database.urlAt());
  const { username, port, pathname } = new URL(database.urlAt());
  const refused = await postern(directory, ['backup']);
  expect(refused).toMatchObject({ status: 1, output: '' });
  const named = `--dbname='postgres://${username}@127.0.0.1:${port}${pathname}'`;
  expect(refused.errors).toContain(`pg_dump --format=custom --file=postern.dump ${named}\n`);
  expect(refused.errors).toContain(join(directory, 'config.yml'));
  const restore = await postern(directory, ['restore', 'anything']);
  expect(restore.errors).toContain(
    `pg_restore --clean --if-exists --no-owner --single-transaction ${named} postern.dump\n`,
  );

  const users = () => outputOf(directory, ['users', 'list']);
  const before = await users();
  const run = (errors: string) => {
    const [line = ''] = /pg_(?:dump|restore) .*/.exec(errors) ?? [];
    execFileSync('sh', ['-c', line], {
      cwd: directory,
      env: {
        PATH: `${globSync('/usr/lib/postgresql/*/bin').at(-1)}:${process.env['PATH']}`,
        PGPASSWORD: new URL(database.urlAt()).password,
      },
      stdio: 'pipe',
    });
  };
  run(refused.errors);
  await outputOf(directory, ['users', 'remove', 'olaf']);
  expect(await users()).not.toBe(before);
  run(restore.errors);
  expect(await users()).toBe(before);
  await outputOf(directory, ['users', 'add', 'anna'], { input: password });
});

test.each<[what: string, url: () => Promise<string>, says: string]>([
  [
    'nothing listens',
    async () => `postgres://u:secret-word@127.0.0.1:${await freePort()}/d`,
    'is it running',
  ],
  ['the user may make no tables', () => asUser('NOSUPERUSER'), 'permission denied for schema public: make'],
])('where %s, a command says so and repeats no secret', async (_, url, says) => {
  const { status, output, errors } = await postern(configured(await url()), ['users', 'list']);
  expect([status, output]).toEqual([1, '']);
  expect(errors).toMatch(/^postern: .*\n$/);
  expect(errors).toContain(says);
  expect(errors).not.toContain('secret-word');
});

async function asUser(rights: string): Promise<string> {
  const other = await emptyDatabase();
  const name = `limited_${Date.now()}`;
  await other.query(`CREATE ROLE ${name} LOGIN PASSWORD 'secret-word' ${rights}`);
  const url = new URL(other.urlAt());
  url.username = name;
  url.password = 'secret-word';
  return url.href;
}
