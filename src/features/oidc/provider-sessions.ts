import { createHash } from 'node:crypto';
import type { Transaction, Selectable } from 'kysely';
import type { ProviderFault } from '../../accounts/provider.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { Sealing } from '../../accounts/sealing.ts';
import { revokeSessions } from '../../accounts/sessions/revocations.ts';
import { unconditional } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import { newGeneration } from '../../store/account-columns.ts';
import type { Store } from '../../store/store.ts';
import { useOnce } from '../../store/used-once.ts';
import type { LogoutToken, ProviderGrant } from './provider.ts';
import { spellingsOf, canonicalIssuer } from '../../policy/issuer.ts';

/** A session that began at a provider, with the user's `issuer` and `subject`. */
interface ProviderSession {
  readonly sessionId: string;
  readonly username: string;
  readonly issuer: string;
  readonly subject: string;
}

/** A session's row without the refresh token. */
export interface KnownSession extends ProviderSession {
  /** Whether there is a refresh token. */
  readonly canBeAsked: boolean;
  /** When the provider last confirmed the session, in milliseconds since the epoch. */
  readonly checkedAt: number;
  readonly fault: ProviderFault | undefined;
  /** A process asks the provider now, or did a moment ago. */
  readonly isClaimed: boolean;
}

/** A session that only this process asks the provider about. */
export interface ClaimedSession extends KnownSession {
  /** Absent when it cannot be opened. */
  readonly refreshToken: string | undefined;
  /** In seconds, as in the row; a later claim writes another value. */
  readonly claimedUntil: number;
}

/** Seconds for which one process asks about a session, and until a request without a response is repeated. */
const claimSeconds = 60;

/**
 * Reads a row of `provider_sessions`.
 * @param now seconds
 */
function knownOf(row: Selectable<Tables['provider_sessions']>, now: number): KnownSession {
  return {
    sessionId: row.session_id,
    username: row.username,
    issuer: canonicalIssuer(row.issuer),
    subject: row.subject,
    canBeAsked: row.refresh_token !== null,
    checkedAt: row.checked_at * 1000,
    fault: (row.fault as ProviderFault | null) ?? undefined,
    // A longer claim was made before the clock went back.
    isClaimed: row.refreshing_until > now && row.refreshing_until <= now + claimSeconds,
  };
}

/** The part of a grant that is kept with a session. */
type KeptGrant = Pick<ProviderGrant, 'refreshToken' | 'idToken' | 'sid'>;

export interface ProviderSessions {
  /** Seals the grant. @returns a function that writes the row in the transaction of the login, with the user's name there */
  begin(
    session: Omit<ProviderSession, 'username'>,
    grant: KeptGrant,
    expiresAt: number,
  ): Promise<(on: Transaction<Tables>, username: string) => Promise<void>>;
  find(sessionId: string): Promise<KnownSession | undefined>;
  /** @returns the ID token for a logout; `undefined` if there is none, or it cannot be opened */
  idTokenOf(sessionId: string): Promise<string | undefined>;
  /** Claims a session for a minute; of several processes that try at once, one succeeds. */
  claim(session: KnownSession): Promise<ClaimedSession | undefined>;
  /**
   * Notes that the provider confirmed the session, and the user's role.
   * @param expiresAt when the last token expires that this allows
   * @returns the previous role; `undefined` if the session has ended meanwhile
   */
  renew(
    session: ClaimedSession,
    grant: KeptGrant,
    decided: { readonly role: string; readonly roleReason: string },
    expiresAt: number,
  ): Promise<string | undefined>;
  /** @param rotated the refresh token that the provider issued nevertheless */
  noteFault(session: ClaimedSession, fault: ProviderFault, rotated?: string): Promise<void>;
  /** @returns whether the session was still there */
  end(session: ProviderSession): Promise<boolean>;
  /** Ends all sessions of a user who has no role anymore, and blocks the user until a login gives one. */
  block(person: Omit<ProviderSession, 'sessionId'>): Promise<boolean>;
  /** Whether a logout token was used: reading this first keeps replayed tokens from causing writes. */
  wasUsed(token: Pick<LogoutToken, 'jti'>): Promise<boolean>;
  /** @returns the sessions that a logout token has ended, in all processes at once; undefined when it was used before */
  endBy(token: LogoutToken, issuer: string): Promise<readonly ProviderSession[] | undefined>;
  /** @returns the number of sessions that had a fault in the last ten minutes */
  countFaults(issuer: string): Promise<number>;
}

interface ProviderSessionsDependencies {
  readonly store: Store;
  readonly sealing: Pick<Sealing, 'seal' | 'open'>;
  readonly clock: Clock;
  /** Longest life of a session token, in milliseconds. */
  readonly sessionLength: number;
}

/** Seconds after which a fault no longer counts: its user has left, or it is over. */
const lateSeconds = 600;

const refreshTokens = 'refresh token';
const idTokens = 'id token';
const logoutTokens = 'logout token';

export function createProviderSessions({
  store,
  sealing,
  clock,
  sessionLength,
}: ProviderSessionsDependencies): ProviderSessions {
  const now = () => wholeSeconds(clock.now());
  const sealed = async (sessionId: string, { refreshToken, idToken }: Partial<KeptGrant>) => ({
    ...(refreshToken === undefined
      ? {}
      : { refresh_token: await sealing.seal(refreshTokens, refreshToken, sessionId) }),
    ...(idToken === undefined ? {} : { id_token: await sealing.seal(idTokens, idToken, sessionId) }),
  });
  const find = (sessionId: string) =>
    store.selectFrom('provider_sessions').selectAll().where('session_id', '=', sessionId).executeTakeFirst();
  /** No later token of these sessions exists: the last ones were issued a moment ago. */
  const revoke = async (on: Transaction<Tables>, sessionIds: readonly string[]) =>
    revokeSessions(on, sessionIds, clock.now() + sessionLength);

  return {
    begin: async ({ sessionId, issuer, subject }, grant, expiresAt) => {
      const tokens = await sealed(sessionId, grant);
      return async (on, username) => {
        await on
          .insertInto('provider_sessions')
          .values({
            session_id: sessionId,
            username,
            issuer,
            subject,
            provider_sid: grant.sid ?? null,
            refresh_token: null,
            id_token: null,
            ...tokens,
            checked_at: now(),
            refreshing_until: 0,
            fault: null,
            expires_at: Math.ceil(expiresAt / 1000),
          })
          .execute();
      };
    },

    find: async (sessionId) => {
      const row = await find(sessionId);
      return row && knownOf(row, now());
    },

    idTokenOf: async (sessionId) => {
      const row = await find(sessionId);
      const token = row?.id_token ?? undefined;
      return token && sealing.open(idTokens, token, sessionId);
    },

    claim: async (session) => {
      const { sessionId, checkedAt } = session;
      const row = await store.change(unconditional, (on) =>
        on
          .updateTable('provider_sessions')
          .set({ refreshing_until: now() + claimSeconds })
          .where('session_id', '=', sessionId)
          .where('checked_at', '=', wholeSeconds(checkedAt))
          .where((is) =>
            is.or([is('refreshing_until', '<=', now()), is('refreshing_until', '>', now() + claimSeconds)]),
          )
          .returningAll()
          .executeTakeFirst(),
      );
      const sealedToken = row?.refresh_token ?? undefined;
      if (row === undefined || sealedToken === undefined) return undefined;
      const refreshToken = await sealing.open(refreshTokens, sealedToken, sessionId);
      return { ...knownOf(row, now()), refreshToken, claimedUntil: row.refreshing_until };
    },

    renew: async ({ sessionId, claimedUntil, ...session }, grant, { role, roleReason }, expiresAt) => {
      const tokens = await sealed(sessionId, grant);
      return store.change(unconditional, async (on, permission) => {
        const row = await on
          .updateTable('provider_sessions')
          .set({
            ...tokens,
            ...(grant.sid === undefined ? {} : { provider_sid: grant.sid }),
            checked_at: now(),
            refreshing_until: 0,
            fault: null,
          })
          .where('session_id', '=', sessionId)
          .where('refreshing_until', '=', claimedUntil)
          .returning('expires_at')
          .executeTakeFirst();
        if (row === undefined) return undefined;
        await on
          .updateTable('provider_sessions')
          .set({ expires_at: Math.max(row.expires_at, Math.ceil(expiresAt / 1000)) })
          .where('session_id', '=', sessionId)
          .execute();
        const user = await on
          .selectFrom('users')
          .select(['role', 'role_reason'])
          .where('username', '=', session.username)
          .where('issuer', 'in', spellingsOf(session.issuer))
          .where('subject', '=', session.subject)
          .executeTakeFirst();
        if (user === undefined) return undefined;
        if (user.role !== role || user.role_reason !== roleReason)
          await on
            .updateTable('users')
            .set({ role: permission.grant(role), role_reason: roleReason })
            .where('username', '=', session.username)
            .execute();
        return user.role;
      });
    },

    noteFault: async ({ sessionId, claimedUntil, fault: former }, fault, rotated) => {
      if (former === fault && rotated === undefined) return;
      const tokens = await sealed(sessionId, { refreshToken: rotated });
      await store.change(unconditional, (on) =>
        on
          .updateTable('provider_sessions')
          .set({ fault, ...tokens })
          .where('session_id', '=', sessionId)
          .where('refreshing_until', '=', claimedUntil)
          .execute(),
      );
    },

    end: ({ sessionId }) =>
      store.change(unconditional, async (on) => {
        const ended = await on
          .deleteFrom('provider_sessions')
          .where('session_id', '=', sessionId)
          .executeTakeFirst();
        if (ended.numDeletedRows === 0n) return false;
        await revoke(on, [sessionId]);
        return true;
      }),

    block: ({ username, issuer, subject }) =>
      store.change(unconditional, async (on) => {
        const blocked = await on
          .updateTable('users')
          .set({ blocked: 'provider', ...newGeneration(on, clock.now()) })
          .where('username', '=', username)
          .where('issuer', 'in', spellingsOf(issuer))
          .where('subject', '=', subject)
          // A login does not lift an admin's block.
          .where('blocked', 'is', null)
          .executeTakeFirst();
        await on.deleteFrom('provider_sessions').where('username', '=', username).execute();
        return blocked.numUpdatedRows > 0n;
      }),

    wasUsed: async ({ jti }) => {
      const row = await store
        .selectFrom('used_once')
        .select('key')
        .where('purpose', '=', logoutTokens)
        .where('key', '=', keyOf(jti))
        .executeTakeFirst();
      return row !== undefined;
    },

    endBy: ({ jti, sub, sid, expiresAt }, issuer) =>
      store.change(unconditional, async (on) => {
        if (!(await useOnce(on, logoutTokens, keyOf(jti), expiresAt))) return undefined;
        const rows = await on
          .deleteFrom('provider_sessions')
          .where('issuer', 'in', spellingsOf(issuer))
          .$if(sub !== undefined, (query) => query.where('subject', '=', sub ?? ''))
          .$if(sid !== undefined, (query) =>
            query.where((is) =>
              // For a session without a `sid`, only `sub` identifies the user.
              sub === undefined
                ? is('provider_sid', '=', sid ?? '')
                : is.or([is('provider_sid', '=', sid ?? ''), is('provider_sid', 'is', null)]),
            ),
          )
          .returningAll()
          .execute();
        await revoke(
          on,
          rows.map(({ session_id: id }) => id),
        );
        return rows.map((row) => knownOf(row, now()));
      }),

    countFaults: async (issuer) => {
      const { count } = await store
        .selectFrom('provider_sessions')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('fault', 'is not', null)
        .where('issuer', 'in', spellingsOf(issuer))
        .where('refreshing_until', '>', now() - lateSeconds)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

/** A `jti` may have any length. */
function keyOf(jti: string): string {
  return createHash('sha256').update(jti).digest('base64url');
}

/** Removes sessions whose last token has expired, and expired one-time values. */
export async function pruneSignOn(store: Store, clock: Clock): Promise<void> {
  const now = wholeSeconds(clock.now());
  const has = async (table: 'provider_sessions' | 'used_once') =>
    (await store.selectFrom(table).select('expires_at').where('expires_at', '<', now).executeTakeFirst()) !==
    undefined;
  // Every change clears the caches of all processes.
  if (!(await has('provider_sessions')) && !(await has('used_once'))) return;
  await store.change(unconditional, async (on) => {
    await on.deleteFrom('provider_sessions').where('expires_at', '<', now).execute();
    await on.deleteFrom('used_once').where('expires_at', '<', now).execute();
  });
}
