import type { Transaction } from 'kysely';
import type { ChangeLimit } from '../limits/change-limit.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { Sealing } from '../sealing.ts';
import type { Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import { useOnce } from '../../store/used-once.ts';
import { stepOfCode, hashOfRecoveryCode } from './codes.ts';
import type { AssertionPurpose, Passkeys, Presented } from './passkeys.ts';
import { attempt, limitFailures, type FailureLimit } from '../limits/failure-limit.ts';
import type { CountedWindows } from '../limits/counted-windows.ts';

/** Proof of a second factor. */
export type Proof =
  | { readonly method: 'one_time_code' | 'recovery_code'; readonly code: string }
  | { readonly method: 'passkey'; readonly passkey: Presented };

/** Reason why a proof was rejected, for the audit log. */
type ProofFault =
  | 'one_time_code_wrong'
  | 'one_time_code_used'
  | 'recovery_code_wrong'
  | 'passkey_unknown'
  | 'passkey_wrong'
  /** The counter went back: the passkey was cloned, or the response is an old one. */
  | 'passkey_counter'
  /** Expired, used before, for another purpose, or made with a previous password. */
  | 'challenge_expired';

/** Rolls back the transaction that was to use a proof. */
export class ProofRefused extends Error {
  override readonly name = 'ProofRefused';
  readonly fault: ProofFault;

  constructor(fault: ProofFault) {
    super(fault);
    this.fault = fault;
  }
}

/** A valid proof, not used yet. */
interface FoundProof {
  readonly username: string;
  /** Marks it used, in the transaction of the login or change. @throws ProofRefused */
  use(on: Transaction<Tables>): Promise<void>;
}

interface Occasion {
  readonly purpose: AssertionPurpose;
  /** The session or login that it is for. */
  readonly about: string;
}

export interface Proofs {
  /**
   * @param username of the user to prove. Omit when the passkey identifies the user
   * @throws ProofRefused, before anything is written, so that guesses use up nothing. AppError `too_many_requests` for a
   * passkey that is used too often: a program can hold one
   */
  check(proof: Proof, username: string | undefined, occasion: Occasion): Promise<FoundProof>;
}

interface ProofsDependencies {
  readonly read: Reading;
  readonly sealing: Pick<Sealing, 'open'>;
  readonly passkeys: Pick<Passkeys, 'arePossible' | 'challengeOf' | 'verifyAssertion'>;
  readonly changeLimit: ChangeLimit;
  readonly clock: Clock;
}

export function createProofs({ read, sealing, passkeys, changeLimit, clock }: ProofsDependencies): Proofs {
  const checkOneTimeCode = async (code: string, username: string): Promise<FoundProof> => {
    const row = await read
      .selectFrom('one_time_codes')
      .select(['secret', 'last_step'])
      .where('username', '=', username)
      .executeTakeFirst();
    const secret = row && (await sealing.open('one_time_code', row.secret, username));
    const step = secret === undefined ? undefined : await stepOfCode(code, secret, clock.now());
    if (row === undefined || step === undefined) throw new ProofRefused('one_time_code_wrong');
    if (step <= row.last_step) throw new ProofRefused('one_time_code_used');
    return {
      username,
      use: async (on) => {
        const { numUpdatedRows } = await on
          .updateTable('one_time_codes')
          .set({ last_step: step })
          .where('username', '=', username)
          // Fails when the secret was replaced meanwhile, or another process has accepted a code of this step.
          .where('secret', '=', row.secret)
          .where('last_step', '<', step)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw new ProofRefused('one_time_code_used');
      },
    };
  };

  const checkRecoveryCode = async (code: string, username: string): Promise<FoundProof> => {
    const hash = hashOfRecoveryCode(code);
    const row = await read
      .selectFrom('recovery_codes')
      .select('code_hash')
      .where('code_hash', '=', hash)
      .where('username', '=', username)
      .executeTakeFirst();
    if (row === undefined) throw new ProofRefused('recovery_code_wrong');
    return {
      username,
      use: async (on) => {
        const { numDeletedRows } = await on
          .deleteFrom('recovery_codes')
          .where('code_hash', '=', hash)
          .where('username', '=', username)
          .executeTakeFirst();
        if (numDeletedRows === 0n) throw new ProofRefused('recovery_code_wrong');
      },
    };
  };

  const checkPasskey = async (
    { state, response }: Presented,
    username: string | undefined,
    { purpose, about }: Occasion,
  ): Promise<FoundProof> => {
    const asked = await passkeys.challengeOf(purpose, about, state);
    if (asked === undefined) throw new ProofRefused('challenge_expired');
    const { id, response: signed } = response as { readonly id: string; readonly response: object };
    const row = await read
      .selectFrom('passkeys')
      .select(['credential_id', 'username', 'public_key', 'user_handle'])
      .where('credential_id', '=', id)
      .executeTakeFirst();
    const isTheirs = username === undefined || row?.username === username;
    const { userHandle } = signed as { readonly userHandle?: unknown };
    // Without a user name, the passkey has to identify its user (WebAuthn, 7.2, 6).
    const saysWho =
      userHandle === undefined || userHandle === null
        ? username !== undefined
        : userHandle === row?.user_handle;
    if (row === undefined || !isTheirs || !saysWho || !passkeys.arePossible)
      throw new ProofRefused('passkey_unknown');
    const key = { id: row.credential_id, publicKey: row.public_key };
    const counter = await passkeys.verifyAssertion(response, asked.challenge, key);
    if (counter === undefined) throw new ProofRefused('passkey_wrong');
    await changeLimit.take('passkey_shown', row.username);
    return {
      username: row.username,
      use: async (on) => {
        const now = await on
          .selectFrom('passkeys')
          .select('counter')
          .where('credential_id', '=', key.id)
          .where('username', '=', row.username)
          .executeTakeFirst();
        if (now === undefined) throw new ProofRefused('passkey_unknown');
        if (!(await useOnce(on, 'passkey', asked.challenge, asked.expiresAt)))
          throw new ProofRefused('challenge_expired');
        // Passkeys that are synced between devices do not count (WebAuthn, 6.1.1).
        const counts = counter > 0 || now.counter > 0;
        if (counts && counter <= now.counter) throw new ProofRefused('passkey_counter');
        await on
          .updateTable('passkeys')
          .set({ counter, last_used_at: wholeSeconds(clock.now()) })
          .where('credential_id', '=', key.id)
          .execute();
      },
    };
  };

  return {
    check: async (proof, username, occasion) => {
      if (proof.method === 'passkey') return checkPasskey(proof.passkey, username, occasion);
      if (username === undefined) throw new Error('a code says nothing of whose it is');
      return proof.method === 'one_time_code'
        ? checkOneTimeCode(proof.code, username)
        : checkRecoveryCode(proof.code, username);
    },
  };
}

/**
 * Wrong one-time codes of a user, from any address. Three of a million codes are right at any moment: with the password and
 * twenty guesses a day, an attacker succeeds once in forty years. Passkeys and recovery codes cannot be guessed, so they stay
 * usable.
 */
const wrongCodes = [
  { name: 'one_time_code in five minutes', most: 5, seconds: 300 },
  { name: 'one_time_code in a day', most: 20, seconds: 86_400 },
] as const;

/** Limits attempts at a second factor. */
export interface ProofLimit {
  /**
   * Takes a place under each limit before `look` runs, so that parallel guesses cannot share one.
   * @throws AppError `too_many_requests`, and what `look` throws; that counts as a failure when `isFailure` returns
   * true
   */
  attempt<T>(
    given: { readonly address: string; readonly username: string | undefined; readonly proof: Proof },
    isFailure: (error: unknown) => boolean,
    look: () => Promise<T>,
  ): Promise<T>;
}

/** @param byAddress the limit of logins */
export function createProofLimit(
  byAddress: FailureLimit,
  windows: CountedWindows,
  onLimited: () => void,
): ProofLimit {
  const byUser = limitFailures(wrongCodes, windows, (username) => username, onLimited);
  return {
    attempt: ({ address, username, proof: { method } }, isFailure, look) =>
      attempt(isFailure, async (take) => {
        await take(byAddress, address);
        if (method === 'one_time_code' && username !== undefined) await take(byUser, username);
        return look();
      }),
  };
}
