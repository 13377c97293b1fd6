import * as fc from 'fast-check';
import { safeParse, type GenericSchema } from 'valibot';
import { describe, expect, test } from 'vitest';
import { lookupQuery, recentQuery } from '../../../src/events/event-query.ts';
import { assertCases } from '../../support/assert-cases.ts';

const thousand = Array.from({ length: 1_000 }, (_, i) => `id${i}`);
const longest = 'x'.repeat(64);

function pathsRefused(schema: GenericSchema, query: unknown): string[] {
  const { issues } = safeParse(schema, query);
  return [...new Set((issues ?? []).map(({ path }) => (path ?? []).map(({ key }) => String(key)).join('.')))];
}

describe('ids and cameras of a look-up', () => {
  test.each<[what: string, query: object, ids: readonly string[], cameras?: readonly string[]]>([
    ['one', { ids: 'a' }, ['a']],
    ['by commas', { ids: 'a,b' }, ['a', 'b']],
    ['by commas and repeated', { ids: ['a,b', 'c'] }, ['a', 'b', 'c']],
    ['with white space and empty parts', { ids: ' a , b\t,, ' }, ['a', 'b']],
    ['duplicates', { ids: ['b,a', 'a', 'b'] }, ['b', 'a']],
    ['64 characters', { ids: longest }, [longest]],
    ['64 characters of four bytes', { ids: '😀'.repeat(64) }, ['😀'.repeat(64)]],
    ['a thousand', { ids: thousand.join(',') }, thousand],
    ['a thousand and a duplicate', { ids: [...thousand, 'id0'] }, thousand],
    ['cameras', { ids: 'a', cameras: 'front, back' }, ['a'], ['front', 'back']],
    ['cameras repeated', { ids: 'a', cameras: ['front', 'front,back'] }, ['a'], ['front', 'back']],
    ['no camera is no filter', { ids: 'a', cameras: '' }, ['a']],
    ['nor are commas', { ids: 'a', cameras: ' , ' }, ['a']],
    ['other parameters are left behind', { ids: 'a', timezone: 'utc' }, ['a']],
  ])('%s', (_, query, ids, cameras) => {
    expect(safeParse(lookupQuery, query)).toMatchObject({ success: true });
    expect(safeParse(lookupQuery, query).output).toEqual({ ids, cameras });
  });

  test.each<[what: string, query: object]>([
    ['no ids', {}],
    ['empty ids', { ids: '' }],
    ['only commas', { ids: [',', ' , '] }],
    ['1,001 ids', { ids: [...thousand, 'one'] }],
    ['an id of 65 characters', { ids: `a,${longest}x` }],
  ])('%s', (_, query) => {
    const [path, ...others] = pathsRefused(lookupQuery, query);
    expect(path).toMatch(/^ids(\.\d+)?$/);
    expect(others).toEqual([]);
  });

  test('the ids keep the order of their first mention', () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd ', ' e', '');
    const anyLists = fc
      .array(fc.array(id, { minLength: 1 }), { minLength: 1 })
      .filter((lists) => lists.flat().some((text) => text !== ''));
    assertCases(
      fc.property(anyLists, (lists) => {
        const expected = [...new Set(lists.flat().map((text) => text.trim()))].filter((text) => text !== '');
        const result = safeParse(lookupQuery, { ids: lists.map((list) => list.join(',')) });
        expect(result.output).toMatchObject({ ids: expected });
      }),
    );
  });
});

describe('the filter of recent events', () => {
  test.each<[query: object, filter: object]>([
    [{}, { limit: 25 }],
    [{ limit: '1' }, { limit: 1 }],
    [{ limit: '100' }, { limit: 100 }],
    [{ before: '1793000276.376447' }, { before: 1793000276.376447 }],
    [{ before: '-1' }, { before: -1 }],
    [{ label: 'person' }, { labels: ['person'] }],
    [{ label: 'a,b' }, { labels: ['a,b'] }],
    [{ label: 'all' }, { labels: undefined }],
    [{ labels: 'person, dog,person' }, { labels: ['person', 'dog'] }],
    [{ labels: ['person', 'dog'] }, { labels: ['person', 'dog'] }],
    [{ labels: 'person', label: 'dog' }, { labels: ['person'] }],
    [{ labels: 'all', label: 'dog' }, { labels: ['dog'] }],
    [{ labels: 'dog,all' }, { labels: undefined }],
    [{ labels: '' }, { labels: undefined }],
    [
      { after: '1793000276.5', before: '1e9' },
      { after: 1793000276.5, before: 1e9 },
    ],
    [{ cameras: ['front', 'back'] }, { cameras: ['front', 'back'] }],
  ])('%j', (query, filter) => {
    expect(safeParse(recentQuery, query)).toMatchObject({ success: true, output: filter });
  });

  test.each<[path: string, query: object]>([
    ['limit', { limit: '0' }],
    ['limit', { limit: '101' }],
    ['limit', { limit: '-1' }],
    ['limit', { limit: '2.5' }],
    ['limit', { limit: '' }],
    ['limit', { limit: 'all' }],
    ['limit', { limit: '1e1' }],
    ['limit', { limit: ['1', '2'] }],
    ['before', { before: 'now' }],
    ['after', { after: 'yesterday' }],
    ['after', { after: ['1', '2'] }],
    ['labels', { labels: thousand.slice(0, 101).join(',') }],
    ['before', { before: 'NaN' }],
    ['before', { before: '0x10' }],
    ['before', { before: '' }],
    ['before_id', { before_id: ['a', 'b'] }],
    ['label', { label: ['a', 'b'] }],
  ])('not %s: %j', (path, query) => {
    expect(pathsRefused(recentQuery, query)).toEqual([path]);
  });
});

test('answers any query', () => {
  const value = fc.oneof(fc.string(), fc.array(fc.string()), fc.constantFrom(',', ' ', '1', '9'.repeat(400)));
  const query = fc.dictionary(
    fc.constantFrom('ids', 'cameras', 'label', 'labels', 'after', 'before', 'limit', '__proto__'),
    value,
  );
  assertCases(
    fc.property(query, (sent) => {
      expect(typeof safeParse(recentQuery, sent).success).toBe('boolean');
      expect(typeof safeParse(lookupQuery, sent).success).toBe('boolean');
    }),
  );
});
