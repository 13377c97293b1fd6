import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '../../errors.ts';
import { isOfGeneration } from '../../policy/session-generation.ts';
import type { Permit } from '../../store/permit.ts';
import type { Revocations } from './revocations.ts';
import type { Place, SeenSession, SessionOwner, SessionRegistry } from './last-seen.ts';
import type { Sessions } from './sessions.ts';
import { wholeSeconds, type Clock } from '../../clock.ts';
import { atMostEvery } from '../../telemetry/pacing.ts';
import type { Activity } from '../../store/store.ts';

interface SessionPage {
  readonly sessions: readonly SeenSession[];
  /** Place where the next page begins; absent on the last page. */
  readonly next: Place | undefined;
}

/** The seen sessions whose tokens are valid at this moment. */
export interface ActiveSessions {
  /**
   * The sessions of a user, or all, last seen first. A page may have fewer than `limit` entries and still be followed by
   * another.
   * @param options search: every word is part of the user, the address or the client, in any case
   * @throws AppError `user_unknown`, `sessions_unavailable`
   */
  list(options: {
    readonly username?: string | undefined;
    readonly search?: string | undefined;
    readonly before?: Place | undefined;
    readonly limit: number;
  }): Promise<SessionPage>;
  /**
   * The sessions of many users with a few queries: up to 2,000 of those seen last.
   * @throws AppError `sessions_unavailable`
   */
  listOf(owners: ReadonlyMap<string, SessionOwner>): Promise<readonly SeenSession[]>;
  /** @throws AppError `sessions_unavailable` */
  find(id: string): Promise<SeenSession | undefined>;
  /** Rejects every token of the session from now on. @throws AppError `store_unavailable` */
  end(session: Pick<SeenSession, 'id' | 'expiresAt'>, permit: Permit): Promise<void>;
}

interface ActiveSessionsDependencies {
  readonly registry: Pick<SessionRegistry, 'find' | 'page' | 'forget'>;
  readonly revocations: Pick<Revocations, 'isRevoked' | 'revokedAmong'>;
  readonly sessions: Pick<Sessions, 'end'>;
  readonly users: { find(username: string): Promise<SessionOwner | undefined> };
}

// Rows that one page reads at most: many sessions may have ended.
const mostRead = 2_000;
// A search reads more, because few rows may match, and yields the thread after so many.
const mostSearched = 20_000;
const searchedAtOnce = 1_000;

export function createActiveSessions(dependencies: ActiveSessionsDependencies): ActiveSessions {
  const { registry, revocations, sessions, users } = dependencies;

  const isActive = async (session: SeenSession, owner: SessionOwner | undefined): Promise<boolean> => {
    if (owner === undefined || session.username !== owner.username) return false;
    const { id, generation, beganAt: issuedAt } = session;
    return isOfGeneration({ generation, issuedAt }, owner) && !(await revocations.isRevoked(id));
  };

  return {
    list: async ({ username, search = '', before, limit }) => {
      const owner = username === undefined ? undefined : await users.find(username);
      if (username !== undefined && owner === undefined) throw new AppError('user_unknown');
      const owners = new Map([[username, owner]]);
      const ownerOf = async (name: string) => {
        if (!owners.has(name)) owners.set(name, await users.find(name));
        return owners.get(name);
      };
      const live: SeenSession[] = [];
      const words = search.toLowerCase().split(/\s+/).filter(Boolean);
      const most = words.length === 0 ? mostRead : mostSearched;
      // One more than requested shows whether there is a next page.
      const size = words.length === 0 ? limit + 1 : searchedAtOnce;
      let place = before;
      for (let read = 0; read < most;) {
        const rows = await registry.page({ owner, before: place, limit: size });
        for (const row of rows) {
          if (!has(row, words) || !(await isActive(row, await ownerOf(row.username)))) {
            place = row;
            continue;
          }
          if (live.length === limit) return { sessions: live, next: live.at(-1) };
          live.push(row);
          place = row;
        }
        if (rows.length < size) return { sessions: live, next: undefined };
        read += rows.length;
        if (words.length > 0) await nextTurn();
      }
      return { sessions: live, next: place };
    },

    listOf: async (owners) => {
      const [only] = owners.size === 1 ? owners.values() : [];
      const rows = await registry.page({ owner: only, limit: mostRead });
      const current = rows.filter(({ username, generation, beganAt: issuedAt }) => {
        const owner = owners.get(username);
        return owner !== undefined && isOfGeneration({ generation, issuedAt }, owner);
      });
      const revoked = await revocations.revokedAmong(current.map(({ id }) => id));
      return current.filter(({ id }) => !revoked.has(id));
    },

    find: async (id) => {
      const found = await registry.find(id);
      const owner = found && (await users.find(found.username));
      return found !== undefined && (await isActive(found, owner)) ? found : undefined;
    },

    end: async ({ id, expiresAt }, permit) => {
      await sessions.end({ claims: { sessionId: id, expiresAt } }, permit);
      registry.forget(id);
    },
  };
}

function has({ username, address, agent }: SeenSession, words: readonly string[]): boolean {
  // A word must not match across two fields.
  const known = `${username}\n${address ?? ''}\n${agent ?? ''}`.toLowerCase();
  return words.every((word) => known.includes(word));
}

/** A session in a list, as the API and the command show it. Times are seconds since the epoch. */
export interface ListedSession {
  readonly id: string;
  readonly username: string;
  readonly began_at: number;
  readonly last_seen_at: number;
  readonly expires_at: number;
  readonly address: string | null;
  readonly agent: string | null;
}

export function listedSession(session: SeenSession): ListedSession {
  const { id, username, beganAt, lastSeenAt, expiresAt, address, agent } = session;
  return {
    id,
    username,
    began_at: wholeSeconds(beganAt),
    last_seen_at: wholeSeconds(lastSeenAt),
    expires_at: wholeSeconds(expiresAt),
    address,
    agent,
  };
}

// Milliseconds: counting takes longer with every session, so more frequent callers get the last count.
const remembered = 10_000;

/** @returns a function that counts the seen sessions whose last token has not expired */
export function sessionCounter(activity: Activity, clock: Clock): () => Promise<number> {
  const count = async () => {
    const { sessions } = await activity
      .selectFrom('seen_sessions')
      .select(({ fn }) => fn.countAll<number>().as('sessions'))
      .where('expires_at', '>', clock.now() / 1000)
      .executeTakeFirstOrThrow();
    return sessions;
  };
  return atMostEvery(remembered, count);
}
