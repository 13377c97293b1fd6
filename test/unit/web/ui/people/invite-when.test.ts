import { expect, test } from 'vitest';
import { linkLife, scheduleFor, weekendFrom } from '../../../../../src/web/ui/people/invite-when.ts';
import { instantOf } from '../../../../../src/web/ui/time-text.ts';

const zone = 'America/New_York';
const at = (text: string) => instantOf(text, zone);

test.each<[now: string, from: string, until: string]>([
  ['2026-11-23T12:00', '2026-11-27T18:00', '2026-11-29T22:00'],
  ['2026-11-27T20:00', '2026-11-27T18:00', '2026-11-29T22:00'],
  ['2026-11-29T21:59', '2026-11-27T18:00', '2026-11-29T22:00'],
  ['2026-11-29T22:00', '2026-12-04T18:00', '2026-12-06T22:00'],
])('on %s, this weekend is from %s to %s', (now, from, until) =>
  expect(weekendFrom(at(now), zone)).toEqual({ from, until }),
);

const none = { from: '', until: '' };
test.each([
  ['always', none, true, undefined],
  ['week', none, false, { from: '2026-11-23T12:00', until: '2026-11-30T12:00' }],
  ['week', none, true, { from: '2026-11-23T12:00', until: '2026-11-30T12:00', history: 'from' }],
  [
    'dates',
    { from: '2026-12-01T10:00', until: '2026-12-02T10:00' },
    false,
    { from: '2026-12-01T10:00', until: '2026-12-02T10:00' },
  ],
  ['dates', none, false, null],
  ['dates', { from: '2026-12-02T10:00', until: '2026-12-01T10:00' }, false, null],
] as const)('%s, %j, with recordings %s: %j', (when, dates, showsRecordings, schedule) =>
  expect(scheduleFor({ when, ...dates }, showsRecordings, at('2026-11-23T12:00'), zone)).toEqual(schedule),
);

test('a link is valid no longer than the access, and a month at most', () => {
  const now = at('2026-11-23T12:00');
  expect(linkLife(undefined, now, zone)).toBe(604_800);
  expect(linkLife({ until: '2026-11-23T13:00' }, now, zone)).toBe(3_600);
  expect(linkLife({ until: '2027-11-23T13:00' }, now, zone)).toBe(2_592_000);
  expect(linkLife({ until: '2026-11-23T11:00' }, now, zone)).toBe(60);
});

test('the weekend is that of the time zone of schedules, whatever the browser has', () => {
  // In Auckland it is Monday already.
  const sunday = Date.parse('2026-11-29T15:00Z');
  expect(weekendFrom(sunday, 'Europe/Berlin').until).toBe('2026-11-29T22:00');
  expect(weekendFrom(sunday, 'Pacific/Auckland').until).toBe('2026-12-06T22:00');
});
