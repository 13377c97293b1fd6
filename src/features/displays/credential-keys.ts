import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { LRUCache } from 'lru-cache';

/** A credential as its text claims it, without a check. */
export interface ClaimedCredential {
  readonly id: string;
  readonly generation: number;
  readonly mac: string;
}

/** Signs credentials of displays with keys of one JWT secret: when that changes, no screen is signed in anymore. */
export interface CredentialKeys {
  sign(id: string, salt: string, generation: number): string;
  isValid(claimed: ClaimedCredential, salt: string): boolean;
  /** Differs between secrets, and is no part of a credential. */
  markOf(id: string, salt: string): string;
}

const form = /^display_([\da-f-]{36})\.([1-9]\d{0,14})\.([\w-]{43})$/;

/** @returns undefined: it has another form */
export function readCredential(credential: string): ClaimedCredential | undefined {
  const [, id, generation, mac] = form.exec(credential) ?? [];
  return id === undefined || mac === undefined ? undefined : { id, generation: Number(generation), mac };
}

const mostRemembered = 10_000;

export function createCredentialKeys(jwtSecret: string): CredentialKeys {
  const keys = new LRUCache<string, Uint8Array>({ max: mostRemembered });
  const keyOf = (salt: string) => {
    const known = keys.get(salt);
    if (known !== undefined) return known;
    const key = new Uint8Array(hkdfSync('sha256', jwtSecret, salt, 'credential of a display', 32));
    keys.set(salt, key);
    return key;
  };
  const macOf = (salt: string, text: string) =>
    createHmac('sha256', keyOf(salt)).update(text).digest('base64url');
  const macOfCredential = (id: string, salt: string, generation: number) =>
    macOf(salt, `credential ${id} ${generation}`);
  return {
    sign: (id, salt, generation) => `display_${id}.${generation}.${macOfCredential(id, salt, generation)}`,
    isValid: ({ id, generation, mac }, salt) =>
      timingSafeEqual(Buffer.from(mac), Buffer.from(macOfCredential(id, salt, generation))),
    markOf: (id, salt) => macOf(salt, `mark ${id}`),
  };
}
