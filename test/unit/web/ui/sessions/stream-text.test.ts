import { describe, expect, test } from 'vitest';
import { type OpenStream } from '../../../../../src/web/ui/sessions/streams-api.ts';
import {
  lasting,
  doingText,
  matchesSearch,
  sinceText,
  deviceOf,
  watchersOf,
} from '../../../../../src/web/ui/sessions/stream-text.ts';

const stream = (changes: Partial<OpenStream> = {}): OpenStream => ({
  id: 'a',
  kind: 'answer',
  page: 'live',
  user: 'anna',
  role: 'family',
  source: 'session',
  session: null,
  resource: { path: '/api/driveway', cameras: ['driveway'] },
  since: 1_000_000,
  own: false,
  address: '192.0.2.7',
  agent: null,
  ...changes,
});

describe('the text of an open stream', () => {
  test.each([
    ['live', '/live/mse/api/ws', ['driveway'], 'watching Driveway'],
    ['live', '/live/jsmpeg/birdseye', [], 'watching all cameras'],
    ['live', '/live/mse/api/ws', [], 'watching live pictures'],
    ['recording', '/vod/event/17.5-a/master.m3u8', [], 'playing a recording'],
    ['recording', '/exports/a.mp4', ['driveway', 'garden'], 'playing a recording of Driveway and Garden'],
    ['other', '/api/reviews', ['driveway'], 'loading /api/reviews'],
    ['updates', '/ws', [], 'getting updates from the recorder'],
  ] as const)('%s, %s of %j: %s', (page, path, cameras, says) => {
    expect(doingText(stream({ page, resource: { path, cameras: [...cameras] } }))).toBe(says);
  });

  test.each([
    ['home', ['driveway', 'garden'], 'watching Driveway and Garden on Home'],
    ['live', ['driveway'], 'watching Driveway'],
    ['other', ['driveway'], 'watching Driveway'],
  ] as const)('of pictures on %s of %j: %s', (page, cameras, says) => {
    const resource = { path: '/api/driveway/latest.jpg', cameras: [...cameras] };
    expect(doingText(stream({ kind: 'pictures', page, resource }))).toBe(says);
  });

  test('since a time of day, and before today since a day', () => {
    expect(sinceText({ since: 1_000_000 }, 1_000_010)).toMatch(/^since \d{1,2}:\d\d/);
    expect(sinceText({ since: 1_000_000 }, 1_000_000 + 86_400)).toMatch(/^since .*1970/);
  });
});

describe('the shown streams', () => {
  const ids = (all: readonly OpenStream[], before: readonly string[], now: number) =>
    lasting(all, new Set(before), now).map(({ id }) => id);

  test('are those that last: no response that has only just begun', () => {
    const all = [stream(), stream({ id: 'b', kind: 'websocket' })];
    expect(ids(all, [], 1_000_001)).toEqual(['b']);
    expect(ids(all, [], 1_000_002)).toEqual(['a', 'b']);
  });

  test("include those open before, if the browser's clock is behind", () => {
    expect(ids([stream()], ['a'], 999_000)).toEqual(['a']);
  });

  test.each([
    ['', true],
    ['ANNA', true],
    ['drive 192.0', true],
    ['anna garden', false],
    ['family', false],
  ])('is found by "%s": %s', (search, found) => {
    expect(matchesSearch(stream(), search)).toBe(found);
  });
});

const opened = (changes: Partial<OpenStream>, cameras: readonly string[] = ['driveway']): OpenStream => ({
  id: 'a',
  kind: 'answer',
  page: 'live',
  user: 'nell',
  role: 'family',
  source: 'session',
  session: 'phone',
  resource: { path: '/api/driveway', cameras: [...cameras] },
  since: 100,
  address: '192.0.2.7',
  agent: null,
  own: false,
  ...changes,
});

test('those who watch are listed once for each session, the oldest first', () => {
  const found = watchersOf([
    opened({ id: 'b', since: 200 }, ['garage', 'driveway']),
    opened({ id: 'a', since: 100 }),
    opened({ id: 'c', since: 50, session: 'tablet' }),
    opened({ id: 'd', since: 300, session: null, source: 'share', user: 'share:x' }),
  ]);
  expect(found.map(({ streams, cameras, since }) => [streams.map(({ id }) => id), cameras, since])).toEqual([
    [['c'], ['driveway'], 50],
    [['a', 'b'], ['driveway', 'garage'], 100],
    [['d'], ['driveway'], 300],
  ]);
});

test('no one is told that they watch themselves, on however many devices', () => {
  const own = [opened({ own: true }), opened({ own: true, id: 'b', session: 'desk' })];
  expect(watchersOf(own)).toEqual([]);
  expect(watchersOf([...own, opened({ id: 'c', user: 'olaf' })])).toHaveLength(1);
});

test.each<[Partial<OpenStream>, boolean]>([
  [{ page: 'updates', kind: 'websocket' }, false],
  [{ page: 'other' }, false],
  [{ page: 'other', kind: 'pictures' }, true],
  [{ page: 'home', kind: 'pictures' }, true],
  [{ page: 'recording' }, true],
])('%o counts as watching: %s', (changes, counts) => {
  expect(watchersOf([opened(changes)])).toHaveLength(counts ? 1 : 0);
});

test.each([
  ['Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) Version/18.0 Mobile Safari/604.1', 'phone'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140 Mobile Safari/537.36', 'phone'],
  ['Mozilla/5.0 (Linux; Android 15) Chrome/140 Safari/537.36', 'tablet'],
  ['Mozilla/5.0 (X11; Linux x86_64) Chrome/140 Safari/537.36', 'computer'],
  ['Mozilla/5.0 (Macintosh; Intel Mac OS X) Safari/605', 'computer'],
  ['curl/8.0', 'program'],
  [null, 'program'],
])('%s is of a %s', (agent, device) => {
  expect(deviceOf(agent)).toBe(device);
});
