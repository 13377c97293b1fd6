import { attempt } from '../limits/attempt.ts';
import { limitFailures, type FailureLimit } from '../limits/failure-limit.ts';
import type { CountedWindows } from '../limits/counted-windows.ts';
import type { Proof } from './proofs.ts';

/**
 * Wrong one-time codes of a user, from whatever address. Three of a million are right at any moment: whoever knows the password
 * and guesses twenty a day is right once in forty years. Nobody guesses a passkey or a recovery code, so both go on.
 */
const wrongCodes = [
  { name: 'one_time_code in five minutes', most: 5, seconds: 300 },
  { name: 'one_time_code in a day', most: 20, seconds: 86_400 },
] as const;

/** Limits what somebody may try besides a password. */
export interface ProofLimit {
  /**
   * Takes a place under each limit before it looks at anything, so that parallel guesses cannot share one.
   * @throws AppError `too_many_requests`, and what the look throws: it was a failure when `isFailure` says so
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
