import { randomBytes, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { boundedCache } from '../../bounded-cache.ts';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { unconditional, type Reading } from '../../store/permit.ts';
import type { Store } from '../../store/store.ts';
import type { Limiter } from '../../store/slow-store.ts';
import { hashOf, type ApiTokens } from '../api-tokens/api-tokens.ts';
import type { Display } from './displays.ts';
import type { DisplayUses } from './display-uses.ts';
import type { DisplayGeneration } from '../../policy/token-scope.ts';
import { beginRotation, earlierGeneration, isDue, rotationColumns } from './rotation.ts';

interface FoundDisplay {
  readonly display: Display;
  readonly generation: DisplayGeneration;
  /** Milliseconds since the epoch; undefined for credentials of earlier versions. */
  readonly issuedAt: number | undefined;
}

/** The result of checking a presented credential. */
export type PresentedDisplay = FoundDisplay | { readonly problem: 'display_unknown' | 'display_expired' };

/** A screen's new credential, which is stored nowhere else. */
interface IssuedCredential {
  readonly credential: string;
  readonly display: Display;
}

/** Credentials of displays, signed with a key of one JWT secret. */
export interface DisplayCredentials {
  /** Gives an approved screen its credential, once. @returns undefined if none was approved, or it has been given out */
  fetch(deviceHash: string, isFramed: boolean): Promise<IssuedCredential | undefined>;
  /** Checks a credential against the store as it is now. It only reads. @param on a transaction to read through */
  check(credential: string, on?: Reading): Promise<PresentedDisplay>;
  /** The result of an earlier `check`. @returns undefined when the store has to be asked */
  recall(credential: string): PresentedDisplay | undefined;
  /**
   * Gives a screen another credential once the presented one is a day old, a different one each time.
   * @param isFramed a display that was framed once stays so
   * @returns its display, and the credential that replaces the presented one
   */
  exchange(
    credential: string,
    isFramed: boolean,
  ): Promise<{ readonly display: Display; readonly issued?: IssuedCredential } | undefined>;
  /** Binds displays of Postern 1.0 to the secret, so that another one ends them too. */
  bindOlder(): Promise<void>;
}

interface DisplayCredentialsOptions {
  readonly store: Store;
  /** API tokens of the kind `display`. */
  readonly tokens: ApiTokens;
  readonly uses: Pick<DisplayUses, 'note' | 'settle'>;
  readonly clock: Clock;
  /** While it stays the same, displays and users have not changed. */
  readonly storeVersion: () => number;
  /** Queues look-ups of unknown credentials, which anyone can send in any number. */
  readonly inTurn?: Limiter | undefined;
}

/** A credential of Postern 1.0: random, and stored as a hash. */
const olderForm = /^display_[\w-]{43}$/;

const mostRemembered = 10_000;

interface Remembered extends FoundDisplay {
  readonly version: number;
}

export function createDisplayCredentials(
  jwtSecret: string,
  { store, tokens, uses, clock, storeVersion, inTurn = (ask) => ask() }: DisplayCredentialsOptions,
): DisplayCredentials {
  const keys = createCredentialKeys(jwtSecret);
  const remembered = boundedCache<string, Remembered>(mostRemembered);

  const newKey = (id: string) => {
    const salt = randomBytes(16).toString('base64url');
    return { salt, secret_mark: keys.markOf(id, salt) };
  };

  const findSigned = async (credential: string, on: Reading | undefined) => {
    const claimed = readCredential(credential);
    const display = claimed && (await tokens.find(claimed.id, on));
    const { salt } = display?.display ?? {};
    return claimed !== undefined && display !== undefined && salt !== undefined && keys.isValid(claimed, salt)
      ? { display, generation: claimed.generation, issuedAt: claimed.issuedAt }
      : undefined;
  };

  const findOlder = async (credential: string, on: Reading | undefined) => {
    const hash = hashOf(credential);
    const row =
      (await (on ?? store)
        .selectFrom('api_tokens')
        .select('token_id')
        .where('token_hash', '=', hash)
        .executeTakeFirst()) ??
      (await (on ?? store)
        .selectFrom('former_credentials')
        .select('token_id')
        .where('credential_hash', '=', hash)
        .executeTakeFirst());
    const display = row && (await tokens.find(row.token_id, on));
    const { salt, secretMark } = display?.display ?? {};
    const isOfSecret =
      display !== undefined && (salt === undefined || keys.markOf(display.id, salt) === secretMark);
    return isOfSecret ? { display, generation: earlierGeneration(0), issuedAt: undefined } : undefined;
  };

  const find = (credential: string, on?: Reading) =>
    olderForm.test(credential) ? findOlder(credential, on) : findSigned(credential, on);

  const inTime = (presented: FoundDisplay): PresentedDisplay => {
    const { expiresAt } = presented.display;
    return expiresAt !== undefined && clock.now() >= expiresAt ? { problem: 'display_expired' } : presented;
  };

  const check = async (credential: string, on?: Reading): Promise<PresentedDisplay> => {
    const version = storeVersion();
    const isStrange = on === undefined && !remembered.has(credential);
    const found = await (isStrange ? inTurn(() => find(credential)) : find(credential, on));
    if (found === undefined) return { problem: 'display_unknown' };
    if (on === undefined) remembered.set(credential, { ...found, version });
    return inTime(found);
  };

  /** Marks a display as framed, and binds one of Postern 1.0 to the secret. @returns what its credentials are signed with */
  const prepare = (id: string, isFramed: boolean) =>
    store.change(unconditional, async (on) => {
      const row = await on
        .selectFrom('api_tokens')
        .select(['salt', 'secret_mark'])
        .where('token_id', '=', id)
        .executeTakeFirst();
      if (row === undefined) return undefined;
      const { salt, secret_mark: mark } = row;
      const key = salt === null ? newKey(id) : { salt, secret_mark: mark };
      await on
        .updateTable('api_tokens')
        .set({ ...key, ...(isFramed && { is_framed: 1 }) })
        .where('token_id', '=', id)
        .execute();
      return key.salt;
    });

  return {
    fetch: async (deviceHash, isFramed) => {
      const issued = await store.change(unconditional, async (on) => {
        const row = await on
          .selectFrom('api_tokens')
          .select('token_id')
          .where('device_hash', '=', deviceHash)
          .where('token_hash', 'is', null)
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const { token_id: id } = row;
        const key = newKey(id);
        const first = { number: 1, key: newGenerationKey(), parent: undefined };
        const credential = keys.sign(id, key.salt, first, clock.now());
        const { numUpdatedRows } = await on
          .updateTable('api_tokens')
          .set({
            token_hash: hashOf(credential),
            ...key,
            ...rotationColumns(beginRotation(first, clock.now())),
            is_framed: isFramed ? 1 : 0,
          })
          .where('token_id', '=', id)
          .where('token_hash', 'is', null)
          .executeTakeFirstOrThrow();
        return numUpdatedRows === 1n ? { id, credential } : undefined;
      });
      const display = issued && (await tokens.find(issued.id));
      return display && { credential: issued.credential, display };
    },

    check,

    recall: (credential) => {
      const found = remembered.get(credential);
      return found?.version === storeVersion() ? inTime(found) : undefined;
    },

    exchange: async (credential, isFramed) => {
      const claimed = await find(credential);
      if (claimed !== undefined) uses.note(claimed.display.id, claimed.generation);
      await uses.settle();
      const presented = await check(credential);
      if ('problem' in presented) return undefined;
      const { display, generation, issuedAt } = presented;
      const isNext = isDue(issuedAt, clock.now());
      const isFrameNew = isFramed && display.display?.isFramed === false;
      if (!isNext && !isFrameNew) return { display };
      const known = isFrameNew ? undefined : display.display?.salt;
      // While the store accepts no change, the screen keeps its credential.
      const salt =
        known ??
        (await prepare(display.id, isFrameNew).catch((error: unknown) => {
          if (error instanceof AppError && error.code === 'store_unavailable') return undefined;
          throw error;
        }));
      if (salt === undefined) return { display };
      const next = { number: generation.number + 1, key: newGenerationKey(), parent: generation.key };
      // In a frame, its browser keeps the same credential by another cookie.
      const issued = isNext ? keys.sign(display.id, salt, next, clock.now()) : credential;
      const changed = await tokens.find(display.id);
      return { display, ...(changed && { issued: { credential: issued, display: changed } }) };
    },

    bindOlder: async () => {
      const older = (on: Reading) =>
        on
          .selectFrom('api_tokens')
          .select('token_id')
          .where('kind', '=', 'display')
          .where('salt', 'is', null)
          .where('token_hash', 'is not', null)
          .execute();
      if ((await older(store)).length === 0) return;
      await store.change(unconditional, async (on) => {
        for (const { token_id: id } of await older(on))
          await on.updateTable('api_tokens').set(newKey(id)).where('token_id', '=', id).execute();
      });
    },
  };
}

/** A credential as its text claims it, without a check. */
interface ClaimedCredential {
  readonly id: string;
  readonly generation: DisplayGeneration;
  readonly issuedAt: number | undefined;
  /** The part that is signed. */
  readonly text: string;
  readonly mac: string;
}

/** Signs credentials of displays with keys of one JWT secret: when that changes, no screen is signed in anymore. */
interface CredentialKeys {
  /** @param at milliseconds since the epoch */
  sign(id: string, salt: string, generation: DisplayGeneration, at: number): string;
  isValid(claimed: ClaimedCredential, salt: string): boolean;
  /** Differs between secrets, and is no part of a credential. */
  markOf(id: string, salt: string): string;
}

/** Only tells credentials apart, and need not be secret. */
const newGenerationKey = () => randomBytes(8).toString('base64url');

const idAndNumber = String.raw`^display_(?<id>[\da-f-]{36})\.(?<number>[1-9]\d{0,14})`;
const form = new RegExp(
  String.raw`${idAndNumber}\.(?<issued>\d{1,13})\.(?<key>[\w-]{11})\.(?<parent>[\w-]{0,15})\.(?<mac>[\w-]{43})$`,
);
/** Of builds before 2.0.0. */
const earlierForm = new RegExp(String.raw`${idAndNumber}\.(?<mac>[\w-]{43})$`);

/** @returns `undefined` if it has another form */
function readCredential(credential: string): ClaimedCredential | undefined {
  const parts = (form.exec(credential) ?? earlierForm.exec(credential))?.groups;
  const { id, number, issued, key, parent, mac } = parts ?? {};
  if (id === undefined || number === undefined || mac === undefined) return undefined;
  if (issued === undefined || key === undefined)
    return {
      id,
      generation: earlierGeneration(Number(number)),
      issuedAt: undefined,
      text: `${id} ${number}`,
      mac,
    };
  return {
    id,
    generation: { number: Number(number), key, parent: parent === '' ? undefined : parent },
    issuedAt: Number(issued) * 1000,
    text: `${id} ${number} ${issued} ${key} ${parent}`,
    mac,
  };
}

function createCredentialKeys(jwtSecret: string): CredentialKeys {
  const keys = boundedCache<string, Uint8Array>(mostRemembered);
  const keyOf = (salt: string) => {
    const known = keys.get(salt);
    if (known !== undefined) return known;
    const key = new Uint8Array(hkdfSync('sha256', jwtSecret, salt, 'credential of a display', 32));
    keys.set(salt, key);
    return key;
  };
  const macOf = (salt: string, text: string) =>
    createHmac('sha256', keyOf(salt)).update(text).digest('base64url');
  return {
    sign: (id, salt, { number, key, parent = '' }, at) => {
      const parts = [id, number, Math.floor(at / 1000), key, parent];
      return `display_${parts.join('.')}.${macOf(salt, `credential ${parts.join(' ')}`)}`;
    },
    isValid: ({ text, mac }, salt) =>
      timingSafeEqual(Buffer.from(mac), Buffer.from(macOf(salt, `credential ${text}`))),
    markOf: (id, salt) => macOf(salt, `mark ${id}`),
  };
}
