import { sql, type SelectQueryBuilder } from 'kysely';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../errors.ts';
import type { ActivityTables } from '../store/activity-schema.ts';
import type { Activity } from '../store/store.ts';
import { createWriteBehind } from '../store/write-behind.ts';
import type { SessionClaims } from './session-token.ts';

/** A session, and how it was seen last. Times are whole seconds since the epoch. */
export interface SeenSession {
  readonly id: string;
  readonly username: string;
  /** Of the token that was seen last; null: it carries none. */
  readonly generation: string | null;
  readonly beganAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly address: string | null;
  readonly agent: string | null;
}

/** Where and by what a session was seen. */
interface LastSeen {
  /** Seconds since the epoch. */
  readonly at: number;
  /** Of the client; empty when nobody said. */
  readonly address: string;
  /** `User-Agent`, as the client sent it. */
  readonly agent: string | undefined;
}

/** Where a page of the list ends: the next one begins behind it. */
export type Place = Pick<SeenSession, 'lastSeenAt' | 'id'>;

/** What says whether the sessions of a user can be good. */
export interface SessionOwner {
  readonly username: string;
  readonly generation: string;
  /** Seconds since the epoch. */
  readonly notBefore: number;
}

/**
 * The sessions that were seen. It describes: no decision asks it, and when its database takes nothing, logins and
 * decisions go on. Whether a session it knows is still good, `live-sessions.ts` finds out.
 */
export interface SessionRegistry {
  /** A token of the session was made or used. Nobody waits until that is written. */
  note(claims: SessionClaims, lastSeen: LastSeen): void;
  /** A session was ended. */
  forget(id: string): void;
  /** @throws AppError `sessions_unavailable` */
  find(id: string): Promise<SeenSession | undefined>;
  /**
   * @param owner of this user alone, and of the user's generation
   * @returns those that have not expired, seen last first
   * @throws AppError `sessions_unavailable`
   */
  page(options: {
    readonly owner?: SessionOwner | undefined;
    readonly before?: Place | undefined;
    readonly limit: number;
  }): Promise<SeenSession[]>;
  /** Forgets what has expired, and what is of another generation than its user. */
  prune(ownerOf: (username: string) => Promise<SessionOwner | undefined>): Promise<void>;
  /** Writes what is pending. */
  close(): Promise<void>;
}

export interface SessionRegistryOptions {
  readonly activity: Activity;
  /** Seconds since the epoch. */
  readonly now: () => number;
  /** Told once when nothing can be written any more, and once when that has passed. */
  readonly onFault: (error: unknown) => void;
  readonly onRecovery: () => void;
}

type Note = { readonly seen: SeenSession } | { readonly ended: string };

// Milliseconds. With a million sessions a batch takes ten of the thread, and less with fewer.
const interval = 250;
const batch = 250;

// Some hundred bytes each. What is dropped is noted again in a minute.
const mostPending = 20_000;

const longestAgent = 256;

export function createSessionRegistry(options: SessionRegistryOptions): SessionRegistry {
  const { activity, now, onFault, onRecovery } = options;
  let isFaulty = false;

  const write = async (notes: readonly Note[]) => {
    // Several batches in a row leave others their turn.
    await nextTurn();
    const seen = notes.flatMap((note) => ('seen' in note ? [note.seen] : []));
    const ended = notes.flatMap((note) => ('ended' in note ? [note.ended] : []));
    if (seen.length > 0) await upsert(activity, seen);
    if (ended.length > 0) await remove(activity, ended);
    if (isFaulty) onRecovery();
    isFaulty = false;
  };
  const notes = createWriteBehind<Note>({
    write,
    interval,
    batch,
    most: mostPending,
    onError: (error) => {
      if (!isFaulty) onFault(error);
      isFaulty = true;
    },
  });

  /** While nothing can be written, each attempt could wait for a lock. */
  const read = async <T>(query: () => Promise<T>): Promise<T> => {
    if (!isFaulty) await notes.flush();
    try {
      return await query();
    } catch (error) {
      throw new AppError('sessions_unavailable', { cause: error });
    }
  };
  const select = () => activity.selectFrom('seen_sessions').select(columns);

  const removeInBatches = async (
    where: (query: SelectQueryBuilder<ActivityTables, 'seen_sessions', object>) => typeof query,
  ) => {
    for (;;) {
      const rows = await where(activity.selectFrom('seen_sessions'))
        .select('session_id')
        .limit(batch)
        .execute();
      if (rows.length > 0)
        await remove(
          activity,
          rows.map(({ session_id: id }) => id),
        );
      if (rows.length < batch) return;
      await nextTurn();
    }
  };

  return {
    note: ({ username, sessionId, generation, issuedAt, expiresAt }, { at, address, agent }) => {
      const seen: SeenSession = {
        id: sessionId,
        username,
        generation: generation ?? null,
        beganAt: Math.floor(issuedAt),
        lastSeenAt: Math.floor(at),
        expiresAt: Math.ceil(expiresAt),
        address: address || null,
        agent: agentText(agent),
      };
      notes.put({ seen }, sessionId);
    },

    forget: (id) => notes.put({ ended: id }, id),

    find: (id) =>
      read(() =>
        select().where('session_id', '=', id).where('expires_at', '>', Math.floor(now())).executeTakeFirst(),
      ),

    page: ({ owner, before, limit }) =>
      read(() => {
        let query = select()
          .where('expires_at', '>', Math.floor(now()))
          .orderBy('last_seen_at', 'desc')
          .orderBy('session_id', 'desc')
          .limit(limit);
        if (before !== undefined)
          query = query.where(
            sql<boolean>`(last_seen_at, session_id) < (${before.lastSeenAt}, ${before.id})`,
          );
        if (owner !== undefined)
          query = query.where('username', '=', owner.username).where(sql<boolean>`
            CASE WHEN session_generation IS NULL THEN began_at >= ${owner.notBefore}
            ELSE session_generation = ${owner.generation} END`);
        return query.execute();
      }),

    prune: async (ownerOf) => {
      const at = Math.floor(now());
      await removeInBatches((query) => query.where('expires_at', '<=', at));
      // From one name to the next by the index, however many sessions each has.
      for (let last = ''; ;) {
        const found = await activity
          .selectFrom('seen_sessions')
          .select('username')
          .where('username', '>', last)
          .orderBy('username')
          .limit(1)
          .executeTakeFirst();
        if (found === undefined) return;
        last = found.username;
        const owner = await ownerOf(last);
        await removeInBatches((query) =>
          query.where('username', '=', last).where(
            owner === undefined
              ? sql<boolean>`true`
              : sql<boolean>`
                CASE WHEN session_generation IS NULL THEN began_at < ${owner.notBefore}
                ELSE session_generation <> ${owner.generation} END`,
          ),
        );
        await nextTurn();
      }
    },

    close: notes.close,
  };
}

const columns = [
  'session_id as id',
  'username',
  'session_generation as generation',
  'began_at as beganAt',
  'last_seen_at as lastSeenAt',
  'expires_at as expiresAt',
  'address',
  'agent',
] as const;

/** One statement, whatever the number: Kysely would take longer to write one for each than SQLite to run it. */
async function upsert(activity: Activity, seen: readonly SeenSession[]): Promise<void> {
  const field = (name: keyof SeenSession) => sql`value ->> ${sql.lit(name)}`;
  await sql`
    INSERT INTO seen_sessions
      (session_id, username, session_generation, began_at, last_seen_at, expires_at, address, agent)
    SELECT ${field('id')}, ${field('username')}, ${field('generation')}, ${field('beganAt')},
      ${field('lastSeenAt')}, ${field('expiresAt')}, ${field('address')}, ${field('agent')}
    FROM json_each(${JSON.stringify(seen)}) WHERE true
    ON CONFLICT (session_id) DO UPDATE SET
      username = excluded.username,
      session_generation = excluded.session_generation,
      began_at = min(began_at, excluded.began_at),
      last_seen_at = max(last_seen_at, excluded.last_seen_at),
      expires_at = max(expires_at, excluded.expires_at),
      address = excluded.address,
      agent = excluded.agent`.execute(activity);
}

async function remove(activity: Activity, ids: readonly string[]): Promise<void> {
  await sql`DELETE FROM seen_sessions WHERE session_id IN (SELECT value FROM json_each(${JSON.stringify(ids)}))`.execute(
    activity,
  );
}

/** @returns a copy of the start without control characters; a part of a text would hold all of it in memory */
function agentText(sent: string | undefined): string | null {
  if (sent === undefined) return null;
  const start = sent.slice(0, longestAgent);
  return Buffer.from(start.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim()).toString() || null;
}
