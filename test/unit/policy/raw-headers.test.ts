import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  firstValue,
  hasHeader,
  headerAlias,
  headerValues,
  isAliasOf,
} from '../../../src/policy/raw-headers.ts';
import { assertCases } from '../../support/assert-cases.ts';

// Names as Node returns them: one character per byte.
const text = fc.string({
  unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 3,
});
const name = fc.oneof(
  fc.constantFrom('Host', 'hOST', 'host', 'hos', 'hostt', 'h[st', 'h\u00f6st', 'HO\u0053T'),
  text,
);
// The program only looks for its own names.
const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 3 });
const lines = fc.array(fc.tuple(name, fc.string({ maxLength: 2 })), { maxLength: 6 });

test('finds a header in any letter case, and in no other spelling', () => {
  assertCases(
    fc.property(
      lines,
      fc.oneof(
        fc.constantFrom('host', 'h{st', 'h[st'),
        ascii.map((sought) => sought.toLowerCase()),
      ),
      (sent, sought) => {
        const values = sent.filter(([line]) => line.toLowerCase() === sought).map(([, value]) => value);
        expect(headerValues(sent.flat(), sought)).toEqual(values);
        expect(firstValue(sent.flat(), sought)).toBe(values[0]);
        expect(hasHeader(sent.flat(), sought)).toBe(values.length > 0);
      },
    ),
    { numRuns: 5_000 },
  );
});

test('finds an alias in every spelling that it stands for, and in no other', () => {
  const byte = fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code));
  const spelt = fc.string({
    unit: fc.oneof(fc.constantFrom('-', '_', 'a', 'A', 'Z', '0', '9', '[', '@', '`', '{'), byte),
    maxLength: 3,
  });
  assertCases(
    fc.property(spelt, fc.oneof(spelt.map(headerAlias), spelt), (sent, other) => {
      const alias = headerAlias(other);
      expect(isAliasOf(sent, alias)).toBe(headerAlias(sent) === alias);
      expect(isAliasOf(sent, headerAlias(sent))).toBe(true);
    }),
    { numRuns: 10_000 },
  );
});
