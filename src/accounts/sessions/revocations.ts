import { sql, type Selectable, type Transaction } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { unconditional, type Permit, type Reading } from '../../store/permit.ts';
import { askTogether } from '../../store/slow-store.ts';
import { isPostgres } from '../../store/engine.ts';
import {
  hasSecondFactor,
  inviterName,
  newGeneration,
  rolesVersionBeside,
} from '../../store/account-columns.ts';
import type { Tables } from '../../store/schema.ts';
import type { Store, VersionedStore } from '../../store/store.ts';
import type { SessionUser } from './session-token.ts';
import { sessionStateOf } from '../users/user-rows.ts';

interface SessionOfUser {
  readonly username: string;
  readonly sessionId: string;
}

/** Sessions ended one by one, by logout. They survive a restart. */
export interface Revocations {
  /** @param expiresAt milliseconds since the epoch; when the session's last token expires */
  revoke(sessionId: string, expiresAt: number, permit: Permit): Promise<void>;
  /**
   * Ends every session if the clock has gone back so far that a deleted revocation would matter again.
   * @param on a transaction to read through; then the next caller without one ends the sessions
   */
  isRevoked(sessionId: string, on?: Reading): Promise<boolean>;
  /** @returns the sessions that were ended one by one */
  revokedAmong(sessionIds: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * The same, together with the session's user: one query for everything a token is checked against.
   * @returns undefined when the user does not exist
   */
  userOf(
    session: SessionOfUser,
    on?: Reading,
  ): Promise<
    { readonly user: SessionUser; readonly isRevoked: boolean; readonly isBlocked: boolean } | undefined
  >;
  /** Deletes revocations a day after they expired, and remembers the latest expiry among them. */
  prune(): Promise<void>;
}

// Milliseconds. A smaller correction of the clock changes nothing.
const grace = 86_400_000;

const idsAtOnce = 500;

/**
 * @param onClockWentBack called when every session was ended because of it
 * @param sawRoles called with the version of the roles read with each user
 */
export function createRevocations(
  store: Store,
  clock: Clock,
  onClockWentBack: () => void = () => undefined,
  sawRoles: VersionedStore['sawRoles'] = () => undefined,
): Revocations {
  // Built once: building it takes 4 microseconds, twice as long as running it.
  const find = store
    .selectFrom('revoked_sessions')
    .select(sql<'revoked' | 'clock'>`'revoked'`.as('found'))
    .where('session_id', '=', 'session id')
    .unionAll(
      store
        .selectFrom('forgotten_revocations')
        .select(sql<'revoked' | 'clock'>`'clock'`.as('found'))
        .where('latest_expiry', '>', 0),
    )
    .compile();
  const columns = sql`username, role, session_generation, sessions_not_before, issuer, blocked,
      ${hasSecondFactor} AS factors, ${inviterName} AS inviter`;
  const findWithUser = sql`SELECT ${columns},
      CASE WHEN EXISTS (SELECT 1 FROM revoked_sessions WHERE session_id = ${'session id'}) THEN 1 ELSE 0 END AS revoked,
      CASE WHEN EXISTS (SELECT 1 FROM forgotten_revocations WHERE latest_expiry > ${0}) THEN 1 ELSE 0 END AS clock,
      ${rolesVersionBeside(store)} AS roles
    FROM users WHERE username = ${'username'}`.compile(store);
  const findTogether = askTogether<SessionOfUser, UserRow>(nameOf, async (sessions) => {
    const ids = sessions.map(({ sessionId }) => sessionId);
    const names = sessions.map(({ username }) => username);
    const { rows } = await sql<UserRow & { readonly session_id: string }>`
      SELECT session_id, ${columns},
        CASE WHEN EXISTS (SELECT 1 FROM revoked_sessions r WHERE r.session_id = asked.session_id) THEN 1 ELSE 0 END AS revoked,
        CASE WHEN EXISTS (SELECT 1 FROM forgotten_revocations WHERE latest_expiry > ${wholeSeconds(clock.now())})
          THEN 1 ELSE 0 END AS clock,
        ${rolesVersionBeside(store)} AS roles
      FROM unnest(${ids}::text[], ${names}::text[]) AS asked (session_id, username) JOIN users USING (username)`.execute(
      store,
    );
    return new Map(
      rows.map((row) => [nameOf({ username: row.username, sessionId: row.session_id }), row] as const),
    );
  });
  /** In a transaction and in SQLite, sessions are queried one at a time. */
  const findOne = async (session: SessionOfUser, on: Reading): Promise<UserRow | undefined> => {
    if (on === store && isPostgres(store)) return findTogether(session);
    const { rows } = await on.executeQuery({
      ...findWithUser,
      parameters: [session.sessionId, wholeSeconds(clock.now()), session.username],
    });
    return rows[0] as UserRow | undefined;
  };
  const endEverySession = async () => {
    await store.change(unconditional, async (on) => {
      await on.updateTable('users').set(newGeneration(on, clock.now())).execute();
      await on.deleteFrom('forgotten_revocations').execute();
    });
    onClockWentBack();
  };

  return {
    revoke: (sessionId, expiresAt, permit) =>
      store.change(permit, async (on) => {
        await revokeSessions(on, [sessionId], expiresAt);
        // Tokens that a provider issued for it are no longer needed.
        await on.deleteFrom('provider_sessions').where('session_id', '=', sessionId).execute();
      }),
    isRevoked: async (sessionId, on = store) => {
      const { rows } = await on.executeQuery<{ readonly found: string }>({
        ...find,
        parameters: [sessionId, wholeSeconds(clock.now())],
      });
      if (on === store && rows.some(({ found }) => found === 'clock')) {
        await endEverySession();
        return true;
      }
      return rows.length > 0;
    },
    revokedAmong: async (sessionIds) => {
      const revoked = new Set<string>();
      for (let i = 0; i < sessionIds.length; i += idsAtOnce) {
        const rows = await store
          .selectFrom('revoked_sessions')
          .select('session_id')
          .where('session_id', 'in', sessionIds.slice(i, i + idsAtOnce))
          .execute();
        for (const { session_id: id } of rows) revoked.add(id);
      }
      return revoked;
    },
    userOf: async (session, on = store) => {
      const row = await findOne(session, on);
      if (row === undefined) return undefined;
      sawRoles(row.roles);
      if (on === store && row.clock === 1) await endEverySession();
      const user = { ...sessionStateOf(row), invitedBy: row.inviter ?? undefined };
      return { user, isRevoked: row.revoked === 1 || row.clock === 1, isBlocked: row.blocked !== null };
    },
    prune: async () => {
      const cutoffSeconds = wholeSeconds(clock.now() - grace);
      await store.change(unconditional, async (on) => {
        const { latest } = await on
          .selectFrom('revoked_sessions')
          .select((read) => read.fn.max('expires_at').as('latest'))
          .where('expires_at', '<', cutoffSeconds)
          .executeTakeFirstOrThrow();
        // SQLite returns null when there are no rows.
        if ((latest as number | null) === null) return;
        const before = await on
          .selectFrom('forgotten_revocations')
          .select('latest_expiry')
          .executeTakeFirst();
        await on.deleteFrom('revoked_sessions').where('expires_at', '<', cutoffSeconds).execute();
        await on.deleteFrom('forgotten_revocations').execute();
        const latest_expiry = Math.max(latest, before?.latest_expiry ?? 0);
        await on.insertInto('forgotten_revocations').values({ latest_expiry }).execute();
      });
    },
  };
}

/** Ends sessions in a transaction. @param expiresAt milliseconds since the epoch; when the last of their tokens expires */
export async function revokeSessions(
  on: Transaction<Tables>,
  sessionIds: readonly string[],
  expiresAt: number,
): Promise<void> {
  if (sessionIds.length === 0) return;
  await on
    .insertInto('revoked_sessions')
    .values(sessionIds.map((id) => ({ session_id: id, expires_at: Math.ceil(expiresAt / 1000) })))
    .onConflict((conflict) => conflict.column('session_id').doNothing())
    .execute();
  await on.deleteFrom('push_subscriptions').where('session_id', 'in', sessionIds).execute();
}

function nameOf({ username, sessionId }: SessionOfUser): string {
  return JSON.stringify([username, sessionId]);
}

type UserRow = Pick<
  Selectable<Tables['users']>,
  'username' | 'role' | 'session_generation' | 'sessions_not_before' | 'issuer' | 'blocked'
> & {
  readonly factors: number;
  readonly inviter: string | null;
  readonly revoked: number;
  readonly clock: number;
  readonly roles: number;
};
