import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Profile } from '../../../../src/web/api-client.ts';
import {
  addressQuery,
  apiQuery,
  noSearch,
  searchIn,
  secondsOf,
  type EventSearch,
} from '../../../../src/web/ui/explore-search.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const queryOf = (address: string) => Object.fromEntries(new URLSearchParams(address));

test.each<[address: string, search: Partial<EventSearch>]>([
  ['', {}],
  ['?cameras=garage,front_door', { cameras: ['garage', 'front_door'] }],
  ['?cameras=garage,,%20garage', { cameras: ['garage'] }],
  ['?camera=garage&label=dog', { cameras: ['garage'], labels: ['dog'] }],
  ['?labels=dog,cat', { labels: ['dog', 'cat'] }],
  ['?after=2026-11-01&before=2026-11-02T14:05', { after: '2026-11-01', before: '2026-11-02T14:05' }],
  ['?after=yesterday&before=2026-06-31', {}],
  // Addresses of version 1 may have event ids.
  ['?ids=a,b&cameras=garage', { cameras: ['garage'] }],
])('the address %s', (address, search) => {
  expect(searchIn(queryOf(address))).toEqual({ ...noSearch, ...search });
});

test('an address holds any search', () => {
  const name = fc.stringMatching(/^[^,\s][^,]{0,8}[^,\s]$/).filter((text) => text.isWellFormed());
  const moment = fc.constantFrom('', '2026-11-01', '2026-03-29T02:30', '1999-12-31T23:59');
  const search = fc.record({
    cameras: fc.uniqueArray(name, { maxLength: 4 }),
    labels: fc.uniqueArray(name, { maxLength: 4 }),
    after: moment,
    before: moment,
  });
  assertCases(
    fc.property(search, (wanted) => {
      expect(searchIn(queryOf(addressQuery(wanted)))).toEqual(wanted);
    }),
  );
});

test.each<[text: string, days: number, date: Date | undefined]>([
  ['2026-11-01', 0, new Date(2026, 10, 1)],
  ['2026-11-01', 1, new Date(2026, 10, 2)],
  ['2026-12-31', 1, new Date(2027, 0, 1)],
  // In much of the world, the clocks change in between.
  ['2026-10-25', 1, new Date(2026, 9, 26)],
  ['2026-11-01T14:05', 0, new Date(2026, 10, 1, 14, 5)],
  ['2026-11-01T14:05', 1, new Date(2026, 10, 1, 14, 5)],
  ['2026-11-01T24:00', 0, undefined],
  ['2026-02-30', 0, undefined],
  ['2026-13-01', 0, undefined],
  ['', 0, undefined],
  ['now', 0, undefined],
])('the moment %s, and %i days', (text, days, date) => {
  expect(secondsOf(text, days)).toBe(date === undefined ? undefined : date.getTime() / 1000);
});

const profile = (role: string, ...cameras: string[]) =>
  ({ username: 'anna', role, allowed_cameras: cameras, may: [] }) satisfies Profile;

test.each<[search: Partial<EventSearch>, who: Profile, query: Record<string, string> | undefined]>([
  [{}, profile('family', 'a', 'b'), { limit: '24', cameras: 'a,b' }],
  [{ cameras: ['b', 'c'] }, profile('family', 'a', 'b'), { limit: '24', cameras: 'b,c' }],
  [{ labels: ['dog', 'cat'] }, profile('admin'), { limit: '24', labels: 'dog,cat' }],
  [{}, profile('family'), undefined],
  [{}, profile('viewer'), { limit: '24' }],
])('%j asks the API for the cameras of %j', (search, who, query) => {
  expect(apiQuery({ ...noSearch, ...search }, who, 24)).toEqual(query);
});

test('a day is queried from its first moment to its last', () => {
  const query = apiQuery({ ...noSearch, after: '2026-11-01', before: '2026-11-01' }, profile('admin'), 24);
  const first = new Date(2026, 10, 1).getTime() / 1000;
  const next = new Date(2026, 10, 2).getTime() / 1000;
  // The API excludes both ends.
  expect(Number(query?.['after'])).toBeLessThan(first);
  expect(Number(query?.['after'])).toBeGreaterThan(first - 1);
  expect(Number(query?.['before'])).toBe(next);
});
