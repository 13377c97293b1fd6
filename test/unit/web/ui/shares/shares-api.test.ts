import { expect, test } from 'vitest';
import { livesUpTo } from '../../../../../src/web/ui/shares/shares-api.ts';

const [hour, day] = [3_600, 86_400];

test.each([
  ['as long as there are choices', 30 * day, [hour, 8 * hour, day, 7 * day, 30 * day]],
  ['and the longest itself', 2 * day, [hour, 8 * hour, day, 2 * day]],
  ['in hours where it is no day', 90 * 60, [hour, 90 * 60]],
  ['alone where it is shorter than all', 600, [600]],
])('a share lasts %s', (_, longest, seconds) => {
  expect(livesUpTo(longest).map(([life]) => life)).toEqual(seconds);
});

test('the longest choice has its own text', () => {
  expect(livesUpTo(2 * day).at(-1)?.[1]).toBe('2 days, the longest');
  expect(livesUpTo(90 * 60).at(-1)?.[1]).toBe('1.5 hours, the longest');
});
