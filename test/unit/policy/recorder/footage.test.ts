import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { footageOf } from '../../../../src/policy/recorder/footage.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const hour = Date.parse('2026-11-24T13:00:00Z') / 1_000;

test.each<[path: string, from: number, to: number]>([
  ['/vod/front_door/start/1700000000/end/1700003600/seg-1-v1.m4s', 1_700_000_000, 1_700_000_010],
  ['/vod/front_door/start/1700000000.5/end/1700003600/seg-7-v1-a1.ts', 1_700_000_060.5, 1_700_000_070.5],
  ['/vod/front_door/start/1700000000/end/1700000015/seg-2-v1.m4s', 1_700_000_010, 1_700_000_015],
  ['/vod/front_door/start/1700000000/end/1700000015/seg-900-v1.m4s', 1_700_000_015, 1_700_000_015],
  ['/api/front_door/start/1700000000/end/1700000100/clip.mp4', 1_700_000_000, 1_700_000_100],
  ['/api/front_door/start/1700000100/end/1700000000/clip.mp4', 1_700_000_100, 1_700_000_100],
  ['/vod/2026-11/24/13/front_door/utc/seg-3-v1.m4s', hour + 20, hour + 30],
  ['/vod/2026-11/24/14/front_door/Europe,Berlin/seg-3-v1.m4s', hour + 20, hour + 30],
  ['/vod/2026-11/24/13/front_door/No,Where/index.mp4', hour, hour + 3_600],
  ['/recordings/2026-11-24/13/front_door/02.30.mp4', hour + 150, hour + 160],
  ['/vod/event/1700000000.123456-abcdef/seg-1-v1.m4s', 1_700_000_000.123456, 1_700_000_000.123456],
  ['/clips/previews/front_door/1700000000.5-1700003600.0.mp4', 1_700_000_000.5, 1_700_000_000.5],
  ['/api/front_door/recordings/1700000000.5/snapshot.jpg', 1_700_000_000.5, 1_700_000_000.5],
])('%s shows the seconds from %d to %d', (path, from, to) => {
  expect(footageOf(path)).toEqual({ from, to });
});

test.each(['', '/', '/vod/front_door', '/exports/a.mp4', '/vod/2026-13/40/13/front_door/utc/index.mp4'])(
  '%j has no time',
  (path) => {
    expect(footageOf(path)).toBeUndefined();
  },
);

test('of any path the end is not before the begin', () => {
  const number = fc.oneof(fc.nat(), fc.integer({ min: 1_000_000_000, max: 2_000_000_000 }));
  assertCases(
    fc.property(number, number, fc.nat(1_000), fc.string(), (start, end, segment, rest) => {
      for (const path of [
        `/vod/a/start/${start}/end/${end}/seg-${segment}-v1.m4s${rest}`,
        `/vod/event/${start}.${end}-${rest}`,
        `/${rest}/${start}`,
      ]) {
        const found = footageOf(path) ?? { from: 0, to: 0 };
        expect(found.from).toBeLessThanOrEqual(found.to);
      }
    }),
  );
});
