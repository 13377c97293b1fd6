import { createHash } from 'node:crypto';
import type { Transaction } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import type { Sealing } from '../sealing.ts';
import { revokeSessions } from '../sessions/revocations.ts';
import { unconditional } from '../../store/permit.ts';
import type { Tables } from '../../store/schema.ts';
import { newGeneration } from '../../store/session-generation.ts';
import type { Store } from '../../store/store.ts';
import { useOnce } from '../../store/used-once.ts';
import type { LogoutToken } from './logout-token.ts';
import {
  claimSeconds,
  knownOf,
  type ClaimedSession,
  type KnownSession,
  type ProviderFault,
  type ProviderSession,
} from './provider-session.ts';
import type { ProviderGrant } from './provider.ts';

/** What of a grant is kept with a session. */
type KeptGrant = Pick<ProviderGrant, 'refreshToken' | 'idToken' | 'sid'>;

export interface ProviderSessions {
  /** Seals what the provider gave. @returns what writes the row, in the transaction of the login */
  begin(
    session: ProviderSession,
    grant: KeptGrant,
    expiresAt: number,
  ): Promise<(on: Transaction<Tables>) => Promise<void>>;
  find(sessionId: string): Promise<KnownSession | undefined>;
  /** @returns what the provider wants to see at a logout; undefined: there is nothing, or it cannot be opened */
  idTokenOf(sessionId: string): Promise<string | undefined>;
  /** Of several processes that try at once, one gets it, for a minute. */
  claim(session: KnownSession): Promise<ClaimedSession | undefined>;
  /**
   * The provider said yes, and which role the person has.
   * @param expiresAt when the last token ends that may be issued by it
   * @returns the former role; undefined when the session has ended meanwhile
   */
  renew(
    session: ClaimedSession,
    grant: KeptGrant,
    decided: { readonly role: string; readonly roleReason: string },
    expiresAt: number,
  ): Promise<string | undefined>;
  /** @param rotated the refresh token that the provider gave nevertheless */
  noteFault(session: ClaimedSession, fault: ProviderFault, rotated?: string): Promise<void>;
  /** @returns whether it had not ended before */
  end(session: ProviderSession): Promise<boolean>;
  /** Ends all sessions of somebody who has no role any more, and keeps them out until a login gives one. */
  block(person: Omit<ProviderSession, 'sessionId'>): Promise<boolean>;
  /** Whether a logout token was used: reading it first keeps whoever replays one from writing. */
  wasUsed(token: Pick<LogoutToken, 'jti'>): Promise<boolean>;
  /** @returns the sessions that a logout token has ended, each process at once; undefined when it was used before */
  endBy(token: LogoutToken, issuer: string): Promise<readonly ProviderSession[] | undefined>;
  /** Sessions about which the provider could not be asked of late. */
  countFaults(issuer: string): Promise<number>;
}

interface ProviderSessionsDependencies {
  readonly store: Store;
  readonly sealing: Pick<Sealing, 'seal' | 'open'>;
  readonly clock: Clock;
  /** Milliseconds that a token of a session lives at most. */
  readonly sessionLength: number;
}

/** Seconds after which a fault is nobody's any more: who had it has left, or it is over. */
const lateSeconds = 600;

const refreshTokens = 'refresh token';
const idTokens = 'id token';
const logoutTokens = 'logout token';

/** The table `provider_sessions`. */
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
  /** A token of any of them was issued a moment ago at the latest. */
  const revoke = async (on: Transaction<Tables>, sessionIds: readonly string[]) =>
    revokeSessions(on, sessionIds, clock.now() + sessionLength);

  return {
    begin: async (session, grant, expiresAt) => {
      const { sessionId, username, issuer, subject } = session;
      const tokens = await sealed(sessionId, grant);
      return async (on) => {
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
          .where('issuer', '=', session.issuer)
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
          .where('issuer', '=', issuer)
          .where('subject', '=', subject)
          // Whom an admin keeps out, no later login lets in.
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
          .where('issuer', '=', issuer)
          .$if(sub !== undefined, (query) => query.where('subject', '=', sub ?? ''))
          .$if(sid !== undefined, (query) =>
            query.where((is) =>
              // Of a session that the provider never named, it says nothing but whose it is.
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
        .where('issuer', '=', issuer)
        .where('refreshing_until', '>', now() - lateSeconds)
        .executeTakeFirstOrThrow();
      return count;
    },
  };
}

/** A provider may make a `jti` as long as it likes. */
function keyOf(jti: string): string {
  return createHash('sha256').update(jti).digest('base64url');
}
