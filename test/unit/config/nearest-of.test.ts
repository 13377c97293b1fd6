import { expect, test } from 'vitest';
import { nearestOf, slipsBetween } from '../../../src/config/wrong-value.ts';

test.each([
  ['shares', 'shares', 2, 0],
  ['share', 'shares', 2, 1],
  ['hsares', 'shares', 1, 1],
  ['shar', 'shares', 1, undefined],
  ['x'.repeat(1_000_000), 'shares', 2, undefined],
  ['shares', 'x'.repeat(1_000_000), 2, undefined],
])('%.20s and %.20s, at most %i: %s', (one, other, most, slips) => {
  expect(slipsBetween(one, other, most)).toBe(slips);
});

test('a text of a million letters is near to nothing', () => {
  expect(nearestOf('x'.repeat(1_000_000), ['shares', 'push'])).toBeUndefined();
});
