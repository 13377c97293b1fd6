import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Selectable, type SelectQueryBuilder } from 'kysely';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import type { SessionGeneration } from '../../policy/session-generation.ts';
import type { ActivityTables } from '../../store/activity-schema.ts';
import { askTogether } from '../../store/slow-store.ts';
import { createRowWriter } from '../../store/row-writer.ts';
import { isOfGenerationNow } from '../../store/account-columns.ts';
import type { Activity } from '../../store/store.ts';
import type { SessionClaims } from './session-token.ts';

/** A session, and when and how it was last seen. Times are milliseconds since the epoch, in whole seconds. */
export interface SeenSession {
  readonly id: string;
  readonly username: string;
  /** Session generation in the token seen last; absent when the token carries none. */
  readonly generation: string | undefined;
  readonly beganAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  readonly address: string | null;
  readonly agent: string | null;
}

interface LastSeen {
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Address of the client; empty when unknown. */
  readonly address: string;
  /** `User-Agent`, as the client sent it. */
  readonly agent: string | undefined;
}

/** Place where a page of the list ends: the next one begins behind it. */
export type Place = Pick<SeenSession, 'lastSeenAt' | 'id'>;

/** State that decides whether the sessions of a user can be valid. */
export interface SessionOwner extends SessionGeneration {
  readonly username: string;
}

/**
 * The seen sessions. They are for display: no decision uses them, and logins and decisions still work when the database cannot be
 * written. `active-sessions.ts` checks whether a session is still valid.
 */
export interface SessionRegistry {
  /** A token of the session was issued or used. The caller does not wait for the write. */
  note(claims: SessionClaims, lastSeen: LastSeen): void;
  /** Whether a note of another session would be dropped. */
  isFull(): boolean;
  forget(id: string): void;
  /** @throws AppError `sessions_unavailable` */
  find(id: string): Promise<SeenSession | undefined>;
  /**
   * @param owner only sessions of this user and of the user's current generation
   * @returns sessions that have not expired, last seen first
   * @throws AppError `sessions_unavailable`
   */
  page(options: {
    readonly owner?: SessionOwner | undefined;
    readonly before?: Place | undefined;
    readonly limit: number;
  }): Promise<SeenSession[]>;
  /** Deletes sessions that have expired or are of another generation than their user. */
  prune(ownerOf: (username: string) => Promise<SessionOwner | undefined>): Promise<void>;
  close(): Promise<void>;
}

export interface SessionRegistryOptions {
  readonly activity: Activity;
  readonly clock: Clock;
  /** Called once when writing starts to fail, and once when it works again. */
  readonly onFault: (error: unknown) => void;
  readonly onRecovery: () => void;
}

type SeenRow = Selectable<ActivityTables['seen_sessions']>;

// Milliseconds. With a million sessions a batch takes ten of the thread.
const interval = 250;
const batch = 250;

// A few hundred bytes each. Dropped ones are noted again within a minute.
const mostPending = 20_000;

const longestAgent = 256;

export function createSessionRegistry(options: SessionRegistryOptions): SessionRegistry {
  const { activity, clock, onFault, onRecovery } = options;
  let isFaulty = false;

  const rows = createRowWriter<'session_id', SeenRow>({
    activity,
    table: 'seen_sessions',
    key: 'session_id',
    columns: {
      username: 'later',
      session_generation: 'later',
      began_at: 'least',
      last_seen_at: 'greatest',
      expires_at: 'greatest',
      address: 'later',
      agent: 'later',
    },
    interval,
    batch,
    most: mostPending,
    onWritten: () => {
      if (isFaulty) onRecovery();
      isFaulty = false;
    },
    onError: (error) => {
      if (!isFaulty) onFault(error);
      isFaulty = true;
    },
  });

  /** While writing fails, each attempt could wait for a lock. */
  const read = async <T>(query: () => Promise<T>): Promise<T> => {
    if (!isFaulty) await rows.flush();
    try {
      return await query();
    } catch (error) {
      throw new AppError('sessions_unavailable', { cause: error });
    }
  };
  const select = () =>
    activity.selectFrom('seen_sessions').selectAll().where('expires_at', '>', wholeSeconds(clock.now()));

  const find = askTogether<string, SeenRow>(String, (ids) =>
    read(async () => {
      const found = await select().where('session_id', 'in', ids).execute();
      return new Map(found.map((row) => [row.session_id, row]));
    }),
  );

  const removeInBatches = async (
    where: (query: SelectQueryBuilder<ActivityTables, 'seen_sessions', object>) => typeof query,
  ) => {
    for (;;) {
      const found = await where(activity.selectFrom('seen_sessions'))
        .select('session_id')
        .limit(batch)
        .execute();
      if (found.length > 0) await rows.removeWritten(found.map(({ session_id: id }) => id));
      if (found.length < batch) return;
      await nextTurn();
    }
  };

  return {
    note: (claims, lastSeen) => rows.put(rowOf(claims, lastSeen)),

    isFull: rows.isFull,

    forget: rows.remove,

    find: async (id) => {
      const row = await find(id);
      return row && sessionOf(row);
    },

    page: ({ owner, before, limit }) =>
      read(async () => {
        let query = select().orderBy('last_seen_at', 'desc').orderBy('session_id', 'desc').limit(limit);
        if (before !== undefined)
          query = query.where(
            sql<boolean>`(last_seen_at, session_id) < (${wholeSeconds(before.lastSeenAt)}, ${before.id})`,
          );
        if (owner !== undefined)
          query = query.where('username', '=', owner.username).where(isOfGenerationNow(owner));
        return (await query.execute()).map(sessionOf);
      }),

    prune: async (ownerOf) => {
      const nowSeconds = wholeSeconds(clock.now());
      await removeInBatches((query) => query.where('expires_at', '<=', nowSeconds));
      // From one name to the next by the index, however many sessions each user has.
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
        await removeInBatches((query) => {
          const ofUser = query.where('username', '=', last);
          return owner === undefined ? ofUser : ofUser.where(({ not }) => not(isOfGenerationNow(owner)));
        });
        await nextTurn();
      }
    },

    close: rows.close,
  };
}

function rowOf(
  { username, sessionId, generation, issuedAt, expiresAt }: SessionClaims,
  { at, address, agent }: LastSeen,
): SeenRow {
  return {
    session_id: sessionId,
    username,
    session_generation: generation ?? null,
    began_at: wholeSeconds(issuedAt),
    last_seen_at: wholeSeconds(at),
    expires_at: Math.ceil(expiresAt / 1000),
    address: address || null,
    agent: agentText(agent),
  };
}

function sessionOf(row: SeenRow): SeenSession {
  return {
    id: row.session_id,
    username: row.username,
    generation: row.session_generation ?? undefined,
    beganAt: row.began_at * 1000,
    lastSeenAt: row.last_seen_at * 1000,
    expiresAt: row.expires_at * 1000,
    address: row.address,
    agent: row.agent,
  };
}

/** @returns a copy of the start without control characters; a substring would keep the whole text in memory */
function agentText(sent: string | undefined): string | null {
  if (sent === undefined) return null;
  const start = sent.slice(0, longestAgent);
  return Buffer.from(start.replace(/[\p{Cc}\p{Cf}]/gu, ' ').trim()).toString() || null;
}
