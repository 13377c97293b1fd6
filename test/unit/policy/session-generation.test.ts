import { expect, test } from 'vitest';
import { isOfGeneration } from '../../../src/policy/session-generation.ts';

const now = { generation: 'g1', notBefore: 10_000 };

test.each<[generation: string | undefined, issuedAt: number, holds: boolean]>([
  ['g1', 10_000, true],
  ['g1', 0, true],
  ['g1', 99_000, true],
  ['g0', 10_000, false],
  ['g0', 99_000, false],
  ['G1', 99_000, false],
  ['', 99_000, false],
  [undefined, 9_999, false],
  [undefined, 10_000, true],
  [undefined, 99_000, true],
])('a token of %j, issued at %i: %j', (generation, issuedAt, holds) => {
  expect(isOfGeneration({ generation, issuedAt }, now)).toBe(holds);
});

test('a user keeps the earlier generation until it changes, whenever it began', () => {
  const before = { ...now, notBefore: 99_000 };
  expect(isOfGeneration(before, now)).toBe(true);
  expect(isOfGeneration(before, { ...now, generation: 'g2' })).toBe(false);
});
