import { createHash, generateKeyPair, randomUUID, type KeyObject } from 'node:crypto';
import { promisify } from 'node:util';
import { base64url, SignJWT, type JWTPayload } from 'jose';

/** How a token differs from a valid one. */
export interface Forgery {
  /** Replaces some of the valid claims. */
  readonly claims?: (good: JWTPayload) => JWTPayload;
  /** `HS256` signs with the client's secret, which a client that trusts the header would accept. */
  readonly algorithm?: 'none' | 'HS256';
  readonly header?: Readonly<Record<string, string | undefined>>;
  /** Signed with a key that the provider never had, below the name of its own. */
  readonly byForeignKey?: boolean;
}

interface SigningKey {
  readonly kid: string;
  readonly key: KeyObject;
}

/** The keys that a provider signs with: RS256, the newest first. */
export interface ProviderKeys {
  /** As a JWK set with the private parts. */
  readonly jwks: () => { readonly keys: readonly object[] };
  /** A new one signs from now on; the former are published no longer when `forgetsFormer`. */
  rotate(forgetsFormer?: boolean): Promise<void>;
  /** @returns a token signed with the newest key, or as the forgery has it */
  sign(claims: JWTPayload, secret: string, forgery?: Forgery): Promise<string>;
}

export async function createProviderKeys(): Promise<ProviderKeys> {
  let keys = [await newKey()];
  let foreign: Promise<SigningKey> | undefined;
  return {
    jwks: () => ({
      keys: keys.map(({ kid, key }) => ({ ...key.export({ format: 'jwk' }), kid, use: 'sig', alg: 'RS256' })),
    }),
    rotate: async (forgetsFormer = false) => {
      keys = [await newKey(), ...(forgetsFormer ? [] : keys)];
    },
    sign: async (good, secret, forgery = {}) => {
      const claims = forgery.claims?.(good) ?? good;
      const [newest] = keys as [SigningKey];
      const { algorithm = 'RS256', byForeignKey = false } = forgery;
      const header = { alg: algorithm, kid: newest.kid, ...forgery.header };
      if (algorithm === 'none') return `${encoded(header)}.${encoded(claims)}.`;
      const key =
        algorithm === 'HS256'
          ? new TextEncoder().encode(secret)
          : byForeignKey
            ? (await (foreign ??= newKey())).key
            : newest.key;
      return new SignJWT(claims).setProtectedHeader(header).sign(key);
    },
  };
}

const generate = promisify(generateKeyPair);

async function newKey(): Promise<SigningKey> {
  const { privateKey } = await generate('rsa', { modulusLength: 2048 });
  return { kid: createHash('sha256').update(randomUUID()).digest('base64url').slice(0, 12), key: privateKey };
}

function encoded(part: object): string {
  return base64url.encode(JSON.stringify(part));
}
