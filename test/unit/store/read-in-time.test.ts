import { expect, test } from 'vitest';
import { momentsBy, never, readInTime, readTogether } from '../../../src/store/read-in-time.ts';

test.each([
  ['nothing', 0, 0, true],
  ['less than a second', 999, 999, true],
  ['a second', 1_000, 1_000, false],
  ['a second of sleep, in which only one clock goes on', 0, 1_000, false],
  ['a clock that was set back', 0, -1_000, false],
])('after %s', (_, elapsedMs, nowMs, isRecent) => {
  let [elapsed, now] = [5, 50_000];
  const moments = momentsBy({ now: () => now }, { elapsed: () => elapsed });
  const moment = moments.present();
  elapsed += elapsedMs;
  now += nowMs;
  expect(moments.isRecent(moment)).toBe(isRecent);
});

test('what was never read is not recent', () => {
  expect(momentsBy({ now: () => 0 }, { elapsed: () => 0 }).isRecent(never)).toBe(false);
});

const noTimer = { after: () => () => undefined };
const atOnce = {
  after: (_: number, call: () => void) => {
    call();
    return () => undefined;
  },
};

test.each([
  ['a read that fails', async () => Promise.reject(new Error('away')), noTimer],
  ['a read that takes too long', async () => new Promise<object>(() => undefined), atOnce],
])('the store is unavailable by %s', async (_, read, timers) => {
  await expect(readInTime<object>(read, timers)).rejects.toMatchObject({ code: 'store_unavailable' });
});

test('those who ask by the same key share one read, and the next ones get another', async () => {
  const keys: number[][] = [];
  const read = readTogether(async (version: number, seen: number) => void keys.push([version, seen]));
  await Promise.all([read(1, 0), read(1, 0), read(1, 2), read(1, 2)]);
  await read(1, 2);
  await Promise.all([read(Number.NaN, 0), read(Number.NaN, 0)]);
  expect(keys).toEqual([
    [1, 0],
    [1, 2],
    [1, 2],
    [Number.NaN, 0],
  ]);
});

test('all who share a read get its error', async () => {
  const read = readTogether(() => Promise.reject(new Error('away')));
  const [one, other] = await Promise.allSettled([read(), read()]);
  expect([one.status, other.status]).toEqual(['rejected', 'rejected']);
});
