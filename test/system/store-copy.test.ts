import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { emptyDatabase } from '../support/postgres.ts';
import { outputOf, postern } from '../support/postern-command.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { sharedStore } from '../unit/store/postgres/shared-store.ts';
import { temporaryDirectory } from '../unit/store/temporary-store.ts';

const password = 'correct-horse-battery';
const config = { tls: { enabled: false }, auth: { roles: { night: ['garage'] } } };

/** A directory that a gate with files has worked in; olaf has the session. */
async function filledDirectory(): Promise<{ readonly directory: string; readonly cookie: string }> {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'config.yml'), stringify(config));
  await outputOf(directory, ['users', 'add', 'olaf', '--role', 'night'], { input: password });
  await outputOf(directory, ['tokens', 'add', 'olaf', 'script']);
  const gate = await startGateway({ config, directory });
  const cookie = await logIn(gate);
  await fetch(`http://${gate.addresses.authenticated}/api/profile`, { headers: { cookie } });
  await gate.close();
  const file = new DatabaseSync(join(directory, 'activity.db'));
  // More than go at once, some that PostgreSQL does not like, and one that is gone.
  file.exec(`
    INSERT INTO audit_records (recorded_at, event, kind, result, object, detail)
    SELECT 1000 + value / 7.0, 'refused', 'refusal', 'failure', 'a' || char(0) || 'ü''"\\', '{"n":' || value || '}'
    FROM (WITH RECURSIVE n(value) AS (SELECT 1 UNION ALL SELECT value + 1 FROM n WHERE value < 2500) SELECT value FROM n);
    INSERT INTO audit_records (recorded_at, event, kind, result) VALUES (9, 'login', 'session', 'success');
    DELETE FROM audit_records WHERE recorded_at = 9;
  `);
  file.exec("INSERT INTO share_openings VALUES ('a-share-of-olaf-s-own', 3, 1000, '192.0.2.1')");
  file.close();
  const store = new DatabaseSync(join(directory, 'postern.db'));
  store.exec(`
    INSERT INTO shares (share_id, secret_hash, kind, camera, starts_at, ends_at, label, username, role, source, account, token_id, created_at, expires_at)
    SELECT 'a-share-of-olaf-s-own', 'ab', 'camera', 'garage', 1, 2, 'für Eve', 'olaf', 'night', 'api-token', 'olaf', token_id, 1, 9999999999 FROM api_tokens;
  `);
  store.close();
  return { directory, cookie };
}

async function logIn(gate: RunningGateway): Promise<string> {
  const login = await fetch(`http://${gate.addresses.authenticated}/api/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ user: 'olaf', password }),
  });
  return login.headers.getSetCookie()[0]?.split(';')[0] ?? '';
}

/** Everything that is in a database of the files. */
function rowsOf(directory: string, file: string, table: string) {
  const database = new DatabaseSync(join(directory, file), { readOnly: true });
  try {
    return database
      .prepare(`SELECT * FROM ${table} ORDER BY 1`)
      .all()
      .map((row) => JSON.parse(JSON.stringify(row).replaceAll(String.raw`\u0000`, '\uFFFD')) as unknown);
  } finally {
    database.close();
  }
}

const tables = [
  ['postern.db', 'users'],
  ['postern.db', 'revoked_sessions'],
  ['postern.db', 'api_tokens'],
  ['postern.db', 'shares'],
  ['postern.db', 'forgotten_revocations'],
  ['postern.db', 'first_run'],
  ['activity.db', 'audit_records'],
  ['activity.db', 'seen_sessions'],
  ['activity.db', 'api_token_uses'],
  ['activity.db', 'share_openings'],
] as const;

test('a copy holds every row, reports it, and sessions continue', async () => {
  const { directory, cookie } = await filledDirectory();
  const database = await emptyDatabase();
  const url = database.urlAt();
  const secret = new URL(url).password;
  const { status, output, errors } = await postern(
    directory,
    ['store', 'copy', '--to', url.replace(secret, '{SERVICE_DATABASE_PASSWORD}')],
    { environment: { SERVICE_DATABASE_PASSWORD: secret } },
  );
  expect([status, errors]).toEqual([0, '']);
  expect(output).not.toContain(secret);
  expect(output).toContain('the custom roles (night) stay in config.yml');
  expect(output).toContain(`the JWT secret that is in ${join(directory, '.jwt_secret')}`);
  for (const [file, table] of tables) {
    const rows = rowsOf(directory, file, table);
    expect(output).toContain(`copied ${table}: ${rows.length}, as many as there are\n`);
    const copied = await database.query(`SELECT to_json(t) AS row FROM ${table} t ORDER BY 1::text`);
    const own = copied.map(({ row }) => row).filter((row) => !JSON.stringify(row).includes('store_copied'));
    expect(new Set(own.map((row) => JSON.stringify(sorted(row))))).toEqual(
      new Set(rows.map((row) => JSON.stringify(sorted(row)))),
    );
  }
  const [{ last } = { last: 0 }] = await database.query(
    "SELECT record_id AS last FROM audit_records WHERE event = 'store_copied'",
  );
  expect(Number(last)).toBe(lastNumber(directory) + 1);

  const environment = { SERVICE_JWT_SECRET: readFileSync(join(directory, '.jwt_secret'), 'utf8').trim() };
  const gate = await startGateway({ config: { ...config, store: { url } }, environment });
  onTestFinished(gate.close);
  const profile = await fetch(`http://${gate.addresses.authenticated}/api/profile`, { headers: { cookie } });
  expect(await profile.json()).toMatchObject({
    username: 'olaf',
    role: 'night',
    allowed_cameras: ['garage'],
  });
});

function sorted(row: unknown): unknown {
  return Object.entries(row as object).toSorted(([a], [b]) => a.localeCompare(b));
}

function lastNumber(directory: string): number {
  const file = new DatabaseSync(join(directory, 'activity.db'), { readOnly: true });
  try {
    return Number(file.prepare('SELECT seq FROM sqlite_sequence').get()?.['seq']);
  } finally {
    file.close();
  }
}

describe('nothing is copied', () => {
  const refused = async (directory: string, url: string) => {
    const { status, output, errors } = await postern(directory, ['store', 'copy', '--to', url]);
    expect([status, output]).toEqual([1, '']);
    return errors;
  };

  test('while a gate has the files', async () => {
    const gate = await startGateway({ config });
    onTestFinished(gate.close);
    const { url, query } = await emptyDatabase();
    expect(await refused(gate.directory, url)).toContain('is in use: stop the server');
    expect(await query('SELECT * FROM pg_tables WHERE schemaname = current_schema()')).toEqual([]);
  });

  test('into a database that is or was in use', async () => {
    const directory = temporaryDirectory();
    await outputOf(directory, ['users', 'add', 'olaf'], { input: password });
    const { url } = await emptyDatabase();
    const shared = await sharedStore(url);
    expect(await refused(directory, url)).toContain('gates work with that database: stop them first');
    await shared.activity
      .insertInto('audit_records')
      .values({ recorded_at: 1, event: 'login', kind: 'session', result: 'success' })
      .execute();
    await shared.store.destroy();
    expect(await refused(directory, url)).toContain('there are rows in its table audit_records');
  });

  test('with another password than the server has: the message does not name store.url, which is not set', async () => {
    const directory = temporaryDirectory();
    await outputOf(directory, ['users', 'add', 'olaf'], { input: password });
    const url = new URL((await emptyDatabase()).urlAt());
    url.password = 'secret-word';
    const said = await refused(directory, url.href);
    expect(said).toContain('the URL has another password than the server');
    expect(said).not.toMatch(/store\.url|secret-word/);
  });

  test('when anything differs', async () => {
    const directory = temporaryDirectory();
    await outputOf(directory, ['users', 'add', 'olaf'], { input: password });
    const { url, query } = await emptyDatabase();
    await (await sharedStore(url)).store.destroy();
    await query('CREATE RULE lossy AS ON INSERT TO users DO INSTEAD NOTHING');
    expect(await refused(directory, url)).toContain('of 1 rows of users 0 were copied: nothing was changed');
    expect(await query('SELECT * FROM audit_records')).toEqual([]);
  });

  test('where nothing was ever kept, or to nowhere', async () => {
    expect(await refused(temporaryDirectory(), (await emptyDatabase()).url)).toContain(
      'nothing was ever kept',
    );
    const { status, errors } = await postern(temporaryDirectory(), [
      'store',
      'copy',
      '--to',
      'mysql://u:secret@h',
    ]);
    expect(status).toBe(78);
    expect(errors).toContain('--to: found something else, allowed is postgres://');
    expect(errors).not.toContain('secret@');
  });
});
