import { expect, test } from 'vitest';
import { canonicalIssuer, issuerOf, spellingsOf } from '../../../src/policy/issuer.ts';

test.each([
  ['https://id.example', 'https://id.example'],
  ['https://id.example/', 'https://id.example'],
  ['https://id.example:8443/', 'https://id.example:8443'],
  ['https://[2001:db8::1]/', 'https://[2001:db8::1]'],
  ['https://id.example//', 'https://id.example//'],
  ['https://id.example/realm/', 'https://id.example/realm/'],
  ['https://id.example/realm', 'https://id.example/realm'],
  ['https://id.example?x=/', 'https://id.example?x=/'],
])('%s is %s', (issuer, canonical) => {
  expect(canonicalIssuer(issuer)).toBe(canonical);
  expect(issuerOf({ issuer })).toBe(canonical);
});

test('an issuer may stand in the store with the slash, and any other path only as it is', () => {
  const both = ['https://id.example', 'https://id.example/'];
  expect([spellingsOf('https://id.example'), spellingsOf('https://id.example/')]).toEqual([both, both]);
  expect(spellingsOf('https://id.example/realm')).toEqual(['https://id.example/realm']);
  expect(spellingsOf('https://id.example/realm/')).toEqual(['https://id.example/realm/']);
  expect(issuerOf({ issuer: null })).toBeUndefined();
});
