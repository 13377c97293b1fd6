import { AppError } from '../../errors.ts';
import type { FailureLimit } from '../limits/failure-limit.ts';
import type { PasswordHasher } from './password-hash.ts';
import type { Users } from './users.ts';
import type { SessionState } from './user-rows.ts';

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
   * password changes while the hash is computed, the login fails too; any other change of the user applies to the result.
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
  /**
   * The user as they are now. A role may change, or sessions end, while a hash is computed: a password that is still the user's stays
   * right. A new user of the same name is another one, even with the same password.
   * @param compared the user whose hash the password matched
   * @throws AppError `login_failed`
   */
  const readAgain = async (
    compared: { readonly id: string; readonly username: string; readonly passwordHash: string },
    password: string,
  ) => {
    const user = await users.find(compared.username);
    if (user?.id !== compared.id) throw new AppError('login_failed');
    const matches =
      user.passwordHash === compared.passwordHash ||
      (await hasher.verify(password, user.passwordHash)).matches;
    if (!matches) throw new AppError('login_failed');
    if (user.blocked !== undefined) throw new BlockedLogin();
    return user;
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
      if (outdated) await rehash(user.username, password, user.passwordHash);
      const current = await readAgain(user, password);
      if (current.generatedPasswordUnused) {
        await users
          .markGeneratedPasswordUsed(current)
          .catch((error: unknown) => onError(error, 'the generated password still counts as never used'));
      }
      return current;
    },
  };
}
