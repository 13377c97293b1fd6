import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  createViewing,
  type Viewer,
  type Viewing,
  findLastWatched,
  findWatched,
} from '../../../src/audit/viewing.ts';
import type { Viewed } from '../../../src/policy/evaluate/viewed.ts';
import type { Activity } from '../../../src/store/store.ts';
import { temporaryActivity } from '../store/temporary-store.ts';

let now = Date.parse('2026-11-24T18:00:00Z');
let mode: boolean | 'required' = true;
let activity: Activity;
let viewing: Viewing;
let errors: unknown[];
let dropped: number;
beforeEach(async () => {
  now = Date.parse('2026-11-24T18:00:00Z');
  mode = true;
  errors = [];
  dropped = 0;
  activity = await temporaryActivity();
  viewing = createViewing(activity, {
    clock: { now: () => now },
    mode: () => mode,
    onError: (error) => errors.push(error),
    onDrop: () => (dropped += 1),
  });
});
afterEach(() => viewing.close());

const vera: Viewer = { user: 'vera', source: 'session', by: 's1', address: '192.0.2.7' };
const at = (from: number): Viewed => ({
  cameras: ['porch'],
  kind: 'recorded',
  footage: { from, to: from + 10 },
});
const live: Viewed = { cameras: ['porch'], kind: 'live' };
const rows = async () => {
  await viewing.flush();
  return (await findWatched(activity, { limit: 100 })).rows.map(
    ({ username, camera, kind, began_at: began, ended_at: ended, footage_from: from, footage_to: to }) => ({
      who: `${username} ${kind} ${camera}`,
      seconds: ended - began,
      footage: to === 0 ? undefined : [from, to],
    }),
  );
};

test('an evening at a page of recordings is a handful of records', async () => {
  for (let i = 0; i < 360; i += 1) {
    expect(viewing.note(vera, at(1_700_000_000 + i * 10))).toBe(true);
    now += 10_000;
  }
  expect(await rows()).toEqual([
    { who: 'vera recorded porch', seconds: 3_590, footage: [1_700_000_000, 1_700_003_600] },
  ]);
});

test.each<[what: string, next: () => [Viewer, Viewed], records: number]>([
  ['the same camera after a short pause', () => [vera, live], 1],
  ['another camera', () => [vera, { ...live, cameras: ['garage'] }], 2],
  ['recordings in place of live pictures', () => [vera, at(1_700_000_000)], 2],
  ['another session', () => [{ ...vera, by: 's2' }, live], 2],
  ['another user', () => [{ ...vera, user: 'olaf' }, live], 2],
])('%s', async (_, next, records) => {
  void viewing.note(vera, live);
  now += 4 * 60_000;
  void viewing.note(...next());
  expect(await rows()).toHaveLength(records);
});

test('a pause of more than five minutes begins another stretch', async () => {
  void viewing.note(vera, live);
  now += 5 * 60_000 + 1;
  void viewing.note(vera, live);
  expect((await rows()).map(({ seconds }) => seconds)).toEqual([0, 0]);
});

test('nothing is recorded unless the operator wants it', async () => {
  mode = false;
  expect(viewing.note(vera, live)).toBe(true);
  expect(await rows()).toEqual([]);
});

test('a page is continued where it ended, and can be filtered', async () => {
  for (const camera of ['a', 'b', 'c', 'd', 'e']) {
    void viewing.note(vera, { ...live, cameras: [camera] });
    now += camera === 'c' ? 0 : 1_000;
  }
  await viewing.flush();
  const found: string[] = [];
  for (let before: string | undefined; ;) {
    const page = await findWatched(activity, { limit: 2, before });
    found.push(...page.rows.map(({ camera }) => camera));
    before = page.next;
    if (before === undefined) break;
  }
  expect(found.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e']);
  expect(found[0]).toBe('e');
  expect((await findWatched(activity, { camera: 'b', limit: 5 })).rows).toHaveLength(1);
  const [row] = (await findWatched(activity, { camera: 'b', limit: 5 })).rows;
  const began = row?.began_at ?? 0;
  const between = async (since: number, until: number) =>
    (await findWatched(activity, { camera: 'b', since, until, limit: 5 })).rows.length;
  expect(await between(began, began + 1)).toBe(1);
  expect(await between(began - 1, began)).toBe(0);
  expect(await between(began + 1, began + 2)).toBe(0);
  expect((await findWatched(activity, { user: 'olaf', limit: 5 })).rows).toEqual([]);
});

test('what is older is removed', async () => {
  void viewing.note(vera, live);
  now += 3_600_000;
  void viewing.note({ ...vera, user: 'olaf' }, live);
  await viewing.flush();
  await viewing.prune(now - 1_000);
  expect((await rows()).map(({ who }) => who)).toEqual(['olaf live porch']);
});

test('much that is older is removed in slices, unless it may not be, or the gate stops', async () => {
  const old = Array.from({ length: 600 }, (_, index) => ({
    watch_id: `w${index}`,
    username: 'vera',
    source: 'session',
    by_id: null,
    address: '192.0.2.7',
    camera: 'porch',
    kind: 'live' as const,
    began_at: 1,
    ended_at: 2,
    footage_from: 0,
    footage_to: 0,
  }));
  await activity.insertInto('watched').values(old).execute();
  const left = async () => (await activity.selectFrom('watched').selectAll().execute()).length;
  await viewing.prune(now, { mayDelete: () => false });
  expect(await left()).toBe(600);
  await viewing.prune(now, { signal: AbortSignal.abort() });
  expect(await left()).toBe(600);
  await viewing.prune(now);
  expect(await left()).toBe(0);
});

test('where it is required, nothing is shown that cannot be recorded, until it can be again', async () => {
  mode = 'required';
  expect(await viewing.note(vera, live)).toBe(true);
  await activity.schema.alterTable('watched').renameTo('elsewhere').execute();
  expect(await viewing.note({ ...vera, by: 's2' }, live)).toBe(false);
  expect(await viewing.note(vera, live)).toBe(false);
  expect(errors.length).toBeGreaterThan(0);
  await activity.schema.alterTable('elsewhere').renameTo('watched').execute();
  expect(await viewing.note(vera, live)).toBe(true);
  expect(await viewing.note(vera, live)).toBe(true);
  expect(await rows()).toHaveLength(2);
});

test('where it is not, everything is shown, and what finds no place is counted', async () => {
  await activity.schema.alterTable('watched').renameTo('elsewhere').execute();
  for (let i = 0; i < 10_050; i += 1) expect(viewing.note({ ...vera, by: `s${i}` }, live)).toBe(true);
  expect(dropped).toBe(50);
  await activity.schema.alterTable('elsewhere').renameTo('watched').execute();
});

test('what each person watched last is what they saw signed in', async () => {
  const names = Array.from({ length: 120 }, (_, i) => `user${i}`);
  for (const user of names) {
    await viewing.note({ ...vera, user, by: user }, live);
    now += 1_000;
    await viewing.note({ ...vera, user, by: user }, { ...live, cameras: ['yard'] });
    now += 1_000;
    for (const source of ['display', 'api-token', 'share', 'proxy'])
      await viewing.note({ ...vera, user, by: undefined, source }, { ...live, cameras: ['drive'] });
  }
  await viewing.flush();
  const last = await findLastWatched(activity, [...names, 'nobody']);
  expect(last.size).toBe(names.length);
  expect(new Set([...last.values()].map(({ camera }) => camera))).toEqual(new Set(['yard']));
  expect(await findLastWatched(activity, [])).toEqual(new Map());
});
