import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { stringify } from 'yaml';
import { postern } from '../../../support/postern-here.ts';
import { alertsOf, startHttpReceiver } from '../../../support/receivers.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';

const secret = 'a secret of the webhook';
function command(targets: readonly object[]) {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'config.yml'), stringify({ notifications: { targets } }));
  return postern(directory, ['notifications', 'test']);
}

test('each target gets a test, and one that failed has its reason', async () => {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  const { status, output, errors } = await command([
    { type: 'webhook', url: `${receiver.url}/hook?key=hidden`, secret },
    { type: 'ntfy', url: 'http://127.0.0.1:9/hidden' },
  ]);
  const host = new URL(receiver.url).host;
  expect([status, output, errors]).toEqual([
    1,
    `webhook ${host}: sent\nntfy 127.0.0.1:9: it cannot be reached (ECONNREFUSED)\n`,
    '',
  ]);
  expect(alertsOf(receiver.received)).toMatchObject([{ event: 'test', user: 'the postern command' }]);
});

test('a target that everyone reaches is no error', async () => {
  const receiver = await startHttpReceiver();
  onTestFinished(receiver.close);
  expect((await command([{ type: 'webhook', url: receiver.url, secret }])).status).toBe(0);
});

test('without targets there is nothing to test', async () => {
  const { status, errors } = await command([]);
  expect([status, errors]).toEqual([
    1,
    expect.stringContaining('notifications.targets of config.yml is empty'),
  ]);
});
