import { beforeEach, expect, test } from 'vitest';
import {
  createAccessRequests,
  type AccessRequests,
} from '../../../../src/features/access-requests/access-requests.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

let now = Date.parse('2026-11-24T18:00:00Z');
let requests: AccessRequests;
let store: Store;
beforeEach(async () => {
  now = Date.parse('2026-11-24T18:00:00Z');
  const clock = { now: () => now };
  store = await temporaryStore();
  requests = createAccessRequests(store, clock);
  const users = createUsers(store, clock);
  for (const username of ['vera', 'anna'])
    await users.add({ username, role: 'family', passwordHash: 'x' }, unconditional);
});
const ask = (camera: string, user = 'vera') => requests.ask(user, camera, true, unconditional);
const open = async () => (await requests.list()).map(({ username, camera }) => `${username} ${camera}`);
const day = 86_400_000;

test('they are listed with the role of now, the newest first', async () => {
  await ask('porch');
  now += 5_000;
  await ask('garage', 'anna');
  expect(await requests.list()).toEqual([
    { username: 'anna', role: 'family', camera: 'garage', askedAt: now },
    { username: 'vera', role: 'family', camera: 'porch', askedAt: now - 5_000 },
  ]);
});

test('for each camera there is one a day, answered or not', async () => {
  await ask('porch');
  await expect(ask('porch')).rejects.toMatchObject({ code: 'access_asked' });
  expect(await requests.answer('vera', 'porch', unconditional)).toBe(true);
  expect(await requests.answer('vera', 'porch', unconditional)).toBe(false);
  await expect(ask('porch')).rejects.toMatchObject({ code: 'access_asked' });
  expect(await open()).toEqual([]);
  now += day + 1_000;
  await ask('porch');
  expect(await open()).toEqual(['vera porch']);
});

test('a user has 20 open ones at most', async () => {
  for (let i = 0; i < 20; i += 1) await ask(`camera${i}`);
  await expect(ask('another')).rejects.toMatchObject({ code: 'too_many_access_requests' });
  await ask('porch', 'anna');
  await requests.answer('vera', 'camera3', unconditional);
  await ask('another');
});

test('those that no one answered are removed after a month', async () => {
  await ask('porch');
  now += 29 * day;
  await ask('garage');
  await requests.prune();
  expect(await open()).toEqual(['vera garage', 'vera porch']);
  now += 2 * day;
  await requests.prune();
  expect(await open()).toEqual(['vera garage']);
});

test('a user sees what they asked for until it is answered, and for a day', async () => {
  await ask('porch');
  const askedAt = now;
  now += 3_000;
  await ask('garage');
  await ask('attic', 'anna');
  await requests.answer('vera', 'garage', unconditional);
  const own = async () => (await requests.of('vera')).map(({ camera }) => camera);
  expect(await requests.of('vera')).toEqual([
    { camera: 'garage', askedAt: now, againAt: now + day },
    { camera: 'porch', askedAt, againAt: askedAt + day },
  ]);
  now += day;
  // The admin has declined one, and the other one still waits.
  expect(await own()).toEqual(['porch']);
});

test.each<[isKnown: boolean, alerts: readonly object[]]>([
  [true, [{ event: 'access_asked', user: 'vera', object: 'porch' }]],
  [false, []],
])('admins are alerted to a camera that exists only: %s', async (isKnown, alerts) => {
  await requests.ask('vera', 'porch', isKnown, unconditional);
  const rows = await store.selectFrom('outbox').select('alert').execute();
  expect(rows.map(({ alert }) => JSON.parse(alert) as object)).toMatchObject(alerts);
  expect(rows).toHaveLength(alerts.length);
});
