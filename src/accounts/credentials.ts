import { randomInt } from 'node:crypto';
import * as v from 'valibot';

/** `user` of a login or a new account. `anonymous` is what the internal entry point is called. */
export const username = v.pipe(
  v.string('Input should be text'),
  v.regex(
    /^[A-Za-z0-9._@-]{1,64}$/,
    'A user name has 1 to 64 letters, digits, dots, underscores, hyphens and at signs',
  ),
  v.metadata({ not: { enum: ['anonymous'] } }),
  v.check((name) => name !== 'anonymous', 'anonymous cannot be a user'),
);

export const newPassword = v.pipe(
  v.string('Input should be text'),
  v.metadata({ minLength: 12, maxLength: 1_024 }),
  v.check((password) => [...password].length >= 12, 'A password has at least 12 characters'),
  v.maxBytes(1_024, 'A password has at most 1024 bytes'),
);

// Without letters and digits that look alike: an operator copies it from a log by eye.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** @returns 24 random characters, 137 bits */
export function generatePassword(): string {
  return Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)]).join('');
}
