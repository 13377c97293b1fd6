import { browserZone } from '../../../../../src/web/ui/time-text.ts';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { scheduleIn, type scheduleText as ScheduleText } from '../../../../../src/web/ui/roles/schedule.ts';

const form = (fields: Readonly<Record<string, string>>) => {
  const data = new FormData();
  const empty = ['from-day', 'from-time', 'until-day', 'until-time', 'hours-begin', 'hours-end'];
  for (const name of empty) data.set(name, '');
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

describe('the schedule in the fields', () => {
  test('is empty for a role that is always active', () => {
    expect(scheduleIn(form({}))).toEqual({});
  });

  test.each([
    [{ 'from-day': '2026-12-20' }, { from: '2026-12-20' }],
    [
      { 'from-day': '2026-12-20', 'until-day': '2026-12-20' },
      { from: '2026-12-20', until: '2026-12-20' },
    ],
    [{ 'until-day': '2027-01-05', 'until-time': '18:00' }, { until: '2027-01-05T18:00' }],
    [{ 'hours-begin': '22:00', 'hours-end': '06:00' }, { hours: '22:00-06:00' }],
    [
      { 'from-day': '2026-12-20', history: 'hidden' },
      { from: '2026-12-20', history: 'from' },
    ],
    [{ 'from-day': '2026-12-20', history: 'visible' }, { from: '2026-12-20' }],
    // The choice is preset, and counts only from a first day on.
    [{ 'until-day': '2026-12-20', history: 'hidden' }, { until: '2026-12-20' }],
  ])('%j means %j', (fields, schedule) => {
    expect(scheduleIn(form(fields))).toEqual(schedule);
  });

  test.each([
    [{ 'from-time': '18:00' }, 'Choose a day for the time.'],
    [{ 'hours-begin': '07:00' }, 'Set both the beginning and the end'],
    [{ 'hours-begin': '07:00', 'hours-end': '07:00' }, 'can’t begin and end at the same time'],
    [{ 'from-day': '2026-12-20', 'until-day': '2026-12-19' }, 'The last day is before the first.'],
    [
      { 'from-day': '2026-12-20', 'from-time': '18:00', 'until-day': '2026-12-20', 'until-time': '18:00' },
      'The last day is before the first.',
    ],
  ])('%j is not sent', (fields, says) => {
    expect(() => scheduleIn(form(fields))).toThrow(says);
  });
});

describe('a schedule as text', () => {
  const now = new Date('2026-11-22T12:00:00');
  let scheduleText: typeof ScheduleText;
  beforeAll(async () => {
    // Dates use the browser's own variant of the language, which is read once.
    vi.stubGlobal('navigator', { languages: ['en-GB'] });
    vi.resetModules();
    ({ scheduleText } = await import('../../../../../src/web/ui/roles/schedule.ts'));
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test.each([
    [{ from: '2026-12-20' }, 'from 20 December, earlier recordings visible'],
    [{ until: '2027-01-05', hours: '07:00-19:00' }, 'until 5 January 2027, 07:00 to 19:00'],
    [{ from: '2026-12-20T18:00' }, 'from 20 December at 18:00, earlier recordings visible'],
    [{ hours: '18:00-24:00' }, '18:00 to 00:00'],
    [{ from: '2026-12-20', history: 'from' } as const, 'from 20 December, earlier recordings hidden'],
  ])('%j: %s', (schedule, says) => {
    expect(scheduleText(schedule, true, browserZone(), now)).toBe(says);
  });

  test('is silent about earlier recordings for a role that sees none', () => {
    expect(scheduleText({ from: '2026-12-20', history: 'from' }, false, browserZone(), now)).toBe(
      'from 20 December',
    );
  });

  test("has the gate's times, in any time zone of the browser", () => {
    const schedule = { from: '2026-03-29T02:30', hours: '07:00-19:00' };
    const times = 'from 29 March at 02:30, 07:00 to 19:00';
    expect(scheduleText(schedule, false, browserZone(), now)).toBe(times);
    // Named only where clocks may differ.
    expect(scheduleText(schedule, false, 'Pacific/Auckland', now)).toBe(`${times} (Pacific/Auckland)`);
    expect(scheduleText({ ...schedule, history: 'from' }, true, 'Pacific/Auckland', now)).toBe(
      `${times} (Pacific/Auckland), earlier recordings hidden`,
    );
  });
});
