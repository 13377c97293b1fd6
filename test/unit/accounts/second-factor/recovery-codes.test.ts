import { expect, test } from 'vitest';
import {
  hashOfRecoveryCode,
  newRecoveryCodes,
} from '../../../../src/accounts/second-factor/recovery-codes.ts';

test('makes ten codes of 80 bits each', () => {
  const codes = newRecoveryCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^(?:[0-9a-hjkmnp-tv-z]{4}-){3}[0-9a-hjkmnp-tv-z]{4}$/);
});

test.each([
  'abcd-ef01-ghjk-mnpq',
  'ABCD EF01 GHJK MNPQ',
  'abcdefo1ghjkmnpq',
  ' abcd-efOI-ghjk-mnpq ',
  'abcd-ef0l-ghjkmnpq',
])('is the same however it is typed: %j', (typed) => {
  expect(hashOfRecoveryCode(typed)).toBe(hashOfRecoveryCode('abcdef01ghjkmnpq'));
});

test('another code has another hash', () => {
  expect(hashOfRecoveryCode('abcdef01ghjkmnpr')).not.toBe(hashOfRecoveryCode('abcdef01ghjkmnpq'));
});
