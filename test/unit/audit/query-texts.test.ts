import { DatabaseSync } from 'node:sqlite';
import {
  array,
  assert,
  constantFrom,
  integer,
  property,
  string,
  date,
  oneof,
  stringMatching,
} from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { globOf, parseMoment } from '../../../src/audit/query-texts.ts';

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

const zone = 'America/New_York';
const now = Date.UTC(2026, 6, 15, 12);

test.each<[text: string, moment: number | undefined]>([
  ['30s', now - 30_000],
  ['15m', now - 900_000],
  ['2h', now - 7_200_000],
  ['7d', now - 604_800_000],
  ['2w', now - 1_209_600_000],
  ['2026-01-31T18:00:00Z', Date.UTC(2026, 0, 31, 18)],
  ['2026-01-31 18:00Z', Date.UTC(2026, 0, 31, 18)],
  ['2026-01-31T18:00:00.500+01:00', Date.UTC(2026, 0, 31, 17) + 500],
  ['2026-01-31', Date.UTC(2026, 0, 31, 5)],
  ['2026-01-31T18:00', Date.UTC(2026, 0, 31, 23)],
  ['2024-02-29', Date.UTC(2024, 1, 29, 5)],
  ['2026-07-01 18:00', Date.UTC(2026, 6, 1, 22)],
  ['2026-02-30', undefined],
  ['2026-13-01', undefined],
  ['2026-01-31T25:00', undefined],
  ['2026-01-31T18:61', undefined],
  ['18:00', undefined],
  ['', undefined],
  ['-2h', undefined],
  ['2 h', undefined],
  ['2y', undefined],
  ['1800000000', undefined],
  ['now', undefined],
])('%s', (text, moment) => {
  expect(parseMoment(text, now, zone)).toBe(moment);
});

test('returns a moment or undefined for any text', () => {
  const odd = stringMatching(/^[0-9TZ:.+\- hdm]{0,30}$/);
  assert(
    property(oneof(string(), odd), (text) => {
      const moment = parseMoment(text, now, zone);
      if (moment !== undefined) expect(Number.isFinite(moment)).toBe(true);
    }),
  );
});

test('reads back any time in ISO 8601', () => {
  const time = date({ min: new Date('1000-01-01'), max: new Date('9000-01-01'), noInvalidDate: true });
  assert(
    property(time, (sample) => {
      expect(parseMoment(sample.toISOString(), now, zone)).toBe(sample.getTime());
    }),
  );
});
