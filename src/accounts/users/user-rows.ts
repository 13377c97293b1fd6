import { randomUUID } from 'node:crypto';
import type { Expression, ExpressionBuilder, Selectable, SqlBool, Transaction, Updateable } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { issuerOf } from '../../policy/issuer.ts';
import type { SessionGeneration } from '../../policy/session-generation.ts';
import { hasSecondFactor, newGeneration } from '../../store/account-columns.ts';
import type { Alerting, Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import { type Ended, endGivenOut, type RecoveryChange } from './recovery.ts';
import type { Blocker, User } from './user-list.ts';

/* Rows of users, read and changed in transactions. */

/** State that a session token is compared with. */
export interface SessionState extends User, SessionGeneration {
  /** Issuer of the federated user's provider; absent for a local user. */
  readonly issuer: string | undefined;
  /** Has a passkey or one-time codes. */
  readonly hasSecondFactor: boolean;
}

/** The result of recovering an account. */
export interface Recovered {
  readonly user: SessionState;
  readonly ended: Ended;
}

/** A user as stored. */
export interface FoundUser extends SessionState {
  /** Stays the same when the name changes; a new user of the same name has another one. */
  readonly id: string;
  readonly passwordHash: string;
  readonly blocked: Blocker | undefined;
  readonly generatedPasswordUnused: boolean;
  /** The user still has the generated password from the log. */
  readonly hasGeneratedPassword: boolean;
}

export function newUserId(): string {
  return randomUUID().replaceAll('-', '');
}

interface NewUser extends User {
  readonly passwordHash: string;
  readonly generated?: boolean;
  /** Id of the admin whose invitation makes the account. */
  readonly invitedBy?: string;
}

/** Adds a user, in a transaction. @throws AppError `user_exists`, also when the names differ only in case */
export async function insertUser(
  on: Transaction<Tables>,
  user: NewUser,
  { grant, alert }: Alerting,
  clock: Clock,
): Promise<User> {
  const { username, role, passwordHash, generated = false, invitedBy } = user;
  const result = await on
    .insertInto('users')
    .values({
      username,
      user_id: newUserId(),
      role: grant(role),
      password_hash: passwordHash,
      created_at: wholeSeconds(clock.now()),
      generated_password_unused: generated ? 1 : 0,
      password_generated: generated ? 1 : 0,
      invited_by: invitedBy ?? null,
      ...newGeneration(on, clock.now()),
    })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  if (result.numInsertedOrUpdatedRows === 0n) throw new AppError('user_exists');
  // The first one of a new gate is no news.
  if (role === 'admin' && !generated) alert('admin_made', { user: username });
  return { username, role };
}

/** @param row of a user, with `hasSecondFactor` as `factors` */
export function sessionStateOf(
  row: Pick<
    Selectable<Tables['users']>,
    'username' | 'role' | 'session_generation' | 'sessions_not_before' | 'issuer'
  > & { readonly factors: number },
): SessionState {
  return {
    username: row.username,
    role: row.role,
    generation: row.session_generation,
    notBefore: row.sessions_not_before * 1000,
    issuer: issuerOf(row),
    hasSecondFactor: row.factors === 1,
  };
}

/** @param on the store, or a transaction of it */
export async function findUsers(
  on: Reading,
  condition: (where: ExpressionBuilder<Tables, 'users'>) => Expression<SqlBool>,
): Promise<readonly FoundUser[]> {
  const rows = await on
    .selectFrom('users')
    .selectAll()
    .select(hasSecondFactor.as('factors'))
    .where(condition)
    .execute();
  return rows.map(foundUserOf);
}

function foundUserOf(row: Selectable<Tables['users']> & { readonly factors: number }): FoundUser {
  return {
    id: row.user_id,
    ...sessionStateOf(row),
    passwordHash: row.password_hash,
    blocked: row.blocked ?? undefined,
    generatedPasswordUnused: row.generated_password_unused === 1,
    hasGeneratedPassword: row.password_generated === 1,
  };
}

/**
 * Changes a user while recovering the account, in a transaction: ends the sessions, what the user has given out, and where the
 * alerts of the account go.
 * @throws AppError `user_unknown`
 */
export async function recover(
  on: Transaction<Tables>,
  username: string,
  { values = {}, alert, clock, keep }: RecoveryChange & { readonly values?: Updateable<Tables['users']> },
): Promise<Recovered> {
  const user = await updateEndingSessions(on, username, values, clock);
  return { user, ended: await endGivenOut(on, username, { alert, clock, keep }) };
}

/**
 * Changes a user and ends the sessions, in a transaction.
 * @returns the state that new sessions are compared with
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
    issuer: issuerOf({ issuer }),
    hasSecondFactor: factors === 1,
  };
}
