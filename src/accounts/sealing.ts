import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, EncryptJWT, compactDecrypt, jwtDecrypt, type JWTPayload } from 'jose';
import { wholeSeconds, type Clock } from '../clock.ts';

/**
 * Encrypts texts that only the gate may read or make: JWE with A256GCM (RFC 7516), with a separate key for each purpose
 * (HKDF, RFC
 * 5869). A text sealed with another secret, for another purpose or about something else cannot be opened.
 */
export interface Sealing {
  /** Seals a text that is kept. @param about its subject, such as a user's name; opening needs the same value */
  seal(purpose: string, text: string, about: string): Promise<string>;
  /** @returns undefined when the text was not sealed with the same values */
  open(purpose: string, sealed: string, about: string): Promise<string | undefined>;
  /** Seals a token that a client sends back. */
  issue(purpose: string, claims: JWTPayload, seconds: number): Promise<string>;
  /** @returns undefined when the token is invalid or has expired */
  read(purpose: string, token: string): Promise<JWTPayload | undefined>;
}

const header = { alg: 'dir', enc: 'A256GCM' } as const;
const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** Longer than any of our tokens: it is not even decoded. */
const longestToken = 8_192;

/** @param secret of any length: the JWT secret, or `SERVICE_STORE_KEY` */
export function createSealing(secret: string, clock: Clock): Sealing {
  const keys = new Map<string, Uint8Array>();
  const keyOf = (purpose: string): Uint8Array => {
    const known = keys.get(purpose);
    if (known !== undefined) return known;
    const key = new Uint8Array(hkdfSync('sha256', secret, 'postern', purpose, 32));
    keys.set(purpose, key);
    return key;
  };
  return {
    // The protected header is authenticated together with the text.
    seal: (purpose, text, about) =>
      new CompactEncrypt(new TextEncoder().encode(text))
        .setProtectedHeader({ ...header, about })
        .encrypt(keyOf(`at rest: ${purpose}`)),

    open: (purpose, sealed, about) =>
      unlessForged(async () => {
        const opened = await compactDecrypt(sealed, keyOf(`at rest: ${purpose}`), algorithms);
        return opened.protectedHeader['about'] === about
          ? new TextDecoder().decode(opened.plaintext)
          : undefined;
      }),

    issue: (purpose, claims, seconds) =>
      new EncryptJWT(claims)
        .setProtectedHeader(header)
        .setExpirationTime(wholeSeconds(clock.now()) + seconds)
        .encrypt(keyOf(`token: ${purpose}`)),

    read: (purpose, token) =>
      token.length > longestToken
        ? Promise.resolve(undefined)
        : unlessForged(async () => {
            const { payload } = await jwtDecrypt(token, keyOf(`token: ${purpose}`), {
              ...algorithms,
              requiredClaims: ['exp'],
              currentDate: new Date(clock.now()),
            });
            return payload;
          }),
  };
}

async function unlessForged<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch {
    return undefined;
  }
}
