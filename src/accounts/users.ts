import { randomUUID } from 'node:crypto';
import { AppError } from '../errors.ts';
import type { Tables } from '../store/schema.ts';
import { writing, type Store } from '../store/store.ts';
import type { Transaction, Updateable } from 'kysely';

export interface User {
  readonly username: string;
  readonly role: string;
}

/** What a session token is held against. */
export interface SessionState extends User {
  readonly generation: string;
  /** Seconds since the epoch. */
  readonly notBefore: number;
}

export interface Users {
  /** @returns every user, sorted by name */
  list(): Promise<User[]>;
  find(
    username: string,
  ): Promise<
    (SessionState & { readonly passwordHash: string; readonly generatedPasswordUnused: boolean }) | undefined
  >;
  /** @throws AppError `user_exists` */
  add(user: User & { readonly passwordHash: string; readonly generated?: boolean }): Promise<User>;
  /**
   * Ends the user's sessions. @throws AppError `user_unknown`
   * @param generated whether the log is told the password
   */
  setPassword(username: string, passwordHash: string, generated?: boolean): Promise<void>;
  /** Whether the log has told a password that nobody has logged in with yet. */
  isGeneratedPasswordUnused(): Promise<boolean>;
  /** The user has logged in with the generated password. */
  markGeneratedPasswordUsed(username: string): Promise<void>;
  /** Replaces an outdated hash of the same password: sessions go on. */
  rehash(username: string, oldHash: string, newHash: string): Promise<void>;
  /** Ends the user's sessions. @throws AppError `user_unknown`, `last_admin` */
  setRole(username: string, role: string): Promise<User>;
  /** Ends the user's sessions. @throws AppError `user_unknown`, `last_admin` */
  remove(username: string): Promise<void>;
  /** Ends the user's sessions. */
  endSessions(username: string): Promise<void>;
  /**
   * Gives `viewer` to the users of a role, and runs `also` in the same transaction: both or neither.
   * @returns how many users there were
   */
  reassignRole(role: string, also: () => void): Promise<number>;
}

/** @param now seconds since the epoch */
export function createUsers(store: Store, now: () => number): Users {
  // A new generation ends every token that carries the old one, whatever the clocks did in between;
  // the time ends those that carry none.
  const newSessions = () => ({ session_generation: randomUUID(), sessions_not_before: Math.floor(now()) });
  const transaction = <T>(work: (on: Transaction<Tables>) => Promise<T>) =>
    writing(() => store.transaction().execute(work));

  const update = (username: string, values: Updateable<Tables['users']>) =>
    transaction(async (on) => {
      const result = await on
        .updateTable('users')
        .set({ ...values, ...newSessions() })
        .where('username', '=', username)
        .executeTakeFirst();
      if (result.numUpdatedRows === 0n) throw new AppError('user_unknown');
    });

  return {
    list: () => store.selectFrom('users').select(['username', 'role']).orderBy('username').execute(),

    find: async (username) => {
      const row = await store
        .selectFrom('users')
        .selectAll()
        .where('username', '=', username)
        .executeTakeFirst();
      return (
        row && {
          username: row.username,
          role: row.role,
          passwordHash: row.password_hash,
          generation: row.session_generation,
          notBefore: row.sessions_not_before,
          generatedPasswordUnused: row.generated_password_unused === 1,
        }
      );
    },

    add: async ({ username, role, passwordHash, generated = false }) => {
      const result = await writing(() =>
        store
          .insertInto('users')
          .values({
            username,
            role,
            password_hash: passwordHash,
            created_at: Math.floor(now()),
            generated_password_unused: generated ? 1 : 0,
            ...newSessions(),
          })
          .onConflict((conflict) => conflict.column('username').doNothing())
          .executeTakeFirst(),
      );
      if (result.numInsertedOrUpdatedRows === 0n) throw new AppError('user_exists');
      return { username, role };
    },

    setPassword: (username, passwordHash, generated = false) =>
      update(username, { password_hash: passwordHash, generated_password_unused: generated ? 1 : 0 }),

    isGeneratedPasswordUnused: async () => {
      const row = await store
        .selectFrom('users')
        .select('username')
        .where('generated_password_unused', '=', 1)
        .executeTakeFirst();
      return row !== undefined;
    },

    markGeneratedPasswordUsed: async (username) => {
      await writing(() =>
        store
          .updateTable('users')
          .set({ generated_password_unused: 0 })
          .where('username', '=', username)
          .execute(),
      );
    },

    rehash: async (username, oldHash, newHash) => {
      await writing(() =>
        store
          .updateTable('users')
          .set({ password_hash: newHash })
          .where('username', '=', username)
          .where('password_hash', '=', oldHash)
          .execute(),
      );
    },

    setRole: (username, role) =>
      transaction(async (on) => {
        if (role !== 'admin') await requireOtherAdmin(on, username);
        const result = await on
          .updateTable('users')
          .set({ role, ...newSessions() })
          .where('username', '=', username)
          .executeTakeFirst();
        if (result.numUpdatedRows === 0n) throw new AppError('user_unknown');
        return { username, role };
      }),

    remove: (username) =>
      transaction(async (on) => {
        await requireOtherAdmin(on, username);
        const result = await on.deleteFrom('users').where('username', '=', username).executeTakeFirst();
        if (result.numDeletedRows === 0n) throw new AppError('user_unknown');
      }),

    endSessions: (username) => update(username, {}),

    reassignRole: (role, also) =>
      transaction(async (on) => {
        const result = await on
          .updateTable('users')
          .set({ role: 'viewer', ...newSessions() })
          .where('role', '=', role)
          .executeTakeFirst();
        also();
        return Number(result.numUpdatedRows);
      }),
  };
}

/** Somebody must be left who can manage users. */
async function requireOtherAdmin(on: Transaction<Tables>, username: string): Promise<void> {
  const admins = await on.selectFrom('users').select('username').where('role', '=', 'admin').execute();
  if (admins.length === 1 && admins[0]?.username === username) throw new AppError('last_admin');
}
