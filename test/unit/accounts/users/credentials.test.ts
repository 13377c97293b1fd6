import * as v from 'valibot';
import { expect, test } from 'vitest';
import { generatePassword, newPassword, username } from '../../../../src/accounts/users/credentials.ts';

test.each<[name: unknown, good: boolean]>([
  ['olaf', true],
  ['Olaf.S_9@home-2', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['', false],
  ['anonymous', false],
  ['Anonymous', false],
  ['POSTERN', false],
  ['.', false],
  ['..', false],
  ['...', true],
  ['a b', false],
  ['a/b', false],
  ['süd', false],
  ['olaf\n', false],
  ['<b>', false],
  ['a\u0000', false],
  [7, false],
  [null, false],
])('the user name %j: %j', (name, good) => {
  expect(v.is(username, name)).toBe(good);
});

test.each<[what: string, password: unknown, good: boolean]>([
  ['11 characters', 'x'.repeat(11), false],
  ['12 characters', 'x'.repeat(12), true],
  ['11 characters of two UTF-16 units', '🔑'.repeat(11), false],
  ['12 characters of two UTF-16 units', '🔑'.repeat(12), true],
  ['1024 bytes', 'x'.repeat(1_024), true],
  ['1025 bytes', 'x'.repeat(1_025), false],
  ['1024 bytes in 512 characters', 'é'.repeat(512), true],
  ['1026 bytes in 513 characters', 'é'.repeat(513), false],
  ['white space', ' '.repeat(12), true],
  ['no text', 123_456_789_012, false],
])('a password of %s: %s', (_, password, good) => {
  expect(v.is(newPassword, password)).toBe(good);
});

test('a generated password is valid, and never the same', () => {
  const passwords = Array.from({ length: 200 }, generatePassword);
  expect(new Set(passwords).size).toBe(200);
  for (const password of passwords) {
    expect(password).toMatch(/^[a-km-zA-HJ-NP-Z2-9]{24}$/);
    expect(v.is(newPassword, password)).toBe(true);
  }
});
