import { randomBytes, timingSafeEqual } from 'node:crypto';
import { availableParallelism } from 'node:os';
import pLimit from 'p-limit';
import { AppError } from '../../errors.ts';
import { createKeyDerivation, type KeyDerivation } from './key-derivation.ts';

/** `pbkdf2_sha256$<iterations>$<salt>$<base64 key>`; the salt's text is used as it is. */
interface PasswordHash {
  readonly iterations: number;
  readonly salt: string;
  readonly key: Buffer;
}

/** OWASP's figure for PBKDF2-HMAC-SHA256, and the specification's. */
const standardIterations = 600_000;
const keyLength = 32;
/** More would keep a core busy for seconds: such a hash was made to harm. */
const mostIterations = 2_000_000;
/** About ten seconds of work; later callers get `too_many_requests`. */
const longestQueue = 32;

interface Verification {
  readonly matches: boolean;
  /** The hash has fewer iterations than today's: worth replacing while the password is known. */
  readonly outdated: boolean;
}

export interface PasswordHasher {
  /** Turns a login away before any other work is done. @throws AppError `too_many_requests` when too many wait */
  requireRoom(): void;
  /** @throws AppError `too_many_requests` when too many wait */
  hash(password: string): Promise<string>;
  /**
   * Takes the same time whether the hash is valid, broken or missing.
   * @throws AppError `too_many_requests` when too many wait
   */
  verify(password: string, hash: string | undefined): Promise<Verification>;
}

export interface PasswordHasherOptions {
  /**
   * Hashes at once. The default leaves a core to decisions: a flood of logins then slows down logins, and decisions hardly at all.
   */
  readonly concurrency?: number;
  readonly iterations?: number;
  /** Called each time that the queue is full. */
  readonly onLimited?: () => void;
  readonly derive?: KeyDerivation['derive'];
}

export function createPasswordHasher({
  concurrency = Math.max(1, availableParallelism() - 1),
  iterations = standardIterations,
  onLimited = () => undefined,
  derive = createKeyDerivation().derive,
}: PasswordHasherOptions = {}): PasswordHasher {
  const limit = pLimit(concurrency);
  const requireRoom = () => {
    if (limit.pendingCount < longestQueue) return;
    onLimited();
    throw new AppError('too_many_requests', { retryAfterSeconds: 5 });
  };
  const work = <T>(task: () => Promise<T>): Promise<T> => {
    requireRoom();
    return limit(task);
  };
  return {
    requireRoom,
    hash: async (password) =>
      work(async () => {
        const salt = randomBytes(16).toString('hex');
        const key = await derive({ password, salt, iterations, keyLength });
        return `pbkdf2_sha256$${iterations}$${salt}$${key.toString('base64')}`;
      }),
    verify: async (password, text) =>
      work(async () => {
        const stored = text === undefined ? undefined : parsePasswordHash(text);
        const { salt, key, iterations: rounds } = stored ?? { ...decoy, iterations };
        const derived = await derive({ password, salt, iterations: rounds, keyLength });
        if (rounds < iterations) await derive({ password, salt, iterations: iterations - rounds, keyLength });
        const matches = timingSafeEqual(derived, key) && stored !== undefined;
        return { matches, outdated: matches && rounds < iterations };
      }),
  };
}

const decoy = { salt: '0'.repeat(32), key: Buffer.alloc(keyLength) };

/** @returns undefined for another algorithm, absurd iterations, or any other text */
export function parsePasswordHash(text: string): PasswordHash | undefined {
  const match = /^pbkdf2_sha256\$([1-9]\d{0,9})\$([^$]{1,128})\$([A-Za-z0-9+/]{43}=)$/.exec(text);
  if (match === null) return undefined;
  const [, rounds = '', salt = '', key = ''] = match;
  if (Number(rounds) > mostIterations) return undefined;
  return { iterations: Number(rounds), salt, key: Buffer.from(key, 'base64') };
}
