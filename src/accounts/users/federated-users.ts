import type { Selectable, Transaction } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { spellingsOf } from '../../policy/issuer.ts';
import { isBeyondAscii, lookAlikeOf, mixesScripts } from '../../policy/look-alikes.ts';
import { foldUserName, isSameUserName } from '../../policy/names.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { SessionGeneration } from '../../policy/session-generation.ts';
import type { Permission, Permit, Reading } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import { foldedNameOf, foldedUsername, newGeneration } from '../../store/account-columns.ts';
import type { Store } from '../../store/store.ts';
import { useOnce } from '../../store/used-once.ts';
import { endInvitations } from './recovery.ts';
import { newUserId, type SessionState } from './user-rows.ts';

/** A user who has signed in at the provider. `issuer` and `subject` identify the user; the name may change. */
interface Arrival {
  readonly issuer: string;
  readonly subject: string;
  readonly name: string;
  readonly role: string;
  /** Reason for the role, for admins. */
  readonly roleReason: string;
  readonly email?: string | undefined;
  /** State of the login attempt; it can be used once. */
  readonly state: string;
  /** Milliseconds since the epoch, when the attempt expires. */
  readonly stateExpiresAt: number;
}

interface Arrived {
  readonly user: SessionState;
  /** The user before this login; absent when the user is new. */
  readonly former: { readonly name: string; readonly role: string; readonly wasBlocked: boolean } | undefined;
}

type ArrivalRefusal = Extract<Reason, 'oidc_attempt_unknown' | 'oidc_name_taken' | 'user_blocked'>;

/** Users of a provider: rows of `users` that no password matches. */
export interface FederatedUsers {
  /**
   * Adds the user, or updates the role and the name and lifts a block by the provider, together with `also` in one transaction. `also` gets the
   * name that the user has now, which may be another than that of the arrival.
   */
  arrive(
    arrival: Arrival,
    also: (on: Transaction<Tables>, username: string) => Promise<unknown>,
    permit: Permit,
  ): Promise<Arrived | { readonly refused: ArrivalRefusal }>;
  /** @returns the user's name here; `undefined` if the user is unknown, or blocked already */
  nameOf(person: Pick<Arrival, 'issuer' | 'subject'>): Promise<string | undefined>;
}

export function createFederatedUsers(store: Store, clock: Clock): FederatedUsers {
  const find = (on: Reading, { issuer, subject }: Pick<Arrival, 'issuer' | 'subject'>) =>
    on
      .selectFrom('users')
      .selectAll()
      .where('issuer', 'in', spellingsOf(issuer))
      .where('subject', '=', subject)
      .executeTakeFirst();
  const isTaken = async (on: Reading, name: string) =>
    (await on
      .selectFrom('users')
      .select('username')
      .where(foldedUsername, '=', foldUserName(name))
      .executeTakeFirst()) !== undefined;
  /** Names of ASCII letters alone are exempt: an admin may have given them. @param own the user's name so far, if any */
  const isLookAlike = async (on: Reading, name: string, own: string | undefined) => {
    if (!isBeyondAscii(name)) return false;
    if (mixesScripts(name)) return true;
    const looksLike = lookAlikeOf(name);
    const rows = await on.selectFrom('users').select('username').execute();
    return rows.some(({ username }) => username !== own && looksLike(username));
  };
  /** @returns the name of the user after this login; undefined if someone else has it, or one that looks like it */
  const nameAfter = async (on: Reading, own: string | undefined, name: string) => {
    // A name that differs only in how it is written is the same name.
    if (own !== undefined && isSameUserName(own, name)) return own;
    if (await isTaken(on, name)) return undefined;
    // Someone who has an account is not locked out by a new name at the provider.
    return (await isLookAlike(on, name, own)) ? own : name;
  };

  const add = async (
    on: Transaction<Tables>,
    { grant }: Permission,
    { issuer, subject, name, role }: Arrival,
  ) => {
    await on
      .insertInto('users')
      .values({
        username: name,
        folded_name: foldedNameOf(name),
        user_id: newUserId(),
        password_hash: '',
        role: grant(role),
        created_at: wholeSeconds(clock.now()),
        issuer,
        subject,
        ...newGeneration(on, clock.now()),
      })
      .execute();
  };

  return {
    arrive: (arrival, also, permit) =>
      store.change(permit, async (on, permission) => {
        const { role, roleReason, state, stateExpiresAt } = arrival;
        const row = await find(on, arrival);
        if (row?.blocked === 'admin') return { refused: 'user_blocked' };
        const name = await nameAfter(on, row?.username, arrival.name);
        if (name === undefined) return { refused: 'oidc_name_taken' };
        if (!(await useOnce(on, 'oidc state', state, stateExpiresAt)))
          return { refused: 'oidc_attempt_unknown' };
        if (row === undefined) await add(on, permission, arrival);
        else if (row.username !== name) await rename(on, permission, row, { name, clock });
        const user = await on
          .updateTable('users')
          .set({
            role: permission.grant(role),
            role_reason: roleReason,
            last_login_at: wholeSeconds(clock.now()),
            email: arrival.email ?? null,
            blocked: null,
          })
          .where('username', '=', name)
          .returning(['session_generation', 'sessions_not_before'])
          .executeTakeFirstOrThrow();
        if (role !== 'admin') await endInvitations(on, name, clock);
        if (role === 'admin' && row?.role !== 'admin') permission.alert('admin_made', { user: name });
        await also(on, name);
        return {
          user: {
            username: name,
            role,
            issuer: arrival.issuer,
            hasSecondFactor: false,
            ...generationOf(user),
          },
          former: row && { name: row.username, role: row.role, wasBlocked: row.blocked !== null },
        };
      }),

    nameOf: async (person) => {
      const row = await find(store, person);
      return row?.blocked === null ? row.username : undefined;
    },
  };
}

/**
 * Moves the row, because the name is its key. API tokens and shares move along. Sessions end, because their tokens carry the previous
 * name, and stay ended when the user gets that name back.
 */
async function rename(
  on: Transaction<Tables>,
  { grant }: Permission,
  row: Selectable<Tables['users']>,
  { name, clock }: { readonly name: string; readonly clock: Clock },
): Promise<void> {
  const { username: former } = row;
  // `issuer` and `subject` are unique, so the previous row gives them up first.
  await on.updateTable('users').set({ issuer: null, subject: null }).where('username', '=', former).execute();
  await on
    .insertInto('users')
    .values({
      ...row,
      role: grant(row.role),
      username: name,
      folded_name: foldedNameOf(name),
      ...newGeneration(on, clock.now()),
    })
    .execute();
  await on.updateTable('api_tokens').set({ username: name }).where('username', '=', former).execute();
  await on.updateTable('access_requests').set({ username: name }).where('username', '=', former).execute();
  await on
    .updateTable('shares')
    .set({ username: name, account: name })
    .where('account', '=', former)
    .execute();
  await on.deleteFrom('users').where('username', '=', former).execute();
  await endInvitations(on, former, clock);
}

function generationOf(
  row: Pick<Selectable<Tables['users']>, 'session_generation' | 'sessions_not_before'>,
): SessionGeneration {
  return { generation: row.session_generation, notBefore: row.sessions_not_before * 1000 };
}
