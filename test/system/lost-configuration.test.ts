import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { outputOf } from '../support/postern-command.ts';
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
