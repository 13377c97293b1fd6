import { randomBytes } from 'node:crypto';
import type { Selectable } from 'kysely';
import { wholeSeconds, type Clock, type Timers } from '../clock.ts';
import { AppError } from '../errors.ts';
import type { Identity } from '../policy/identity.ts';
import { isTextList, readJson } from '../policy/json.ts';
import { foldUserName } from '../policy/names.ts';
import { stopsOf, type Stop } from '../policy/stop.ts';
import { foldedUsername } from '../store/account-columns.ts';
import { unconditional, type Permit, type Reading } from '../store/permit.ts';
import { momentsBy, never, readInTime, readTogether, type Moment } from '../store/slow-store.ts';
import type { Tables } from '../store/schema.ts';
import type { Store } from '../store/store.ts';

/** A stop in the store. Times are milliseconds since the epoch. */
export interface KeptStop extends Stop {
  /** Not secret. */
  readonly id: string;
  /** The admin. */
  readonly by: string;
  readonly at: number;
}

type NewStop = Stop & Pick<KeptStop, 'by'>;

/** Access that admins have stopped for a time. Every change checks its permit in its own transaction. */
export interface Stops {
  /** Active ones of an identity, as far as this process has read them. */
  of(identity: Identity, session: () => string | undefined): readonly Stop[];
  /** Whether the stops that this process has read are still those of the store. */
  areCurrent(): boolean;
  /** Reads them again, once for all that wait. @throws AppError `store_unavailable` */
  renew(): Promise<void>;
  /** @returns active ones, the newest first */
  list(): Promise<readonly KeptStop[]>;
  /** @throws AppError `stream_unknown` when there is no such account anymore */
  add(wanted: NewStop, permit: Permit): Promise<KeptStop>;
  /** @returns the stop that was lifted, with the account's current name; `undefined` if there is none, or it has ended */
  lift(id: string, permit: Permit): Promise<KeptStop | undefined>;
  /** Deletes those that have ended. */
  prune(): Promise<void>;
}

interface StopsOptions {
  readonly store: Store;
  /** While it stays the same number, the store has not changed; NaN: unknown. */
  readonly version: () => number;
  readonly clock: Clock;
  readonly timers: Pick<Timers, 'after' | 'elapsed'>;
}

interface Known {
  readonly stops: readonly Stop[];
  /** Version of the store, read before the stops. */
  readonly version: number;
  readonly asked: Moment;
}

export function createStops({ store, version, clock, timers }: StopsOptions): Stops {
  const moments = momentsBy(clock, timers);
  /** A clock that is behind ends no stop. */
  const now = () => clock.certain?.() ?? clock.now();
  let known: Known = { stops: [], version: Number.NaN, asked: never };

  /** Stops name the account by its user's current name; a removed user cannot come back. */
  const read = async (): Promise<readonly KeptStop[]> => {
    const rows = await store
      .selectFrom('stops')
      .leftJoin('users', 'users.user_id', 'stops.user_id')
      .selectAll('stops')
      .select('username')
      .where('ends_at', '>', wholeSeconds(now()))
      .orderBy('made_at', 'desc')
      .execute();
    return rows.flatMap(({ username, ...row }) => {
      if (row.kind !== 'account') return [stopOf(row)];
      return username === null ? [] : [stopOf({ ...row, name: username })];
    });
  };
  const renewTogether = readTogether(async (of: number) => {
    const asked = moments.present();
    const stops = await readInTime(read, timers);
    // A read that began later has finished earlier and is newer.
    if (asked.elapsed >= known.asked.elapsed) known = { stops, version: of, asked };
  });

  // A damaged database throws. Reading again then fails, and the decision is a refusal.
  const versionIfKnown = (): number | undefined => {
    try {
      return version();
    } catch {
      return undefined;
    }
  };

  return {
    of: (identity, session) => stopsOf(known.stops, identity, session, now()),
    areCurrent: () => {
      const current = versionIfKnown();
      return current === known.version || (Number.isNaN(current) && moments.isRecent(known.asked));
    },
    renew: async () => renewTogether(version()),
    list: read,
    add: async (wanted, permit) => {
      const until = Math.ceil(wanted.until / 1000) * 1000;
      const id = randomBytes(15).toString('base64url');
      const stop: KeptStop = { ...wanted, until, id, at: clock.now() };
      await store.change(permit, async (on) => {
        const user = wanted.kind === 'account' ? await userIdOf(on, wanted.name) : null;
        // The account was removed in the meantime, and its streams with it.
        if (user === undefined) throw new AppError('stream_unknown');
        await on
          .insertInto('stops')
          .values({ ...rowOf(stop), user_id: user })
          .execute();
      });
      return stop;
    },
    lift: (id, permit) =>
      store.change(permit, async (on) => {
        const row = await on
          .deleteFrom('stops')
          .where('stop_id', '=', id)
          .where('ends_at', '>', wholeSeconds(now()))
          .returningAll()
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const user =
          row.user_id === null
            ? undefined
            : await on
                .selectFrom('users')
                .select('username')
                .where('user_id', '=', row.user_id)
                .executeTakeFirst();
        return stopOf({ ...row, name: user?.username ?? row.name });
      }),
    prune: async () => {
      const isOver = () =>
        store.selectFrom('stops').select('stop_id').where('ends_at', '<=', wholeSeconds(now()));
      // An empty delete would still clear the caches of all processes.
      if ((await isOver().executeTakeFirst()) === undefined) return;
      await store.change(unconditional, (on) =>
        on.deleteFrom('stops').where('ends_at', '<=', wholeSeconds(now())).execute(),
      );
    },
  };
}

/** @param typed providers find one user by any letter case, and pass on what was typed */
async function userIdOf(on: Reading, typed: string): Promise<string | undefined> {
  const row = await on
    .selectFrom('users')
    .select('user_id')
    .where(foldedUsername, '=', foldUserName(typed))
    .executeTakeFirst();
  return row?.user_id;
}

function rowOf({
  id,
  kind,
  name,
  session,
  cameras,
  by,
  at,
  until,
}: KeptStop): Omit<Selectable<Tables['stops']>, 'user_id'> {
  return {
    stop_id: id,
    kind,
    name,
    session_id: session ?? null,
    cameras: cameras === undefined ? null : JSON.stringify(cameras),
    made_by: by,
    made_at: wholeSeconds(at),
    ends_at: wholeSeconds(until),
  };
}

/** A list of cameras that cannot be read stops all. */
function stopOf(row: Omit<Selectable<Tables['stops']>, 'user_id'>): KeptStop {
  const listed = row.cameras === null ? undefined : readJson(row.cameras);
  return {
    id: row.stop_id,
    kind: row.kind,
    name: row.name,
    session: row.session_id ?? undefined,
    cameras: isTextList(listed) ? listed : undefined,
    by: row.made_by,
    at: row.made_at * 1000,
    until: row.ends_at * 1000,
  };
}
