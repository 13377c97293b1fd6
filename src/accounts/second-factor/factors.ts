import type { Transaction } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { type RecoveryOptions } from '../users/users.ts';
import { updateEndingSessions, type Recovered, type SessionState, recover } from '../users/user-rows.ts';
import { AppError } from '../../errors.ts';
import type { Permission, Permit, Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store } from '../../store/store.ts';
import { useOnce } from '../../store/used-once.ts';
import type { KnownPasskey, NewKey } from './passkeys.ts';
import { hashOfRecoveryCode, newRecoveryCodes } from './codes.ts';
import { requireOwnAccount } from '../users/requirements.ts';

/** Times are milliseconds since the epoch. */
export interface Passkey extends KnownPasskey {
  /** Its owner's label. */
  readonly name: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | undefined;
}

/** A user's second factors. */
interface OwnFactors {
  /** In the order in which they were added. */
  readonly passkeys: readonly Passkey[];
  /** The same for all passkeys of a user; undefined without any. */
  readonly userHandle: string | undefined;
  readonly oneTimeCode: { readonly createdAt: number } | undefined;
  /** They replace a factor, and are none by themselves. */
  readonly recoveryCodesLeft: number;
}

export interface NewPasskey extends NewKey {
  readonly name: string;
  readonly userHandle: string;
}

/** A value that can be used once, and when it expires (milliseconds since the epoch). */
export interface Once {
  readonly purpose: string;
  readonly key: string;
  readonly expiresAt: number;
}

/** The first factor of a user ends all sessions, because they began without one. */
interface Added {
  /** State that sessions are compared with from then on; absent when it did not change. */
  readonly began: SessionState | undefined;
}

const mostPasskeys = 20;

/** Each change asks its permit in its transaction, and throws the permit's errors. */
export interface Factors {
  of(username: string, on?: Reading): Promise<OwnFactors>;
  /** @throws AppError `passkey_exists`, `too_many_passkeys`, `challenge_expired`, `user_unknown` */
  addPasskey(
    username: string,
    passkey: NewPasskey,
    once: Once,
    permit: Permit,
  ): Promise<Added & { readonly passkey: Passkey }>;
  /** @returns the name of the passkey. @throws AppError `passkey_unknown` */
  removePasskey(username: string, id: string, permit: Permit): Promise<string>;
  /**
   * Sets up one-time codes with a secret, sealed as `one_time_code` about the user, replacing previous ones, and makes new
   * recovery codes.
   * @param step of the code that was entered; it cannot be used again
   * @throws AppError `challenge_expired`, `user_unknown`
   */
  setOneTimeCode(
    username: string,
    code: { readonly sealedSecret: string; readonly step: number },
    once: Once,
    permit: Permit,
  ): Promise<Added & { readonly recoveryCodes: readonly string[] }>;
  /** @throws AppError `one_time_code_unknown` */
  removeOneTimeCode(username: string, permit: Permit): Promise<void>;
  /** Replaces the recovery codes. @throws AppError `no_second_factor` */
  makeRecoveryCodes(username: string, permit: Permit): Promise<readonly string[]>;
  /**
   * Removes all factors, and ends the user's sessions and what the user has given out.
   * @throws AppError `user_unknown`, `user_of_provider`
   */
  resetFactors(username: string, permit: Permit, options?: RecoveryOptions): Promise<Recovered>;
}

async function requireUnused(on: Transaction<Tables>, { purpose, key, expiresAt }: Once): Promise<void> {
  if (!(await useOnce(on, purpose, key, expiresAt))) throw new AppError('challenge_expired');
}

/** Adds a passkey, in a transaction. @throws AppError `challenge_expired`, `passkey_exists` */
export async function insertPasskey(
  on: Transaction<Tables>,
  { prove }: Permission,
  {
    username,
    passkey,
    once,
  }: { readonly username: string; readonly passkey: NewPasskey; readonly once: Once },
  clock: Clock,
): Promise<Passkey> {
  await requireUnused(on, once);
  const { id, name, publicKey, counter, transports, userHandle } = passkey;
  const createdAt = wholeSeconds(clock.now());
  const result = await on
    .insertInto('passkeys')
    .values({
      credential_id: id,
      username,
      name,
      public_key: prove(publicKey),
      counter,
      transports: JSON.stringify(transports),
      user_handle: userHandle,
      created_at: createdAt,
      last_used_at: null,
    })
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .executeTakeFirst();
  if (result.numInsertedOrUpdatedRows === 0n) throw new AppError('passkey_exists');
  return { id, name, transports, createdAt: createdAt * 1_000, lastUsedAt: undefined };
}

export function createFactors(store: Store, clock: Clock): Factors {
  const nowSeconds = () => wholeSeconds(clock.now());

  const of = async (username: string, on: Reading = store): Promise<OwnFactors> => {
    const passkeys = await on
      .selectFrom('passkeys')
      .select(['credential_id', 'name', 'transports', 'user_handle', 'created_at', 'last_used_at'])
      .where('username', '=', username)
      .orderBy('created_at')
      .orderBy('credential_id')
      .execute();
    const code = await on
      .selectFrom('one_time_codes')
      .select('created_at')
      .where('username', '=', username)
      .executeTakeFirst();
    const { left } = await on
      .selectFrom('recovery_codes')
      .select(({ fn }) => fn.countAll<number>().as('left'))
      .where('username', '=', username)
      .executeTakeFirstOrThrow();
    return {
      passkeys: passkeys.map((row) => ({
        id: row.credential_id,
        name: row.name,
        transports: JSON.parse(row.transports) as string[],
        createdAt: row.created_at * 1_000,
        lastUsedAt: row.last_used_at === null ? undefined : row.last_used_at * 1_000,
      })),
      userHandle: passkeys[0]?.user_handle,
      oneTimeCode: code && { createdAt: code.created_at * 1_000 },
      recoveryCodesLeft: left,
    };
  };

  const replaceRecoveryCodes = async (on: Transaction<Tables>, { prove }: Permission, username: string) => {
    const codes = newRecoveryCodes();
    await on.deleteFrom('recovery_codes').where('username', '=', username).execute();
    await on
      .insertInto('recovery_codes')
      .values(codes.map((code) => ({ code_hash: prove(hashOfRecoveryCode(code)), username })))
      .execute();
    return codes;
  };

  /** Without another factor, recovery codes would be a factor of their own. */
  const dropLoneRecoveryCodes = async (on: Transaction<Tables>, username: string) => {
    if (!hasFactor(await of(username, on)))
      await on.deleteFrom('recovery_codes').where('username', '=', username).execute();
  };

  const endSessions = (on: Transaction<Tables>, username: string) =>
    updateEndingSessions(on, username, {}, clock);

  return {
    of,

    addPasskey: (username, added, once, permit) =>
      store.change(permit, async (on, permission) => {
        const before = await of(username, on);
        if (before.passkeys.length >= mostPasskeys) throw new AppError('too_many_passkeys');
        const passkey = await insertPasskey(on, permission, { username, passkey: added, once }, clock);
        permission.alert('factor_added', { user: username, object: 'passkey' });
        return { began: hasFactor(before) ? undefined : await endSessions(on, username), passkey };
      }),

    removePasskey: (username, id, permit) =>
      store.change(permit, async (on, { requireProof, alert }) => {
        requireProof();
        const removed = await on
          .deleteFrom('passkeys')
          .where('credential_id', '=', id)
          .where('username', '=', username)
          .returning('name')
          .executeTakeFirst();
        if (removed === undefined) throw new AppError('passkey_unknown');
        alert('factor_removed', { user: username, object: 'a passkey' });
        await dropLoneRecoveryCodes(on, username);
        return removed.name;
      }),

    setOneTimeCode: (username, { sealedSecret, step }, once, permit) =>
      store.change(permit, async (on, permission) => {
        await requireUnused(on, once);
        const before = await of(username, on);
        const values = { secret: permission.prove(sealedSecret), last_step: step, created_at: nowSeconds() };
        await on
          .insertInto('one_time_codes')
          .values({ username, ...values })
          .onConflict((conflict) => conflict.column('username').doUpdateSet(values))
          .execute();
        const recoveryCodes = await replaceRecoveryCodes(on, permission, username);
        if (before.oneTimeCode === undefined)
          permission.alert('factor_added', { user: username, object: 'app for codes' });
        else permission.alert('factor_removed', { user: username, object: 'an app for codes' });
        return {
          began: hasFactor(before) ? undefined : await endSessions(on, username),
          recoveryCodes,
        };
      }),

    removeOneTimeCode: (username, permit) =>
      store.change(permit, async (on, { requireProof, alert }) => {
        requireProof();
        const { numDeletedRows } = await on
          .deleteFrom('one_time_codes')
          .where('username', '=', username)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw new AppError('one_time_code_unknown');
        alert('factor_removed', { user: username, object: 'an app for codes' });
        await dropLoneRecoveryCodes(on, username);
      }),

    makeRecoveryCodes: (username, permit) =>
      store.change(permit, async (on, permission) => {
        if (!hasFactor(await of(username, on))) throw new AppError('no_second_factor');
        return replaceRecoveryCodes(on, permission, username);
      }),

    resetFactors: (username, permit, { keep } = {}) =>
      store.change(permit, async (on, { requireProof, alert }) => {
        requireProof();
        await requireOwnAccount(on, username);
        for (const table of ['passkeys', 'one_time_codes', 'recovery_codes'] as const)
          await on.deleteFrom(table).where('username', '=', username).execute();
        alert('factor_removed', { user: username, object: 'all of them' });
        return recover(on, username, { alert, clock, keep });
      }),
  };
}

function hasFactor({ passkeys, oneTimeCode }: Pick<OwnFactors, 'passkeys' | 'oneTimeCode'>): boolean {
  return passkeys.length > 0 || oneTimeCode !== undefined;
}
