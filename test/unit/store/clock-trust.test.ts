import { beforeEach, expect, test } from 'vitest';
import { createClockTrust, type ClockTrust } from '../../../src/store/clock-trust.ts';
import type { Activity, Store } from '../../../src/store/store.ts';
import { temporaryActivity, temporaryStore } from './temporary-store.ts';

const day = 86_400_000;
let now: number;
let elapsed: number;
let store: Store;
let activity: Activity;
let warnings: string[];
beforeEach(async () => {
  now = Date.parse('2026-11-24T18:00:00Z');
  elapsed = 5_000;
  warnings = [];
  [store, activity] = [await temporaryStore(), await temporaryActivity()];
});
/** As a start of the process does. */
const start = (): ClockTrust =>
  createClockTrust({
    store,
    activity,
    clock: { now: () => now },
    elapsed: () => elapsed,
    logger: { warn: ((_: object, text: string) => void warnings.push(text)) as never },
  });
const pass = (milliseconds: number) => {
  now += milliseconds;
  elapsed += milliseconds;
};

test('a clock that passes as time does is trusted, and so is a new gate', async () => {
  const trust = start();
  expect(trust.isTrusted()).toBe(false);
  expect(await trust.check()).toBe(true);
  for (let i = 0; i < 48; i += 1) {
    pass(3_600_000);
    expect(await trust.check()).toBe(true);
  }
  pass(day - 1_000);
  expect([await start().check(), warnings]).toEqual([true, []]);
});

test('one that leapt ahead is trusted after a day in which the process runs', async () => {
  await start().check();
  now += 100 * day;
  // However often it starts with that clock.
  for (let i = 0; i < 3; i += 1) expect(await start().check()).toBe(false);
  expect(warnings).toHaveLength(3);
  const trust = start();
  await trust.check();
  pass(day - 1_000);
  expect([await trust.check(), trust.isTrusted()]).toEqual([false, false]);
  pass(1_000);
  expect([await trust.check(), trust.isTrusted()]).toEqual([true, true]);
  expect(warnings).toHaveLength(4);
});

test('one that is put right is trusted at once', async () => {
  await start().check();
  now += 100 * day;
  const trust = start();
  expect(await trust.check()).toBe(false);
  now -= 100 * day;
  expect(await trust.check()).toBe(true);
});

test('one that goes back is trusted, and is no reason to trust a later leap', async () => {
  await start().check();
  now -= 1_000 * day;
  const trust = start();
  expect(await trust.check()).toBe(true);
  now += 1_000 * day;
  expect(await trust.check()).toBe(true);
  now += 2 * day;
  expect(await trust.check()).toBe(false);
});

test('what an earlier program wrote last is where time begins', async () => {
  await activity
    .insertInto('audit_records')
    .values({ recorded_at: now / 1_000, event: 'login', kind: 'session', result: 'success' } as never)
    .execute();
  now += 100 * day;
  expect(await start().check()).toBe(false);
});

test('most of what there is may be deleted after a day', () => {
  const trust = start();
  expect(trust.mayDelete('records', 50, 100)).toBe(true);
  expect(trust.mayDelete('records', 51, 100)).toBe(false);
  expect(trust.mayDelete('others', 0, 0)).toBe(true);
  pass(day - 1_000);
  expect(trust.mayDelete('records', 51, 100)).toBe(false);
  pass(1_000);
  expect(trust.mayDelete('records', 51, 100)).toBe(true);
  expect(warnings).toHaveLength(1);
  // The next time is another one.
  expect(trust.mayDelete('records', 1, 100)).toBe(true);
  expect(trust.mayDelete('records', 90, 100)).toBe(false);
});
