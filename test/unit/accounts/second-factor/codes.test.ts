import { describe, expect, test } from 'vitest';
import {
  newCodeSecret,
  setupUrl,
  stepOfCode,
  hashOfRecoveryCode,
  newRecoveryCodes,
} from '../../../../src/accounts/second-factor/codes.ts';

/** RFC 6238, appendix B: `12345678901234567890` in Base32. The last six of its eight digits are the code of six. */
const secret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

test.each<[seconds: number, code: string]>([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('at %i seconds the code is %s, as the RFC has it', async (seconds, code) => {
  expect(await stepOfCode(code, secret, seconds * 1_000)).toBe(Math.floor(seconds / 30));
});

describe('a code of one step', () => {
  const at = 1_234_567_890_000;
  const step = Math.floor(at / 30_000);
  test.each([
    [-2, undefined],
    [-1, step],
    [0, step],
    [1, step],
    [2, undefined],
  ])('%i steps later is of the same one, or of none', async (steps, expected) => {
    expect(await stepOfCode('005924', secret, at + steps * 30_000)).toBe(expected);
  });

  test.each(['005 924'])('is taken as apps show it: %j', async (code) => {
    expect(await stepOfCode(code, secret, at)).toBe(step);
  });

  test.each(['', '5924', '0005924', '00592４', '005-924', ' 005924', '005924\n', '0x1724', '1e5924'])(
    'is not %j',
    async (code) => {
      expect(await stepOfCode(code, secret, at)).toBeUndefined();
    },
  );
});

test('makes secrets of 160 bits, and a complete setup address', async () => {
  const made = await newCodeSecret();
  expect(made).toMatch(/^[A-Z2-7]{32}$/);
  expect(await newCodeSecret()).not.toBe(made);
  const url = new URL(await setupUrl(made, 'olaf@example'));
  expect(url.protocol + url.host).toBe('otpauth:totp');
  expect(decodeURIComponent(url.pathname)).toBe('/Postern:olaf@example');
  expect(Object.fromEntries(url.searchParams)).toEqual({
    issuer: 'Postern',
    secret: made,
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  });
});

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
