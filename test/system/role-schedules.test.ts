import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { openStream, streamsOf, type OpenStream } from '../support/open-stream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const cameras = ['driveway', 'garage'];
const roles = { neighbour: ['driveway'], family: cameras };
let recorder: LiveRecorder;
let gateway: RunningGateway;
let address: string;
let admin: Visitor;
let neighbour: Visitor;
let family: Visitor;
/** Milliseconds since the epoch: a clock that the tests move. */
let now: number;
let streams: OpenStream[] = [];

// In the time zone of the test, which is the gate's.
const noon = (day: number) => new Date(2027, 0, day, 12).getTime();
const hour = 3_600_000;

beforeAll(async () => {
  now = noon(5);
  recorder = await startLiveRecorder({ cameras, roles });
  gateway = await startGateway({
    clock: { now: () => now },
    config: {
      auth: {
        roles,
        role_access: { neighbour: { from: '2027-01-04', until: '2027-01-06', hours: '07:00-19:00' } },
        session_length: 10 * 86_400,
      },
      cameras,
      upstream: `http://${recorder.address}`,
    },
  });
  address = gateway.addresses.authenticated ?? '';
  admin = await adminOf(gateway);
  neighbour = await userOf(admin, address, 'nora', 'neighbour');
  family = await userOf(admin, address, 'olaf', 'family');
});
beforeEach(() => {
  now = noon(5);
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.close();
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const watch = async (who: Visitor) => {
  const { picture, video } = streamsOf('driveway');
  const opened = await Promise.all(
    [picture, video].map((target) =>
      openStream({ address, tls: true }, target, [['Cookie', `session_token=${who.token}`]]),
    ),
  );
  streams.push(...opened);
  return opened;
};
const statusOf = async (who: Visitor, uri: string) => (await who.send('GET', uri)).status;
const change = (access: unknown) =>
  admin.send('PUT', '/postern/api/roles/neighbour', { cameras: ['driveway'], access });

test('outside the schedule streams end, and only the account is open; inside it the session continues', async () => {
  const [watched, others] = [await watch(neighbour), await watch(family)];
  expect(watched.map(({ status }) => status)).toEqual([200, 101]);
  now += 7 * hour;
  await Promise.all(watched.map(({ ended }) => ended));
  expect(others.every(({ isOpen }) => isOpen())).toBe(true);
  expect(gateway.log).toContainEqual(
    expect.objectContaining({ reason: 'role_outside_schedule', user: 'nora' }),
  );
  const refused = await neighbour.send('GET', '/api/version');
  expect([refused.status, JSON.parse(refused.body)]).toMatchObject([403, { code: 'outside_schedule' }]);
  expect(await statusOf(neighbour, '/api/profile')).toBe(200);
  expect(await statusOf(neighbour, '/postern/account')).toBe(200);
  now += 12 * hour;
  expect((await watch(neighbour)).map(({ status }) => status)).toEqual([200, 101]);
  // The last day is the 6th.
  now += 24 * hour;
  expect(await statusOf(neighbour, '/api/version')).toBe(403);
});

test('a changed schedule applies at once, to streams too', async () => {
  const watched = await watch(neighbour);
  expect((await change({ until: '2027-01-04' })).status).toBe(200);
  await Promise.all(watched.map(({ ended }) => ended));
  expect(await statusOf(neighbour, '/api/version')).toBe(403);
  const { body } = await admin.send('GET', '/postern/api/roles');
  expect(JSON.parse(body)).toMatchObject([
    { name: 'neighbour', access: { until: '2027-01-04' } },
    { access: null },
  ]);
  await change({ from: '2027-01-05', until: '2027-01-09' });
  const going = await watch(neighbour);
  await change(null);
  expect(going.map(({ status, isOpen }) => [status, isOpen()])).toEqual([
    [200, true],
    [101, true],
  ]);
});
