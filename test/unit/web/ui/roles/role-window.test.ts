import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { windowIn } from '../../../../../src/web/ui/roles/role-window.ts';
import type { windowText as WindowText } from '../../../../../src/web/pages/roles/window-text.ts';

const form = (fields: Readonly<Record<string, string>>) => {
  const data = new FormData();
  const empty = ['from-day', 'from-time', 'until-day', 'until-time', 'hours-begin', 'hours-end'];
  for (const name of empty) data.set(name, '');
  for (const [name, value] of Object.entries(fields)) data.set(name, value);
  return data;
};

describe('the schedule in the fields', () => {
  test('is empty: the role is always valid', () => {
    expect(windowIn(form({}))).toBeNull();
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
      { 'from-day': '2026-12-20', history: 'on' },
      { from: '2026-12-20', history: 'from' },
    ],
  ])('%j means %j', (fields, window) => {
    expect(windowIn(form(fields))).toEqual(window);
  });

  test.each([
    [{ 'from-time': '18:00' }, 'A time needs its day.'],
    [{ 'hours-begin': '07:00' }, 'The hours of a day have a beginning and an end.'],
    [{ 'hours-begin': '07:00', 'hours-end': '07:00' }, 'end at another time'],
    [{ 'from-day': '2026-12-20', 'until-day': '2026-12-19' }, 'The last day is before the first.'],
    [
      { 'from-day': '2026-12-20', 'from-time': '18:00', 'until-day': '2026-12-20', 'until-time': '18:00' },
      'The last day is before the first.',
    ],
    [{ history: 'on' }, 'say which day that is'],
  ])('%j is not sent', (fields, says) => {
    expect(() => windowIn(form(fields))).toThrow(says);
  });
});

describe('a schedule as text', () => {
  const now = new Date('2026-11-22T12:00:00');
  let windowText: typeof WindowText;
  beforeAll(async () => {
    // Dates use the browser's own variant of the language, which is read once.
    vi.stubGlobal('navigator', { languages: ['en-GB'] });
    vi.resetModules();
    ({ windowText } = await import('../../../../../src/web/pages/roles/window-text.ts'));
  });
  afterAll(() => {
    vi.unstubAllGlobals();
    vi.resetModules();
  });

  test.each([
    [{ from: '2026-12-20' }, 'from 20 December'],
    [{ until: '2027-01-05', hours: '07:00-19:00' }, 'until 5 January 2027, 07:00 to 19:00'],
    [{ from: '2026-12-20T18:00' }, 'from 20 December at 18:00'],
    [{ hours: '18:00-24:00' }, '18:00 to 00:00'],
    [{ from: '2026-12-20', history: 'from' } as const, 'from 20 December, only recordings from that day on'],
  ])('%j: %s', (window, says) => {
    expect(windowText(window, now)).toBe(says);
  });

  test("has the gate's times, in any time zone of the browser", () => {
    expect(windowText({ from: '2026-03-29T02:30' }, now)).toBe('from 29 March at 02:30');
  });
});
