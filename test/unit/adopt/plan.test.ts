import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parse } from 'yaml';
import { describe, expect, test } from 'vitest';
import { frigateHeaders } from '../../../src/adopt/own-file.ts';
import { weakKeys } from '../../../src/adopt/plan.ts';
import { describeNext } from '../../../src/adopt/next-steps.ts';
import { describeFound, describePlan } from '../../../src/adopt/report.ts';
import { filesToWrite } from '../../../src/adopt/files.ts';
import { editSections } from '../../../src/adopt/section-edits.ts';
import {
  cameras,
  changeDatabase,
  files,
  frigateDirectory,
  ownPlace,
  planOf,
  replaceUsers,
  schema,
  secret,
} from './frigate-directories.ts';

const textAt = ({ files: all }: ReturnType<typeof planOf>, end: string) =>
  all.find(({ path }) => path.endsWith(end))?.text ?? '';
const ownOf = (plan: ReturnType<typeof planOf>) => parse(textAt(plan, 'postern/config.yml')) as unknown;
const frigateOf = (plan: ReturnType<typeof planOf>) => parse(plan.frigateFile.text) as unknown;

test.each([
  ['0.16', 8971, { enabled: false }, 'viewer', ['admin', 'alice']],
  [
    '0.17',
    8971,
    { roles: { operator: ['garage', 'driveway'], closed: ['no_such_camera'] } },
    'closed',
    ['admin', 'alice', 'olaf'],
  ],
  [
    '0.18',
    9971,
    { roles: { operator: ['garage', 'driveway'], closed: ['no_such_camera'] } },
    'closed',
    ['admin', 'alice', 'olaf'],
  ],
] as const)('adopts Frigate %s with its accounts', (release, port, auth, defaultRole, people) => {
  const directory = frigateDirectory(files[release]);
  const plan = planOf(directory);
  expect(ownOf(plan)).toEqual({
    upstream: `http://frigate:${port}`,
    recorder: { auth_secret: secret },
    events: { database: join(directory, 'frigate.db') },
    auth: {
      cookie_name: 'frigate_token',
      ...(release !== '0.16' && { roles: { operator: ['garage', 'driveway'] } }),
    },
  });
  expect(frigateOf(plan)).toMatchObject({
    auth: { enabled: false, ...auth },
    proxy: {
      header_map: { user: 'remote-user', role: 'remote-role' },
      auth_secret: secret,
      default_role: defaultRole,
    },
    tls: { enabled: false },
  });
  expect(plan.frigateFile.path).toBe(join(directory, 'config.yml.postern'));
  expect(textAt(plan, 'postern_trusted_headers.conf')).toBe(frigateHeaders);
  expect(textAt(plan, 'config.yml.before-postern')).toBe(files[release]);
  expect(plan.people.imported.map(({ username }) => username)).toEqual(people);
  expect(plan.people.skipped.map(({ name }) => name)).toContain('ghost.user');
});

test('keeps everything else of the file as it is written, comments too', () => {
  const { frigateFile } = planOf(frigateDirectory(files['0.17']));
  expect(frigateFile.text).toMatch(/^version: 0\.17-0 # by Frigate\n/);
  expect(frigateFile.text).toContain('  enabled: false # people\n');
});

test('goes by the database where the file names no release: a column of 0.17', () => {
  const directory = frigateDirectory(cameras);
  expect(frigateOf(planOf(directory))).toMatchObject({ proxy: { default_role: 'closed' } });
  replaceUsers(directory, 'username, role, password_hash', ['admin', 'admin', 'x']);
  expect(frigateOf(planOf(directory))).toMatchObject({
    auth: { enabled: false },
    proxy: { default_role: 'viewer' },
  });
});

const behindProxy = `${cameras}
auth: {enabled: false, roles: {operator: [garage]}}
proxy:
  header_map: {user: x-custom-user, role: x-custom-groups, role_map: {admin: [admins], operator: [night]}}
  auth_secret: the-secret-of-the-proxy
  separator: '|'
  logout_url: https://sso.example/logout
tls: {enabled: false}
`;

test('takes the place of Frigate behind a proxy, with its keys as they are and without accounts', () => {
  const plan = planOf(frigateDirectory(behindProxy));
  expect(ownOf(plan)).toMatchObject({
    auth: { enabled: false, roles: { operator: ['garage'] } },
    proxy: {
      header_map: { user: 'x-custom-user', role: 'x-custom-groups', role_map: { operator: ['night'] } },
      auth_secret: 'the-secret-of-the-proxy',
      separator: '|',
      default_role: 'viewer',
      logout_url: 'https://sso.example/logout',
    },
    tls: { enabled: false },
  });
  expect(frigateOf(plan)).toMatchObject({
    proxy: {
      header_map: { user: 'remote-user', role: 'remote-role' },
      auth_secret: secret,
      default_role: 'closed',
    },
  });
  expect(frigateOf(plan)).not.toHaveProperty('proxy.separator');
  expect(frigateOf(plan)).not.toHaveProperty('proxy.logout_url');
  expect(plan.people.imported).toEqual([]);
  expect(textAt(plan, 'postern/proxy_trusted_headers.conf')).toContain(
    'proxy_set_header x-custom-groups $http_x_custom_groups;',
  );
  expect(describeNext(plan).join('\n')).toContain(
    'SERVICE_TRUSTED_HEADERS_FILE: /config/proxy_trusted_headers.conf',
  );
  expect(describeNext(plan).join('\n')).not.toContain('--check');
});

test('a new config.yml of Postern has the line by which editors check it, and its schema beside it', () => {
  const plan = planOf(frigateDirectory(files['0.17']));
  expect(textAt(plan, 'postern/config.yml')).toMatch(
    /^# yaml-language-server: \$schema=config\.schema\.json\n# Made by /,
  );
  expect(textAt(plan, 'postern/config.schema.json')).toBe(schema);
  // A run that is killed between the two is finished by the next one.
  const names = plan.files.map(({ path }) => basename(path));
  expect(names.slice(0, 2)).toEqual(['config.schema.json', 'config.yml']);
});

test('names roles with capitals to Frigate by a map, which compares them as they are written', () => {
  const text = `version: 0.17-0\n${cameras}auth: {roles: {Neighbour: [garage]}}\n`;
  expect(frigateOf(planOf(frigateDirectory(text)))).toMatchObject({
    proxy: { header_map: { role_map: { admin: ['admin'], viewer: ['viewer'], Neighbour: ['Neighbour'] } } },
  });
});

test("gives Postern the variables that Frigate's file has, and names those of its environment", () => {
  const text = `${cameras}environment_vars: {FRIGATE_ONE: one}\nproxy: {auth_secret: '{FRIGATE_ONE}{FRIGATE_TWO}'}\n`;
  const plan = planOf(frigateDirectory(text));
  expect(ownOf(plan)).toMatchObject({
    proxy: { auth_secret: '{FRIGATE_ONE}{FRIGATE_TWO}' },
    environment_vars: { FRIGATE_ONE: 'one' },
  });
  expect(describeNext(plan).join('\n')).toContain('FRIGATE_TWO:');
  expect(describeNext(plan).join('\n')).not.toContain('FRIGATE_ONE:');
});

test("takes over what both mean the same by, and the house's time zone", () => {
  const text = `${cameras}auth: {session_length: 604800, trusted_proxies: [172.18.0.0/16], cookie_name: my_cookie, hash_iterations: 1}
ui: {timezone: Europe/Berlin}
camera_groups: {outside: {cameras: [front_door, birdseye]}}\n`;
  expect(ownOf(planOf(frigateDirectory(text), ownPlace(), { timeZone: 'Europe/Vienna' }))).toMatchObject({
    auth: {
      session_length: 604_800,
      trusted_proxies: ['172.18.0.0/16'],
      cookie_name: 'my_cookie',
      camera_groups: { outside: ['front_door'] },
    },
    timezone: 'Europe/Berlin',
  });
});

test('names the keys of Frigate that would switch a protection off, and leaves them out on request', () => {
  const text = `${cameras}auth: {trusted_proxies: [0.0.0.0/0], session_length: 604800, failed_login_rate_limit: ''}\n`;
  const frigate = frigateDirectory(text);
  const weak = weakKeys(planOf(frigate));
  expect([...weak.keys()]).toEqual(['auth.failed_login_rate_limit', 'auth.trusted_proxies']);
  expect(weak.get('auth.trusted_proxies')).toContain('0.0.0.0/0');
  const plan = planOf(frigate, ownPlace(), { withoutKeys: [...weak.keys()] });
  expect(ownOf(plan)).toMatchObject({ auth: { session_length: 604_800 } });
  expect(ownOf(plan)).not.toHaveProperty('auth.trusted_proxies');
  expect(plan.configuration.exposures).toEqual([]);
  expect(plan.notes.join('\n')).toContain('auth.trusted_proxies of Frigate is left out');
  // Its own value is the operator's.
  const own = { ...ownPlace(), text: 'auth: {trusted_proxies: [0.0.0.0/0]}\n' };
  expect([...weakKeys(planOf(frigate, own)).keys()]).toEqual(['auth.failed_login_rate_limit']);
});

test("leaves out values of Frigate's full example that are no values, with a note", () => {
  const text = `${cameras}
auth: {failed_login_rate_limit: None, trusted_proxies: [], session_length: 86400}
proxy: {header_map: {user: x-forwarded-user, role: x-forwarded-groups}, logout_url: /api/logout, auth_secret: None, default_role: viewer, separator: ","}
ui: {timezone: Mars/Olympus}\n`;
  const plan = planOf(frigateDirectory(text));
  const own = ownOf(plan);
  expect(own).toMatchObject({ auth: { session_length: 86_400 }, proxy: { default_role: 'viewer' } });
  for (const key of ['auth.failed_login_rate_limit', 'proxy.auth_secret', 'proxy.logout_url', 'timezone'])
    expect(own).not.toHaveProperty(key);
  expect(plan.notes.join('\n')).toMatch(/auth\.failed_login_rate_limit.*\n.*ui\.timezone/);
});

test("leaves out headers that Frigate doesn't read beside its accounts, when Postern's list lacks them", () => {
  const proxy = (role: string) =>
    `${cameras}proxy: {header_map: {user: remote-user, role: ${role}}, logout_url: /bye}\n`;
  const plan = planOf(frigateDirectory(proxy('x-other-role')));
  expect(ownOf(plan)).toMatchObject({ proxy: { logout_url: '/bye' } });
  expect(ownOf(plan)).not.toHaveProperty('proxy.header_map');
  expect(plan.headersFile).toBeUndefined();
  expect(plan.notes.join()).toContain('proxy.header_map is left out');
  const kept = planOf(frigateDirectory(proxy('remote-groups')));
  expect(ownOf(kept)).toHaveProperty('proxy.header_map.role', 'remote-groups');
});

test('keeps the secret of a proxy, whatever it is', () => {
  const text = `${cameras}auth: {enabled: false}\nproxy: {header_map: {user: remote-user}, auth_secret: None}\n`;
  expect(ownOf(planOf(frigateDirectory(text)))).toMatchObject({ proxy: { auth_secret: 'None' } });
});

describe('with a config.yml of Postern', () => {
  test('adds what is missing, and keeps comments, other values and the secret', () => {
    const text = '# mine\nupstream: http://cameras:8971 # here\nrecorder: {auth_secret: my-own-secret}\n';
    const plan = planOf(frigateDirectory(files['0.17']), ownPlace({ text }));
    expect(textAt(plan, 'postern/config.yml')).toMatch(/^# mine\nupstream: http:\/\/cameras:8971 # here\n/);
    expect(plan.files.map(({ path }) => basename(path))).not.toContain('config.schema.json');
    expect(plan.kept).toEqual(['upstream']);
    expect(frigateOf(plan)).toMatchObject({ proxy: { auth_secret: 'my-own-secret' } });
  });

  test.each([
    [
      'other cameras of a role',
      'auth: {roles: {operator: [front_door]}}',
      'postern/config.yml auth.roles.operator: found another',
    ],
    [
      'another database',
      'events: {database: /elsewhere.db}',
      'postern/config.yml events.database: found another',
    ],
    ['accounts that are off', 'auth: {enabled: false}', "has Postern's off"],
    ['a store of several gates', 'store: {url: "postgres://a@b/c"}', 'several gates share'],
    [
      'a secret that cannot be known',
      'upstream: http://a\nrecorder: {auth_secret: "{SERVICE_X}"}',
      'a variable in recorder.auth_secret',
    ],
    ['an unknown key', 'acess: {}', 'postern/config.yml acess: found an unknown key'],
  ])('refuses %s', (_, text, message) => {
    expect(() => planOf(frigateDirectory(files['0.17']), ownPlace({ text }))).toThrow(message);
  });

  test('refuses accounts that are on where Frigate trusts a proxy', () => {
    const own = ownPlace({ text: 'upstream: http://frigate:8971\n' });
    expect(() => planOf(frigateDirectory(behindProxy), own)).toThrow("Postern's own accounts on");
  });
});

describe('refuses', () => {
  test.each([
    ['no directory', (directory: string) => rmSync(directory, { recursive: true }), 'there is no '],
    [
      'no config.yml',
      (directory: string) => rmSync(join(directory, 'config.yml')),
      'config.yml or config.yaml',
    ],
    ['no database', (directory: string) => rmSync(join(directory, 'frigate.db')), 'start Frigate once'],
    [
      'a database that is none',
      (directory: string) => writeFileSync(join(directory, 'frigate.db'), 'x'.repeat(999)),
      "is no recorder's database",
    ],
    [
      'a directory in place of the database',
      (directory: string) => {
        rmSync(join(directory, 'frigate.db'));
        mkdirSync(join(directory, 'frigate.db'));
      },
      'is a directory: name the database as --database',
    ],
    [
      'users of a newer release, in another shape',
      (directory: string) => {
        replaceUsers(directory, 'name, roles');
        changeDatabase(
          directory,
          "CREATE TABLE migratehistory (name); INSERT INTO migratehistory VALUES ('099_roles')",
        );
      },
      'is of a newer Frigate (099_roles) than adopt knows',
    ],
    [
      'users without roles',
      (directory: string) => replaceUsers(directory, 'username, password_hash'),
      'no such column: role',
    ],
    [
      'a config.yml that is not UTF-8',
      (directory: string) => writeFileSync(join(directory, 'config.yml'), Buffer.from([0xff, 0x00])),
      'not UTF-8',
    ],
  ])('%s', (_, spoil, message) => {
    const directory = frigateDirectory(files['0.17']);
    spoil(directory);
    expect(() => planOf(directory)).toThrow(message);
  });

  test('a database that is elsewhere, until it is named', () => {
    const text = `${cameras}database: {path: /db/frigate.db}\n`;
    expect(() => planOf(frigateDirectory(text))).toThrow('--database');
  });
});

test('finds config.yaml, and the database below /config', () => {
  const directory = frigateDirectory(`${cameras}database: {path: /config/frigate.db}\n`, 'config.yaml');
  expect(planOf(directory).frigateFile.path).toBe(join(directory, 'config.yaml.postern'));
});

test('users that Postern has stay as they are', () => {
  const own = ownPlace({
    users: [
      { username: 'alice', role: 'admin' },
      { username: 'olaf', role: 'operator' },
    ],
  });
  const { people } = planOf(frigateDirectory(files['0.17']), own);
  expect(people.imported.map(({ username }) => username)).toEqual(['admin']);
  expect(people.skipped).toContainEqual({
    name: 'alice',
    why: 'Postern has the user as admin already, and Frigate as viewer',
  });
  expect(people.skipped.map(({ name }) => name)).not.toContain('olaf');
});

test('a user whose name or hash Postern does not accept is named, and the others are imported', () => {
  const directory = frigateDirectory(files['0.17']);
  replaceUsers(
    directory,
    'username, role, password_hash',
    ['guest room', 'viewer', 'x'],
    ['nell', 'operator', 'argon2$x'],
    ['vera', 'viewer', `pbkdf2_sha256$600000$salt$${'A'.repeat(43)}=`],
  );
  const { people } = planOf(directory);
  expect(people.imported.map(({ username }) => username)).toEqual(['vera']);
  expect(people.skipped).toEqual([
    { name: 'guest room', why: 'the name is not allowed here' },
    { name: 'nell', why: 'the password hash cannot be read' },
  ]);
});

test('a negative zero is a number like any other', () => {
  expect(editSections('', [{ path: ['proxy', 'role_map'], value: { admin: -0 } }])).toContain('admin: -0');
});

test.each([
  ['has spaces', 'my house secret', ['my house secret', 'house', 'secret']],
  ['has marks of YAML', 'first,second#third', ['second', 'third']],
  ['has escapes', String.raw`"first\"second"`, ['second']],
  ['is written in a block', '>-\n    first-line\n    second-line', ['first-line', 'second-line']],
  ['is written over two lines', 'first-line\n    second-line', ['first-line', 'second-line']],
])('the lines of Frigate that change hide a secret that %s', (_, written, hidden) => {
  const text = `${cameras}proxy:\n  auth_secret: ${written}\n`;
  const lines = planOf(frigateDirectory(text)).diff.join('\n').replaceAll('auth_secret', '');
  for (const part of hidden) expect(lines).not.toContain(part);
});

test('what is said has no secret, of the file or a new one', () => {
  const text = `${cameras}mqtt: {password: hunter2}\nproxy: {auth_secret: "old#secret"}\n`;
  const plan = planOf(frigateDirectory(text));
  const said = [
    ...describeFound(plan),
    ...describePlan(plan, filesToWrite(plan)),
    ...describeNext(plan),
  ].join('\n');
  expect(said).toContain('auth_secret');
  for (const hidden of ['hunter2', 'old#secret', secret]) expect(said).not.toContain(hidden);
});

test('to plan writes nothing', () => {
  const directory = frigateDirectory(files['0.17']);
  const own = ownPlace();
  planOf(directory, own, { writeFrigate: true });
  expect(existsSync(own.directory)).toBe(false);
  expect(readFileSync(join(directory, 'config.yml'), 'utf8')).toBe(files['0.17']);
});
