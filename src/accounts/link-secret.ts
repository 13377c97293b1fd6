import { hash, timingSafeEqual } from 'node:crypto';

/** Whether a text is the secret of a link. It takes equally long when there is no such link. */
export function isSecretOf(link: { readonly secretHash: string } | undefined, secret: string): boolean {
  const kept = Buffer.from(link?.secretHash ?? '0'.repeat(64), 'hex');
  const matches = timingSafeEqual(hash('sha256', secret, 'buffer'), kept);
  return matches && link !== undefined;
}
