import { createHash, timingSafeEqual } from 'node:crypto';
import { headerValues, type RawHeaders } from './raw-headers.ts';
import type { Reason } from './reasons.ts';

/** @returns why the request does not prove that it comes from the upstream proxy, or undefined when it does. */
export function refuseProxySecret(headers: RawHeaders, secret: string): Reason | undefined {
  const [value, ...others] = headerValues(headers, 'x-proxy-secret');
  if (value === undefined) return 'proxy_secret_missing';
  if (others.length > 0) return 'proxy_secret_repeated';
  return isSecret(value, secret) ? undefined : 'proxy_secret_mismatch';
}

/** Whether a front from anywhere shows the secret that fronts share with the gate. */
export function showsFrontSecret(headers: RawHeaders, secret: string): boolean {
  const [value, ...others] = headerValues(headers, 'x-front-secret');
  return value !== undefined && others.length === 0 && isSecret(value, secret);
}

/** @param value of a header, Latin-1 */
function isSecret(value: string, secret: string): boolean {
  // Digests have one length, so the comparison tells nothing about the secret's.
  const sent = createHash('sha256').update(value, 'latin1').digest();
  const expected = createHash('sha256').update(secret, 'utf8').digest();
  return timingSafeEqual(sent, expected);
}
