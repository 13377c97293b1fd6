import { describe, expect, test } from 'vitest';
import {
  filtered,
  groupBreaks,
  moved,
  rowOfRole,
  rowOfUser,
  sorted,
  type Sort,
} from '../../../../../src/web/pages/roles/access-rows.ts';

const may = { state: 'may', reason: 'allowed' } as const;
const no = { state: 'no', reason: 'camera_not_granted' } as const;
const closed = { state: 'closed', reason: 'role_outside_schedule' } as const;
const nothing = { live: no, history: no, export: no, ptz: no, share: no, talk: no };

function roleWith(
  role: string,
  cameras: string[],
  others: string[],
  state: typeof may | typeof closed = may,
) {
  return rowOfRole({
    role,
    personal: false,
    users: 2,
    may: ['live'],
    granted: cameras,
    schedule: null,
    lists: may,
    access: [
      { cameras, ...nothing, live: state },
      { cameras: others, ...nothing },
    ],
  });
}

const guard = roleWith('guard', ['dock_1', 'fence_1'], ['stairs']);
const docks = roleWith('docks', ['dock_1'], ['fence_1', 'stairs'], closed);
const viewer = roleWith('viewer', ['dock_1', 'fence_1', 'stairs'], []);

test('a row has panes for the cameras that someone may do anything with', () => {
  expect([...guard.panes.keys()]).toEqual(['dock_1', 'fence_1']);
  expect(docks.panes.get('dock_1')).toEqual({
    live: 'closed',
    history: 'no',
    export: 'no',
    ptz: 'no',
    share: 'no',
    talk: 'no',
  });
  expect(guard.panes.get('dock_1')).toBe(guard.panes.get('fence_1'));
});

describe('the row of a user', () => {
  const roles = new Map([guard, viewer].map((row) => [row.name, row]));
  test.each([
    ['has what the role has', { role: 'guard', blocked: null }, ['dock_1', 'fence_1'], false],
    [
      'counts as viewer with a role that is gone',
      { role: 'gone', blocked: null },
      ['dock_1', 'fence_1', 'stairs'],
      false,
    ],
    ['has nothing while blocked', { role: 'guard', blocked: 'admin' as never }, [], true],
  ])('%s', (_, user, cameras, isBlocked) => {
    const row = rowOfUser({ username: 'nell', ...user }, roles);
    expect([...row.panes.keys()]).toEqual(cameras);
    expect(row).toMatchObject({ name: 'nell', role: user.role, isBlocked });
  });
});

test.each<[sort: Sort, names: string[]]>([
  ['', ['guard', 'docks', 'viewer']],
  ['name', ['docks', 'guard', 'viewer']],
  ['cameras', ['viewer', 'guard', 'docks']],
])('sorted by %j: %j', (sort, names) => {
  expect(sorted([guard, docks, viewer], sort, 'en').map(({ name }) => name)).toEqual(names);
});

test.each<[search: string, group: string[] | undefined, rows: string[], cameras: string[]]>([
  ['', undefined, ['guard', 'docks'], ['dock_1', 'fence_1', 'stairs']],
  ['', ['stairs', 'gone'], ['guard', 'docks'], ['stairs']],
  ['GUARD', undefined, ['guard'], ['dock_1', 'fence_1', 'stairs']],
  ['fence 1', undefined, ['guard', 'docks'], ['fence_1']],
  ['fence_', undefined, ['guard', 'docks'], ['fence_1']],
  ['dock', undefined, ['docks'], ['dock_1']],
  ['dock', ['stairs'], ['docks'], ['stairs']],
  ['nowhere', undefined, [], []],
])('searching %j in %j', (search, group, rows, cameras) => {
  const found = filtered([guard, docks], ['dock_1', 'fence_1', 'stairs'], {
    search,
    group,
    nameOf: (camera) => camera.replace('_', ' '),
  });
  expect(found.rows.map(({ name }) => name)).toEqual(rows);
  expect(found.cameras).toEqual(cameras);
});

test('a line stands where the group changes', () => {
  const groups = [
    { name: 'docks', cameras: ['dock_1', 'dock_2'] },
    { name: 'all', cameras: ['dock_1', 'fence_1'] },
  ];
  expect([...groupBreaks(['dock_1', 'dock_2', 'fence_1', 'stairs', 'hall'], groups)]).toEqual([
    'fence_1',
    'stairs',
  ]);
});

test.each<[from: [number, number], key: string, to: [number, number] | undefined]>([
  [[1, 1], 'ArrowUp', [0, 1]],
  [[0, 1], 'ArrowUp', [0, 1]],
  [[2, 1], 'ArrowDown', [2, 1]],
  [[1, 1], 'ArrowLeft', [1, 0]],
  [[1, 0], 'ArrowLeft', [1, 0]],
  [[1, 4], 'ArrowRight', [1, 4]],
  [[1, 2], 'Home', [1, 0]],
  [[1, 2], 'End', [1, 4]],
  [[1, 2], 'Ctrl+Home', [0, 0]],
  [[1, 2], 'Ctrl+End', [2, 4]],
  [[1, 2], 'PageDown', [2, 2]],
  [[1, 2], 'PageUp', [0, 2]],
  [[1, 2], 'a', undefined],
])('from %j by %s to %j', (from, key, to) => {
  const pressed = { key: key.replace('Ctrl+', ''), ctrlKey: key.startsWith('Ctrl+') };
  expect(moved(from, pressed, { rows: 3, columns: 4 })).toEqual(to);
});
