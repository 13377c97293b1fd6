import { expect, test } from 'vitest';
import { rowNear } from '../../../../../src/web/ui/lists/focus-near.ts';

test.each<[gone: string, rows: readonly string[], near: string | undefined]>([
  ['b', ['a', 'b', 'c'], 'c'],
  ['a', ['a', 'b', 'c'], 'b'],
  ['c', ['a', 'b', 'c'], 'b'],
  ['a', ['a'], undefined],
])('when %j of %j goes, the focus goes to %j', (gone, rows, near) => {
  expect(rowNear(rows, gone)).toBe(near);
});
