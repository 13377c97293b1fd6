import { randomBytes, randomUUID } from 'node:crypto';
import type { Transaction } from 'kysely';
import { LRUCache } from 'lru-cache';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { unconditional, type Permit, type Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import type { Limiter } from '../../store/limiter.ts';
import {
  accessText,
  findOwner,
  hashOf,
  requireRoom,
  type ApiToken,
  type ApiTokens,
  type NewApiToken,
} from '../api-tokens/api-tokens.ts';

/** A screen that stays signed in: an API token of the user who approved it, which the screen keeps in a cookie. */
export type Display = ApiToken;

type NewDisplay = Omit<NewApiToken, 'schedule'>;

type DisplayProblem = 'display_unknown' | 'display_expired' | 'display_copied';

/** The result of checking a presented credential. */
export type PresentedDisplay = { readonly display: Display } | { readonly problem: DisplayProblem };

/** What a screen gets: its credential is stored nowhere else. */
interface IssuedCredential {
  readonly credential: string;
  readonly display: Display;
}

export interface Displays extends Pick<ApiTokens, 'list' | 'find'> {
  /**
   * Approves a screen, which then fetches its credential.
   * @param deviceHash of its device code
   * @throws AppError `pairing_code_unknown` when the code was approved before, `display_exists`, `too_many_displays`
   */
  approve(deviceHash: string, wanted: NewDisplay, permit: Permit): Promise<Display>;
  /** Gives an approved screen its credential, once. @returns undefined if none was approved, or it has been given out */
  fetch(deviceHash: string, isFramed: boolean): Promise<IssuedCredential | undefined>;
  /** Checks a credential against the store as it is now; a copied one ends its display. @param on a transaction to read through */
  check(credential: string, on?: Reading): Promise<PresentedDisplay>;
  /** The result of an earlier `check`. @returns undefined when the store has to be asked */
  recall(credential: string): PresentedDisplay | undefined;
  /**
   * Replaces the credential of a screen once a day. The former one stays valid until its successor was used, and a minute after.
   * @param isFramed a display that was framed once stays so
   * @returns the new one; undefined: the presented one stays
   */
  rotate(credential: string, isFramed: boolean): Promise<IssuedCredential | undefined>;
  /** Changes what is named. @returns undefined if there is no such display. @throws AppError `display_exists` */
  change(id: string, changes: DisplayChanges, permit: Permit): Promise<Display | undefined>;
  /** @returns whether it existed */
  end(id: string, permit: Permit): Promise<boolean>;
  /** Deletes displays that expired, or were approved and never fetched. */
  prune(): Promise<void>;
}

type DisplayChanges = Partial<Pick<NewDisplay, 'name' | 'cameras' | 'may' | 'expiresAt'>>;

export interface DisplaysOptions {
  readonly store: Store;
  /** API tokens of the kind `display`. */
  readonly tokens: ApiTokens;
  readonly clock: Clock;
  readonly inTurn?: Limiter | undefined;
  /** Called once for each display that is ended because its credential was copied. */
  readonly onCopied: (display: Display) => void;
}

const form = /^display_[\w-]{43}$/;

// Seconds.
const rotateAfter = 86_400;
const grace = 60;
/** How long an approved screen may take to fetch its credential: as long as a pairing code is valid. */
export const pairingLifetime = 600;

const mostFormer = 32;
const mostNoted = 10_000;

const full = { taken: 'display_exists', full: 'too_many_displays' } as const;

export function createDisplays({ store, tokens, clock, inTurn, onCopied }: DisplaysOptions): Displays {
  const now = () => wholeSeconds(clock.now());
  const newCredential = () => `display_${randomBytes(32).toString('base64url')}`;

  const formerOf = (on: Reading, credentialHash: string) =>
    on
      .selectFrom('former_credentials')
      .select(['token_id', 'valid_until'])
      .where('credential_hash', '=', credentialHash)
      .executeTakeFirst();

  /** When the credential began whose arrival was noted last, by display. */
  const noted = new LRUCache<string, number>({ max: mostNoted });
  /** The screen has its current credential: earlier ones are valid a minute longer. No request waits for a store that takes nothing. */
  const noteArrival = async ({ id, createdAt, display }: Display) => {
    const began = display?.rotatedAt ?? createdAt;
    if (noted.get(id) === began) return;
    await seen(store, id, now()).then(
      () => noted.set(id, began),
      () => undefined,
    );
  };

  const remove = (id: string, permit: Permit) => tokens.revoke(id, permit);

  const inTime = (display: Display): PresentedDisplay =>
    display.expiresAt !== undefined && clock.now() >= display.expiresAt
      ? { problem: 'display_expired' }
      : { display };

  const checkFormer = async (credential: string, on: Reading): Promise<PresentedDisplay> => {
    const former = await formerOf(on, hashOf(credential));
    const display = former && (await tokens.find(former.token_id, on));
    if (former === undefined || display === undefined) return { problem: 'display_unknown' };
    if (former.valid_until === null || now() <= former.valid_until) return inTime(display);
    // A decision in a transaction only reads: the next request of the same credential ends it.
    const ended =
      on === store &&
      (await tokens.revoke(display.id, unconditional, ({ alert }) =>
        alert('display_copied', { user: display.owner, object: display.name }),
      ));
    if (ended) onCopied(display);
    return { problem: 'display_copied' };
  };

  return {
    list: tokens.list,
    find: tokens.find,

    approve: async (deviceHash, { name, owner, role, cameras, may, expiresAt }, permit) => {
      const id = randomUUID();
      await store.change(permit, async (on, { requireProof, grant, alert }) => {
        requireProof();
        await findOwner(on, owner);
        await requireRoom(on, owner, 'display', name, full);
        const { numInsertedOrUpdatedRows: count } = await on
          .insertInto('api_tokens')
          .values({
            token_id: id,
            kind: 'display',
            token_hash: null,
            device_hash: deviceHash,
            name,
            username: owner,
            role: grant(role),
            cameras: camerasText(cameras),
            access: accessText({ may }),
            created_at: now(),
            expires_at: expiresAt === undefined ? null : wholeSeconds(expiresAt),
          })
          .onConflict((conflict) => conflict.column('device_hash').doNothing())
          .executeTakeFirstOrThrow();
        if (count !== 1n) throw new AppError('pairing_code_unknown');
        alert('display_paired', { user: owner, object: name });
      });
      return (await tokens.find(id)) as Display;
    },

    fetch: async (deviceHash, isFramed) => {
      const credential = newCredential();
      const id = await store.change(unconditional, async (on) => {
        const row = await on
          .selectFrom('api_tokens')
          .select('token_id')
          .where('device_hash', '=', deviceHash)
          .where('token_hash', 'is', null)
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const { numUpdatedRows } = await on
          .updateTable('api_tokens')
          .set({ token_hash: hashOf(credential), rotated_at: now(), is_framed: isFramed ? 1 : 0 })
          .where('token_id', '=', row.token_id)
          .where('token_hash', 'is', null)
          .executeTakeFirstOrThrow();
        return numUpdatedRows === 1n ? row.token_id : undefined;
      });
      const display = id === undefined ? undefined : await tokens.find(id);
      return display && { credential, display };
    },

    check: async (credential, on = store) => {
      const checked = await tokens.check(credential, on);
      if ('apiToken' in checked) {
        if (on === store) await noteArrival(checked.apiToken);
        return { display: checked.apiToken };
      }
      if (checked.problem === 'api_token_expired') return { problem: 'display_expired' };
      if (!form.test(credential)) return { problem: 'display_unknown' };
      const ask = () => checkFormer(credential, on);
      return on === store && inTurn !== undefined ? inTurn(ask) : ask();
    },

    recall: (credential) => {
      const found = tokens.recall(credential);
      if (found === undefined || 'apiToken' in found) return found && { display: found.apiToken };
      return { problem: found.problem === 'api_token_expired' ? 'display_expired' : 'display_unknown' };
    },

    rotate: async (credential, isFramed) => {
      const presented = hashOf(credential);
      const found = await formerOf(store, presented);
      const checked = await tokens.check(credential);
      if ('apiToken' in checked) await noteArrival(checked.apiToken);
      const display = 'apiToken' in checked ? checked.apiToken : found && (await tokens.find(found.token_id));
      if (display?.display === undefined) return undefined;
      const { id } = display;
      const age = clock.now() - (display.display.rotatedAt ?? 0);
      const isCurrent = 'apiToken' in checked;
      const framed = isFramed || display.display.isFramed;
      const isFrameNew = framed !== display.display.isFramed;
      // Of a former one the screen did not get the successor: it lost the answer, or another page of it is about to use it.
      const isDue = isCurrent ? isFrameNew || age >= rotateAfter * 1000 : age >= grace * 1000;
      if (!isDue) return undefined;
      const next = newCredential();
      const isReplaced = await store.change(unconditional, (on) =>
        replace(on, { id, isCurrent, presented, next: hashOf(next), isFramed: framed, now: now() }),
      );
      const replaced = isReplaced ? await tokens.find(id) : undefined;
      return replaced && { credential: next, display: replaced };
    },

    change: async (id, { name, expiresAt, ...narrowed }, permit) => {
      const before = await tokens.find(id);
      if (before === undefined) return undefined;
      await store.change(permit, async (on, { requireProof }) => {
        requireProof();
        if (name !== undefined) await requireRoom(on, before.owner, 'display', name, { ...full, id });
        await on
          .updateTable('api_tokens')
          .set({
            ...(name !== undefined && { name }),
            ...('cameras' in narrowed && { cameras: camerasText(narrowed.cameras) }),
            ...('may' in narrowed && { access: accessText({ may: narrowed.may }) }),
            expires_at: expiresAt === undefined ? null : wholeSeconds(expiresAt),
          })
          .where('token_id', '=', id)
          .execute();
      });
      return tokens.find(id);
    },

    end: remove,

    prune: async () => {
      const over = (on: Reading) =>
        on
          .selectFrom('api_tokens')
          .select('token_id')
          .where('kind', '=', 'display')
          .where(({ eb, or, and }) =>
            or([
              eb('expires_at', '<=', now()),
              and([eb('token_hash', 'is', null), eb('created_at', '<=', now() - 2 * pairingLifetime)]),
            ]),
          );
      // Without any there is nothing to write, which would clear what is remembered of all users.
      const ids = (await over(store).execute()).map(({ token_id: id }) => id);
      if (ids.length === 0) return;
      await store.change(unconditional, (on) =>
        on.deleteFrom('api_tokens').where('token_id', 'in', ids).execute(),
      );
    },
  };
}

function camerasText(cameras: ReadonlySet<string> | undefined): string | null {
  return cameras === undefined ? null : JSON.stringify([...cameras]);
}

/** The current credential has arrived at the screen: earlier ones are valid a minute longer. */
async function seen(store: Store, id: string, now: number): Promise<void> {
  const waiting = await store
    .selectFrom('former_credentials')
    .select('credential_hash')
    .where('token_id', '=', id)
    .where('valid_until', 'is', null)
    .executeTakeFirst();
  if (waiting === undefined) return;
  await store.change(unconditional, (on) =>
    on
      .updateTable('former_credentials')
      .set({ valid_until: now + grace })
      .where('token_id', '=', id)
      .where('valid_until', 'is', null)
      .execute(),
  );
}

interface Replacement {
  readonly id: string;
  /** The presented credential is the current one; else an earlier one. */
  readonly isCurrent: boolean;
  readonly presented: string;
  readonly next: string;
  readonly isFramed: boolean;
  readonly now: number;
}

/** @returns whether it was replaced: another page of the same screen may have been faster */
async function replace(
  on: Transaction<Tables>,
  { id, isCurrent, presented, next, isFramed, now }: Replacement,
): Promise<boolean> {
  const row = await on
    .selectFrom('api_tokens')
    .select(['token_hash', 'rotated_at'])
    .where('token_id', '=', id)
    .executeTakeFirst();
  const before = row?.token_hash;
  if (before === null || before === undefined || (isCurrent && before !== presented)) return false;
  const { numUpdatedRows } = await on
    .updateTable('api_tokens')
    .set({ token_hash: next, rotated_at: now, is_framed: isFramed ? 1 : 0 })
    .where('token_id', '=', id)
    .where('token_hash', '=', before)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows !== 1n) return false;
  if (isCurrent)
    // It was the latest, and its screen has it: those before are over in a minute.
    await on
      .updateTable('former_credentials')
      .set({ valid_until: now + grace })
      .where('token_id', '=', id)
      .where('valid_until', 'is', null)
      .execute();
  await on
    .insertInto('former_credentials')
    .values({ credential_hash: before, token_id: id, replaced_at: now, valid_until: null })
    .execute();
  const kept = on
    .selectFrom('former_credentials')
    .select('credential_hash')
    .where('token_id', '=', id)
    .orderBy('replaced_at', 'desc')
    .limit(mostFormer);
  await on
    .deleteFrom('former_credentials')
    .where('token_id', '=', id)
    .where('credential_hash', 'not in', kept)
    .execute();
  return true;
}
