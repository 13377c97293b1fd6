import { describe, expect, test } from 'vitest';
import {
  arranged,
  densityOf,
  groupsToChoose,
  hasLargeFirst,
  wallClass,
  offlineGroup,
} from '../../../../../src/web/ui/wall/arrange.ts';

const all = {
  cameras: ['side_gate', 'front', 'garage', 'yard'],
  groups: [
    { name: 'outside', cameras: ['side_gate', 'front', 'yard'] },
    { name: 'inside', cameras: ['garage'] },
  ],
  offline: new Set(['yard', 'of_another_user']),
  nameOf: (camera: string) => (camera === 'garage' ? 'Workshop' : camera.replace('_', ' ')),
};

describe('the wall shows', () => {
  test.each<[what: string, group: string | undefined, search: string, shown: string[]]>([
    ['all, offline first', undefined, '', ['yard', 'side_gate', 'front', 'garage']],
    ['a group', 'outside', '', ['yard', 'side_gate', 'front']],
    ['what is offline', offlineGroup, '', ['yard']],
    ['all for a group that is gone', 'attic', '', ['yard', 'side_gate', 'front', 'garage']],
    ['a camera by its name', undefined, 'WORK', ['garage']],
    ['a camera by what the recorder calls it', undefined, 'garage', ['garage']],
    ['nothing that is not in the group', 'inside', 'front', []],
  ])('%s', (_, group, search, shown) => {
    expect(arranged(all, { group, search, first: all.offline })).toEqual(shown);
  });

  test('a camera that goes offline in its place, until the wall is arranged again', () => {
    const natural = ['side_gate', 'front', 'garage', 'yard'];
    expect(arranged(all, { group: undefined, search: '', first: new Set() })).toEqual(natural);
    expect(arranged(all, { group: offlineGroup, search: '', first: new Set() })).toEqual(['yard']);
  });
});

test('offline cameras are a choice only while there are some', () => {
  const names = (offline: ReadonlySet<string>) => groupsToChoose({ ...all, offline }).map(({ name }) => name);
  expect(names(all.offline)).toEqual([offlineGroup, 'outside', 'inside']);
  expect(names(new Set(['of_another_user']))).toEqual(['outside', 'inside']);
});

test.each([
  [5, undefined, 'medium'],
  [8, undefined, 'medium'],
  [9, undefined, 'small'],
  [40, 'large', 'large'],
  [5, 'huge', 'medium'],
])('%i cameras with %s kept are %s', (cameras, kept, density) => {
  expect(densityOf(cameras, kept)).toBe(density);
});

test.each([
  [2, 'medium', false],
  [3, 'medium', true],
  [5, 'medium', true],
  [6, 'medium', false],
  [5, 'small', false],
  [5, 'large', false],
] as const)('%i %s pictures have a large one: %s', (cameras, density, expected) => {
  expect(hasLargeFirst(cameras, density)).toBe(expected);
  expect(wallClass(cameras, density)).toBe(
    expected ? `wall ${density} first-of-${cameras}` : `wall ${density}`,
  );
});
