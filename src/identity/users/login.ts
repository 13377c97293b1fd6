import { AppError } from '../../errors.ts';
import { isOfGeneration } from '../../policy/session-generation.ts';
import type { FailureLimit } from '../limits/failure-limit.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { SessionState, Users } from './users.ts';

export interface LoginDependencies {
  readonly users: Users;
  readonly hasher: PasswordHasher;
  readonly failureLimit: FailureLimit;
  /** Called for an error that does not stop the login. */
  readonly onError: (error: unknown, message: string) => void;
}

export interface Login {
  /**
   * Checks a user's password. The answer and its time are the same for an unknown user, a wrong password and a broken hash. If the
   * password changes while the hash is computed, the login fails too.
   * @param username in any case: phones start a text with a capital
   * @param address of the client
   * @returns the user with the generation of the password: sessions end when it changes
   * @throws AppError `login_failed`, `too_many_requests`
   */
  verify(username: string, password: string, address: string): Promise<SessionState>;
}

/** The password was right, but the user is blocked. Only the audit log learns of it. */
export class BlockedLogin extends AppError {
  constructor() {
    super('login_failed');
  }
}

export function createLogin({ users, hasher, failureLimit, onError }: LoginDependencies): Login {
  const rehash = async (username: string, password: string, oldHash: string) => {
    try {
      await users.rehash(username, oldHash, await hasher.hash(password));
    } catch (error) {
      onError(error, 'an outdated password hash stays as it is');
    }
  };
  const compare = async (username: string, password: string) => {
    const user = await users.findTyped(username);
    return { user, ...(await hasher.verify(password, user?.passwordHash)) };
  };
  return {
    verify: async (username, password, address) => {
      const attempt = await failureLimit.reserve(address);
      if ('retryAfterSeconds' in attempt)
        throw new AppError('too_many_requests', { retryAfterSeconds: attempt.retryAfterSeconds });
      const { user, matches, outdated } = await compare(username, password).catch(async (error: unknown) => {
        // The password was not checked, so nothing was guessed.
        await attempt.giveBack();
        throw error;
      });
      if (!matches || user === undefined) throw new AppError('login_failed');
      // It counts as a failure, like a wrong password.
      if (user.blocked !== undefined) throw new BlockedLogin();
      await attempt.giveBack();
      if (user.generatedPasswordUnused) {
        await users
          .markGeneratedPasswordUsed(user)
          .catch((error: unknown) => onError(error, 'the generated password still counts as never used'));
      }
      if (outdated) await rehash(user.username, password, user.passwordHash);
      const found = await users.find(user.username);
      if (found === undefined || found.blocked !== undefined || !isOfGeneration(user, found))
        throw new AppError('login_failed');
      return user;
    },
  };
}
