import { expect, test } from 'vitest';
import type { Watched } from '../../../../../src/web/api-client.ts';
import { visitsOf } from '../../../../../src/web/pages/watched/visits.ts';

const noon = 1_800_000_000;
let ids = 0;
const stretch = (camera: string, from: number, to: number, changes: Partial<Watched> = {}): Watched => ({
  id: `w${(ids += 1)}`,
  user: 'anna',
  source: 'session',
  by: 'phone',
  address: '192.0.2.7',
  camera,
  kind: 'live',
  from: noon + from,
  to: noon + to,
  footage: null,
  ...changes,
});
/** As the gate lists them. */
const listed = (...all: readonly Watched[]) => visitsOf(all.toSorted((one, other) => other.from - one.from));
const brief = (...all: readonly Watched[]) =>
  listed(...all).map(({ user, cameras, from, to }) => [user, cameras, from - noon, to - noon]);

test('Home with five cameras is one visit', () => {
  const cameras = ['porch', 'garage', 'attic', 'yard', 'street'];
  expect(brief(...cameras.map((camera, at) => stretch(camera, at, 90)))).toEqual([['anna', cameras, 0, 90]]);
});

test('so is a camera that is watched live, and then its recordings', () => {
  const recorded = { kind: 'recorded', footage: { from: noon - 900, to: noon - 600 } } as const;
  const [visit, ...others] = listed(
    stretch('porch', 0, 60),
    stretch('porch', 70, 130, recorded),
    stretch('porch', 140, 200),
  );
  expect(others).toEqual([]);
  expect(visit?.stretches.map(({ kind }) => kind)).toEqual(['live', 'recorded', 'live']);
  expect([visit?.from, visit?.to]).toEqual([noon, noon + 200]);
});

test('a pause of five minutes ends no visit, and a longer one does', () => {
  expect(brief(stretch('porch', 0, 60), stretch('garage', 360, 400))).toEqual([
    ['anna', ['porch', 'garage'], 0, 400],
  ]);
  expect(brief(stretch('porch', 0, 60), stretch('garage', 361, 400))).toEqual([
    ['anna', ['garage'], 361, 400],
    ['anna', ['porch'], 0, 60],
  ]);
});

test('a long stretch bridges the pause between two short ones', () => {
  const all = [stretch('porch', 0, 4_000), stretch('garage', 10, 20), stretch('garage', 3_900, 3_950)];
  expect(brief(...all)).toEqual([['anna', ['porch', 'garage'], 0, 4_000]]);
});

test('two people, two devices, a screen and a share are visits of their own, whatever is between them', () => {
  const all = [
    stretch('porch', 0, 60),
    stretch('porch', 10, 60, { user: 'olaf', by: 'desk' }),
    stretch('porch', 20, 60, { by: 'tablet' }),
    stretch('porch', 30, 60, { source: 'display', by: 'hall' }),
    stretch('porch', 40, 60, { user: 'share:x', source: 'share', by: 'x' }),
    stretch('garage', 70, 80),
  ];
  expect(brief(...all).map(([user, cameras]) => [user, cameras])).toEqual([
    ['anna', ['porch', 'garage']],
    ['share:x', ['porch']],
    ['anna', ['porch']],
    ['anna', ['porch']],
    ['olaf', ['porch']],
  ]);
});

test('a session that changes its address goes on; without a session the address tells visits apart', () => {
  const moved = listed(stretch('porch', 0, 60), stretch('porch', 70, 90, { address: '198.51.100.2' }));
  expect(moved.map(({ addresses }) => addresses)).toEqual([['192.0.2.7', '198.51.100.2']]);
  const nameless = { by: null, source: 'internal' };
  expect(
    listed(
      stretch('porch', 0, 60, nameless),
      stretch('porch', 70, 90, { ...nameless, address: '198.51.100.2' }),
    ),
  ).toHaveLength(2);
});

test('the next page goes on with a visit, and its row stays the same one', () => {
  const all = Array.from({ length: 6 }, (_, at) => stretch('porch', 100 - at * 10, 105 - at * 10));
  const [first] = visitsOf(all.slice(0, 3));
  const [both, ...others] = visitsOf(all);
  expect(others).toEqual([]);
  expect(both?.key).toBe(first?.key);
  expect(both?.from).toBe(noon + 50);
});
