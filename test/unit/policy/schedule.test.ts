import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isDateTime,
  isHours,
  isNoWider,
  mayOpen,
  nextOpening,
  neverOpen,
  bothStates,
  prepareSchedules,
  scheduleAt,
  type Schedule,
  type ScheduleState,
  turnOf,
} from '../../../src/policy/schedule.ts';
import { assertCases } from '../../support/assert-cases.ts';

const berlin = 'Europe/Berlin';
const at = (time: string) => Date.parse(time);
const isOpen = (schedule: Schedule, time: string, zone = berlin) =>
  scheduleAt(schedule, at(time), zone).isOpen;

describe('a schedule in December, in Berlin', () => {
  const schedule = { from: '2026-12-20', until: '2027-01-05', hours: '07:00-19:00' };

  test.each([
    ['2026-12-20T06:59:59.999+01:00', false],
    ['2026-12-20T07:00:00+01:00', true],
    ['2026-12-20T18:59:59.999+01:00', true],
    ['2026-12-20T19:00:00+01:00', false],
    ['2026-12-19T12:00:00+01:00', false],
    // The last day is included.
    ['2027-01-05T18:59:59+01:00', true],
    ['2027-01-06T12:00:00+01:00', false],
  ])('%s: %s', (time, open) => {
    expect(isOpen(schedule, time)).toBe(open);
  });

  test('returns when the state changes', () => {
    const until = (time: string) => new Date(scheduleAt(schedule, at(time), berlin).until).toISOString();
    expect(until('2026-12-01T12:00:00Z')).toBe('2026-12-19T23:00:00.000Z');
    expect(until('2026-12-20T12:00:00Z')).toBe('2026-12-20T18:00:00.000Z');
    expect(until('2026-12-20T20:00:00Z')).toBe('2026-12-21T06:00:00.000Z');
    expect(scheduleAt(schedule, at('2027-02-01T12:00:00Z'), berlin).until).toBe(Number.POSITIVE_INFINITY);
  });
});

describe('the moments of a schedule', () => {
  test('a day begins and ends by its time zone', () => {
    const schedule = { from: '2026-12-20', until: '2026-12-20' };
    expect(isOpen(schedule, '2026-12-19T12:00:00Z', 'Pacific/Auckland')).toBe(true);
    expect(isOpen(schedule, '2026-12-19T10:59:59Z', 'Pacific/Auckland')).toBe(false);
    expect(isOpen(schedule, '2026-12-20T11:00:00Z', 'Pacific/Auckland')).toBe(false);
  });

  test('a day without its first hour begins with the second one', () => {
    // In Beirut the clock jumps from 00:00 to 01:00.
    expect(isOpen({ from: '2026-03-29' }, '2026-03-28T21:59:59Z', 'Asia/Beirut')).toBe(false);
    expect(isOpen({ from: '2026-03-29' }, '2026-03-28T22:00:00Z', 'Asia/Beirut')).toBe(true);
  });

  test('a time is a moment, and the end is excluded', () => {
    const schedule = { from: '2026-12-20T18:00', until: '2026-12-21T09:30' };
    expect(isOpen(schedule, '2026-12-20T17:59:59+01:00')).toBe(false);
    expect(isOpen(schedule, '2026-12-20T18:00:00+01:00')).toBe(true);
    expect(isOpen(schedule, '2026-12-21T09:29:59+01:00')).toBe(true);
    expect(isOpen(schedule, '2026-12-21T09:30:00+01:00')).toBe(false);
  });

  test('a repeated time begins at the second occurrence, and ends at the first', () => {
    // In Berlin 02:30 of this day is 00:30Z and 01:30Z.
    expect(isOpen({ from: '2026-10-25T02:30' }, '2026-10-25T01:29:59Z')).toBe(false);
    expect(isOpen({ from: '2026-10-25T02:30' }, '2026-10-25T01:30:00Z')).toBe(true);
    expect(isOpen({ until: '2026-10-25T02:30' }, '2026-10-25T00:29:59Z')).toBe(true);
    expect(isOpen({ until: '2026-10-25T02:30' }, '2026-10-25T00:30:00Z')).toBe(false);
  });

  test('a skipped time begins after the jump, and ends before it', () => {
    // In Berlin the clock jumps from 02:00 (01:00Z) to 03:00.
    expect(isOpen({ from: '2027-03-28T02:30' }, '2027-03-28T01:29:59Z')).toBe(false);
    expect(isOpen({ from: '2027-03-28T02:30' }, '2027-03-28T01:30:00Z')).toBe(true);
    expect(isOpen({ until: '2027-03-28T02:30' }, '2027-03-28T00:29:59Z')).toBe(true);
    expect(isOpen({ until: '2027-03-28T02:30' }, '2027-03-28T00:30:00Z')).toBe(false);
  });

  test('hides recordings from before the first day if configured', () => {
    const from = at('2026-12-20T00:00:00+01:00');
    expect(scheduleAt({ from: '2026-12-20', history: 'from' }, from, berlin).since).toBe(from);
    expect(scheduleAt({ from: '2026-12-20' }, from, berlin).since).toBeUndefined();
  });
});

describe('hours of each day', () => {
  test.each([
    ['over midnight', '22:00-06:00', ['21:59', false], ['22:00', true], ['05:59', true], ['06:00', false]],
    ['until midnight', '12:00-24:00', ['11:59', false], ['12:00', true], ['23:59', true], ['00:00', false]],
    ['from midnight', '00:00-06:00', ['23:59', false], ['00:00', true], ['05:59', true], ['06:00', false]],
    ['the whole day', '00:00-24:00', ['00:00', true], ['12:00', true], ['23:59', true]],
  ] as const)('%s', (_, hours, ...times) => {
    for (const [time, open] of times) expect(isOpen({ hours }, `2026-12-20T${time}:00+01:00`)).toBe(open);
  });

  // Each: the instants, in order, at which the hours open and close around one clock change.
  test.each<[what: string, hours: string, zone: string, from: string, days: number, turns: string[]]>([
    ['twice, inside the hour', '02:15-02:45', berlin, '2026-10-24T22:00Z', 1, []],
    ['twice, the begin', '02:30-06:00', berlin, '2026-10-24T22:00Z', 1, ['01:30', '05:00']],
    ['twice, the end', '22:00-02:30', berlin, '2026-10-24T12:00Z', 0.75, ['20:00', '00:30']],
    ['twice, around both', '01:00-04:00', berlin, '2026-10-24T22:00Z', 1, ['23:00', '03:00']],
    ['skipped, inside the hour', '02:15-02:45', berlin, '2027-03-27T23:00Z', 1, []],
    ['skipped, the begin', '02:30-06:00', berlin, '2027-03-27T23:00Z', 0.9, ['01:30', '04:00']],
    ['skipped, the end', '01:00-02:30', berlin, '2027-03-27T23:00Z', 0.9, ['00:00', '00:30']],
    [
      'half an hour twice',
      '01:45-03:00',
      'Australia/Lord_Howe',
      '2026-04-04T13:00Z',
      0.9,
      ['15:15', '16:30'],
    ],
    [
      'half an hour skipped',
      '02:15-03:00',
      'Australia/Lord_Howe',
      '2026-10-03T13:30Z',
      0.9,
      ['15:45', '16:00'],
    ],
    [
      'midnight skipped, the begin',
      '00:30-06:00',
      'Asia/Beirut',
      '2026-03-28T12:00Z',
      0.9,
      ['22:30', '03:00'],
    ],
    [
      'midnight skipped, the end of the day',
      '20:00-24:00',
      'Asia/Beirut',
      '2026-03-28T12:00Z',
      0.9,
      ['18:00', '22:00'],
    ],
    [
      'midnight twice, the begin',
      '00:00-06:00',
      'America/Havana',
      '2026-11-01T00:00Z',
      0.9,
      ['05:00', '11:00'],
    ],
    [
      'midnight twice, the end of the day',
      '20:00-24:00',
      'America/Havana',
      '2026-10-31T12:00Z',
      0.9,
      ['00:00', '04:00'],
    ],
    [
      'a day that never was',
      '07:00-19:00',
      'Pacific/Apia',
      '2011-12-29T10:00Z',
      2,
      ['17:00', '05:00', '17:00', '05:00'],
    ],
  ])('%s: %s in %s', (_, hours, zone, from, days, expected) => {
    const turns: string[] = [];
    let open = false;
    for (let minute = 0; minute <= days * 24 * 60; minute += 1) {
      const now = at(from) + minute * 60_000;
      const state = scheduleAt({ hours }, now, zone);
      expect(state.until).toBeGreaterThan(now);
      if (state.isOpen !== open) turns.push(new Date(now).toISOString().slice(11, 16));
      open = state.isOpen;
    }
    expect(turns).toEqual(expected);
  });

  test('open for as long as from and until of the same date do', () => {
    for (const date of ['2026-10-25', '2027-03-28'])
      for (const [begin, end] of [
        ['01:00', '02:30'],
        ['02:15', '02:45'],
        ['02:30', '05:00'],
        ['00:30', '04:00'],
      ] as const) {
        const once = { from: `${date}T${begin}`, until: `${date}T${end}` };
        for (let minute = 0; minute < 25 * 60; minute += 5) {
          const now =
            Temporal.PlainDate.from(date).toZonedDateTime(berlin).epochMilliseconds + minute * 60_000;
          if (now >= at(`${date}T22:00:00Z`)) break;
          expect(
            isOpen({ hours: `${begin}-${end}` }, new Date(now).toISOString()),
            `${date} ${begin}-${end} ${now}`,
          ).toBe(isOpen(once, new Date(now).toISOString()));
        }
      }
  });
});

// Time zones with changes by an hour or half an hour, at midnight too, and one without.
const zones = ['Europe/Berlin', 'Australia/Lord_Howe', 'Asia/Beirut', 'America/Havana', 'Asia/Kolkata'];
const minutes = fc.integer({ min: 0, max: 24 * 60 - 1 });
const clockText = (minute: number) =>
  [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, '0')).join(':');
const hoursRange = fc
  .tuple(minutes, minutes)
  .filter(([begin, end]) => begin !== end)
  .map(([begin, end]) => `${clockText(begin)}-${clockText(end)}`);
// A minute near some of these changes.
const changes = ['2026-10-25', '2027-03-28', '2026-04-05', '2026-10-04', '2026-03-08', '2026-11-01'];
const moments = fc
  .tuple(fc.constantFrom(...changes), fc.integer({ min: -2 * 24 * 60, max: 2 * 24 * 60 }))
  .map(([day, minute]) => at(`${day}T00:00:00Z`) + minute * 60_000);

test('at any minute a role is active only by local time, always away from a clock change, and stays so', () => {
  let changed = 0;
  assertCases(
    fc.property(hoursRange, moments, fc.constantFrom(...zones), (hours, now, zone) => {
      const wall = new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' });
      const [begin = '', end = ''] = hours.split('-');
      const isGood = (moment: number) => {
        const time = wall.format(moment);
        return begin < end ? time >= begin && time < end : time >= begin || time < end;
      };
      const offsetAt = (moment: number) =>
        Temporal.Instant.fromEpochMilliseconds(moment).toZonedDateTimeISO(zone).offsetNanoseconds;
      // A day around it has one offset: local times are unique.
      const isQuiet = (moment: number) =>
        offsetAt(moment - 25 * 3_600_000) === offsetAt(moment + 25 * 3_600_000);
      const { isOpen: open, until } = scheduleAt({ hours }, now, zone);
      // Less than the clock says, never more.
      if (open || isQuiet(now)) expect(isGood(now)).toBe(open);
      expect(until).toBeGreaterThan(now);
      expect(until - now).toBeLessThanOrEqual(50 * 3_600_000);
      // Every five minutes, and the last one: changes are by half hours.
      for (let moment = now; moment < until; moment += 5 * 60_000) {
        if (open || isQuiet(moment)) expect(isGood(moment)).toBe(open);
        expect(scheduleAt({ hours }, moment, zone).isOpen).toBe(open);
      }
      if (scheduleAt({ hours }, until, zone).isOpen !== open) changed += 1;
    }),
    { numRuns: 60 },
  );
  expect(changed).toBeGreaterThan(30);
});

test('rejects invalid dates and hours', () => {
  for (const text of ['2026-12-20', '2026-12-20T18:00', '2028-02-29'])
    expect(isDateTime(text), text).toBe(true);
  for (const text of [
    '2026-02-29',
    '2026-13-01',
    '2026-12-20T24:00',
    '2026-12-20T18',
    '2026-12-20T18:00Z',
    '2026-12-20 18:00',
    '20261220',
    '26-12-20',
    '',
  ])
    expect(isDateTime(text), text).toBe(false);
  for (const text of ['07:00-19:00', '22:00-06:00', '00:00-24:00']) expect(isHours(text), text).toBe(true);
  for (const text of [
    '7:00-19:00',
    '07:00-07:00',
    '24:00-06:00',
    '07:00-25:00',
    '07:00',
    '07:00-19:00-20:00',
  ])
    expect(isHours(text), text).toBe(false);
});

test('a schedule that ends before it begins never opens', () => {
  expect(mayOpen({ from: '2026-12-20', until: '2026-12-20' })).toBe(true);
  expect(mayOpen({ from: '2026-12-20', until: '2026-12-19' })).toBe(false);
  expect(mayOpen({ from: '2026-12-20T18:00', until: '2026-12-20T18:00' })).toBe(false);
  expect(mayOpen({ hours: '07:00-19:00' })).toBe(true);
});

describe('prepared schedules', () => {
  let now = 0;
  const day: Schedule = { hours: '07:00-19:00' };
  test('every schedule is closed while the clock is behind, whatever was computed before', () => {
    let isBehind = false;
    const at = Date.parse('2026-11-27T12:00:00Z');
    const stateOf = prepareSchedules({ now: () => at, isBehind: () => isBehind }, () => berlin);
    for (const schedule of [{ from: '2020-01-01' }, { until: '2099-01-01' }, { hours: '00:00-24:00' }]) {
      expect(stateOf(schedule).isOpen).toBe(true);
      isBehind = true;
      expect(stateOf(schedule)).toMatchObject({ isOpen: false, isClockBehind: true });
      expect(bothStates(stateOf(schedule), { isOpen: true, until: at })).toMatchObject({
        isOpen: false,
        isClockBehind: true,
      });
      isBehind = false;
      expect(stateOf(schedule).isOpen).toBe(true);
    }
  });

  const prepared = () => prepareSchedules({ now: () => now }, () => berlin);

  test('follow the clock, forward and back', () => {
    now = at('2026-12-20T12:00:00+01:00');
    const stateOf = prepared();
    const noon = stateOf(day);
    expect(noon.isOpen).toBe(true);
    // The same object until it changes.
    expect(stateOf(day)).toBe(noon);
    now = noon.until - 1;
    expect(stateOf(day)).toBe(noon);
    now = at('2026-12-20T19:00:00+01:00');
    expect(stateOf(day).isOpen).toBe(false);
    now = at('2026-12-20T18:59:00+01:00');
    expect(stateOf(day).isOpen).toBe(true);
  });

  test('are each asked for themselves', () => {
    now = at('2026-12-20T23:00:00+01:00');
    const stateOf = prepared();
    const schedules = [day, { hours: '22:00-06:00' }, neverOpen, { from: '2026-12-20' }, {}];
    const asked = () => schedules.map((schedule) => stateOf(schedule).isOpen);
    expect(asked()).toEqual([false, true, false, true, true]);
    expect(asked()).toEqual([false, true, false, true, true]);
  });

  test('read the time zone once', () => {
    const zones = ['UTC', berlin];
    now = at('2026-12-20T07:30:00+01:00');
    const stateOf = prepareSchedules({ now: () => now }, () => zones.shift() ?? 'Asia/Tokyo');
    expect(stateOf(day).isOpen).toBe(false);
    expect(stateOf({ ...day }).isOpen).toBe(false);
    expect(zones).toEqual([berlin]);
  });
});

describe('two schedules at once', () => {
  const good = Number.POSITIVE_INFINITY;
  const open = { isOpen: true, until: good };
  const closed = { isOpen: false, until: good };
  test.each<[what: string, one: ScheduleState, other: ScheduleState, both: ScheduleState]>([
    ['both are open', open, open, open],
    ['one is closed', open, closed, closed],
    ['both are closed', closed, closed, closed],
    ['the earlier change comes first', { ...open, until: 5 }, { ...open, until: 3 }, { ...open, until: 3 }],
    ['a closed one changes first', { ...open, until: 5 }, { ...closed, until: 3 }, { ...closed, until: 3 }],
    ['an open one changes first', { ...open, until: 3 }, { ...closed, until: 5 }, { ...closed, until: 3 }],
    ['one hides earlier recordings', { ...open, since: 7 }, open, { ...open, since: 7 }],
    ['both hide them', { ...open, since: 7 }, { ...open, since: 9 }, { ...open, since: 9 }],
    ['from the epoch on', { ...open, since: 0 }, open, { ...open, since: 0 }],
  ])('%s', (_, one, other, both) => {
    expect(bothStates(one, other)).toStrictEqual(both);
    expect(bothStates(other, one)).toStrictEqual(both);
  });
});

describe('the next opening', () => {
  const opening = (schedules: readonly Schedule[], time: string) => {
    const { opens, closedSince } = nextOpening(schedules, at(time), berlin);
    const shown = (moment: number | undefined) => moment && new Date(moment).toISOString();
    return [shown(opens), shown(closedSince)];
  };
  const weekend = { from: '2026-11-27', until: '2026-11-29T22:00' };
  const day = { hours: '07:00-19:00' };

  test.each<
    [
      name: string,
      schedules: readonly Schedule[],
      time: string,
      opens?: string | undefined,
      closedSince?: string,
    ]
  >([
    ['a first day', [weekend], '2026-11-23T12:00:00Z', '2026-11-26T23:00:00.000Z'],
    ['after the last day', [weekend], '2026-12-01T12:00:00Z', undefined, '2026-11-29T21:00:00.000Z'],
    ['open now', [weekend], '2026-11-28T12:00:00Z', '2026-11-28T12:00:00.000Z'],
    ['later today', [day], '2026-11-23T05:00:00Z', '2026-11-23T06:00:00.000Z'],
    ['tomorrow', [day], '2026-11-23T18:30:00Z', '2026-11-24T06:00:00.000Z'],
    [
      'the hours of the first day',
      [{ ...weekend, ...day }],
      '2026-11-23T12:00:00Z',
      '2026-11-27T06:00:00.000Z',
    ],
    // The clock goes back on 25 October.
    ['after the end of summer time', [day], '2026-10-24T18:00:00Z', '2026-10-25T06:00:00.000Z'],
    ['of a role and a token', [weekend, day], '2026-11-23T12:00:00Z', '2026-11-27T06:00:00.000Z'],
    ['of hours that never meet', [day, { hours: '20:00-22:00' }], '2026-11-23T12:00:00Z'],
    ['after the last hours', [{ until: '2026-11-23', ...day }], '2026-11-23T19:00:00Z'],
    ['of what never opens', [neverOpen], '2026-11-23T12:00:00Z'],
    ['of days that are turned round', [{ from: '2026-12-02', until: '2026-12-01' }], '2026-12-05T12:00:00Z'],
  ])('%s', (_, schedules, time, ...expected) => {
    expect(opening(schedules, time)).toEqual([expected[0], expected[1]]);
  });

  test('costs about as much for hours that never meet: anyone may ask who is refused', () => {
    const never = [day, { hours: '20:00-22:00' }];
    const shortest = (work: () => unknown) => {
      const times = Array.from({ length: 30 }, () => {
        const began = performance.now();
        work();
        return performance.now() - began;
      });
      return Math.min(...times);
    };
    const once = shortest(() => never.map((one) => scheduleAt(one, at('2026-11-23T12:00:00Z'), berlin)));
    const all = shortest(() => nextOpening(never, at('2026-11-23T12:00:00Z'), berlin));
    expect(all / once).toBeLessThan(30);
  });

  test('is open, and nothing between now and then is', () => {
    const clock = fc
      .tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '30'))
      .map(([hour, minute]) => `${String(hour).padStart(2, '0')}:${minute}`);
    const hours = fc
      .tuple(clock, clock)
      .map(([begin, end]) => `${begin}-${end}`)
      .filter(isHours);
    const date = fc
      .integer({ min: 0, max: 20 })
      .map((days) => Temporal.PlainDate.from('2026-10-20').add({ days }).toString());
    const schedule = fc.record({ from: date, until: date, hours }, { requiredKeys: [] });
    assertCases(
      fc.property(
        fc.array(schedule, { minLength: 1, maxLength: 2 }),
        fc.integer({ min: 0, max: 480 }),
        (both, hour) => {
          const now = at('2026-10-19T00:00:00Z') + hour * 3_600_000;
          const isOpenAt = (moment: number) => both.every((one) => scheduleAt(one, moment, berlin).isOpen);
          const { opens } = nextOpening(both, now, berlin);
          // Every day after the last date is like the next.
          const until = opens ?? now + 22 * 86_400_000;
          const open: number[] = [];
          for (let moment = now; moment < until; moment += 1_800_000) if (isOpenAt(moment)) open.push(moment);
          expect(open).toEqual([]);
          if (opens !== undefined) expect(isOpenAt(opens)).toBe(true);
        },
      ),
    );
  });
});

const inBerlin = (local: string) =>
  Temporal.PlainDateTime.from(local).toZonedDateTime(berlin).epochMilliseconds;

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
  expect(turnOf(schedule, inBerlin(now), berlin)).toBe(turns && inBerlin(turns));
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
  const start = inBerlin('2026-03-27T00:00');
  assertCases(
    fc.property(schedules, fc.integer({ min: 0, max: 4 * 24 * 60 }), (schedule, minutes) => {
      const now = start + minutes * minute;
      const turn = turnOf(schedule, now, berlin);
      const { isOpen } = scheduleAt(schedule, now, berlin);
      const end = turn ?? now + 3 * 24 * 60 * minute;
      const moments = Array.from({ length: 200 }, (_unused, i) => now + ((end - now) * i) / 200);
      expect(
        moments.filter((moment) => scheduleAt(schedule, Math.floor(moment), berlin).isOpen !== isOpen),
      ).toEqual([]);
      if (turn !== undefined) expect(scheduleAt(schedule, turn, berlin).isOpen).toBe(!isOpen);
    }),
    { numRuns: 60 },
  );
});

describe('a schedule that is no wider than another', () => {
  const may = { from: '2026-05-01', until: '2026-05-31', hours: '08:00-17:00', history: 'from' } as const;
  test.each<[next: Schedule | undefined, previous: Schedule | undefined, isNoWider: boolean]>([
    [undefined, undefined, true],
    [may, undefined, true],
    [undefined, may, false],
    [may, may, true],
    [{ ...may, from: '2026-05-02' }, may, true],
    [{ ...may, from: '2026-05-01T12:00' }, may, true],
    [{ ...may, from: '2026-04-30T23:59' }, may, false],
    [{ ...may, until: '2026-05-31T23:59' }, may, true],
    [{ ...may, until: '2026-06-01T00:01' }, may, false],
    [{ ...may, hours: undefined }, may, false],
    // Narrower hours too: in doubt.
    [{ ...may, hours: '09:00-16:00' }, may, false],
    [{ ...may, history: undefined }, may, false],
    [{ from: may.from, until: may.until, hours: may.hours }, { hours: may.hours }, true],
    [may, neverOpen, false],
    [neverOpen, {}, true],
  ])('%j within %j: %s', (next, previous, expected) => {
    expect(isNoWider(next, previous)).toBe(expected);
  });
});
