import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createTextCache } from '../../src/text-cache.ts';
import { assertCases } from '../support/assert-cases.ts';

describe('a cache of texts', () => {
  test('finds the value of the very same text, whatever else was asked or kept', () => {
    const text = fc.oneof(fc.string({ maxLength: 6 }), fc.string({ minLength: 200, maxLength: 300 }));
    assertCases(
      fc.property(fc.array(text, { minLength: 1, maxLength: 30 }), (texts) => {
        const cache = createTextCache<string>(1_000_000);
        for (const kept of texts) cache.set(kept, kept, 1, kept.slice(0, 3));
        for (const asked of [...texts, ...texts.map((kept) => `${kept}x`)]) {
          const found = cache.get(asked, asked.slice(0, 3));
          expect([undefined, asked]).toContain(found);
        }
      }),
    );
  });

  test('tells texts apart that differ where it does not look', () => {
    const cache = createTextCache<string>(1_000_000);
    const long = (middle: string) => `${'a'.repeat(5_001)}${middle}${'a'.repeat(5_000)}`;
    cache.set(long('b'), 'b', 1);
    expect(cache.get(long('c'))).toBeUndefined();
    expect(cache.get(long('b'))).toBe('b');
    cache.set(long('c'), 'c', 1);
    // The two have one place.
    expect(cache.get(long('b'))).toBeUndefined();
    expect(cache.get(long('c'))).toBe('c');
  });

  test('looks at the whole of a salient part', () => {
    const cache = createTextCache<string>(10_000_000);
    const names = Array.from({ length: 1_000 }, (_, i) => `/api/events/${i}/thumbnail.jpg`);
    const text = (name: string) => `${'a'.repeat(500)}${name}${'a'.repeat(500)}`;
    for (const name of names) cache.set(text(name), name, 1, name);
    const found = names.filter((name) => cache.get(text(name), name) === name);
    expect(found).toEqual(names);
  });

  test('takes no more than its bytes: what was used least recently gives way', () => {
    const cache = createTextCache<number>(100);
    for (const text of ['a', 'b', 'c', 'd']) cache.set(text, 1, 24);
    cache.get('a');
    expect(cache.isFullFor('e', 24)).toBe(true);
    cache.set('e', 1, 24);
    expect(['a', 'b', 'c', 'd', 'e'].filter((text) => cache.get(text) !== undefined)).toEqual([
      'a',
      'c',
      'd',
      'e',
    ]);
  });

  test('is empty after it was cleared', () => {
    const cache = createTextCache<number>(100);
    cache.set('a', 1, 1);
    cache.clear();
    expect(cache.get('a')).toBeUndefined();
    expect(cache.isFullFor('a', 99)).toBe(false);
  });
});
