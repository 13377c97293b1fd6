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
  user: 'anna',
  role: 'family',
  source: 'session',
  session: null,
  resource: { path: '/api/driveway', cameras: ['driveway'] },
  since: 1_000_000,
  address: '192.0.2.7',
  ...changes,
});

describe('the text of an open stream', () => {
  test.each([
    ['/live/mse/api/ws', ['driveway'], 'watching Driveway'],
    ['/live/jsmpeg/birdseye', [], 'watching all cameras'],
    ['/api/front_door', ['front_door'], 'watching Front door'],
    ['/api/go2rtc/stream.mp4', ['driveway'], 'watching Driveway'],
    ['/live/mse/api/ws', [], 'watching live pictures'],
    ['/vod/event/17.5-a/master.m3u8', [], 'playing a recording'],
    ['/api/birdseye', [], 'watching all cameras'],
    ['/vod/driveway/start/1/end/2/master.m3u8', ['driveway'], 'playing a recording of Driveway'],
    ['/api/vod/event/17.5-a', ['driveway'], 'playing a recording of Driveway'],
    ['/api/driveway/start/1/end/2/clip.mp4', ['driveway'], 'playing a recording of Driveway'],
    ['/api/events/17.5-a/clip.mp4', ['driveway'], 'playing a recording of Driveway'],
    ['/exports/a.mp4', ['driveway', 'garden'], 'playing a recording of Driveway and Garden'],
    ['/postern/share/abc/media/vod/event/17.5-a/seg-1.ts', ['driveway'], 'playing a recording of Driveway'],
    ['/api/reviews', ['driveway'], 'loading /api/reviews'],
    ['/api/driveway/latest.jpg', ['driveway'], 'loading /api/driveway/latest.jpg'],
  ])('%s of %j: %s', (path, cameras, says) => {
    expect(doingText(stream({ resource: { path, cameras } }))).toBe(says);
  });

  test('on the recorder’s own WebSocket are its updates', () => {
    const updates = stream({ kind: 'websocket', resource: { path: '/ws', cameras: [] } });
    expect(doingText(updates)).toBe('receiving updates of the recorder');
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
