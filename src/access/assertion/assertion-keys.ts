import {
  calculateJwkThumbprint,
  exportJWK,
  generateKeyPair,
  importJWK,
  type CryptoKey,
  type JWK,
} from 'jose';
import type { Selectable } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { Sealing } from '../../identity/sealing.ts';
import { unconditional, type Change, type Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';

interface SigningKey {
  /** Thumbprint of the public key (RFC 7638). */
  readonly keyId: string;
  readonly privateKey: CryptoKey;
}

/** The signing keys of assertions, shared by all processes of a store; the first one is made at first use. */
export interface AssertionKeys {
  /** @returns the current key, synchronously when it is cached. @throws when it can neither be read nor made */
  signing(): SigningKey | Promise<SigningKey>;
  /** @throws as `signing` */
  published(): Promise<PublishedKeys>;
}

/** RFC 8037. */
interface PublicKey {
  readonly kty: 'OKP';
  readonly crv: 'Ed25519';
  readonly x: string;
  readonly kid: string;
  readonly alg: 'EdDSA';
  readonly use: 'sig';
}

/** The public keys of all assertions that are still valid. */
export interface PublishedKeys {
  readonly keys: readonly PublicKey[];
  /** Seconds for which verifiers may cache them. */
  readonly maxAge: number;
}

export interface AssertionKeysDependencies {
  readonly read: Reading;
  readonly change: Change;
  readonly sealing: Pick<Sealing, 'seal' | 'open'>;
  readonly clock: Clock;
  /** Called when keys cannot be read or made; the cached ones stay in use. */
  readonly onFault: (error: unknown) => void;
  readonly onMade: (keyId: string) => void;
}

interface Key {
  readonly keyId: string;
  readonly publicKey: PublicKey;
  /** Undefined: it was sealed with another secret, so it cannot sign here. */
  readonly privateKey: CryptoKey | undefined;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

const algorithm = 'EdDSA';
const purpose = 'assertion key';

// Milliseconds.
const rotatedAfter = 30 * 86_400_000;
const readAgainAfter = 60_000;

const maxAge = 300;

/** Milliseconds before a new key signs: all cached lists without it have expired by then, and all processes have read it. */
const announcedFor = 2 * maxAge * 1_000;

/** The table `assertion_keys`. */
export function createAssertionKeys(dependencies: AssertionKeysDependencies): AssertionKeys {
  const { sealing, clock, onFault, onMade } = dependencies;
  let known: readonly Key[] = [];
  let readAt = Number.NaN;
  let renewing: Promise<void> | undefined;

  const read = async (): Promise<readonly Key[]> => {
    const rows = await dependencies.read
      .selectFrom('assertion_keys')
      .selectAll()
      .orderBy('created_at')
      .orderBy('key_id')
      .execute();
    return Promise.all(
      rows.map(async (row) => known.find(({ keyId }) => keyId === row.key_id) ?? keyOf(row)),
    );
  };
  const keyOf = async (row: Selectable<Tables['assertion_keys']>): Promise<Key> => {
    const opened = await sealing.open(purpose, row.private_key, row.key_id);
    return {
      keyId: row.key_id,
      publicKey: JSON.parse(row.public_key) as PublicKey,
      privateKey:
        opened === undefined
          ? undefined
          : ((await importJWK(JSON.parse(opened) as JWK, algorithm)) as CryptoKey),
      createdAt: row.created_at * 1_000,
    };
  };

  /** Makes a key unless another process has made one since `found` was read. */
  const make = async (found: readonly Key[]) => {
    const { privateKey, publicKey } = await generateKeyPair(algorithm, { crv: 'Ed25519', extractable: true });
    const shown = await exportJWK(publicKey);
    const keyId = await calculateJwkThumbprint(shown);
    const sealed = await sealing.seal(purpose, JSON.stringify(await exportJWK(privateKey)), keyId);
    const former = found.at(-1)?.keyId;
    const isMade = await dependencies.change(unconditional, async (on) => {
      const latest = await on
        .selectFrom('assertion_keys')
        .select('key_id')
        .orderBy('created_at', 'desc')
        .orderBy('key_id', 'desc')
        .limit(1)
        .executeTakeFirst();
      if (latest?.key_id !== former) return false;
      // The previous key has signed nothing for a month.
      await on
        .deleteFrom('assertion_keys')
        .where('key_id', '!=', former ?? '')
        .execute();
      await on
        .insertInto('assertion_keys')
        .values({
          key_id: keyId,
          private_key: sealed,
          public_key: JSON.stringify({ ...shown, kid: keyId, alg: algorithm, use: 'sig' }),
          created_at: wholeSeconds(clock.now()),
        })
        .execute();
      return true;
    });
    if (isMade) onMade(keyId);
  };

  const renewOnce = async () => {
    readAt = clock.now();
    let found = await read();
    const newest = found.findLast(isOurs);
    if (newest === undefined || newest.createdAt + rotatedAfter <= clock.now()) {
      // If the store is read-only, the existing key stays in use.
      await make(found).catch((error: unknown) => {
        if (newest === undefined) throw error;
        onFault(error);
      });
      found = await read();
    }
    known = found;
  };
  const renew = () =>
    (renewing ??= renewOnce().finally(() => {
      renewing = undefined;
    }));

  const current = (): SigningKey | undefined => {
    const ours = known.filter(isOurs);
    const announced = ours.findLast(({ createdAt }) => createdAt + announcedFor <= clock.now());
    return announced ?? ours[0];
  };

  return {
    signing: () => {
      const key = current();
      if (key === undefined) return renew().then(() => requireKey(current()));
      // In the background: requests do not wait. A clock may go back, too.
      if (Math.abs(clock.now() - readAt) >= readAgainAfter) renew().catch(onFault);
      return key;
    },
    published: async () => {
      await renew().catch((error: unknown) => {
        requireKey(current(), error);
        onFault(error);
      });
      const now = clock.now();
      const isOver = ({ createdAt }: Key) =>
        known.some((later) => later.createdAt > createdAt && later.createdAt + 2 * announcedFor <= now);
      return { keys: known.filter((key) => !isOver(key)).map(({ publicKey }) => publicKey), maxAge };
    },
  };
}

function isOurs(key: Key): key is Key & SigningKey {
  return key.privateKey !== undefined;
}

function requireKey(key: SigningKey | undefined, cause?: unknown): SigningKey {
  if (key === undefined) throw cause ?? new Error('there is no key for assertions');
  return key;
}
