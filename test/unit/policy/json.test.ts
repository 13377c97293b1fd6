import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readUnambiguousJson } from '../../../src/policy/json.ts';
import { assertCases } from '../../support/assert-cases.ts';

const read = (text: string) => readUnambiguousJson(Buffer.from(text));

/** A UTF-16 code unit; JSON may escape any. */
const escapeOf = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;

test('reads any serialized JSON unchanged', () => {
  assertCases(
    fc.property(fc.jsonValue(), fc.constantFrom(0, 2, '\t'), (value, space) => {
      fc.pre(value !== null);
      const written = JSON.stringify(value, undefined, space);
      expect(read(written)).toEqual(JSON.parse(written));
    }),
    { reaching: 0.7 },
  );
});

test('rejects a repeated name at any depth, in any spelling', () => {
  const names = fc.string({ minLength: 1 });
  assertCases(
    fc.property(names, fc.jsonValue(), fc.jsonValue(), fc.nat(3), (name, one, other, depth) => {
      const first = JSON.stringify(name);
      const escaped = `"${name.replaceAll(/[^]/g, escapeOf)}"`;
      const object = `{${first}: ${JSON.stringify(one)}, ${escaped} : ${JSON.stringify(other)}}`;
      const nested = `${'{"a":['.repeat(depth)}${object}${']}'.repeat(depth)}`;
      expect(JSON.parse(nested)).toBeDefined();
      expect(read(nested)).toBeUndefined();
    }),
  );
});

test('rejects a name that the parser takes for another one, of an object that it read before', () => {
  const names = fc.string({ minLength: 1, maxLength: 8 });
  assertCases(
    fc.property(names, fc.boolean(), (name, isFirst) => {
      const escaped = name.replaceAll(/[^]/g, escapeOf);
      // Its name is how the other one begins, as it is written there.
      const before = JSON.stringify({ a: 1, [escaped.slice(0, name.length)]: 2 });
      if (isFirst) expect(read(before)).toBeDefined();
      const found = read(`{"a": 1, "${escaped}": 2}`);
      const seen = found === undefined ? 'refused' : Object.keys(found as object).toSorted();
      expect(['refused', ['a', name].toSorted()]).toContainEqual(seen);
    }),
    {
      examples: [
        ['.', true],
        ['cameras', true],
      ],
    },
  );
});

describe('rejects what programs read differently', () => {
  test.each([
    ['a byte order mark', Buffer.from('\ufeff{}')],
    ['UTF-16', Buffer.from('{}', 'utf16le')],
    ['no UTF-8', Buffer.from([0x22, 0xff, 0x22])],
    ['an overlong form', Buffer.from([0x22, 0xc0, 0xaf, 0x22])],
    ['NaN', Buffer.from('[NaN]')],
    ['a comment', Buffer.from('{}//')],
    ['a comma too many', Buffer.from('{"a":1,}')],
    ['single quotes', Buffer.from("{'a':1}")],
    ['two values', Buffer.from('{}{}')],
    ['nothing', Buffer.from('')],
    ['a duplicate __proto__', Buffer.from('{"__proto__":1,"__proto__":2}')],
  ])('%s', (_, bytes) => {
    expect(readUnambiguousJson(bytes)).toBeUndefined();
  });

  test('accepts any depth', () => {
    const deep = '['.repeat(30_000) + ']'.repeat(30_000);
    expect(read(deep)).toBeDefined();
    expect(read('{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000))).toBeDefined();
  });
});
