import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { openStream, streamsOf, type OpenStream } from '../support/open-stream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const cameras = ['driveway', 'garage'];
const everything = { roles: { family: cameras, guard: cameras } };
let recorder: LiveRecorder;
let gateway: RunningGateway;
let config: object;
let address: string;
let admin: Visitor;
/** One for each role. */
let people: Record<'family' | 'guard' | 'viewer', Visitor>;
let streams: OpenStream[] = [];

beforeAll(async () => {
  recorder = await startLiveRecorder({ cameras, roles: everything.roles });
  config = {
    cameras,
    upstream: `http://${recorder.address}`,
    networking: { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } },
  };
  gateway = await startGateway({ config: { ...config, auth: everything } });
  address = gateway.addresses.authenticated ?? '';
  admin = await adminOf(gateway);
  people = {
    family: await userOf(admin, address, 'olaf', 'family'),
    guard: await userOf(admin, address, 'gina', 'guard'),
    viewer: await userOf(admin, address, 'vera', 'viewer'),
  };
});
beforeEach(() => reload(everything));
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const reload = async (auth: object) => {
  // Not at the end: a file without its end counts as cut off.
  writeFileSync(join(gateway.directory, 'config.yml'), stringify({ auth, ...config }));
  await gateway.reloading.reload('test');
};
const put = async (role: string, body: object) =>
  expect((await admin.send('PUT', `/postern/api/roles/${role}`, body)).status).toBe(200);
const open = async (who: Visitor, target: string) => {
  const stream = await openStream({ address, tls: true }, target, [['Cookie', `session_token=${who.token}`]]);
  streams.push(stream);
  return stream;
};
const { picture, video } = streamsOf('driveway');
const watch = (who: Visitor) => Promise.all([picture, video].map((target) => open(who, target)));
const statusesOf = (opened: readonly OpenStream[]) => opened.map(({ status }) => status);
const areOpen = (opened: readonly OpenStream[]) => opened.map(({ isOpen }) => isOpen());

test('a viewer who may not watch live any more is cut off, and keeps messages and what was recorded', async () => {
  const watched = await watch(people.viewer);
  const messages = await open(people.viewer, '/ws');
  const kept = [...(await watch(people.guard)), ...(await watch(admin))];
  expect(statusesOf([...watched, messages, ...kept])).toEqual([200, 101, 101, 200, 101, 200, 101]);
  await put('viewer', { access: { may: ['history', 'export'] } });
  await Promise.all(watched.map(({ ended }) => ended));
  // The messages of a viewer were not read until now: their WebSocket begins again.
  await messages.ended;
  expect(areOpen(kept)).toEqual(kept.map(() => true));
  expect(gateway.log).toContainEqual(
    expect.objectContaining({ reason: 'role_may_not', event: 'stream_ended', path: '/api/driveway' }),
  );
  expect(statusesOf(await watch(people.viewer))).toEqual([403, 403]);
  const refused = { reason: 'role_may_not', verdict: 'forbidden', missing: 'live', role: 'viewer' };
  expect(gateway.log).toContainEqual(expect.objectContaining({ ...refused, path: video.split('?')[0] }));
  expect(statusesOf([await open(people.viewer, '/ws')])).toEqual([101]);
  expect((await people.viewer.send('GET', '/api/events')).status).not.toBe(403);
});

test('a group that loses a camera takes its live streams along', async () => {
  const auth = (...outside: string[]) => ({
    roles: { guard: cameras },
    camera_groups: { outside },
    role_access: { family: { groups: ['outside'] } },
  });
  await reload(auth('driveway', 'garage'));
  const watched = await watch(people.family);
  const kept = await open(people.family, streamsOf('garage').video);
  expect(statusesOf([...watched, kept])).toEqual([200, 101, 101]);
  await reload(auth('garage'));
  await Promise.all(watched.map(({ ended }) => ended));
  expect(kept.isOpen()).toBe(true);
  expect(statusesOf(await watch(people.family))).toEqual([403, 403]);
});
