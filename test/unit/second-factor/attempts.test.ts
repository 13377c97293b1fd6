import { expect, test } from 'vitest';
import { createWindowsInMemory } from '../../../src/accounts/counted-windows.ts';
import { createFailureLimit } from '../../../src/accounts/failure-limit.ts';
import { AppError } from '../../../src/errors.ts';
import { createAttempts } from '../../../src/second-factor/attempts.ts';

const wrong = new Error('wrong');
const begin = (rules?: string) => {
  const windows = createWindowsInMemory();
  let limited = 0;
  const attempts = createAttempts(createFailureLimit(rules, windows), windows, () => (limited += 1));
  const make = (
    method: 'one_time_code' | 'recovery_code',
    username: string,
    address: string,
    error?: Error,
  ) =>
    attempts
      .make(
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
  return { make, limited: () => limited };
};

test('wrong codes of a user count from all addresses, and of that user alone', async () => {
  const { make, limited } = begin();
  for (let i = 0; i < 5; i += 1)
    expect(await make('one_time_code', 'olaf', `203.0.113.${i}`, wrong)).toBe('wrong');
  expect(await make('one_time_code', 'olaf', '203.0.113.9')).toBe('too_many_requests');
  expect(await make('one_time_code', 'vera', '203.0.113.9')).toBe('right');
  // Nobody guesses it: whoever has been locked out of codes gets in.
  expect(await make('recovery_code', 'olaf', '203.0.113.9')).toBe('right');
  expect(limited()).toBe(1);
});

test('a right one gives its places back, and so does what was not looked at', async () => {
  const { make } = begin('5/minute');
  for (let i = 0; i < 8; i += 1) expect(await make('one_time_code', 'olaf', '203.0.113.1')).toBe('right');
  for (let i = 0; i < 8; i += 1)
    expect(await make('one_time_code', 'olaf', '203.0.113.1', new Error('locked'))).toBe('locked');
  for (let i = 0; i < 5; i += 1)
    expect(await make('one_time_code', 'olaf', '203.0.113.1', wrong)).toBe('wrong');
});

test('who is turned away by one limit takes no place of the other', async () => {
  const { make } = begin('9/minute');
  for (let i = 0; i < 5; i += 1)
    expect(await make('one_time_code', 'olaf', '203.0.113.1', wrong)).toBe('wrong');
  for (let i = 0; i < 9; i += 1)
    expect(await make('one_time_code', 'olaf', '203.0.113.2', wrong)).toBe('too_many_requests');
  for (let i = 0; i < 9; i += 1)
    expect(await make('recovery_code', 'olaf', '203.0.113.2', wrong)).toBe('wrong');
});
