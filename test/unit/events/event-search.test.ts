import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  searchEvents,
  searchLimits,
  type EventFilter,
  type FoundEvents,
} from '../../../src/events/event-search.ts';
import { recorderDatabase, type RecorderDatabase } from '../../../src/events/recorder-database.ts';
import { recorderFile, type RecorderFile } from './recorder-file.ts';
import { assertCases } from '../../support/assert-cases.ts';

let file: RecorderFile;
let database: RecorderDatabase;
beforeEach(() => {
  file = recorderFile();
  file.recorder.exec('PRAGMA synchronous = OFF');
  database = recorderDatabase(file.path);
});
afterEach(() => {
  database.close();
  file.remove();
});

interface Event {
  readonly id: string;
  readonly camera: string;
  readonly label: string;
  readonly start_time: number;
}

function add(events: readonly Event[]): void {
  file.recorder.exec('BEGIN');
  for (const event of events) file.addEvent({ ...event });
  file.recorder.exec('COMMIT');
}

const everything: EventFilter = {
  cameras: 'all',
  labels: undefined,
  after: undefined,
  before: undefined,
  beforeId: undefined,
  limit: 25,
};

/** Does a search to its end. @returns how many events each slice looked at, too */
function search(changes: Partial<EventFilter>, limits?: typeof searchLimits) {
  const slices: number[] = [];
  let looked = 0;
  const counting: Pick<RecorderDatabase, 'cameras' | 'eventsOfFew' | 'newestEvents'> = {
    cameras: database.cameras,
    eventsOfFew: (cameras, range, most) => {
      looked += most;
      return database.eventsOfFew(cameras, range, most);
    },
    newestEvents: (range, most) => {
      const found = database.newestEvents(range, most);
      looked += found.looked;
      return found;
    },
  };
  const work = searchEvents(counting, { ...everything, ...changes }, limits);
  for (;;) {
    looked = 0;
    const { done, value } = work.next();
    slices.push(looked);
    if (done === true) return { found: value, slices };
  }
}

/** Follows a list to its end, as a client does that continues where it ended. */
function pages(filter: Partial<EventFilter>, limits?: typeof searchLimits): FoundEvents[] {
  const { found } = search(filter, limits);
  if (found.next === undefined) return [found];
  const { before, beforeId } = found.next;
  return [found, ...pages({ ...filter, before: Number(before), beforeId }, limits)];
}

describe('a list that finds nothing, or little, among 5,000 events', () => {
  beforeEach(() => {
    // One each minute. Of `attic` there are 300, and they are the oldest; `rare` is all over the list.
    const camera = (n: number) =>
      n % 1_000 === 0 ? 'rare' : n < 320 ? 'attic' : n % 2 === 0 ? 'front' : 'back';
    add(
      Array.from({ length: 5_000 }, (_, n) => ({
        id: `e${n}`,
        camera: camera(n),
        label: n % 5 === 0 ? 'dog' : 'person',
        start_time: n * 60 + 0.5,
      })),
    );
  });
  const { atOnce, inAll } = searchLimits;

  test.each<[what: string, filter: Partial<EventFilter>]>([
    ['a label that there is not', { labels: ['unicorn'] }],
    [
      'a label that there is not, of some cameras',
      { labels: ['unicorn'], cameras: new Set(['front', 'back']) },
    ],
    ['labels that there are not', { labels: ['unicorn', 'yeti'] }],
    ['after the last event', { after: 5_000 * 60 }],
    ['after the last event, of some cameras', { after: 5_000 * 60, cameras: new Set(['front', 'back']) }],
    ['before the first event', { before: 0 }],
    ['before the first event, of some cameras', { before: 0, cameras: new Set(['front', 'back']) }],
    ['no camera', { cameras: new Set() }],
    ['cameras that there are not', { cameras: new Set(Array.from({ length: 4_000 }, (_, n) => `c${n}`)) }],
  ])('%s: nothing is walked through, and there are no more', (_, filter) => {
    const { found, slices } = search(filter);
    expect(found).toEqual({ ids: [] });
    expect(slices.length).toBeLessThanOrEqual(2);
  });

  test('finds the few events of a camera at once', () => {
    const { found, slices } = search({ cameras: new Set(['rare', 'unknown']) });
    expect(found).toEqual({ ids: ['e4000', 'e3000', 'e2000', 'e1000', 'e0'] });
    expect(slices).toEqual([atOnce]);
  });

  test('ends after a bounded number of events, in slices, with the place to continue', () => {
    const { found, slices } = search({ cameras: new Set(['attic']) });
    const [first, ...walked] = slices;
    expect(first).toBe(atOnce);
    expect(Math.max(...walked)).toBeLessThanOrEqual(atOnce);
    expect(walked.reduce((sum, slice) => sum + slice, 0)).toBe(inAll);
    expect(found).toEqual({ ids: [], next: { before: String((5_000 - inAll + 1) * 60) } });
  });

  test('continues there until everything is found', () => {
    const found = pages({ cameras: new Set(['attic']), limit: 100 });
    expect(found.flatMap(({ ids }) => ids)).toEqual(Array.from({ length: 319 }, (_, n) => `e${319 - n}`));
    expect(found.map(({ ids }) => ids.length)).toEqual([0, 0, 100, 100, 100, 19]);
  });

  test('a full list returns the exact event to continue after', () => {
    const { found } = search({ cameras: new Set(['front']), limit: 2 });
    expect(found).toEqual({ ids: ['e4998', 'e4996'], next: { before: '299760.5', beforeId: 'e4996' } });
  });

  test('for all cameras, reads only the events that it returns', () => {
    for (const filter of [
      {},
      { labels: ['dog'] },
      { before: 60_000 },
      { labels: ['dog'], before: 60_000 },
      { after: 60_000, before: 90_000 },
    ])
      expect(search({ ...filter, limit: 30 }).slices).toEqual([30]);
  });
});

test('for several labels, reads each event once unless its label has more', () => {
  add(
    Array.from({ length: 900 }, (_, n) => ({
      id: `e${n}`,
      camera: 'front',
      label: ['person', 'dog', 'cat'][n % 3] ?? '',
      start_time: n,
    })),
  );
  const { found, slices } = search({ labels: ['person', 'cat'], limit: 30 });
  expect(found.ids).toHaveLength(30);
  expect(slices).toEqual([60]);
});

test.each<Partial<EventFilter>>([
  {},
  { labels: ['person', 'dog'] },
  { after: 1_000 },
  { after: 1_000, labels: ['person', 'dog'] },
])('an early end tells no moment of an event that the client may not see (%j)', (filter) => {
  add(
    Array.from({ length: 400 }, (_, n) => ({
      id: `secret${n}`,
      camera: n < 30 ? 'front' : 'vault',
      label: 'person',
      start_time: 1_000 + n * 7.3,
    })),
  );
  const { found } = search({ ...filter, cameras: new Set(['front']) }, { atOnce: 10, inAll: 50 });
  expect(found.next?.beforeId).toBeUndefined();
  expect(Number(found.next?.before) % 60).toBe(0);
});

test('reads a crowded minute to its end', () => {
  add(
    Array.from({ length: 200 }, (_, n) => ({
      id: `e${n}`,
      camera: n === 20 ? 'front' : 'back',
      label: 'person',
      start_time: 60 + n / 10,
    })),
  );
  file.addEvent({ id: 'old', camera: 'front', start_time: 1 });
  file.addEvent({ id: 'older', camera: 'front', start_time: 0.5 });
  file.addEvent({ id: 'oldest', camera: 'front', start_time: 0.4 });
  const found = pages({ cameras: new Set(['front']) }, { atOnce: 2, inAll: 4 });
  expect(found.flatMap(({ ids }) => ids)).toEqual(['e20', 'old', 'older', 'oldest']);
});

test('lists events without a readable time first', () => {
  add(
    Array.from({ length: 30 }, (_, n) => ({
      id: `e${n}`,
      camera: 'back',
      label: 'person',
      start_time: n * 60,
    })),
  );
  for (const start of ['yesterday', Infinity]) {
    file.addEvent({ id: `bad ${start}`, camera: 'front', start_time: start });
  }
  for (let n = 0; n < 3; n += 1) file.addEvent({ id: `old ${n}`, camera: 'front', start_time: -n });
  const found = pages({ cameras: new Set(['front']) }, { atOnce: 2, inAll: 4 });
  expect(found.flatMap(({ ids }) => ids)).toEqual([
    'bad yesterday',
    'bad Infinity',
    'old 0',
    'old 1',
    'old 2',
  ]);
});

const cameraNames = ['front', 'back', 'attic'];
const labels = ['dog', 'cat', 'fox'];
const moment = fc.oneof(
  fc.integer({ min: 0, max: 8 }).map((minute) => minute * 60),
  fc.integer({ min: 0, max: 2_000 }).map((n) => n / 4),
);

test('pages add up to the result of a plain query, with bounded reads', () => {
  const event = fc.record({
    camera: fc.constantFrom(...cameraNames),
    label: fc.constantFrom(...labels),
    start_time: moment,
  });
  const filter = fc.record({
    cameras: fc.oneof(
      fc.constant('all' as const),
      fc.subarray([...cameraNames, 'unknown']).map((names) => new Set(names)),
    ),
    labels: fc.option(fc.subarray([...labels, 'unknown'], { minLength: 1 }), { nil: undefined }),
    after: fc.option(moment, { nil: undefined }),
    before: fc.option(moment, { nil: undefined }),
    limit: fc.integer({ min: 1, max: 7 }),
  });
  const limits = fc.record({
    atOnce: fc.integer({ min: 1, max: 6 }),
    inAll: fc.integer({ min: 1, max: 12 }),
  });
  assertCases(
    fc.property(fc.array(event, { maxLength: 60 }), filter, limits, (events, wanted, bounds) => {
      file.recorder.exec('DELETE FROM event');
      const all = events.map((made, n) => ({ ...made, id: `e${String(n * 37).padStart(4, '0')}` }));
      add(all);
      const matching = all
        .filter(({ camera }) => wanted.cameras === 'all' || wanted.cameras.has(camera))
        .filter(({ label }) => wanted.labels?.includes(label) ?? true)
        .filter(({ start_time: start }) => wanted.after === undefined || start > wanted.after)
        .filter(({ start_time: start }) => wanted.before === undefined || start < wanted.before)
        .toSorted((a, b) => b.start_time - a.start_time || (a.id < b.id ? 1 : -1));
      const found = pages({ ...wanted, beforeId: undefined }, bounds);
      expect(found.flatMap(({ ids }) => ids)).toEqual(matching.map(({ id }) => id));
      for (const { ids } of found) expect(ids.length).toBeLessThanOrEqual(wanted.limit);

      const busiestMinute = Math.max(
        0,
        ...Map.groupBy(all, ({ start_time: start }) => Math.floor(start / 60))
          .values()
          .map((those) => those.length),
      );
      const { slices } = search({ ...wanted, beforeId: undefined }, bounds);
      // One of each label at least, and what one label has ahead of another is looked at again.
      const ofLabels = wanted.labels?.length ?? 1;
      for (const looked of slices) expect(looked).toBeLessThan(bounds.atOnce + ofLabels);
      const inAll = slices.reduce((sum, looked) => sum + looked, 0);
      expect(inAll).toBeLessThanOrEqual(bounds.inAll + 2 * ofLabels * (busiestMinute + bounds.atOnce));
    }),
    { numRuns: 200 },
  );
});
