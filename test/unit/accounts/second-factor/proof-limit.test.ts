import { expect, test } from 'vitest';
import { createWindowsInMemory } from '../../../../src/accounts/limits/counted-windows.ts';
import { createFailureLimit } from '../../../../src/accounts/limits/failure-limit.ts';
import { AppError } from '../../../../src/errors.ts';
import { createProofLimit } from '../../../../src/accounts/second-factor/proof-limit.ts';

const wrong = new Error('wrong');
const begin = (rules?: string) => {
  const windows = createWindowsInMemory();
  let limited = 0;
  const proofLimit = createProofLimit(createFailureLimit(rules, windows), windows, () => (limited += 1));
  const attempt = (
    method: 'one_time_code' | 'recovery_code',
    username: string,
    address: string,
    error?: Error,
  ) =>
    proofLimit
      .attempt(
        { address, username, proof: { method, code: '' } },
        (thrown) => thrown === wrong,
        async () => {
          if (error !== undefined) throw error;
        },
      )
      .then(
        () => 'right',
        (thrown: unknown) => (thrown instanceof AppError ? thrown.code : (thrown as Error).message),
      );
  return { attempt, limited: () => limited };
};

test('counts wrong codes of a user from all addresses', async () => {
  const { attempt, limited } = begin();
  for (let i = 0; i < 5; i += 1)
    expect(await attempt('one_time_code', 'olaf', `203.0.113.${i}`, wrong)).toBe('wrong');
  expect(await attempt('one_time_code', 'olaf', '203.0.113.9')).toBe('too_many_requests');
  expect(await attempt('one_time_code', 'vera', '203.0.113.9')).toBe('right');
  // It cannot be guessed, so it works even when codes are limited.
  expect(await attempt('recovery_code', 'olaf', '203.0.113.9')).toBe('right');
  expect(limited()).toBe(1);
});

test('does not count right codes, or codes that were not checked', async () => {
  const { attempt } = begin('5/minute');
  for (let i = 0; i < 8; i += 1) expect(await attempt('one_time_code', 'olaf', '203.0.113.1')).toBe('right');
  for (let i = 0; i < 8; i += 1)
    expect(await attempt('one_time_code', 'olaf', '203.0.113.1', new Error('locked'))).toBe('locked');
  for (let i = 0; i < 5; i += 1)
    expect(await attempt('one_time_code', 'olaf', '203.0.113.1', wrong)).toBe('wrong');
});

test('an attempt that one limit refuses takes no place of the other', async () => {
  const { attempt } = begin('9/minute');
  for (let i = 0; i < 5; i += 1)
    expect(await attempt('one_time_code', 'olaf', '203.0.113.1', wrong)).toBe('wrong');
  for (let i = 0; i < 9; i += 1)
    expect(await attempt('one_time_code', 'olaf', '203.0.113.2', wrong)).toBe('too_many_requests');
  for (let i = 0; i < 9; i += 1)
    expect(await attempt('recovery_code', 'olaf', '203.0.113.2', wrong)).toBe('wrong');
});
