import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  around,
  eventAt,
  hoursOf,
  kindOf,
  marksOf,
  pathOf,
  shutParts,
  timeAt,
  withNews,
  xOf,
} from '../../../../../src/web/pages/live/day.ts';
import { boundsOf, dayAfter, dayAt, dayIn } from '../../../../../src/web/ui/days.ts';
import { assertCases } from '../../../../support/assert-cases.ts';
import { recordedEvent } from '../../../../support/recorded-event.ts';

const hour = 3_600;
const at = (text: string) => Date.parse(text) / 1000;
const zones = ['UTC', 'Europe/Berlin', 'America/St_Johns', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
// Clocks skip midnight there, or show it twice.
const oddZones = ['Africa/Cairo', 'Asia/Beirut', 'America/Havana', 'America/Asuncion', 'Pacific/Apia'];
const anyZone = fc.constantFrom(...zones, ...oddZones);
const anyDay = fc
  .integer({ min: 1, max: 24_000 })
  .map((days) => new Date(days * 86_400_000).toISOString().slice(0, 10));

describe('a day of the house', () => {
  test.each<[day: string, zone: string, begin: string, hours: number]>([
    ['2026-11-28', 'UTC', '2026-11-28T00:00Z', 24],
    ['2026-11-28', 'Europe/Berlin', '2026-11-27T23:00Z', 24],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00Z', 23],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00Z', 25],
    ['2026-04-05', 'Australia/Lord_Howe', '2026-04-04T13:00Z', 24.5],
    // Midnight is skipped: the day begins at one.
    ['2026-04-24', 'Africa/Cairo', '2026-04-23T22:00Z', 23],
    // The day before ends an hour late.
    ['2026-10-30', 'Africa/Cairo', '2026-10-29T22:00Z', 24],
    ['2026-10-29', 'Africa/Cairo', '2026-10-28T21:00Z', 25],
  ])('%s in %s begins at %s and has %d hours', (day, zone, begin, hours) => {
    const bounds = boundsOf(day, zone);
    expect(bounds.begin).toBe(at(begin));
    expect((bounds.end - bounds.begin) / hour).toBe(hours);
  });

  test('is as the standard has it, in any zone', () => {
    assertCases(
      fc.property(anyDay, anyZone, (day, zone) => {
        const plain = Temporal.PlainDate.from(day);
        const begin = plain.toZonedDateTime(zone).epochMilliseconds / 1000;
        const end = plain.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds / 1000;
        expect(boundsOf(day, zone)).toEqual({ begin, end });
        expect(dayAfter(day, 1)).toBe(plain.add({ days: 1 }).toString());
        expect(dayAfter(day, -1)).toBe(plain.subtract({ days: 1 }).toString());
        if (begin === end) return;
        expect([dayAt(begin, zone), dayAt(end - 1, zone)]).toEqual([day, day]);
      }),
    );
  });

  test.each<[day: string, hours: number[]]>([
    ['2026-11-28', Array.from({ length: 24 }, (_, i) => i)],
    ['2026-03-29', [0, 1, ...Array.from({ length: 21 }, (_, i) => i + 3)]],
    ['2026-10-25', [0, 1, 2, ...Array.from({ length: 22 }, (_, i) => i + 2)]],
  ])('has the hours that clocks show: %s', (day, hours) => {
    const found = hoursOf(boundsOf(day, 'Europe/Berlin'), 'Europe/Berlin');
    expect(found.map(({ hour: shown }) => shown)).toEqual(hours);
    expect(new Set(found.map(({ at: moment }) => moment)).size).toBe(hours.length);
  });

  test.each<[written: string | undefined, day: string]>([
    [undefined, '2026-11-28'],
    ['2026-11-27', '2026-11-27'],
    ['2026-11-28', '2026-11-28'],
    ['2026-11-29', '2026-11-28'],
    ['9999-01-01', '2026-11-28'],
    ['2026-02-30', '2026-11-28'],
    ['2026-2-3', '2026-11-28'],
    ['1969-12-31', '2026-11-28'],
    ['0000-00-00', '2026-11-28'],
    ['', '2026-11-28'],
    ['2026-11-27T10:00', '2026-11-28'],
  ])('in an address: %j is %s', (written, day) => expect(dayIn(written, '2026-11-28')).toBe(day));

  test('in an address is always a day that has begun', () => {
    const text = fc.oneof(fc.string(), anyDay, fc.stringMatching(/^\d{4}-\d\d-\d\d$/));
    assertCases(
      fc.property(text, anyDay, (written, today) => {
        const day = dayIn(written, today);
        expect(Temporal.PlainDate.from(day).toString()).toBe(day);
        expect(day <= today).toBe(true);
      }),
    );
  });
});

test.each([
  ['person', 'person'],
  ['car', 'vehicle'],
  ['School bus', 'vehicle'],
  ['Dog', 'animal'],
  ['package', 'other'],
  ['constructor', 'other'],
  ['', 'other'],
])('the lane of %j: %s', (label, kind) => expect(kindOf(label)).toBe(kind));

describe('marks', () => {
  const scale = { begin: 0, end: 86_400, width: 864 };
  const times = (start: number, end: number | null = start) => ({ start_time: start, end_time: end });

  test('are as long as their events, and wide enough to see', () => {
    const events = [times(50_000, 50_500), times(10_000, 10_001)];
    expect(marksOf(events, scale, 5, 86_400)).toEqual([
      [100, 105],
      [500, 505],
    ]);
    expect(marksOf([times(10_000, 20_000)], scale, 5, 86_400)).toEqual([[100, 200]]);
    expect(pathOf([[100, 105]], 4, 14)).toBe('M100.0 4h5.0v14H100.0z');
  });

  test('of an event that still runs reaches to now; of one whose end was never written, not', () => {
    expect(marksOf([times(10_000, null)], scale, 5, 12_000)).toEqual([[100, 120]]);
    expect(marksOf([times(10_000, null)], scale, 5, 40_000)).toEqual([[100, 105]]);
  });

  test('lie within the day, in order, apart, and cover every event', () => {
    const anyEvent = fc.tuple(fc.integer({ min: 0, max: 86_399 }), fc.integer({ min: 0, max: 100_000 }));
    assertCases(
      fc.property(fc.array(anyEvent, { minLength: 1, maxLength: 300 }), (some) => {
        const events = some.map(([start, length]) => times(start, start + length));
        const marks = marksOf(events, scale, 5, 86_400);
        for (const [from, to] of marks) expect(0 <= from && to - from > 4.999 && to <= 864).toBe(true);
        for (const [place, [from]] of marks.entries())
          expect(place === 0 || from > (marks[place - 1]?.[1] ?? 0)).toBe(true);
        for (const event of events) {
          const x = Math.min(xOf(event.start_time, scale), scale.width - 5);
          expect(marks.some(([from, to]) => from <= x && x <= to)).toBe(true);
        }
      }),
    );
  });

  test('a place and its time lead to each other', () => {
    assertCases(
      fc.property(fc.integer({ min: 0, max: 86_400 }), (moment) => {
        expect(timeAt(xOf(moment, scale), scale)).toBeCloseTo(moment, 6);
      }),
    );
    expect(timeAt(-20, scale)).toBe(0);
    expect(timeAt(2_000, scale)).toBe(86_400);
  });
});

describe('what is hatched', () => {
  const day = { begin: 0, end: 86_400 };
  const shared = { ...day, history: true, since: undefined, now: 200_000 };
  const shut = (from: number, to: number) => ({ from, to, why: 'not-shared' });
  const ahead = (from: number) => ({ from, to: 86_400, why: 'to-come' });

  test.each<[what: string, changes: object, parts: object[]]>([
    ['nothing of a past day', {}, []],
    ['the rest of today', { now: 50_000 }, [ahead(50_000)]],
    ['all without recordings', { history: false, now: 50_000 }, [shut(0, 86_400)]],
    ['before the moment since when it is shared', { since: 64_800 }, [shut(0, 64_800)]],
    ['both', { since: 30_000, now: 50_000 }, [shut(0, 30_000), ahead(50_000)]],
    ['nothing of a day after that moment', { since: -10 }, []],
    ['all of a day before it', { since: 90_000 }, [shut(0, 86_400)]],
    [
      'once what is not shared is to come too',
      { since: 60_000, now: 50_000 },
      [shut(0, 60_000), ahead(60_000)],
    ],
  ])('%s', (_, changes, parts) => expect(shutParts({ ...shared, ...changes })).toEqual(parts));
});

describe('the event at a moment', () => {
  const event = (id: string, start: number, end: number) =>
    recordedEvent({ id, start_time: start, end_time: end });
  const events = [event('c', 300, 310), event('b', 105, 140), event('a', 100, 120)];
  const found = (moment: number, slack = 5) => eventAt(events, moment, slack, 1_000)?.id;

  test('is one that was happening, the newest of several, else the nearest', () => {
    expect([found(110), found(102), found(130), found(143), found(97)]).toEqual(['b', 'a', 'b', 'b', 'a']);
    expect([found(200), found(294), found(295)]).toEqual([undefined, undefined, 'c']);
  });

  test('and those beside it', () => {
    const ids = (moment: number) => {
      const { before, after } = around(events, moment);
      return [before?.id, after?.id];
    };
    expect(ids(200)).toEqual(['b', 'c']);
    expect(ids(50)).toEqual([undefined, 'a']);
    expect(ids(105)).toEqual(['a', 'c']);
    expect(ids(400)).toEqual(['c', undefined]);
  });
});

describe('news of a day', () => {
  const event = (id: string, start_time: number, end_time: number | null = start_time + 5) =>
    recordedEvent({ id, start_time, end_time });
  const shown = [event('c', 300, null), event('b', 200), event('a', 100)];

  test('come first, and replace what was known before', () => {
    const ended = event('c', 300, 320);
    const news = withNews(shown, [event('d', 400), ended], 20);
    expect(news).toEqual([event('d', 400), ended, shown[1], shown[2]]);
    // An older event that was written late has its place.
    expect(withNews(shown, [event('late', 150)], 20)?.map(({ id }) => id)).toEqual(['c', 'b', 'late', 'a']);
  });

  test('leave the list as it is when there are none', () => {
    expect(withNews(shown, [event('c', 300, null), event('b', 200)], 20)).toBe(shown);
    expect(withNews([], [], 20)).toEqual([]);
  });

  test('that may not be all of them are no list', () => {
    expect(withNews(shown, [event('f', 600), event('e', 500)], 2)).toBeUndefined();
    expect(withNews(shown, [event('f', 600), event('c', 300, null)], 2)).toHaveLength(4);
  });
});
