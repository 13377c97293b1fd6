import { beforeEach, describe, expect, test } from 'vitest';
import { createOutbox, type Outbox } from '../../../../src/features/alerts/outbox.ts';
import { createObservations } from '../../../../src/features/alerts/observations.ts';
import { systemTimers } from '../../../../src/clock.ts';
import type { QueuedAlert } from '../../../../src/store/outbox.ts';
import { onlyIf, unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { createLogger } from '../../../../src/telemetry/logger.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

let now = Date.now();
let store: Store;
let outbox: Outbox;
beforeEach(async () => {
  now = Math.ceil(Date.now() / 1_000) * 1_000;
  store = await temporaryStore();
  outbox = createOutbox(store, { now: () => now });
});
const alert = (user: string) =>
  store.change(unconditional, (_, permission) => permission.alert('admin_made', { user }));
const targets = (names: readonly string[]) => outbox.distribute(async () => names);
const taken = async (busy: readonly string[] = []) =>
  (await outbox.take((target) => (busy.includes(target) ? 0 : 10)))
    .map(({ alert: { user }, target }) => `${user} to ${target}`)
    .toSorted();
const rows = async () => (await store.selectFrom('outbox').selectAll().execute()).length;

test('an alert is one delivery for each target, with the same id', async () => {
  await alert('olaf');
  await targets(['a', 'b']);
  const deliveries = await outbox.take(() => 10);
  expect(deliveries.map(({ target }) => target).toSorted()).toEqual(['a', 'b']);
  expect(new Set(deliveries.map(({ alertId }) => alertId)).size).toBe(1);
  for (const { id } of deliveries) await outbox.done(id);
  expect([await rows(), await outbox.nextDue()]).toEqual([0, undefined]);
});

test('an alert without a target is gone', async () => {
  await alert('olaf');
  await targets([]);
  expect(await rows()).toBe(0);
});

test('a change that fails alerts no one', async () => {
  const failing = store.change(unconditional, (_, permission) => {
    permission.alert('admin_made', { user: 'olaf' });
    throw new Error('no');
  });
  await expect(failing).rejects.toThrow('no');
  const refused = onlyIf(() => Promise.reject(new Error('not permitted')));
  await expect(store.change(refused, (_, p) => p.alert('admin_made', {}))).rejects.toThrow('not permitted');
  expect(await rows()).toBe(0);
});

test('of several processes one takes a delivery, and another does when it has not come back', async () => {
  await alert('olaf');
  const other = createOutbox(store, { now: () => now });
  const both = [outbox, other].map((one) => one.distribute(async () => ['a']));
  await Promise.all(both);
  const found = await Promise.all([outbox.take(() => 10), other.take(() => 10)]);
  expect(found.flat()).toHaveLength(1);
  now += 59_000;
  expect(await taken()).toEqual([]);
  now += 2_000;
  expect(await taken()).toEqual(['olaf to a']);
});

test('what fails is tried again after growing pauses, and given up after a day', async () => {
  await alert('olaf');
  await targets(['a']);
  const pauses: number[] = [];
  for (;;) {
    const [delivery] = await outbox.take(() => 10);
    if (delivery === undefined) throw new Error('not due');
    if ((await outbox.failed(delivery)) > 0) break;
    const due = (await outbox.nextDue()) ?? now;
    pauses.push(Math.round((due - now) / 1_000));
    now = due + 1_000;
  }
  expect(pauses.slice(0, 4)).toEqual([10, 20, 40, 80]);
  expect(Math.max(...pauses)).toBeLessThanOrEqual(3_600);
  expect(pauses.reduce((sum, pause) => sum + pause, 0)).toBeLessThan(86_400);
  expect([await outbox.countLost(), await outbox.nextDue()]).toEqual([1, undefined]);
  now += 8 * 86_400_000;
  expect(await outbox.countLost()).toBe(0);
  await outbox.prune();
  expect(await rows()).toBe(0);
});

test('while the clock may be wrong, nothing is given up', async () => {
  await alert('olaf');
  await targets(['a']);
  const wrong = createOutbox(store, { now: () => now }, () => false);
  now += 30 * 86_400_000;
  const [delivery] = await wrong.take(() => 10);
  if (delivery === undefined) throw new Error('not due');
  expect([await wrong.failed(delivery), await wrong.nextDue()]).toEqual([0, now + 10_000]);
  expect(await outbox.failed(delivery)).toBe(1);
});

test('a target that is busy keeps no other waiting', async () => {
  for (const user of ['a', 'b', 'c']) await alert(user);
  await targets(['slow', 'quick']);
  expect(await taken(['slow'])).toEqual(['a to quick', 'b to quick', 'c to quick']);
});

test('a change names who made it, and nothing that was not given', async () => {
  const asOlaf = async () => ({
    ...(await unconditional(store)),
    actor: { by: 'olaf', address: '192.0.2.7' },
  });
  await store.change(asOlaf, (_, permission) =>
    permission.alert('token_made', { user: 'vera', object: 'x' }),
  );
  await targets(['a']);
  const [delivery] = await outbox.take(() => 1);
  expect(delivery?.alert).toEqual({
    event: 'token_made',
    at: expect.any(Number),
    user: 'vera',
    by: 'olaf',
    address: '192.0.2.7',
    object: 'x',
    count: 1,
  } satisfies Record<keyof QueuedAlert, unknown>);
});

describe('of what is alerted once an hour', () => {
  const observing = () =>
    createObservations({
      store,
      clock: { now: () => now },
      timers: systemTimers,
      logger: createLogger('silent', { write: () => undefined }),
      sendNow: async () => undefined,
    });
  const signIns = async (...devices: readonly string[]) => {
    for (const device of devices) {
      const gate = observing();
      gate.observe('new_device', {
        key: async () => device,
        forMs: 1e9,
        atMostHourly: 'vera',
        object: device,
      });
      await gate.close();
    }
  };
  /** Sends what is due. */
  const sent = async () => {
    await targets(['a']);
    const deliveries = await outbox.take(() => 10);
    for (const { id } of deliveries) await outbox.done(id);
    return deliveries.map(({ alert: { count, object } }) => `${count} ${object}`);
  };
  const minutes = (count: number) => void (now += count * 60_000);

  test('the others wait, and go out together, however many there are', async () => {
    await signIns('phone', 'phone');
    expect(await sent()).toEqual(['1 phone']);
    await signIns('first', 'second');
    minutes(30);
    await signIns('third', 'first');
    expect(await sent()).toEqual([]);
    minutes(31);
    expect(await sent()).toEqual(['3 third']);
    // The next hour has begun with it.
    await signIns('fourth');
    minutes(59);
    expect(await sent()).toEqual([]);
    minutes(1);
    expect(await sent()).toEqual(['1 fourth']);
    minutes(61);
    await signIns('fifth');
    expect(await sent()).toEqual(['1 fifth']);
  });
});

test('what several gates observe is one alert, until its time is over', async () => {
  const sentAlone: QueuedAlert[] = [];
  const observing = () =>
    createObservations({
      store,
      clock: { now: () => now },
      timers: systemTimers,
      logger: createLogger('silent', { write: () => undefined }),
      sendNow: async (sent) => void sentAlone.push(sent),
    });
  const gates = [observing(), observing()];
  const observe = async () => {
    for (const gate of gates) gate.observe('recorder_away', { key: 'recorder', forMs: 3_600_000 });
    await Promise.all(gates.map((gate) => gate.close()));
  };
  await observe();
  await observe();
  expect(await rows()).toBe(1);
  now += 3_700_000;
  await observe();
  expect([await rows(), sentAlone.length]).toEqual([2, 0]);
});

test('while the store is away, an observation is sent without it, once', async () => {
  const sentAlone: QueuedAlert[] = [];
  const gate = createObservations({
    store: {
      ...store,
      selectFrom: () => undefined as never,
      change: () => Promise.reject(new Error('away')),
    } as never,
    clock: { now: () => now },
    timers: systemTimers,
    logger: createLogger('silent', { write: () => undefined }),
    sendNow: async (sent) => void sentAlone.push(sent),
  });
  for (let i = 0; i < 3; i += 1) {
    gate.observe('store_away', { key: 'store', forMs: 3_600_000 });
    await gate.close();
  }
  expect(sentAlone.map(({ event }) => event)).toEqual(['store_away']);
});
