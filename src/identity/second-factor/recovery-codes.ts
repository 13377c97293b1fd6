import { createHash, randomBytes } from 'node:crypto';

const howMany = 10;

/** Characters of five random bits each: 80 bits, which nobody guesses and no list of hashes gives away. */
const codeLength = 16;

/** Crockford's Base32: no letter that could be another one. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';

/** @returns ten codes, in groups of four as people copy them */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: howMany }, () => {
    const letters = Array.from(randomBytes(codeLength), (byte) => alphabet[byte % alphabet.length]);
    return letters.join('').replaceAll(/.{4}(?!$)/g, '$&-');
  });
}

/** @returns what is kept of a code, however it is typed: its SHA-256, hexadecimal */
export function hashOfRecoveryCode(typed: string): string {
  const letters = typed.toLowerCase().replaceAll(/[\s-]/g, '').replaceAll('o', '0').replaceAll(/[il]/g, '1');
  return createHash('sha256').update(letters).digest('hex');
}
