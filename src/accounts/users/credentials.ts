import { randomInt, hash, timingSafeEqual } from 'node:crypto';
import * as v from 'valibot';
import { forbiddenUserNames, isUserName, userNameForm } from '../../policy/names.ts';

/** The name of an account. */
export const username = v.pipe(
  v.string('Input should be text'),
  v.regex(userNameForm, 'A user name has 1 to 64 letters, digits, dots, underscores, hyphens and at signs'),
  v.metadata({ not: { enum: forbiddenUserNames } }),
  v.check(
    isUserName,
    'This name is reserved: anonymous and postern, in upper and lower case, and . and .. cannot be users',
  ),
);

export const newPassword = v.pipe(
  v.string('Input should be text'),
  v.metadata({ minLength: 12, maxLength: 1_024 }),
  v.check((password) => [...password].length >= 12, 'A password has at least 12 characters'),
  v.maxBytes(1_024, 'A password has at most 1024 bytes'),
);

// Without letters and digits that look alike: an operator may copy it from a log by eye.
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** @returns 24 random characters, 137 bits */
export function generatePassword(): string {
  return Array.from({ length: 24 }, () => alphabet[randomInt(alphabet.length)]).join('');
}

/** Whether a text is the secret of a link. It takes equally long when there is no such link. */
export function isSecretOf(link: { readonly secretHash: string } | undefined, secret: string): boolean {
  const kept = Buffer.from(link?.secretHash ?? '0'.repeat(64), 'hex');
  const matches = timingSafeEqual(hash('sha256', secret, 'buffer'), kept);
  return matches && link !== undefined;
}
