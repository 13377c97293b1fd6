import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { openStream, streamsOf, type OpenStream } from '../support/open-stream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const cameras = ['driveway', 'garage'];
const everything = {
  roles: { family: cameras, guard: cameras, neighbour: ['driveway'] },
  role_access: { neighbour: { from: '2027-01-04', until: '2027-01-06', hours: '07:00-19:00' } },
  session_length: 10 * 86_400,
};
let recorder: LiveRecorder;
let gateway: RunningGateway;
let config: object;
let address: string;
let admin: Visitor;
/** One for each role. */
let people: Record<'family' | 'guard' | 'neighbour' | 'viewer', Visitor>;
let streams: OpenStream[] = [];
// In the time zone of the test, which is the gate's.
const noon = (day: number) => new Date(2027, 0, day, 12).getTime();
const hour = 3_600_000;
/** Milliseconds since the epoch: a clock that the tests move. */
let now = noon(5);

beforeAll(async () => {
  recorder = await startLiveRecorder({ cameras, roles: everything.roles });
  config = {
    cameras,
    upstream: `http://${recorder.address}`,
    networking: { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } },
  };
  gateway = await startGateway({ clock: { now: () => now }, config: { ...config, auth: everything } });
  address = gateway.addresses.authenticated ?? '';
  admin = await adminOf(gateway);
  people = {
    family: await userOf(admin, address, 'olaf', 'family'),
    guard: await userOf(admin, address, 'gina', 'guard'),
    neighbour: await userOf(admin, address, 'nora', 'neighbour'),
    viewer: await userOf(admin, address, 'vera', 'viewer'),
  };
});
beforeEach(async () => {
  now = noon(5);
  await reload(everything);
});
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
const statusOf = async (who: Visitor, uri: string) => (await who.send('GET', uri)).status;
const change = (access: unknown) => put('neighbour', { cameras: ['driveway'], access });
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
  // The requests of a viewer were not read until now: their WebSocket begins again.
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
    ...everything,
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

test('a changed schedule applies at once, to streams too', async () => {
  const watched = await watch(people.neighbour);
  await change({ until: '2027-01-04' });
  await Promise.all(watched.map(({ ended }) => ended));
  expect(await statusOf(people.neighbour, '/api/version')).toBe(403);
  const { body } = await admin.send('GET', '/postern/api/roles');
  expect(JSON.parse(body)).toContainEqual(
    expect.objectContaining({ name: 'neighbour', access: { until: '2027-01-04' } }),
  );
  await change({ from: '2027-01-05', until: '2027-01-09' });
  const going = await watch(people.neighbour);
  await change(null);
  expect(going.map(({ status, isOpen }) => [status, isOpen()])).toEqual([
    [200, true],
    [101, true],
  ]);
});

// Last: a clock that goes back afterwards would close every schedule.
test('outside the schedule streams end, and only the account is open; inside it the session continues', async () => {
  const [watched, others] = [await watch(people.neighbour), await watch(people.family)];
  expect(watched.map(({ status }) => status)).toEqual([200, 101]);
  now += 7 * hour;
  await Promise.all(watched.map(({ ended }) => ended));
  expect(others.every(({ isOpen }) => isOpen())).toBe(true);
  expect(gateway.log).toContainEqual(
    expect.objectContaining({ reason: 'role_outside_schedule', user: 'nora' }),
  );
  const refused = await people.neighbour.send('GET', '/api/version');
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([403, { code: 'outside_schedule' }]);
  expect(await statusOf(people.neighbour, '/api/profile')).toBe(200);
  expect(await statusOf(people.neighbour, '/postern/account')).toBe(200);
  now += 12 * hour;
  expect((await watch(people.neighbour)).map(({ status }) => status)).toEqual([200, 101]);
  // The last day is the 6th.
  now += 24 * hour;
  expect(await statusOf(people.neighbour, '/api/version')).toBe(403);
});
