import { createHash, timingSafeEqual } from 'node:crypto';

/** Compares in constant time. @param value of a header, Latin-1 */
export function isSecret(value: string, secret: string): boolean {
  // Digests have the same length, so the comparison reveals nothing about the secret's.
  const sent = createHash('sha256').update(value, 'latin1').digest();
  const expected = createHash('sha256').update(secret, 'utf8').digest();
  return timingSafeEqual(sent, expected);
}
