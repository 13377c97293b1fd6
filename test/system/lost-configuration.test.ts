import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { outputOf, postern } from '../support/postern-command.ts';
import { startGateway } from '../support/start-gateway.ts';

const config = `networking:
  listen: { authenticated: "127.0.0.1:0", internal: "127.0.0.1:0" }
cameras: [front, garage]
auth:
  roles:
    neighbour: [front]
`;

async function start(text = config) {
  const directory = mkdtempSync(join(tmpdir(), 'postern-lost-'));
  const file = join(directory, 'config.yml');
  writeFileSync(file, text);
  const gateway = await startGateway({ directory, keepConfig: true });
  onTestFinished(async () => {
    await gateway.close();
    rmSync(directory, { recursive: true, force: true });
  });
  const admin = await adminOf(gateway);
  const nell = await userOf(admin, gateway.addresses.authenticated ?? '', 'nell', 'neighbour');
  const reload = async () => {
    await gateway.reloading.reload('test');
    return gateway.reloading.report();
  };
  return { ...gateway, file, admin, nell, reload };
}

const seesGarage = async (who: Visitor) =>
  (await who.send('GET', '/api/events?cameras=garage')).status === 200;
const kindsOf = async (admin: Visitor) =>
  (JSON.parse((await admin.send('GET', '/postern/api/attention')).body) as Array<{ kind: string }>).map(
    ({ kind }) => kind,
  );

describe('a configuration that is lost opens nothing', () => {
  test.each<[what: string, lose: (file: string) => void]>([
    ['it is removed', (file) => rmSync(file)],
    ['it is empty', (file) => writeFileSync(file, '')],
    [
      'it is cut off before its roles',
      (file) => writeFileSync(file, config.replace(/ {4}neighbour.*\n/, '')),
    ],
  ])('%s', async (_, lose) => {
    const { file, admin, nell, reload, log } = await start();
    expect(await seesGarage(nell)).toBe(false);
    lose(file);
    expect(await reload()).toMatchObject({ successful: false });
    expect(await seesGarage(nell)).toBe(false);
    expect(log).toContainEqual(expect.objectContaining({ level: 'error', event: 'configuration_refused' }));
    expect(await kindsOf(admin)).toContain('reload_failed');
    // No write of Settings makes a file of what is left.
    const written = await admin.send('PUT', '/postern/api/roles/friend', { cameras: ['front'] });
    expect(written.status).toBeGreaterThanOrEqual(400);
    expect(await seesGarage(nell)).toBe(false);
    rmSync(file, { recursive: true, force: true });
    writeFileSync(file, config);
    expect(await reload()).toMatchObject({ successful: true });
    expect(await kindsOf(admin)).not.toContain('reload_failed');
  });

  test('but what Settings wrote is no loss', async () => {
    const { admin, reload, file } = await start();
    expect((await admin.send('DELETE', '/postern/api/roles/neighbour')).status).toBe(200);
    expect(readFileSync(file, 'utf8')).toContain('roles: {}');
    expect(await reload()).toMatchObject({ successful: true });
  });
});

describe('a role that is not defined', () => {
  test('is named with its users in the log, on Home, and by config check', async () => {
    const { admin, nell, file, reload, log, directory } = await start();
    writeFileSync(file, config.replace('neighbour', 'friend'));
    expect(await reload()).toMatchObject({ successful: true });
    expect(await seesGarage(nell)).toBe(true);
    await vi.waitFor(() =>
      expect(log).toContainEqual(
        expect.objectContaining({
          level: 'warn',
          event: 'role_undefined',
          role: 'neighbour',
          users: ['nell'],
        }),
      ),
    );
    const entries = JSON.parse((await admin.send('GET', '/postern/api/attention')).body) as unknown;
    expect(entries).toContainEqual(
      expect.objectContaining({
        kind: 'role_undefined',
        detail: { roles: 'neighbour', users: 'nell', count: 1 },
      }),
    );
    expect(await outputOf(directory, ['config', 'check'])).toMatch(
      /^warning: the role neighbour is not defined: nell counts as viewer/m,
    );
    await admin.send('PUT', '/api/users/nell/role', { role: 'viewer' });
    expect(await kindsOf(admin)).not.toContain('role_undefined');
  });

  test('is named at a start', async () => {
    const { directory, file, close } = await start();
    await close();
    writeFileSync(file, config.replace('neighbour', 'friend'));
    const again = await startGateway({ directory, keepConfig: true });
    onTestFinished(() => again.close());
    expect(again.log).toContainEqual(expect.objectContaining({ event: 'role_undefined', users: ['nell'] }));
  });
});

test('config.yaml beside a missing config.yml is named', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-named-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  writeFileSync(join(directory, 'config.yaml'), config);
  expect(await outputOf(directory, ['config', 'check'])).toMatch(/^warning: config\.yaml is not read/m);
});

describe('a file that was cut off', () => {
  const longer = `${config}  role_access:
    neighbour:
      may: [live]
      until: 2040-01-05
ui:
  name: Home
`;
  const cut = longer.slice(0, longer.indexOf('      until'));
  const appliedOf = (directory: string) => join(directory, 'config.yml.applied');
  const restart = async (directory: string) => {
    const again = await startGateway({ directory, keepConfig: true });
    onTestFinished(() => again.close());
    return again;
  };

  test('is refused by a reload, until it is accepted', async () => {
    const { directory, file, reload, log, admin } = await start(longer);
    expect(readFileSync(appliedOf(directory), 'utf8')).toBe(longer);
    expect(statSync(appliedOf(directory)).mode & 0o777).toBe(0o600);
    writeFileSync(file, cut);
    const { successful, problems } = await reload();
    expect(successful).toBe(false);
    expect(problems).toEqual([expect.objectContaining({ path: 'auth.role_access.neighbour.until' })]);
    const check = await postern(directory, ['config', 'check']);
    expect(check).toMatchObject({ status: 78, errors: expect.stringContaining('config accept') });
    const accepted = await outputOf(directory, ['config', 'accept']);
    expect(accepted).toMatch(/^warning: auth\.role_access\.neighbour no longer has until/m);
    expect(await reload()).toMatchObject({ successful: true });
    expect(readFileSync(appliedOf(directory), 'utf8')).toBe(cut);
    expect(log).not.toContainEqual(expect.objectContaining({ level: 'fatal' }));
    expect(await kindsOf(admin)).not.toContain('reload_failed');
  });

  test.each([
    ['that is cut', () => cut],
    ['that ends within a line', () => longer.slice(0, -3)],
    ['that is empty', () => ''],
    ['that is missing', () => undefined],
  ])('stops a start %s, until it is accepted', async (_, left) => {
    const { directory, file, close } = await start(longer);
    await close();
    const text = left();
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
    await expect(startGateway({ directory, keepConfig: true })).rejects.toThrow('config accept');
    await outputOf(directory, ['config', 'accept']);
    // Without a file, the usual ports may be taken.
    if (text) await restart(directory);
    expect(existsSync(appliedOf(directory))).toBe(text !== undefined);
  });

  test('stops no start where it lost nothing that decides access', async () => {
    const { directory, file, close } = await start(longer);
    await close();
    writeFileSync(file, longer.slice(0, longer.indexOf('ui:')));
    expect(await outputOf(directory, ['config', 'check'])).toMatch(
      /^warning: config\.yml ends before the end/m,
    );
    await restart(directory);
    expect(await outputOf(directory, ['config', 'check'])).not.toContain('ends before the end');
  });

  test('is no measure for a command that writes, nor the start of another text', async () => {
    const { directory, file, close } = await start(longer);
    await close();
    writeFileSync(file, cut);
    const set = await postern(directory, ['roles', 'set', 'friend', '--cameras', 'front']);
    expect(set).toMatchObject({ status: 78, errors: expect.stringContaining('config accept') });
    expect(readFileSync(file, 'utf8')).toBe(cut);
  });

  test('is not what a restore puts back', async () => {
    const { directory, file, close } = await start(config);
    await outputOf(directory, ['backup']);
    await close();
    writeFileSync(file, longer);
    const again = await startGateway({ directory, keepConfig: true });
    await again.close();
    const made = (await outputOf(directory, ['backup'])).match(/the backup is (.*)/)?.[1] ?? '';
    expect(existsSync(join(made, 'config.yml.applied'))).toBe(false);
    const [first = ''] = readdirSync(join(directory, 'backups')).sort();
    await outputOf(directory, ['restore', '--yes', join(directory, 'backups', first)]);
    expect(readFileSync(appliedOf(directory), 'utf8')).toBe(config);
    await restart(directory);
  });
});

test('a limit that a role lost is named in the log, on Home, and by config check', async () => {
  const access = '  role_access:\n    neighbour: { may: [live], until: 2040-01-05 }\n';
  const { admin, file, reload, log, directory } = await start(`${config}${access}contact: Olaf\n`);
  writeFileSync(file, `${config}${access.replace(', until: 2040-01-05', '')}contact: Olaf\n`);
  const warning =
    'auth.role_access.neighbour no longer has until: the role neighbour has access without an end';
  expect(await outputOf(directory, ['config', 'check'])).toContain(`warning: ${warning}`);
  expect(await reload()).toMatchObject({ successful: true });
  expect(log).toContainEqual(expect.objectContaining({ level: 'warn', msg: warning }));
  const attention = async () =>
    JSON.parse((await admin.send('GET', '/postern/api/attention')).body) as unknown;
  const entry = expect.objectContaining({ kind: 'less_protected', detail: { count: 1, first: warning } });
  expect(await attention()).toContainEqual(entry);
  // Another change doesn't take the warning away.
  expect((await admin.send('PUT', '/postern/api/roles/friend', { cameras: ['front'] })).status).toBe(200);
  expect(await attention()).toContainEqual(entry);
});

describe('roles that users have', () => {
  const limits = '  role_access: { neighbour: { may: [live] } }\n';
  const without = config.replace(/ {2}roles:\n {4}neighbour: \[front\]\n/, '  camera_groups: {}\n');

  test.each([
    ['the roles', config, without, 'auth.roles'],
    ['their limits', `${config}${limits}`, `${config}  camera_groups: {}\n`, 'auth.role_access'],
  ])(
    'are not lost with %s: by a reload, and by a start, until that is accepted',
    async (_, text, lost, path) => {
      const { file, admin, nell, reload, directory, close } = await start(text);
      const before = await admin.send('GET', '/postern/api/people/nell');
      writeFileSync(file, lost);
      const report = await reload();
      expect(report).toMatchObject({ successful: false, problems: [{ path }] });
      expect(JSON.stringify(report.problems)).toContain('nell (neighbour)');
      expect((await admin.send('GET', '/postern/api/people/nell')).body).toBe(before.body);
      expect((await nell.send('GET', '/api/profile')).status).toBe(200);
      await close();
      await expect(startGateway({ directory, keepConfig: true })).rejects.toThrow(path);
      await outputOf(directory, ['config', 'accept']);
      await (await startGateway({ directory, keepConfig: true })).close();
    },
  );
});
