import { beforeEach, describe, expect, test } from 'vitest';
import { createStops, type Stops } from '../../../src/accounts/stops.ts';
import { createFederatedUsers } from '../../../src/accounts/users/federated-users.ts';
import { createUsers, type Users } from '../../../src/accounts/users/users.ts';
import { plainIdentity } from '../../../src/policy/identity.ts';
import { unconditional } from '../../../src/store/permit.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryVersionedStore } from '../store/temporary-store.ts';

let now: number;
let version: number;
let elapsed: number;
let store: Store;
let stops: Stops;
let users: Users;
const timers = { elapsed: () => elapsed, after: () => () => undefined };
const clock = { now: () => now };
const nell = plainIdentity('nell', 'family', 'session');
beforeEach(async () => {
  now = 1_000_000;
  version = 1;
  elapsed = 0;
  ({ store } = await temporaryVersionedStore());
  users = createUsers(store, clock);
  await users.add({ username: 'nell', role: 'family', passwordHash: 'h' }, unconditional);
  stops = createStops({ store, version: () => version, clock, timers });
});

const forHour = {
  kind: 'account',
  name: 'nell',
  session: undefined,
  cameras: undefined,
  by: 'anna',
} as const;
const add = (changes: object = {}, of = stops) =>
  of.add({ ...forHour, until: now + 3_600_000, ...changes }, unconditional);
const found = () => stops.of(nell, () => 'phone').length;

test('is known once it is read, and until it ends', async () => {
  const stop = await add();
  expect(stop).toEqual({ ...forHour, id: stop.id, at: now, until: now + 3_600_000 });
  expect(stops.areCurrent()).toBe(false);
  await stops.renew();
  expect([stops.areCurrent(), found()]).toEqual([true, 1]);
  now += 3_600_000;
  expect([found(), await stops.list()]).toEqual([0, []]);
});

test('does not end by a clock that is behind', async () => {
  let certain = now;
  const behind = createStops({
    store,
    version: () => version,
    clock: { now: () => now, certain: () => certain },
    timers,
  });
  await add({}, behind);
  await behind.renew();
  now += 3_600_000;
  await behind.prune();
  expect([behind.of(nell, () => 'phone').length, (await behind.list()).length]).toEqual([1, 1]);
  certain = now;
  expect([behind.of(nell, () => 'phone').length, await behind.list()]).toEqual([0, []]);
});

test('ends no earlier than promised, in whole seconds', async () => {
  expect((await add({ until: now + 1_001 })).until).toBe(now + 2_000);
});

test('has its session and its cameras', async () => {
  await add({ session: 'phone', cameras: ['driveway'] });
  await stops.renew();
  expect(stops.of(nell, () => 'phone')).toMatchObject([{ session: 'phone', cameras: ['driveway'] }]);
  expect(stops.of(nell, () => 'tablet')).toEqual([]);
});

test('of another process counts as soon as the store has another version', async () => {
  await stops.renew();
  const other = createStops({ store, version: () => version, clock, timers });
  await add({}, other);
  version += 1;
  expect([stops.areCurrent(), found()]).toEqual([false, 0]);
  await Promise.all([stops.renew(), stops.renew()]);
  expect([stops.areCurrent(), found()]).toEqual([true, 1]);
});

test('counts as current for a second while the version is unknown', async () => {
  version = Number.NaN;
  await stops.renew();
  expect(stops.areCurrent()).toBe(true);
  elapsed += 1_000;
  expect(stops.areCurrent()).toBe(false);
});

test('does not count as current after the machine slept', async () => {
  version = Number.NaN;
  await stops.renew();
  now += 1_000;
  expect(stops.areCurrent()).toBe(false);
});

test('is unknown while the store does not answer', async () => {
  const silent = {
    ...store,
    selectFrom: () => {
      throw new Error('away');
    },
  } as unknown as Store;
  const away = createStops({ store: silent, version: () => version, clock, timers });
  await expect(away.renew()).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(away.areCurrent()).toBe(false);
});

test('is lifted once', async () => {
  const { id } = await add();
  expect(await stops.lift(id, unconditional)).toMatchObject({ id, name: 'nell' });
  expect(await stops.lift(id, unconditional)).toBeUndefined();
  await stops.renew();
  expect(found()).toBe(0);
});

describe('follows the person, not the name:', () => {
  const person = { issuer: 'https://id.example.org', subject: '17' };
  const arrive = (name: string) =>
    createFederatedUsers(store, clock).arrive(
      { ...person, name, role: 'family', roleReason: 'group', state: name, stateExpiresAt: now + 60_000 },
      async () => undefined,
      unconditional,
    );
  const stopsFor = async (name: string) => {
    await stops.renew();
    return stops.of(plainIdentity(name, 'family', 'session'), () => undefined).length;
  };

  test('a name that changes at the provider does not lift it', async () => {
    await arrive('ida');
    await add({ name: 'Ida' });
    await arrive('ida.berg');
    expect(await stopsFor('ida.berg')).toBe(1);
    const [listed] = await stops.list();
    expect(listed).toMatchObject({ name: 'ida.berg' });
    // Another person of the earlier name is not stopped.
    await users.add({ username: 'ida', role: 'family', passwordHash: 'h' }, unconditional);
    expect(await stopsFor('ida')).toBe(0);
    // The audit names who may watch again.
    expect(await stops.lift(listed?.id ?? '', unconditional)).toMatchObject({ name: 'ida.berg' });
  });

  test('the next user of the name does not inherit it', async () => {
    await add();
    await users.remove('nell', unconditional);
    expect(await stops.list()).toEqual([]);
    await users.add({ username: 'nell', role: 'family', passwordHash: 'h' }, unconditional);
    expect([await stopsFor('nell'), await stops.list()]).toEqual([0, []]);
  });

  test('none is made for an account that is gone', async () => {
    await expect(add({ name: 'gone' })).rejects.toMatchObject({ code: 'stream_unknown' });
  });

  test('a user of a proxy has no account here, and is stopped by name', async () => {
    await add({ kind: 'proxy', name: 'gone' });
    await stops.renew();
    expect(stops.of(plainIdentity('gone', 'family', 'proxy'), () => undefined)).toHaveLength(1);
  });
});

test('of a list of cameras that cannot be read stops all', async () => {
  await add({ cameras: ['driveway'] });
  await store.change(unconditional, (on) => on.updateTable('stops').set({ cameras: 'garbage' }).execute());
  expect(await stops.list()).toMatchObject([{ cameras: undefined }]);
});

test('is deleted when it has ended', async () => {
  await add();
  await add({ until: now + 7_200_000 });
  now += 3_600_000;
  await stops.prune();
  expect(await store.selectFrom('stops').selectAll().execute()).toHaveLength(1);
});

test('is not current while the version of the store cannot be read, and fails to be read', async () => {
  const broken = createStops({
    store,
    version: () => {
      throw new Error('postern.db is damaged');
    },
    clock,
    timers,
  });
  expect(broken.areCurrent()).toBe(false);
  await expect(broken.renew()).rejects.toThrow('damaged');
});
