import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPairs } from '../../../src/policy/query-pairs.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';

const part = fc.oneof(
  fc.constantFrom(
    'camera',
    'cameras',
    'Cameras',
    'ｃａｍｅｒａ',
    'cameras[]',
    'xcamera',
    'camera_id',
    'limit',
  ),
  fc.constantFrom(
    '&',
    '=',
    '+',
    '%',
    '%26',
    '%2526',
    '%3d',
    '%63',
    '%2563',
    '%00',
    '%20',
    ';',
    '?',
    '#',
    'front',
  ),
  fc.string({ unit: anyCodePoint, maxLength: 3 }),
);
const query = fc.array(part, { maxLength: 10 }).map((parts) => parts.join(''));

test('no server reads a list of cameras outside of the pairs that are named, or the query is refused', () => {
  assertCases(
    fc.property(query, (sent) => {
      const pairs = readPairs(sent);
      if (pairs === undefined) {
        expect(sent).toMatch(/[;?%&#]/);
        return;
      }
      expect(pairs.map(({ text }) => text).join('&')).toBe(sent);
      const others = pairs.flatMap(({ text, isNamed }) => (isNamed ? [] : [text])).join('&');
      // As the WHATWG reads it, a server that ignores case, and one that decodes twice.
      const read = [others, others.toLowerCase(), decodeURIComponent(others)].flatMap((text) =>
        Array.from(new URLSearchParams(text).keys()),
      );
      expect(read.filter((name) => /^\s*cameras?(?:\[\])?\s*$/.test(name))).toEqual([]);
    }),
    {
      numRuns: 2_000,
      // A server that decodes first reads two parameters in one named pair: the pair goes as a whole.
      examples: [['camera%26camera'], ['limit=1%26cameras'], ['camera%2526camera']],
    },
  );
});
