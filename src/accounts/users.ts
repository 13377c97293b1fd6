import { wholeSeconds, type Clock } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { SessionGeneration } from '../policy/session-generation.ts';
import { unconditional, type Permit, type Reading } from '../store/permit.ts';
import type { Tables } from '../store/schema.ts';
import { hasSecondFactor } from '../store/second-factor.ts';
import { newGeneration } from '../store/session-generation.ts';
import type { Store } from '../store/store.ts';
import { sql, type Transaction, type Updateable } from 'kysely';

export interface User {
  readonly username: string;
  readonly role: string;
}

/** What a session token is held against. */
export interface SessionState extends User, SessionGeneration {
  /** Of the provider whose person this is; undefined: an account of the gate's own. */
  readonly issuer: string | undefined;
  /** Has a passkey, or makes one-time codes. */
  readonly hasSecondFactor: boolean;
}

/** The user after a change of the password. */
interface PasswordChange extends SessionState {
  /** How many API tokens went with the former password. */
  readonly apiTokensEnded: number;
}

interface PasswordOptions {
  /** Whether the log is told the password. */
  readonly generated?: boolean;
  /** Whether the user's API tokens go on. */
  readonly keepApiTokens?: boolean;
}

/** Which users are looked for; all that is given must hold. */
interface UserFilter {
  /** Part of the name; upper and lower case are the same. */
  readonly search?: string | undefined;
  readonly role?: string | undefined;
}

interface UserPage extends UserFilter {
  /** Only names behind this one. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

/** Every change asks its permit, in the transaction that makes it, and throws what that throws. */
export interface Users {
  /** @returns the users who are looked for, sorted by name; all, when nothing is said */
  list(page?: UserPage): Promise<User[]>;
  /** @returns how many `list` would give on all pages */
  count(filter: UserFilter): Promise<number>;
  /** @returns how many users each role has that anybody has */
  countByRole(): Promise<Record<string, number>>;
  /** @param on a transaction to read through */
  find(
    username: string,
    on?: Reading,
  ): Promise<
    | (SessionState & {
        readonly passwordHash: string;
        /** Who keeps the user out. */
        readonly blocked: 'admin' | 'provider' | undefined;
        readonly generatedPasswordUnused: boolean;
        /** Nobody has changed the password that the log has told. */
        readonly hasGeneratedPassword: boolean;
      })
    | undefined
  >;
  /** @throws AppError `user_exists` */
  add(
    user: User & { readonly passwordHash: string; readonly generated?: boolean },
    permit: Permit,
  ): Promise<User>;
  /** Ends the user's sessions, and unless they are kept the API tokens. @throws AppError `user_unknown` */
  setPassword(
    username: string,
    passwordHash: string,
    permit: Permit,
    options?: PasswordOptions,
  ): Promise<PasswordChange>;
  /** Whether the log has told a password that nobody has logged in with yet. */
  isGeneratedPasswordUnused(): Promise<boolean>;
  /** Somebody has logged in with the generated password, and nobody has changed it since. */
  markGeneratedPasswordUsed(user: Pick<SessionState, 'username' | 'generation'>): Promise<void>;
  /** Replaces an outdated hash of the same password: sessions go on. */
  rehash(username: string, oldHash: string, newHash: string): Promise<void>;
  /** Ends the user's sessions. @throws AppError `user_unknown`, `last_admin` */
  setRole(username: string, role: string, permit: Permit): Promise<User>;
  /** Ends the user's sessions. @throws AppError `user_unknown`, `last_admin` */
  remove(username: string, permit: Permit): Promise<void>;
  /** Ends the user's sessions. @returns what a session is held against from now on. @throws AppError `user_unknown` */
  endSessions(username: string, permit: Permit): Promise<SessionState>;
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

export function createUsers(store: Store, clock: Clock): Users {
  const update = async (
    on: Transaction<Tables>,
    username: string,
    values: Updateable<Tables['users']>,
  ): Promise<SessionState> => {
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
  };

  const matching = ({ search = '', role }: UserFilter) => {
    // A name has no letters but those of ASCII, the only ones that SQLite can lower.
    const part = `%${search.toLowerCase().replaceAll(/[\\%_]/g, '\\$&')}%`;
    return store
      .selectFrom('users')
      .$if(search !== '', (query) => query.where(sql<boolean>`lower(username) LIKE ${part} ESCAPE '\\'`))
      .$if(role !== undefined, (query) => query.where('role', '=', role ?? ''));
  };

  return {
    list: ({ search, role, after, limit } = {}) =>
      matching({ search, role })
        .select(['username', 'role'])
        .$if(after !== undefined, (query) => query.where('username', '>', after ?? ''))
        .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
        .orderBy('username')
        .execute(),

    count: async (filter) => {
      const { count } = await matching(filter)
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .executeTakeFirstOrThrow();
      return count;
    },

    countByRole: async () => {
      const rows = await store
        .selectFrom('users')
        .select(({ fn }) => ['role', fn.countAll<number>().as('count')] as const)
        .groupBy('role')
        .orderBy('role')
        .execute();
      return Object.fromEntries(rows.map(({ role, count }) => [role, count]));
    },

    find: async (username, on = store) => {
      const row = await on
        .selectFrom('users')
        .selectAll()
        .select(hasSecondFactor.as('factors'))
        .where('username', '=', username)
        .executeTakeFirst();
      return (
        row && {
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
        }
      );
    },

    add: ({ username, role, passwordHash, generated = false }, permit) =>
      store.change(permit, async (on) => {
        const result = await on
          .insertInto('users')
          .values({
            username,
            role,
            password_hash: passwordHash,
            created_at: wholeSeconds(clock.now()),
            generated_password_unused: generated ? 1 : 0,
            password_generated: generated ? 1 : 0,
            ...newGeneration(on, clock.now()),
          })
          .onConflict((conflict) => conflict.column('username').doNothing())
          .executeTakeFirst();
        if (result.numInsertedOrUpdatedRows === 0n) throw new AppError('user_exists');
        return { username, role };
      }),

    setPassword: (username, passwordHash, permit, { generated = false, keepApiTokens = false } = {}) =>
      store.change(permit, async (on) => {
        const user = await update(on, username, {
          password_hash: passwordHash,
          generated_password_unused: generated ? 1 : 0,
          password_generated: generated ? 1 : 0,
        });
        if (keepApiTokens) return { ...user, apiTokensEnded: 0 };
        const ended = await on.deleteFrom('api_tokens').where('username', '=', username).executeTakeFirst();
        return { ...user, apiTokensEnded: Number(ended.numDeletedRows) };
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
      await store.change(unconditional, (on) =>
        on
          .updateTable('users')
          .set({ password_hash: newHash })
          .where('username', '=', username)
          .where('password_hash', '=', oldHash)
          .execute(),
      );
    },

    setRole: (username, role, permit) =>
      store.change(permit, async (on) => {
        if (role !== 'admin') await requireOtherAdmin(on, username);
        await update(on, username, { role });
        return { username, role };
      }),

    remove: (username, permit) =>
      store.change(permit, async (on) => {
        await requireOtherAdmin(on, username);
        const result = await on.deleteFrom('users').where('username', '=', username).executeTakeFirst();
        if (result.numDeletedRows === 0n) throw new AppError('user_unknown');
      }),

    endSessions: (username, permit) => store.change(permit, (on) => update(on, username, {})),

    reassignRole: (role, successor, also, permit) =>
      store.change(permit, async (on) => {
        const result = await on
          .updateTable('users')
          .set({ role: successor, ...newGeneration(on, clock.now()) })
          .where('role', '=', role)
          .executeTakeFirst();
        await also(on);
        return Number(result.numUpdatedRows);
      }),
  };
}

/** Somebody must be left who can manage users. */
async function requireOtherAdmin(on: Transaction<Tables>, username: string): Promise<void> {
  const admins = await on.selectFrom('users').select('username').where('role', '=', 'admin').execute();
  if (admins.length === 1 && admins[0]?.username === username) throw new AppError('last_admin');
}
