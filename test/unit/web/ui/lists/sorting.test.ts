import { expect, test } from 'vitest';
import { ariaSort, nextSort, sorted } from '../../../../../src/web/ui/lists/sorting.ts';

const rows = [
  { name: 'dock.10', seen: 3 },
  { name: 'anna', seen: null },
  { name: 'dock.2', seen: 1 },
  { name: 'Bea', seen: 3 },
];
const names = (sort: string, of: 'name' | 'seen') =>
  sorted(rows, sort, (row) => row[of]).map(({ name }) => name);

test.each([
  ['name', 'name', ['anna', 'Bea', 'dock.2', 'dock.10']],
  ['-name', 'name', ['dock.10', 'dock.2', 'Bea', 'anna']],
  ['seen', 'seen', ['dock.2', 'dock.10', 'Bea', 'anna']],
  ['-seen', 'seen', ['dock.10', 'Bea', 'dock.2', 'anna']],
] as const)('by %s', (sort, of, expected) => {
  expect(names(sort, of)).toEqual(expected);
});

test.each([
  ['', 'role', 'role'],
  ['role', 'role', '-role'],
  ['-role', 'role', 'role'],
  ['-name', 'role', 'role'],
])('from %j, a press on %s sorts by %s', (sort, column, expected) => {
  expect(nextSort(sort, column)).toBe(expected);
});

test.each([
  ['role', 'ascending'],
  ['-role', 'descending'],
  ['name', 'none'],
  ['', 'none'],
])('sorted by %j, the role is announced as %s', (sort, expected) => {
  expect(ariaSort(sort, 'role')).toBe(expected);
});
