import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { foldName } from '../../policy/names.ts';
import type { SessionGeneration } from '../../policy/session-generation.ts';
import { askTogether } from '../../store/ask-together.ts';
import { foldedUsername } from '../../store/folded-names.ts';
import { unconditional, type Permit, type Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import { hasSecondFactor } from '../../store/second-factor.ts';
import { newGeneration } from '../../store/session-generation.ts';
import type { Store } from '../../store/store.ts';
import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type SqlBool,
  type Transaction,
  type Updateable,
} from 'kysely';
import { requireOtherAdmin, requireOwnAccount, requireUser } from './requirements.ts';
import { endGivenOut, type Ended, type GivenOut } from './recovery.ts';
import { createUserList, type Blocker, type User, type UserList } from './user-list.ts';

/** What a session token is held against. */
export interface SessionState extends User, SessionGeneration {
  /** Of the provider whose person this is; undefined: an account of the gate's own. */
  readonly issuer: string | undefined;
  /** Has a passkey, or makes one-time codes. */
  readonly hasSecondFactor: boolean;
}

/** After a change that takes an account back. */
export interface Recovered {
  readonly user: SessionState;
  readonly ended: Ended;
}

export interface RecoveryOptions {
  /** What goes on of what the user has given out. */
  readonly keep?: readonly GivenOut[];
}

/** The user after being blocked, or not any more. */
interface Blocking extends User {
  /** Whether that was otherwise before. */
  readonly isChanged: boolean;
}

interface PasswordOptions extends RecoveryOptions {
  /** Whether the log is told the password. */
  readonly generated?: boolean;
}

/** Every change asks its permit, in the transaction that makes it, and throws what that throws. */
export interface Users extends UserList {
  /** @param on a transaction to read through */
  find(
    username: string,
    on?: Reading,
  ): Promise<
    | (SessionState & {
        readonly passwordHash: string;
        readonly blocked: Blocker | undefined;
        readonly generatedPasswordUnused: boolean;
        /** Nobody has changed the password that the log has told. */
        readonly hasGeneratedPassword: boolean;
      })
    | undefined
  >;
  /** @returns as `find`, whatever letters of the name are upper or lower case: there is one user at most */
  findTyped(name: string): ReturnType<Users['find']>;
  /** The same of many at once, by few queries. */
  findTogether(username: string): ReturnType<Users['find']>;
  /** @throws AppError `user_exists`, when a name differs in upper and lower case alone too */
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
  /** Whether the log has told a password that nobody has logged in with yet. */
  isGeneratedPasswordUnused(): Promise<boolean>;
  /** Somebody has logged in with the generated password, and nobody has changed it since. */
  markGeneratedPasswordUsed(user: Pick<SessionState, 'username' | 'generation'>): Promise<void>;
  /** Replaces an outdated hash of the same password: sessions go on. */
  rehash(username: string, oldHash: string, newHash: string): Promise<void>;
  /** Ends the user's sessions. @throws AppError `user_unknown`, `last_admin`, `user_of_provider` */
  setRole(username: string, role: string, permit: Permit): Promise<User>;
  /** Ends the user's sessions. @throws AppError `user_unknown`, `last_admin` */
  remove(username: string, permit: Permit): Promise<void>;
  /**
   * Keeps a user out until an admin says otherwise: ends the sessions, and API tokens are refused meanwhile.
   * @throws AppError `user_unknown`, `last_admin`
   */
  block(username: string, permit: Permit): Promise<Blocking>;
  /** @throws AppError `user_unknown`, `user_of_provider`: the provider keeps the person out, and nobody here has a say in that */
  unblock(username: string, permit: Permit): Promise<Blocking>;
  /** Ends the user's sessions, and what the user has given out. @throws AppError `user_unknown` */
  endSessions(username: string, permit: Permit, options?: RecoveryOptions): Promise<Recovered>;
  /**
   * Gives another role to the users of one, and runs `also` in the same transaction: both or neither.
   * @returns how many users there were
   */
  reassignRole(
    role: string,
    successor: string,
    also: (on: Transaction<Tables>) => unknown,
    permit: Permit,
  ): Promise<number>;
}

/** @param issuer of the provider at which people sign in now: those of a former one do not come in */
export function createUsers(
  store: Store,
  clock: Clock,
  issuer: () => string | undefined = () => undefined,
): Users {
  const update = (on: Transaction<Tables>, username: string, values: Updateable<Tables['users']>) =>
    updateEndingSessions(on, username, values, clock);

  return {
    ...createUserList(store, issuer),

    find: async (username, on = store) => {
      const [found] = await findWhere(on, (where) => where('username', '=', username));
      return found;
    },

    findTyped: async (name) => {
      const [found] = await findWhere(store, (where) => where(foldedUsername, '=', foldName(name)));
      return found;
    },

    findTogether: askTogether<string, FoundUser>(String, async (names) => {
      const found = await findWhere(store, (where) => where('username', 'in', names));
      return new Map(found.map((user) => [user.username, user]));
    }),

    add: ({ username, role, passwordHash, generated = false }, permit) =>
      store.change(permit, async (on, { grant }) => {
        const result = await on
          .insertInto('users')
          .values({
            username,
            role: grant(role),
            password_hash: passwordHash,
            created_at: wholeSeconds(clock.now()),
            generated_password_unused: generated ? 1 : 0,
            password_generated: generated ? 1 : 0,
            ...newGeneration(on, clock.now()),
          })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (result.numInsertedOrUpdatedRows === 0n) throw new AppError('user_exists');
        return { username, role };
      }),

    setPassword: (username, passwordHash, permit, { generated = false, keep } = {}) =>
      store.change(permit, async (on, { prove }) => {
        await requireOwnAccount(on, username);
        const values = {
          password_hash: prove(passwordHash),
          generated_password_unused: generated ? 1 : 0,
          password_generated: generated ? 1 : 0,
        };
        return recover(on, username, values, clock, keep);
      }),

    isGeneratedPasswordUnused: async () => {
      const row = await store
        .selectFrom('users')
        .select('username')
        .where('generated_password_unused', '=', 1)
        .executeTakeFirst();
      return row !== undefined;
    },

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
      store.change(permit, async (on, { grant }) => {
        await requireOwnAccount(on, username);
        if (role !== 'admin') await requireOtherAdmin(on, username, issuer());
        await update(on, username, { role: grant(role) });
        return { username, role };
      }),

    remove: (username, permit) =>
      store.change(permit, async (on, { requireProof }) => {
        requireProof();
        await requireOtherAdmin(on, username, issuer());
        const result = await on.deleteFrom('users').where('username', '=', username).executeTakeFirst();
        if (result.numDeletedRows === 0n) throw new AppError('user_unknown');
      }),

    block: (username, permit) =>
      store.change(permit, async (on, { requireProof }) => {
        requireProof();
        const { role, blocked } = await requireUser(on, username);
        if (blocked === 'admin') return { username, role, isChanged: false };
        await requireOtherAdmin(on, username, issuer());
        // What the provider said is kept for the day when the admin's word goes.
        await update(on, username, {
          blocked: 'admin',
          ...(blocked === 'provider' && { role_reason: null }),
        });
        return { username, role, isChanged: true };
      }),

    unblock: (username, permit) =>
      store.change(permit, async (on, { requireProof }) => {
        // Unblocking restores what the role gives.
        requireProof();
        const { role, blocked, issuer, role_reason: reason } = await requireUser(on, username);
        if (blocked === null) return { username, role, isChanged: false };
        if (blocked === 'provider') throw new AppError('user_of_provider');
        const hasNoRole = issuer !== null && reason === null;
        await update(on, username, { blocked: hasNoRole ? 'provider' : null });
        return { username, role, isChanged: true };
      }),

    endSessions: (username, permit, { keep } = {}) =>
      store.change(permit, (on) => recover(on, username, {}, clock, keep)),

    reassignRole: (role, successor, also, permit) =>
      store.change(permit, async (on, { grant }) => {
        const result = await on
          .updateTable('users')
          .set({
            role: grant(successor),
            role_reason: sql`CASE WHEN role_reason IS NULL THEN NULL ELSE 'role_removed' END`,
            ...newGeneration(on, clock.now()),
          })
          .where('role', '=', role)
          .executeTakeFirst();
        await also(on);
        return Number(result.numUpdatedRows);
      }),
  };
}

type FoundUser = NonNullable<Awaited<ReturnType<Users['find']>>>;

async function findWhere(
  on: Reading,
  condition: (where: ExpressionBuilder<Tables, 'users'>) => Expression<SqlBool>,
): Promise<readonly FoundUser[]> {
  const rows = await on
    .selectFrom('users')
    .selectAll()
    .select(hasSecondFactor.as('factors'))
    .where(condition)
    .execute();
  return rows.map((row) => ({
    username: row.username,
    role: row.role,
    passwordHash: row.password_hash,
    generation: row.session_generation,
    notBefore: row.sessions_not_before * 1000,
    issuer: row.issuer ?? undefined,
    hasSecondFactor: row.factors === 1,
    blocked: row.blocked ?? undefined,
    generatedPasswordUnused: row.generated_password_unused === 1,
    hasGeneratedPassword: row.password_generated === 1,
  }));
}

/**
 * Changes a user whose account is taken back, in a transaction: ends the sessions, and what the user has given out.
 * @throws AppError `user_unknown`
 */
export async function recover(
  on: Transaction<Tables>,
  username: string,
  values: Updateable<Tables['users']>,
  clock: Clock,
  keep: readonly GivenOut[] = [],
): Promise<Recovered> {
  const user = await updateEndingSessions(on, username, values, clock);
  return { user, ended: await endGivenOut(on, username, keep, clock) };
}

/**
 * Changes a user and ends the sessions, in a transaction.
 * @returns what a session is held against from now on
 * @throws AppError `user_unknown`
 */
export async function updateEndingSessions(
  on: Transaction<Tables>,
  username: string,
  values: Updateable<Tables['users']>,
  clock: Clock,
): Promise<SessionState> {
  const row = await on
    .updateTable('users')
    .set({ ...values, ...newGeneration(on, clock.now()) })
    .where('username', '=', username)
    .returning([
      'username',
      'role',
      'session_generation as generation',
      'sessions_not_before',
      'issuer',
      hasSecondFactor.as('factors'),
    ])
    .executeTakeFirst();
  if (row === undefined) throw new AppError('user_unknown');
  const { sessions_not_before: notBeforeSeconds, issuer, factors, ...user } = row;
  return {
    ...user,
    notBefore: notBeforeSeconds * 1000,
    issuer: issuer ?? undefined,
    hasSecondFactor: factors === 1,
  };
}
