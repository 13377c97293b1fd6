import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTrustedHeaders } from '../../../src/policy/trusted-headers.ts';
import { assertCases } from '../../support/assert-cases.ts';

const trusted = new Set(['remote-user', 'x-forwarded-groups']);

test.each<[what: string, headers: readonly string[], values: Readonly<Record<string, string>>]>([
  ['nothing sent', [], {}],
  ['a trusted header', ['Remote-User', 'olaf'], { 'remote-user': 'olaf' }],
  ['whatever the case of its name', ['REMOTE-user', 'olaf'], { 'remote-user': 'olaf' }],
  ['an empty value', ['Remote-User', ''], { 'remote-user': '' }],
  [
    'several',
    ['Remote-User', 'a', 'X-Forwarded-Groups', 'b'],
    { 'remote-user': 'a', 'x-forwarded-groups': 'b' },
  ],
  ['what is not listed is left behind', ['Remote-Role', 'admin', 'X-Remote-User', 'eve'], {}],
  ['also twice, and under aliases', ['Remote-Role', 'admin', 'remote_role', 'a', 'Remote-Role', 'b'], {}],
  ['hop-by-hop headers of others', ['Connection', 'close, X-Other, Remote-Use'], {}],
  ['a name that only begins the same', ['Remote-Users', 'eve', 'Remote-Use', 'eve'], {}],
])('%s', (_, headers, values) => {
  expect(readTrustedHeaders(headers, trusted)).toEqual({ values: new Map(Object.entries(values)) });
});

test.each<[refused: string, what: string, headers: readonly string[]]>([
  ['trusted_header_repeated', 'twice', ['Remote-User', 'olaf', 'Remote-User', 'eve']],
  ['trusted_header_repeated', 'twice the same', ['Remote-User', 'olaf', 'remote-user', 'olaf']],
  ['trusted_header_repeated', 'empty first', ['Remote-User', '', 'Host', 'x', 'Remote-User', 'olaf']],
  ['trusted_header_alias', 'with an underscore', ['Remote_User', 'eve']],
  ['trusted_header_alias', 'with a dot', ['remote.user', 'eve']],
  ['trusted_header_alias', 'mixed', ['X_Forwarded-Groups', 'admins']],
  ['trusted_header_alias', 'beside the real one', ['Remote-User', 'olaf', 'REMOTE_USER', 'olaf']],
  ['trusted_header_hop_by_hop', 'in Connection', ['Connection', 'Remote-User', 'Remote-User', 'olaf']],
  [
    'trusted_header_hop_by_hop',
    'among others',
    ['Remote-User', 'olaf', 'connection', 'close ,remote-USER, te'],
  ],
  ['trusted_header_hop_by_hop', 'in the second', ['Connection', 'close', 'Connection', 'remote-user']],
  ['trusted_header_hop_by_hop', 'by an alias', ['Connection', 'Remote_User']],
])('%s: %s', (refused, _, headers) => {
  expect(readTrustedHeaders(headers, trusted)).toEqual({ refused });
});

const spelling = fc
  .tuple(fc.constantFrom('remote-user', 'x-forwarded-groups'), fc.infiniteStream(fc.constantFrom(0, 1, 2)))
  .map(([name, choices]) => {
    const vary = (letter: string) => {
      const choice = choices.next().value ?? 0;
      return letter === '-'
        ? (['-', '_', '.'][choice] as string)
        : [letter, letter.toUpperCase(), letter][choice];
    };
    return [...name].map((letter) => vary(letter)).join('');
  });
const anyHeaders = fc
  .array(
    fc.tuple(
      fc.oneof(spelling, fc.constantFrom('Connection', 'Host', 'Remote-Role'), fc.string()),
      fc.oneof(spelling, fc.string()),
    ),
    { maxLength: 6 },
  )
  .map((lines) => lines.flat());

test('only reads trusted headers that came once under their exact name', () => {
  assertCases(
    fc.property(anyHeaders, (headers) => {
      const read = readTrustedHeaders(headers, trusted);
      if ('refused' in read) return;
      const names = headers.filter((_, i) => i % 2 === 0).map((name) => name.toLowerCase());
      for (const name of trusted) {
        const aliases = names.filter((sent) => sent.replace(/[_.]/g, '-') === name);
        expect(aliases).toEqual(read.values.has(name) ? [name] : []);
      }
      expect(trusted.isSupersetOf(new Set(read.values.keys()))).toBe(true);
    }),
    { numRuns: 1_000, reaching: 0.3 },
  );
});
