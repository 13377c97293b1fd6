import { expect, test } from 'vitest';
import { beginOf, dayAfter, dayOf } from '../../../../../src/web/pages/watched/days.ts';

test.for([
  ['2026-11-28', 'Europe/London', 86_400],
  ['2026-10-25', 'Europe/London', 90_000],
  ['2026-03-29', 'Europe/Berlin', 82_800],
  ['2026-12-31', 'Asia/Tokyo', 86_400],
] as const)('%s in %s has %i seconds, and begins at its midnight', ([day, zone, length]) => {
  const from = beginOf(day, zone);
  expect(beginOf(dayAfter(day), zone) - from).toBe(length);
  expect(dayOf(from * 1_000, zone)).toBe(day);
  expect(dayOf(from * 1_000 - 1, zone)).toBe(dayAfter(day, -1));
});
