import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseEmail } from '../../../src/policy/email-address.ts';
import { assertCases } from '../../support/assert-cases.ts';

test.each<[text: string, local: string, domain: string]>([
  ['rosa@example.com', 'rosa', 'example.com'],
  ['Rosa.M+cams@Example.COM', 'rosa.m+cams', 'example.com'],
  ['@House.Example', '', 'house.example'],
  ["o'laf@xn--sd-hka.example", "o'laf", 'xn--sd-hka.example'],
  ['root@localhost', 'root', 'localhost'],
])('%j is %j at %j', (text, local, domain) => {
  expect(parseEmail(text)).toEqual({ local, domain });
});

test.each([
  '',
  'example.com',
  'rosa@',
  '@',
  'x@evil.com@example.com',
  '@evil.com@example.com',
  '"x@evil.com"@example.com',
  '"rosa"@example.com',
  'rosa@example.com,olaf@example.com',
  'rosa@example.com ',
  ' rosa@example.com',
  'ro sa@example.com',
  'rosa@example.com\n',
  'rosa@example.com\u0000',
  'rosa(x)@example.com',
  '<rosa@example.com>',
  'rosa@example.com.',
  'rosa@.example.com',
  'rosa@-example.com',
  'rosa@example..com',
  '.rosa@example.com',
  'rosa.@example.com',
  'ro..sa@example.com',
  'rosa@[192.0.2.1]',
  'rösa@example.com',
  'rosa@\u212A.example',
  'rosa@exämple.com',
  `rosa@${'x'.repeat(250)}`,
])('rejects %j', (text) => {
  expect(parseEmail(text)).toBeUndefined();
});

test('an address has one at sign, and the domain follows it', () => {
  const part = fc.oneof(
    fc.stringMatching(/^[A-Za-z0-9"@.\\ (),:;<>-]{0,12}$/),
    fc.stringMatching(/^[a-z]{1,6}[.-][A-Za-z0-9]{1,6}$/),
  );
  assertCases(
    fc.property(part, part, (before, behind) => {
      const text = `${before}@${behind}`;
      const parsed = parseEmail(text);
      if (parsed === undefined) return;
      expect(`${parsed.local}@${parsed.domain}`).toBe(text.toLowerCase());
      expect([parsed.local, parsed.domain].join('')).not.toMatch(/[@"\\ (),:;<>]/);
    }),
    { numRuns: 20_000, reaching: 0.05 },
  );
});
