import { describe, expect, test } from 'vitest';
import type { OpenStream } from '../../../../../src/web/ui/sessions/streams-api.ts';
import {
  doingText,
  lasting,
  matchesSearch,
  sinceText,
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
