import { attempt } from '../../accounts/limits/attempt.ts';
import type { FailureLimit } from '../../accounts/limits/failure-limit.ts';
import type { PasswordHasher } from '../../accounts/users/password-hash.ts';
import { AppError } from '../../errors.ts';
import type { SharedMedia } from '../../policy/share-scope.ts';
import { isSecretOf } from '../../accounts/link-secret.ts';
import { isShareId, type Share, type Shares } from './shares.ts';

/** A share that may be opened, and what it shows. */
interface OpenShare {
  readonly share: Share;
  readonly media: SharedMedia;
}

/** What a client presents to unlock a share. */
interface Presented {
  readonly id: string;
  readonly secret: string;
  /** Undefined: not asked for yet. */
  readonly password?: string | undefined;
  /** Of the client. */
  readonly address: string;
}

export interface UnlockDependencies {
  readonly shares: Pick<Shares, 'find'>;
  readonly hasher: Pick<PasswordHasher, 'verify'>;
  /** Attempts by address, as for logins. */
  readonly byAddress: FailureLimit;
  /** Wrong passwords by share: one link may be used from many addresses. */
  readonly byShare: FailureLimit;
  /** @returns what a share shows now; undefined: it is gone, or its creator may no longer see it */
  readonly show: (share: Share) => Promise<SharedMedia | undefined>;
}

/**
 * Unlocks a share for anyone who has its secret. Without the secret, no one learns whether there is such a share, nor whether it has a
 * password: the answer and its time are the same.
 * @throws AppError `share_over`, `share_password_needed`, `share_password_wrong`, `too_many_requests`
 */
export type UnlockShare = (presented: Presented) => Promise<OpenShare>;

export function createUnlock({ shares, hasher, byAddress, byShare, show }: UnlockDependencies): UnlockShare {
  const find = async ({ id, secret }: Presented): Promise<OpenShare> => {
    const share = isShareId(id) ? await shares.find(id) : undefined;
    if (!isSecretOf(share, secret) || share === undefined) throw new AppError('share_over');
    const media = await show(share);
    if (media === undefined) throw new AppError('share_over');
    return { share, media };
  };

  return (presented) =>
    attempt(isFailure, async (take) => {
      await take(byAddress, presented.address);
      const found = await find(presented);
      const { passwordHash, id } = found.share;
      if (passwordHash === undefined) return found;
      const { password } = presented;
      if (password === undefined) throw new AppError('share_password_needed');
      await take(byShare, id);
      const { matches } = await hasher.verify(password, passwordHash);
      if (!matches) throw new AppError('share_password_wrong');
      // The share may have ended while the password was compared.
      return find(presented);
    });
}

/** Whether the attempt was a guess. */
function isFailure(error: unknown): boolean {
  return error instanceof AppError && (error.code === 'share_over' || error.code === 'share_password_wrong');
}
