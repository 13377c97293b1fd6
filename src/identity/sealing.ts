import { hkdfSync } from 'node:crypto';
import { CompactEncrypt, EncryptJWT, compactDecrypt, jwtDecrypt, type JWTPayload } from 'jose';
import { wholeSeconds, type Clock } from '../clock.ts';

/**
 * Keeps texts that nobody but the gate may read or make: JWE with A256GCM (RFC 7516), by a key of its own for each purpose
 * (HKDF, RFC 5869). What was sealed with another secret, for another purpose or about something else is not opened.
 */
export interface Sealing {
  /** For what is kept. @param about what the text belongs to, such as a user's name: with any other it is not opened */
  seal(purpose: string, text: string, about: string): Promise<string>;
  /** @returns undefined when the text is none that was sealed so */
  open(purpose: string, sealed: string, about: string): Promise<string | undefined>;
  /** For what a client brings back. */
  issue(purpose: string, claims: JWTPayload, seconds: number): Promise<string>;
  /** @returns undefined when it is none of ours, or its time is over */
  read(purpose: string, token: string): Promise<JWTPayload | undefined>;
}

const header = { alg: 'dir', enc: 'A256GCM' } as const;
const algorithms = { keyManagementAlgorithms: ['dir'], contentEncryptionAlgorithms: ['A256GCM'] };

/** No token of ours is this long: it is not even decoded. */
const longestToken = 8_192;

/** @param secret of whatever length: the JWT secret, or `SERVICE_STORE_KEY` */
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
    // The protected header is authenticated with the text.
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
