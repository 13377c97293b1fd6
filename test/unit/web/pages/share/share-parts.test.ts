import { describe, expect, test } from 'vitest';
import { partsOf, pathOfPart } from '../../../../../src/web/pages/share/share-parts.ts';

describe('a period is played in parts of an hour', () => {
  test.each([
    ['within the period, in whole seconds', 1000.2, 1600.9, [{ start: 1001, end: 1600 }]],
    [
      'the last one is shorter',
      0,
      4000,
      [
        { start: 0, end: 3600 },
        { start: 3600, end: 4000 },
      ],
    ],
    [
      'of whole hours there is none of no length',
      0,
      7200,
      [
        { start: 0, end: 3600 },
        { start: 3600, end: 7200 },
      ],
    ],
    ['nothing before it has begun', 1000, 900, []],
    ['nothing in less than a second', 1000.2, 1000.8, []],
  ])('%s', (_, from, until, parts) => {
    expect(partsOf(from, until)).toEqual(parts);
  });
});

test.each([
  ['x/media/vod/garage/start/1/end/99/master.m3u8', 'x/media/vod/garage/start/10/end/20/master.m3u8'],
  ['x/media/api/garage/start/1/end/99/clip.mp4', 'x/media/api/garage/start/10/end/20/clip.mp4'],
  ['x/media/api/garage/recordings/1/snapshot.jpg', 'x/media/api/garage/recordings/10/snapshot.jpg'],
  ['x/media/api/garage/latest.jpg', 'x/media/api/garage/latest.jpg'],
])('%s has its times replaced', (path, of) => {
  expect(pathOfPart(path, { start: 10, end: 20 })).toBe(of);
});
