import { expect, test } from 'vitest';
import { changesOf } from '../../../src/recorder/role-changes.ts';

const rolesOf = (roles: Readonly<Record<string, readonly string[]>>) =>
  new Map(Object.entries(roles).map(([role, cameras]) => [role, new Set(cameras)]));
const none: readonly string[] = [];

type Roles = Parameters<typeof rolesOf>[0];

test.each<[what: string, gate: Roles, made: readonly string[], recorder: Roles, changes: object[]]>([
  ['roles that are the same', { a: ['x', 'y'] }, ['a'], { a: ['y', 'x'] }, []],
  ['one that the recorder does not know', { a: ['y', 'x'] }, none, {}, [{ role: 'a', cameras: ['x', 'y'] }]],
  [
    'one that is wider in the gate',
    { a: ['x', 'y'] },
    ['a'],
    { a: ['x'] },
    [{ role: 'a', cameras: ['x', 'y'] }],
  ],
  [
    'one that is narrower in the gate',
    { a: ['x'] },
    ['a'],
    { a: ['x', 'y'] },
    [{ role: 'a', cameras: ['x'] }],
  ],
  [
    'one that means every camera at the recorder',
    { a: ['x'] },
    none,
    { a: [] },
    [{ role: 'a', cameras: ['x'] }],
  ],
  ['one that only the recorder has', {}, none, { theirs: ['x'] }, []],
  ['one that was deleted in the gate', {}, ['a'], { a: ['x'] }, [{ role: 'a', cameras: undefined }]],
  ['one that was deleted in both', {}, ['a'], {}, []],
  [
    'one that lost its last camera in the gate',
    { a: [] },
    none,
    { a: ['x'] },
    [{ role: 'a', cameras: undefined }],
  ],
  ['one that never had any', { a: [] }, none, {}, []],
  ['a name of digits', { 7: ['x'] }, none, {}, []],
  ['a name of digits that is to be deleted', { 7: [] }, ['7'], { 7: ['x'] }, []],
  ['a name with a dot', { 'a.b': ['x'] }, none, {}, []],
  [
    'several, of which the deletions come first',
    { a: ['x'], b: [], c: ['y'] },
    ['old'],
    { b: ['x'], old: ['x'], theirs: ['x'] },
    [
      { role: 'old', cameras: undefined },
      { role: 'b', cameras: undefined },
      { role: 'a', cameras: ['x'] },
      { role: 'c', cameras: ['y'] },
    ],
  ],
])('%s', (_, gate, made, recorder, changes) => {
  expect(changesOf(rolesOf(gate), new Set(made), rolesOf(recorder))).toEqual(changes);
});
