import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createShareUnlocks, type ShareUnlocks } from '../../../../src/features/shares/share-unlocks.ts';
import type { Activity } from '../../../../src/store/store.ts';
import { temporaryActivity } from '../../store/temporary-store.ts';

let now: number;
let activity: Activity;
let unlocks: ShareUnlocks;
let errors: unknown[];
beforeEach(async () => {
  now = 1_000_000;
  errors = [];
  activity = await temporaryActivity();
  unlocks = createShareUnlocks(activity, { clock: { now: () => now }, onError: (e) => errors.push(e) });
  onTestFinished(unlocks.close);
});
const countOf = async (id: string) => (await unlocks.list()).get(id)?.count;

test('counts every unlock, written or pending, of several processes', async () => {
  for (let i = 0; i < 3; i += 1) unlocks.note('a', '192.0.2.1');
  expect(await countOf('a')).toBe(3);
  await unlocks.prune(new Set(['a']));
  now += 5_000;
  unlocks.note('a', '192.0.2.2');
  const other = createShareUnlocks(activity, { clock: { now: () => now }, onError: () => undefined });
  other.note('a', '192.0.2.3');
  await other.close();
  expect(await countOf('a')).toBe(5);
  await unlocks.prune(new Set(['a']));
  expect((await unlocks.list()).get('a')).toEqual({ count: 5, lastAt: 1_005_000, address: '192.0.2.2' });
});

test('writes later what could not be written', async () => {
  unlocks.note('a', '192.0.2.1');
  const { getExecutor } = activity;
  Object.assign(activity, {
    getExecutor: () => {
      Object.assign(activity, { getExecutor });
      unlocks.note('a', '192.0.2.9');
      throw new Error('no disk');
    },
  });
  await unlocks.prune(new Set(['a']));
  expect(errors).toHaveLength(1);
  expect(await countOf('a')).toBe(2);
  await unlocks.prune(new Set(['a']));
  expect((await unlocks.list()).get('a')).toMatchObject({ count: 2, address: '192.0.2.9' });
});

test('an IPv6 network counts as one address, since its owner has all of them', () => {
  expect(unlocks.note('a', '2001:db8::1')).toBe(true);
  expect(unlocks.note('a', '2001:db8::2')).toBe(false);
  expect(unlocks.note('a', '2001:db8:0:1::1')).toBe(true);
});

test('reports one unlock a minute from each address', () => {
  expect(unlocks.note('a', '192.0.2.1')).toBe(true);
  expect(unlocks.note('a', '192.0.2.1')).toBe(false);
  expect(unlocks.note('a', '192.0.2.2')).toBe(true);
  expect(unlocks.note('b', '192.0.2.1')).toBe(true);
  now += 60_000;
  expect(unlocks.note('a', '192.0.2.1')).toBe(true);
});

test('deletes the unlocks of deleted shares', async () => {
  unlocks.note('a', '192.0.2.1');
  unlocks.note('b', '192.0.2.1');
  await unlocks.prune(new Set(['b']));
  expect([...(await unlocks.list()).keys()]).toEqual(['b']);
});
