import { createHash, randomBytes } from 'node:crypto';

const howMany = 10;

/** Characters of five random bits each: 80 bits, too many to guess, even from a stolen list of hashes. */
const codeLength = 16;

/** Crockford's Base32: without letters that look alike. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** @returns ten codes, in groups of four for copying by hand */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: howMany }, () => {
    const letters = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]);
    return letters.join('').replaceAll(/.{4}(?!$)/g, '$&-');
  });
}

/** @returns the SHA-256 of a code, hexadecimal, ignoring how it is typed */
export function hashOfRecoveryCode(typed: string): string {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(letters).digest('hex');
}
