import { execFile } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { pbkdf2Sync } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import { parse, stringify } from 'yaml';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { projectRoot, startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { rolesAreVerified, rolesOf } from '../support/verified-roles.ts';

const guide = readFileSync(join(projectRoot, 'docs', 'migration.md'), 'utf8');

/** Fenced blocks of a language in the order of the guide. */
function blocks(language: string): string[] {
  return [...guide.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'))].map(
    ([, text]) => text ?? '',
  );
}
const [ownKeys = '', , recorderKeys = ''] = blocks('yaml');
const commands = blocks('sh').filter((text) => !/^(?:script\/server|curl)/.test(text));
const [logInAndLook = '', list = ''] = blocks('sh').filter((text) => text.startsWith('curl'));

/** The files of a recorder with accounts. */
const recorderConfig = `
mqtt: { host: mqtt.test }
cameras:
  front_door: { ffmpeg: { inputs: [{ path: 'rtsp://10.0.0.5/main', roles: [detect] }] } }
  driveway: { ffmpeg: { inputs: [{ path: 'rtsp://10.0.0.6/main', roles: [detect] }] } }
  garage: { ffmpeg: { inputs: [{ path: 'rtsp://10.0.0.7/main', roles: [detect] }] } }
auth:
  enabled: true
  cookie_secure: true
  hash_iterations: 600000
  session_length: 86400
  refresh_time: 43200
  failed_login_rate_limit: 1/second;5/minute;20/hour
  trusted_proxies: [172.18.0.0/16]
  roles:
    operator: [garage, driveway]
proxy:
  header_map: { user: x-forwarded-user, role: x-forwarded-groups, role_map: { operator: [night] } }
  separator: '|'
  default_role: viewer
tls: { enabled: false }
networking: { ipv6: { enabled: false }, listen: { internal: 5000, external: 8971 } }
`;

/** As a recorder writes it. */
function hashOf(password: string, iterations = 600_000): string {
  const salt = 'a1b2c3d4e5f60718293a4b5c6d7e8f90';
  const key = pbkdf2Sync(password, salt, iterations, 32, 'sha256').toString('base64');
  return `pbkdf2_sha256$${iterations}$${salt}$${key}`;
}

let root: string;
let recorder: string;
let upstream: RecordingUpstream;
let postern: RunningGateway;
const outputs = new Map<string, string>();

const run = async (script: string, cwd = root) => {
  const environment = { PATH: process.env['PATH'] };
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd, env: environment });
  return stdout;
};

/** The keys of the guide put into a file, as an operator does. */
function merge(into: Record<string, unknown>, keys: Record<string, unknown>): void {
  for (const [key, value] of Object.entries(keys)) {
    const there = into[key];
    if (isMap(value) && isMap(there)) merge(there, value);
    else into[key] = value;
  }
}
const isMap = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function changeConfig(...keys: ReadonlyArray<Record<string, unknown>>): void {
  const file = join(root, 'config', 'config.yml');
  const config = parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  for (const more of keys) merge(config, more);
  writeFileSync(file, stringify(config));
}

beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'postern-migration-'));
  recorder = join(root, 'recorder');
  mkdirSync(recorder);
  writeFileSync(join(recorder, 'config.yml'), recorderConfig);
  copyFileSync(join(projectRoot, 'test', 'support', 'recorder.db'), join(recorder, 'frigate.db'));
  const database = new DatabaseSync(join(recorder, 'frigate.db'));
  database.exec(
    `DROP TABLE user;
     CREATE TABLE user (
       username VARCHAR(30) NOT NULL PRIMARY KEY, role VARCHAR(20) NOT NULL DEFAULT 'admin',
       password_hash VARCHAR(120) NOT NULL, notification_tokens TEXT)`,
  );
  const insert = database.prepare('INSERT INTO user VALUES (?, ?, ?, ?)');
  insert.run('admin', 'admin', hashOf('the admin has this one'), '[]');
  insert.run('alice', 'viewer', hashOf('shorty'), '[]');
  insert.run('ghost', 'night_shift', hashOf('walks at night', 1_000), '[]');
  insert.run('guest room', 'viewer', hashOf('sleeps on the sofa', 1_000), null);
  insert.run('olaf', 'operator', hashOf('the old password'), '[]');
  database.close();
  mkdirSync(join(root, 'script'));
  const command = join(root, 'script', 'postern');
  writeFileSync(
    command,
    `#!/bin/sh\nexec '${process.execPath}' '${join(projectRoot, 'dist', 'postern.js')}' "$@"\n`,
  );
  chmodSync(command, 0o755);
  upstream = await startRecordingUpstream(rolesOf(parse(recorderConfig) as Record<string, unknown>));

  let variables = '';
  for (const written of commands) {
    const script = written.replace('/opt/recorder/config', recorder);
    outputs.set(written, await run(`${variables}\n${script}`));
    variables += [...script.matchAll(/^[A-Z]+=.*$/gm)].join('\n') + '\n';
    // The keys are changed right after the recorder's file was copied.
    if (written.includes('config/config.yml'))
      changeConfig(parse(ownKeys.replace('/opt/recorder/config', recorder)) as Record<string, unknown>);
  }
  await startPostern();
});
afterAll(async () => {
  await postern.close();
  await upstream.close();
  rmSync(root, { recursive: true });
});

/** With the addresses of this test. */
async function startPostern(...keys: ReadonlyArray<Record<string, unknown>>): Promise<void> {
  changeConfig(
    {
      upstream: `http://${upstream.address}`,
      networking: { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } },
      events: { database: join(recorder, 'frigate.db') },
    },
    ...keys,
  );
  postern = await startGateway({ directory: join(root, 'config'), keepConfig: true });
  await rolesAreVerified(postern);
}

const output = (start: string) => outputs.get(commands.find((text) => text.includes(start)) ?? '');
const ask = (request: string) =>
  run(request.replaceAll('localhost:8971', postern.addresses.authenticated ?? ''));

test("the recorder's own file is valid, with warnings about keys that only a recorder needs", () => {
  expect(output('config check')).toMatch(/^warning: auth\.cookie_secure [^]*config\/config\.yml is valid\n$/);
  expect(output('config check')).not.toContain('plain HTTP');
});

test('the import prints what the guide shows', () => {
  const said = blocks('text')[0];
  expect(output('--dry-run')).toBe(said);
  expect(output('users list')).toContain(
    said?.replaceAll(/^skipped.*\n/gm, '').replaceAll('would import', 'imported'),
  );
  expect(output('users list')).toMatch(/^admin\tadmin\t.*\nalice\tviewer\t.*\nolaf\toperator\t.*\n$/m);
});

test("the recorder's files are as they were", () => {
  expect(readFileSync(join(recorder, 'config.yml'), 'utf8')).toBe(recorderConfig);
  expect(readFileSync(join(root, 'backup', 'config.yml'), 'utf8')).toBe(recorderConfig);
  const database = new DatabaseSync(join(recorder, 'frigate.db'), { readOnly: true });
  expect(database.prepare('SELECT count(*) AS n FROM user').get()).toEqual({ n: 5 });
  database.close();
});

test('the first start creates no admin', () => {
  expect(JSON.stringify(postern.log)).not.toContain('created user');
});

test('an old password logs in, and the cookie has the name that integrations look for', async () => {
  const profile = JSON.parse(blocks('text')[1] ?? '') as Record<string, unknown>;
  expect(profile).toEqual({ username: 'olaf', role: 'operator', allowed_cameras: ['driveway', 'garage'] });
  const answered = JSON.parse(await ask(logInAndLook.split('curl -sk -b')[0] ?? '')) as Record<
    string,
    unknown
  >;
  expect({ ...answered, allowed_cameras: (answered['allowed_cameras'] as string[]).toSorted() }).toEqual(
    profile,
  );
  expect(readFileSync(join(root, 'jar'), 'utf8')).toMatch(/\tfrigate_token\t[\w-]+\.[\w-]+\.[\w-]+\n/);
  expect(await ask(logInAndLook.replace(/^[^]*\n(?=curl)/, ''))).toContain('"role":"operator"');
});

test.each([
  ['admin', 'the admin has this one', 'admin'],
  ['alice', 'shorty', 'viewer'],
])('%s logs in with the old password', async (user, password, role) => {
  const login = `curl -sk -H 'Content-Type: application/json' -d '${JSON.stringify({ user, password })}' https://localhost:8971/api/login`;
  expect(JSON.parse(await ask(login))).toMatchObject({ username: user, role });
});

test('a user with an unknown role is left out', async () => {
  const login = `curl -sk -o /dev/null -w '%{http_code}' -H 'Content-Type: application/json' -d '{"user":"ghost","password":"walks at night"}' https://localhost:8971/api/login`;
  expect(await ask(login)).toBe('401');
});

test('the recorder gets the user and the role in the headers that its configuration maps', async () => {
  upstream.takeReached();
  await ask(list);
  const [reached] = upstream.takeReached();
  const { proxy } = parse(recorderKeys) as { proxy: { header_map: { user: string; role: string } } };
  const sent = (name: string) =>
    reached?.rawHeaders[reached.rawHeaders.findIndex((other) => other.toLowerCase() === name) + 1];
  expect([sent(proxy.header_map.user), sent(proxy.header_map.role)]).toEqual(['olaf', 'operator']);
});

test('everyone may read /api/config, and rules can close /ws', async () => {
  const status = (path: string) =>
    ask(`curl -sk -o /dev/null -w '%{http_code}' -b jar https://localhost:8971${path}`);
  expect([await status('/api/config'), await status('/ws')]).toEqual(['200', '200']);
  await postern.close();
  await startPostern({ access: { rules: [{ path: '/ws', require: 'unresolved' }] } });
  expect(await Promise.all(['/api/events', '/ws', '/api/config'].map(status))).toEqual(['200', '403', '200']);
});
