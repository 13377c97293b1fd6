import { expect, test } from 'vitest';
import * as fc from 'fast-check';
import { agoText, inZone, instantOf, isForeign, wallTime } from '../../../../src/web/ui/time-text.ts';
import { assertCases } from '../../../support/assert-cases.ts';

test.each([
  [-600, 'just now'],
  [0, 'just now'],
  [59.9, 'just now'],
  [60, '1 minute ago'],
  [179, '2 minutes ago'],
  [3_600, '1 hour ago'],
  [7_300, '2 hours ago'],
  [86_400, 'yesterday'],
  [86_400 * 40, '40 days ago'],
])('%d seconds: %s', (seconds, text) => {
  expect(agoText(seconds)).toBe(text);
});

test.each([
  ['2026-12-20T18:00', 'Europe/Berlin', '2026-12-20T17:00:00.000Z'],
  ['2026-12-20T18:00', 'America/New_York', '2026-12-20T23:00:00.000Z'],
  ['2026-07-01T00:05', 'Pacific/Auckland', '2026-06-30T12:05:00.000Z'],
  ['2026-07-01T00:05', 'Asia/Kolkata', '2026-06-30T18:35:00.000Z'],
  // Twice: the first one.
  ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30:00.000Z'],
  // Skipped: by the offset before.
  ['2027-03-28T02:30', 'Europe/Berlin', '2027-03-28T01:30:00.000Z'],
])('%s in %s is %s', (wall, zone, instant) => {
  expect(new Date(instantOf(wall, zone)).toISOString()).toBe(instant);
});

test('a time that clocks show is read back, also around their changes', () => {
  const zones = fc.constantFrom(
    'Europe/Berlin',
    'Australia/Lord_Howe',
    'America/Havana',
    'Asia/Kolkata',
    'UTC',
  );
  const changes = fc.constantFrom(
    '2026-10-25',
    '2027-03-28',
    '2026-04-05',
    '2026-10-04',
    '2026-03-08',
    '2026-11-01',
  );
  const minutes = fc.integer({ min: -3_000, max: 3_000 });
  assertCases(
    fc.property(zones, changes, minutes, (zone, day, minute) => {
      const moment = Date.parse(`${day}T00:00Z`) + minute * 60_000;
      const wall = wallTime(moment, zone);
      const found = instantOf(wall, zone);
      expect(found).toBeLessThanOrEqual(moment);
      expect(wallTime(found, zone)).toBe(wall);
    }),
    { numRuns: 200 },
  );
});

test('a zone is named where the browser has another one', () => {
  expect(inZone('Friday 18:00', 'Europe/Berlin', 'Europe/Berlin')).toBe('Friday 18:00');
  expect(inZone('Friday 18:00', 'Europe/Berlin', 'America/New_York')).toBe('Friday 18:00 (Europe/Berlin)');
  expect(isForeign('Etc/UTC', 'UTC')).toBe(false);
  expect(isForeign('No/Where', 'UTC')).toBe(true);
});
