import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { firstValue, hasHeader, headerValues } from '../../../src/policy/raw-headers.ts';

// Names as Node gives them: one character a byte.
const text = fc.string({
  unit: fc.integer({ min: 0, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 3,
});
const name = fc.oneof(
  fc.constantFrom('Host', 'hOST', 'host', 'hos', 'hostt', 'h[st', 'h\u00f6st', 'HO\u0053T'),
  text,
);
// What is sought is a name of the program's.
const ascii = fc.string({ unit: 'grapheme-ascii', maxLength: 3 });
const lines = fc.array(fc.tuple(name, fc.string({ maxLength: 2 })), { maxLength: 6 });

test('a header is found in any case of its name, and in no other spelling', () => {
  fc.assert(
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
