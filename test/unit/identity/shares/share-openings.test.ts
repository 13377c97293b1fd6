import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { createShareOpenings, type ShareOpenings } from '../../../../src/identity/shares/share-openings.ts';
import type { Activity } from '../../../../src/store/store.ts';
import { temporaryActivity } from '../../store/temporary-store.ts';

let now: number;
let activity: Activity;
let openings: ShareOpenings;
let errors: unknown[];
beforeEach(async () => {
  now = 1_000_000;
  errors = [];
  activity = await temporaryActivity();
  openings = createShareOpenings(activity, { clock: { now: () => now }, onError: (e) => errors.push(e) });
  onTestFinished(openings.close);
});
const countOf = async (id: string) => (await openings.list()).get(id)?.openings;

test('counts every unlock, written or pending, of several processes', async () => {
  for (let i = 0; i < 3; i += 1) openings.note('a', '192.0.2.1');
  expect(await countOf('a')).toBe(3);
  await openings.prune(new Set(['a']));
  now += 5_000;
  openings.note('a', '192.0.2.2');
  const other = createShareOpenings(activity, { clock: { now: () => now }, onError: () => undefined });
  other.note('a', '192.0.2.3');
  await other.close();
  expect(await countOf('a')).toBe(5);
  await openings.prune(new Set(['a']));
  expect((await openings.list()).get('a')).toEqual({ openings: 5, lastAt: 1_005_000, address: '192.0.2.2' });
});

test('writes later what could not be written', async () => {
  openings.note('a', '192.0.2.1');
  const { getExecutor } = activity;
  Object.assign(activity, {
    getExecutor: () => {
      Object.assign(activity, { getExecutor });
      openings.note('a', '192.0.2.9');
      throw new Error('no disk');
    },
  });
  await openings.prune(new Set(['a']));
  expect(errors).toHaveLength(1);
  expect(await countOf('a')).toBe(2);
  await openings.prune(new Set(['a']));
  expect((await openings.list()).get('a')).toMatchObject({ openings: 2, address: '192.0.2.9' });
});

test('an IPv6 network counts as one address, since its owner has all of them', () => {
  expect(openings.note('a', '2001:db8::1')).toBe(true);
  expect(openings.note('a', '2001:db8::2')).toBe(false);
  expect(openings.note('a', '2001:db8:0:1::1')).toBe(true);
});

test('reports one unlock a minute from each address', () => {
  expect(openings.note('a', '192.0.2.1')).toBe(true);
  expect(openings.note('a', '192.0.2.1')).toBe(false);
  expect(openings.note('a', '192.0.2.2')).toBe(true);
  expect(openings.note('b', '192.0.2.1')).toBe(true);
  now += 60_000;
  expect(openings.note('a', '192.0.2.1')).toBe(true);
});

test('deletes the unlocks of deleted shares', async () => {
  openings.note('a', '192.0.2.1');
  openings.note('b', '192.0.2.1');
  await openings.prune(new Set(['b']));
  expect([...(await openings.list()).keys()]).toEqual(['b']);
});
