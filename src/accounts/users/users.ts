import { sql, type Transaction, type Updateable } from 'kysely';
import type { Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { foldUserName } from '../../policy/names.ts';
import { foldedUsername, newGeneration } from '../../store/account-columns.ts';
import { unconditional, type Permission, type Permit, type Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import { askTogether } from '../../store/slow-store.ts';
import type { Store } from '../../store/store.ts';
import { addPersonalRole, forgetPersonalRole, requireNotOfOther } from './personal-roles.ts';
import { endInvitations, type GivenOut } from './recovery.ts';
import { requireOtherAdmin, requireOwnAccount, requireUser } from './requirements.ts';
import { createUserList, type User, type UserList } from './user-list.ts';
import {
  findUsers,
  type FoundUser,
  insertUser,
  recover,
  type Recovered,
  type SessionState,
  updateEndingSessions,
} from './user-rows.ts';

export interface RecoveryOptions {
  /** Kinds of things the user has given out that do not end. */
  readonly keep?: readonly GivenOut[];
}

/** The user after a block or an unblock. */
interface Blocking extends User {
  /** False: it was so already. */
  readonly isChanged: boolean;
}

interface PasswordOptions extends RecoveryOptions {
  /** Whether the log shows the password. */
  readonly generated?: boolean;
}

/** Each change asks its permit in its transaction, and throws the permit's errors. */
export interface Users extends UserList {
  /** @param on a transaction to read through */
  find(username: string, on?: Reading): Promise<FoundUser | undefined>;
  /** @returns as `find`, ignoring case: at most one user matches */
  findTyped(name: string): ReturnType<Users['find']>;
  /** As `find`, with few queries for many calls at once. */
  findTogether(username: string): ReturnType<Users['find']>;
  /** @throws AppError `user_exists`, also when the names differ only in case */
  add(
    user: User & { readonly passwordHash: string; readonly generated?: boolean },
    permit: Permit,
  ): Promise<User>;
  /**
   * Ends the user's sessions, and what the user has given out.
   * @throws AppError `user_unknown`, `user_of_provider`
   */
  setPassword(
    username: string,
    passwordHash: string,
    permit: Permit,
    options?: PasswordOptions,
  ): Promise<Recovered>;
  /** Whether there is a generated password that no one has signed in with yet. */
  isGeneratedPasswordUnused(): Promise<boolean>;
  /** Whether any user has a passkey. */
  havePasskeys(): Promise<boolean>;
  /** Notes a login with the generated password. */
  markGeneratedPasswordUsed(user: Pick<SessionState, 'username' | 'generation'>): Promise<void>;
  /** Replaces an outdated hash of the same password; sessions stay. */
  rehash(username: string, oldHash: string, newHash: string): Promise<void>;
  /** Ends the user's sessions. @throws AppError `user_unknown`, `last_admin`, `user_of_provider` */
  setRole(username: string, role: string, permit: Permit): Promise<User>;
  /** @throws as `giveOwnRole`, without a change */
  requireOwnRolePossible(username: string, on: Reading): Promise<void>;
  /**
   * Gives a user a role that was just made for them, in the transaction that makes it. API tokens and screens with the previous role of the
   * user follow. The sessions stay, unless the user was an admin.
   * @throws AppError `user_unknown`, `last_admin`, `user_of_provider`
   */
  giveOwnRole(username: string, role: string, on: Transaction<Tables>, permission: Permission): Promise<void>;
  /** Ends the user's sessions. @throws AppError `user_unknown`, `last_admin` */
  remove(username: string, permit: Permit): Promise<void>;
  /**
   * Blocks a user until an admin unblocks them: ends the sessions; API tokens are refused meanwhile.
   * @throws AppError `user_unknown`, `last_admin`
   */
  block(username: string, permit: Permit): Promise<Blocking>;
  /** @throws AppError `user_unknown`, `user_of_provider`: the provider blocks the user, and only it can lift that */
  unblock(username: string, permit: Permit): Promise<Blocking>;
  /** Ends the user's sessions, and what the user has given out. @throws AppError `user_unknown` */
  endSessions(username: string, permit: Permit, options?: RecoveryOptions): Promise<Recovered>;
  /**
   * Gives the users of a role another one, ends the open invitations to it, and runs `also` in the same transaction. An invitation that was
   * accepted after that would make a user with a role that is gone.
   * @returns how many users there were
   */
  reassignRole(
    role: string,
    successor: string,
    also: (on: Transaction<Tables>) => unknown,
    permit: Permit,
  ): Promise<number>;
}

/**
 * @param issuer of the current provider: federated users of a previous one cannot sign in
 * @param version changes with every write to the store. Omit to ask the store each time
 */
export function createUsers(
  store: Store,
  clock: Clock,
  issuer: () => string | undefined = () => undefined,
  version: () => number = () => Number.NaN,
): Users {
  const update = (on: Transaction<Tables>, username: string, values: Updateable<Tables['users']>) =>
    updateEndingSessions(on, username, values, clock);

  return {
    ...createUserList(store, issuer),

    find: async (username, on = store) => {
      const [found] = await findUsers(on, (where) => where('username', '=', username));
      return found;
    },

    findTyped: async (name) => {
      const [found] = await findUsers(store, (where) => where(foldedUsername, '=', foldUserName(name)));
      return found;
    },

    findTogether: askTogether<string, FoundUser>(String, async (names) => {
      const found = await findUsers(store, (where) => where('username', 'in', names));
      return new Map(found.map((user) => [user.username, user]));
    }),

    add: ({ username, role, passwordHash, generated = false }, permit) =>
      store.change(permit, async (on, permission) => {
        await requireNotOfOther(on, role);
        return insertUser(on, { username, role, passwordHash, generated }, permission, clock);
      }),

    setPassword: (username, passwordHash, permit, { generated = false, keep } = {}) =>
      store.change(permit, async (on, { prove, alert }) => {
        await requireOwnAccount(on, username);
        alert('password_changed', { user: username });
        const values = {
          password_hash: prove(passwordHash),
          generated_password_unused: generated ? 1 : 0,
          password_generated: generated ? 1 : 0,
        };
        return recover(on, username, { values, alert, clock, keep });
      }),

    isGeneratedPasswordUnused: onceAVersion(version, async () => {
      const row = await store
        .selectFrom('users')
        .select('username')
        .where('generated_password_unused', '=', 1)
        .executeTakeFirst();
      return row !== undefined;
    }),

    havePasskeys: onceAVersion(
      version,
      async () =>
        (await store.selectFrom('passkeys').select('username').limit(1).executeTakeFirst()) !== undefined,
    ),

    markGeneratedPasswordUsed: async ({ username, generation }) => {
      await store.change(unconditional, (on) =>
        on
          .updateTable('users')
          .set({ generated_password_unused: 0 })
          .where('username', '=', username)
          .where('session_generation', '=', generation)
          .execute(),
      );
    },

    rehash: async (username, oldHash, newHash) => {
      await store.change(unconditional, (on, { prove }) =>
        on
          .updateTable('users')
          .set({ password_hash: prove(newHash) })
          .where('username', '=', username)
          .where('password_hash', '=', oldHash)
          .execute(),
      );
    },

    setRole: (username, role, permit) =>
      store.change(permit, async (on, { grant, alert }) => {
        await requireOwnAccount(on, username);
        const { role: former } = await requireUser(on, username);
        if (role !== former) await requireNotOfOther(on, role);
        if (role !== 'admin') await requireOtherAdmin(on, username, issuer());
        await update(on, username, { role: grant(role) });
        if (role !== 'admin') await endInvitations(on, username, clock);
        if (role === 'admin' && former !== 'admin') alert('admin_made', { user: username });
        return { username, role };
      }),

    requireOwnRolePossible: async (username, on) => {
      await requireOwnAccount(on, username);
      await requireOtherAdmin(on, username, issuer());
    },

    giveOwnRole: async (username, role, on, { grant }) => {
      await requireOwnAccount(on, username);
      await requireOtherAdmin(on, username, issuer());
      const { role: previous } = await requireUser(on, username);
      await addPersonalRole(on, role);
      if (previous === 'admin') {
        await update(on, username, { role: grant(role) });
        await endInvitations(on, username, clock);
      } else
        await on
          .updateTable('users')
          .set({ role: grant(role) })
          .where('username', '=', username)
          .execute();
      // Otherwise they would give more than their owner may do, and be refused.
      await on
        .updateTable('api_tokens')
        .set({ role: grant(role) })
        .where('username', '=', username)
        .where('role', '=', previous)
        .execute();
    },

    remove: (username, permit) =>
      store.change(permit, async (on, { requireProof }) => {
        requireProof();
        await requireOtherAdmin(on, username, issuer());
        const result = await on.deleteFrom('users').where('username', '=', username).executeTakeFirst();
        if (result.numDeletedRows === 0n) throw new AppError('user_unknown');
        // The next user of this name did not make them.
        await endInvitations(on, username, clock);
      }),

    block: (username, permit) =>
      store.change(permit, async (on, { requireProof }) => {
        requireProof();
        const { role, blocked } = await requireUser(on, username);
        if (blocked === 'admin') return { username, role, isChanged: false };
        await requireOtherAdmin(on, username, issuer());
        // The provider's reason is kept for when the admin unblocks the user.
        await update(on, username, {
          blocked: 'admin',
          ...(blocked === 'provider' && { role_reason: null }),
        });
        return { username, role, isChanged: true };
      }),

    unblock: (username, permit) =>
      store.change(permit, async (on, { requireProof }) => {
        // Unblocking gives the role's access back.
        requireProof();
        const { role, blocked, issuer, role_reason: reason } = await requireUser(on, username);
        if (blocked === null) return { username, role, isChanged: false };
        if (blocked === 'provider') throw new AppError('user_of_provider');
        const hasNoRole = issuer !== null && reason === null;
        await update(on, username, { blocked: hasNoRole ? 'provider' : null });
        return { username, role, isChanged: true };
      }),

    endSessions: (username, permit, { keep } = {}) =>
      store.change(permit, (on, { alert }) => recover(on, username, { alert, clock, keep })),

    reassignRole: (role, successor, also, permit) =>
      store.change(permit, async (on, { grant }) => {
        await requireNotOfOther(on, successor);
        const result = await on
          .updateTable('users')
          .set({
            role: grant(successor),
            role_reason: sql`CASE WHEN role_reason IS NULL THEN NULL ELSE 'role_removed' END`,
            ...newGeneration(on, clock.now()),
          })
          .where('role', '=', role)
          .executeTakeFirst();
        if (role !== successor) await on.deleteFrom('invitations').where('role', '=', role).execute();
        await forgetPersonalRole(on, role);
        await also(on);
        return Number(result.numUpdatedRows);
      }),
  };
}

/** Asks once for each version of the store, however many visitors of the sign-in page want to know. */
function onceAVersion<T>(version: () => number, ask: () => Promise<T>): () => Promise<T> {
  let kept: { readonly version: number; readonly answer: Promise<T> } | undefined;
  return () => {
    const current = version();
    if (kept?.version === current) return kept.answer;
    const asked = { version: current, answer: ask() };
    kept = asked;
    asked.answer.catch(() => {
      if (kept === asked) kept = undefined;
    });
    return asked.answer;
  };
}
