import { expect, test } from 'vitest';
import { boundsOf, dayAfter, dayAt } from '../../../../src/web/ui/days.ts';

test.for([
  ['2026-11-28', 'Europe/London', 86_400],
  ['2026-10-25', 'Europe/London', 90_000],
  ['2026-03-29', 'Europe/Berlin', 82_800],
  ['2026-12-31', 'Asia/Tokyo', 86_400],
] as const)('%s in %s has %i seconds, and begins at its midnight', ([day, zone, length]) => {
  const { begin, end } = boundsOf(day, zone);
  expect(end - begin).toBe(length);
  expect(dayAt(begin, zone)).toBe(day);
  expect(dayAt(begin - 0.001, zone)).toBe(dayAfter(day, -1));
});
