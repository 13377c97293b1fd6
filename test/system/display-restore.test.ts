import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { adminOf } from '../support/log-in.ts';
import { postern } from '../support/postern-here.ts';
import { pair, screenAt, type Screen } from '../support/screen.ts';
import { startGateway } from '../support/start-gateway.ts';

const day = 86_400_000;

test('a restore keeps the cookies that screens got since the backup, and ended displays stay ended', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-restore-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const config = join(directory, 'config');
  mkdirSync(config);
  const backups = join(directory, 'backups');
  let now = Date.now();
  const start = async (keepConfig?: true) => {
    const networking = { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } };
    const gateway = await startGateway({
      sample: true,
      directory: config,
      clock: { now: () => now },
      ...(keepConfig ? { keepConfig } : { config: { networking } }),
    });
    return { gateway, address: gateway.addresses.authenticated ?? '' };
  };
  const ask = async (screen: Screen) => (await screen.send('POST', '/postern/api/wall', {})).status;

  const before = await start();
  const admin = await adminOf(before.gateway);
  const [hall, stairs] = [screenAt(before.address), screenAt(before.address)];
  await pair(hall, admin, { name: 'Hall' });
  const id = await pair(stairs, admin, { name: 'Stairs' });
  expect((await postern(config, ['backup', '--to', backups])).status).toBe(0);
  await admin.send('DELETE', `/postern/api/displays/${id}`);
  const first = hall.credential;
  for (let today = 0; today < 3; today += 1) {
    now += day;
    for (let i = 0; i < 2; i += 1) expect(await ask(hall)).toBe(200);
  }
  expect(hall.credential).toContain('.4.');
  await before.gateway.close();

  const [backup = ''] = readdirSync(backups);
  const restored = await postern(config, ['restore', join(backups, backup), '--yes']);
  expect(restored).toMatchObject({
    status: 0,
    output: expect.stringContaining('screen "Stairs" of admin stays ended') as string,
  });

  const after = await start(true);
  onTestFinished(() => after.gateway.close());
  const again = screenAt(after.address);
  again.credential = hall.credential;
  for (let today = 0; today < 3; today += 1) {
    for (let i = 0; i < 2; i += 1) expect(await ask(again)).toBe(200);
    now += day;
  }
  expect(again.credential).toContain('.6.');
  // The browser's own backup is restored too.
  again.credential = first;
  for (let i = 0; i < 2; i += 1) expect(await ask(again)).toBe(200);
  const ended = screenAt(after.address);
  ended.credential = stairs.credential;
  expect(await ask(ended)).toBe(401);
});
