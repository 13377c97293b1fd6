import { expect, test } from 'vitest';
import { boundedCache } from '../../src/bounded-cache.ts';

test('keeps as many entries as it may, and drops what was used least recently', () => {
  const cache = boundedCache<string, number>(3);
  for (const [key, value] of Object.entries({ a: 1, b: 2, c: 3 })) cache.set(key, value);
  expect(cache.get('a')).toBe(1);
  cache.set('c', 4);
  cache.set('d', 5);
  expect(Object.fromEntries(cache.entries())).toEqual({ a: 1, c: 4, d: 5 });
  expect(cache.delete('a')).toBe(true);
  cache.set('e', 6);
  expect(cache.size).toBe(3);
});

test('makes no room before it is filled', () => {
  const cache = boundedCache<string, number>(1_000_000);
  cache.set('a', 1);
  expect([...cache.dump()]).toHaveLength(1);
  expect(heapOf(() => boundedCache<string, number>(1_000_000))).toBeLessThan(1_000_000);
});

/** Bytes that V8 uses more. */
function heapOf(make: () => unknown): number {
  const before = process.memoryUsage().heapUsed;
  const made = make();
  const used = process.memoryUsage().heapUsed - before;
  expect(made).toBeDefined();
  return used;
}
