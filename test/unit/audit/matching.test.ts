import { DatabaseSync } from 'node:sqlite';
import { array, assert, constantFrom, integer, property, string } from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { globOf } from '../../../src/audit/matching.ts';

const database = new DatabaseSync(':memory:');
afterAll(() => database.close());
const compare = database.prepare('SELECT lower(?) GLOB ? AS fits');
const isFound = (text: string, part: string) => compare.get(text, globOf(part))?.['fits'] === 1;

test.each<[text: string, part: string, found: boolean]>([
  ['Olaf', 'OLA', true],
  ['olaf', 'laf', true],
  ['olaf', 'o_af', false],
  ['o_af', 'O_A', true],
  ['100 %', '0 %', true],
  ['100', '%', false],
  [String.raw`a\b`, String.raw`\B`, true],
  ['abc', 'a*c', false],
  ['a*c', 'A*C', true],
  ['abc', 'a?c', false],
  ['a?c', '?c', true],
  ['[x]', '[X]', true],
  ['x', '[x]', false],
  ['a-b^c', '-B^', true],
  ['Jürgen Öztürk', 'JÜRGEN ö', true],
  ['JÜRGEN ÖZTÜRK', 'jürgen özt', true],
  ['Ольга', 'ОЛЬ', true],
  ['groß', 'GROß', true],
  ['ab', 'b', true],
  ['ab', 'ac', false],
])('%j has %j in it: %s', (text, part, found) => {
  expect(isFound(text, part)).toBe(found);
});

test('finds any text exactly in the texts that contain it, in any case', () => {
  // No wildcard of LIKE or GLOB is one here, and no letter changes its length with its case.
  const letter = constantFrom(...'aAbB01_%\\*?[]^-.!/ äÄéÉжЖ');
  const text = array(letter, { maxLength: 12 }).map((letters) => letters.join(''));
  assert(
    property(text, text, (whole, part) => {
      expect(isFound(whole, part)).toBe(whole.toLowerCase().includes(part.toLowerCase()));
    }),
    { numRuns: 2_000 },
  );
  assert(
    property(text, text, text, integer({ min: 0, max: 2 }), (before, part, after, kind) => {
      const typed = [part, part.toLowerCase(), part.toUpperCase()][kind] ?? '';
      expect(isFound(before + part + after, typed)).toBe(true);
    }),
  );
});

test('matches unusual texts correctly', () => {
  const plain = string({ unit: 'grapheme', maxLength: 20 }).filter((text) => !text.includes('\0'));
  assert(property(plain, plain, plain, (before, part, after) => isFound(before + part + after, part)));
});
