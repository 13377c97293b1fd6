import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { turnOf } from '../../../src/policy/schedule-turn.ts';
import { scheduleAt, type Schedule } from '../../../src/policy/schedule.ts';
import { assertCases } from '../../support/assert-cases.ts';

const zone = 'Europe/Berlin';
const at = (local: string) => Temporal.PlainDateTime.from(local).toZonedDateTime(zone).epochMilliseconds;

test.each<[name: string, schedule: Schedule, now: string, turns: string | undefined]>([
  ['before its first day', { from: '2026-11-27' }, '2026-11-23T21:00', '2026-11-27T00:00'],
  ['open for good', { from: '2026-11-20' }, '2026-11-23T21:00', undefined],
  ['until the end of a day', { until: '2026-11-29' }, '2026-11-23T21:00', '2026-11-30T00:00'],
  ['over', { until: '2026-11-20' }, '2026-11-23T21:00', undefined],
  ['before the hours', { hours: '07:00-19:00' }, '2026-11-23T03:00', '2026-11-23T07:00'],
  ['after the hours', { hours: '07:00-19:00' }, '2026-11-23T21:00', '2026-11-24T07:00'],
  ['within the hours', { hours: '07:00-19:00' }, '2026-11-23T08:00', '2026-11-23T19:00'],
  ['across midnight', { hours: '22:00-06:00' }, '2026-11-23T23:00', '2026-11-24T06:00'],
  ['all day', { hours: '00:00-24:00' }, '2026-11-23T23:00', undefined],
  [
    'all day, to a last day',
    { hours: '00:00-24:00', until: '2026-11-24' },
    '2026-11-23T23:00',
    '2026-11-25T00:00',
  ],
  [
    'first day, after the hours',
    { from: '2026-11-27T20:00', hours: '07:00-19:00' },
    '2026-11-23T08:00',
    '2026-11-28T07:00',
  ],
  ['last day, after the hours', { until: '2026-11-23', hours: '07:00-19:00' }, '2026-11-23T20:00', undefined],
  ['the night of a clock change', { hours: '22:00-06:00' }, '2026-10-24T23:00', '2026-10-25T06:00'],
])('%s', (_, schedule, now, turns) => {
  expect(turnOf(schedule, at(now), zone)).toBe(turns && at(turns));
});

test('it stays as it is until its turn, and is the other way from then on', () => {
  const minute = 60_000;
  const time = fc.integer({ min: 0, max: 24 * 60 - 1 }).map((minutes) => {
    const two = (value: number) => String(value).padStart(2, '0');
    return `${two(Math.floor(minutes / 60))}:${two(minutes % 60)}`;
  });
  const hours = fc
    .tuple(time, time)
    .filter(([begin, end]) => begin !== end)
    .map((range) => range.join('-'));
  const day = fc.constantFrom('2026-03-27', '2026-03-28', '2026-03-29', '2026-03-31');
  const schedules = fc.record({ hours, from: day, until: day }, { requiredKeys: ['hours'] });
  const start = at('2026-03-27T00:00');
  assertCases(
    fc.property(schedules, fc.integer({ min: 0, max: 4 * 24 * 60 }), (schedule, minutes) => {
      const now = start + minutes * minute;
      const turn = turnOf(schedule, now, zone);
      const { isOpen } = scheduleAt(schedule, now, zone);
      const end = turn ?? now + 3 * 24 * 60 * minute;
      const moments = Array.from({ length: 200 }, (_unused, i) => now + ((end - now) * i) / 200);
      expect(
        moments.filter((moment) => scheduleAt(schedule, Math.floor(moment), zone).isOpen !== isOpen),
      ).toEqual([]);
      if (turn !== undefined) expect(scheduleAt(schedule, turn, zone).isOpen).toBe(!isOpen);
    }),
    { numRuns: 60 },
  );
});
