import { attempt } from '../limits/attempt.ts';
import { limitFailures, type FailureLimit } from '../limits/failure-limit.ts';
import type { CountedWindows } from '../limits/counted-windows.ts';
import type { Proof } from './proofs.ts';

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
