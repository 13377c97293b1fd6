import { createHash, randomBytes } from 'node:crypto';

/** One-time codes by time (RFC 6238) in the form that every authenticator app supports: SHA-1, six digits, thirty seconds. */
const form = { algorithm: 'SHA1', digits: 6, period: 30 } as const;

/** Steps by which the clocks of the gate and of the app may differ, either way (RFC 6238, 5.2). */
const drift = 1;

/** Bytes; the length of an HMAC-SHA-1 value (RFC 4226, 4, R6). */
const secretLength = 20;

/** Apps show two groups of three, and users may type the space. */
const typedCode = /^\d{3} ?\d{3}$/;

// Loaded at first use: most gates never need it.
const library = () => import('otpauth');

/** @returns a new secret in Base32, which can be typed into an app that cannot scan the QR code */
export async function newCodeSecret(): Promise<string> {
  const { Secret } = await library();
  return new Secret({ size: secretLength }).base32;
}

/** @returns the `otpauth:` address for a QR code */
export async function setupUrl(secret: string, username: string): Promise<string> {
  const { TOTP } = await library();
  return new TOTP({ ...form, secret, label: username, issuer: 'Postern' }).toString();
}

/** @returns the step of a time, in milliseconds since the epoch */
export function stepAt(now: number): number {
  return Math.floor(now / 1_000 / form.period);
}

/**
 * @param now milliseconds since the epoch
 * @returns the time step of the code, which may be accepted once; `undefined` if the code is wrong now
 */
export async function stepOfCode(code: string, secret: string, now: number): Promise<number | undefined> {
  if (!typedCode.test(code)) return undefined;
  const { Secret, TOTP } = await library();
  const token = code.replace(' ', '');
  const delta = TOTP.validate({
    ...form,
    secret: Secret.fromBase32(secret),
    token,
    timestamp: now,
    window: drift,
  });
  return delta === null ? undefined : TOTP.counter({ period: form.period, timestamp: now }) + delta;
}

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
