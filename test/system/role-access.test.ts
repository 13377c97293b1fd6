import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
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

describe('who may not watch live any more is cut off, and keeps the messages and what was recorded', () => {
  const narrowed = { may: ['history', 'export'] };
  test.each<
    [how: string, role: 'family' | 'viewer', others: 'guard' | 'viewer', change: () => Promise<unknown>]
  >([
    ['by a reload', 'family', 'viewer', () => reload({ ...everything, role_access: { family: narrowed } })],
    ['by the API', 'family', 'viewer', () => put('family', { cameras, access: narrowed })],
    [
      'the viewer, by a reload',
      'viewer',
      'guard',
      () => reload({ ...everything, role_access: { viewer: narrowed } }),
    ],
    ['the viewer, by the API', 'viewer', 'guard', () => put('viewer', { access: narrowed })],
  ])('%s', async (_, role, others, change) => {
    const who = people[role];
    const watched = await watch(who);
    const messages = await open(who, '/ws');
    const kept = [...(await watch(people[others])), ...(await watch(admin))];
    expect(statusesOf([...watched, messages, ...kept])).toEqual([200, 101, 101, 200, 101, 200, 101]);
    await change();
    await Promise.all(watched.map(({ ended }) => ended));
    // The messages of a viewer were not read until now: their WebSocket begins again.
    if (role === 'viewer') await messages.ended;
    expect(areOpen([messages, ...kept])).toEqual([role !== 'viewer', ...kept.map(() => true)]);
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ reason: 'role_may_not', event: 'stream_ended', path: '/api/driveway' }),
    );
    expect(statusesOf(await watch(who))).toEqual([403, 403]);
    const refused = {
      reason: 'role_may_not',
      verdict: 'forbidden',
      missing: 'live',
      path: video.split('?')[0],
    };
    expect(gateway.log).toContainEqual(expect.objectContaining({ ...refused, role }));
    expect(statusesOf([await open(who, '/ws')])).toEqual([101]);
    expect((await who.send('GET', '/api/events')).status).not.toBe(403);
  });
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
