import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { adminOf, type Visitor } from '../support/log-in.ts';
import { openStream, streamsOf } from '../support/open-stream.ts';
import { pair, screenAt } from '../support/screen.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const day = 86_400_000;
const cameras = ['driveway'];
let now = Date.now();
let recorder: LiveRecorder;
let gateway: RunningGateway;
let admin: Visitor;
let address: string;
beforeAll(async () => {
  recorder = await startLiveRecorder({ cameras, roles: {} });
  gateway = await startGateway({
    config: {
      cameras,
      tls: { enabled: false },
      upstream: `http://${recorder.address}`,
      auth: { session_length: 90 * 86_400 },
    },
    clock: { now: () => now },
  });
  address = gateway.addresses.authenticated ?? '';
  admin = await adminOf(gateway, gateway.addresses.forwardAuthAuthenticated ?? '');
});
afterAll(async () => {
  await gateway?.close();
  await recorder?.close();
});

/** Changes something, so that everything open is decided again. */
async function decideAgain(): Promise<void> {
  const name = `user${now}`;
  const user = { username: name, password: 'a-good-password', role: 'viewer' };
  expect((await admin.send('POST', '/api/users', user)).status).toBeLessThan(300);
  expect((await admin.send('DELETE', `/api/users/${name}`)).status).toBeLessThan(300);
}

/** A display whose large picture is open since before its credential was replaced. */
async function openAcrossRotation(name: string) {
  const screen = screenAt(address, false);
  const id = await pair(screen, admin, { name });
  const first = screen.credential ?? '';
  const stream = await openStream({ address, tls: false }, streamsOf('driveway').video, [
    ['Cookie', `postern_display=${first}`],
  ]);
  expect(stream.status).toBe(101);
  now += day;
  await screen.send('POST', '/postern/api/wall', {});
  expect(screen.credential).not.toBe(first);
  await screen.send('POST', '/postern/api/wall', {});
  now += 65_000;
  await decideAgain();
  let isOpen = true;
  void stream.ended.finally(() => {
    isOpen = false;
  });
  return { screen, id, stream, isOpen: () => isOpen };
}

test('a stream that a screen opened with its previous cookie goes on, and the screen stays signed in', async () => {
  const { screen, isOpen } = await openAcrossRotation('Full screen');
  for (let i = 0; i < 3; i += 1) {
    now += day;
    await decideAgain();
    expect((await screen.send('POST', '/postern/api/wall', {})).status).toBe(200);
    expect((await screen.send('POST', '/postern/api/wall', {})).status).toBe(200);
  }
  expect(isOpen()).toBe(true);
});

test('such a stream ends with its display', async () => {
  const { id, stream, isOpen } = await openAcrossRotation('Ended');
  expect(isOpen()).toBe(true);
  expect((await admin.send('DELETE', `/postern/api/displays/${id}`)).status).toBe(204);
  await stream.ended;
});
