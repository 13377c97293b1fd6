import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql, type Selectable } from 'kysely';
import { boundedCache } from '../bounded-cache.ts';
import * as v from 'valibot';
import { wholeSeconds, type Clock } from '../clock.ts';
import type { ActivityTables } from '../store/activity-schema.ts';
import { inSlices, mostInSlice, type Careful } from './audit-table.ts';
import type { Viewed } from '../policy/evaluate/viewed.ts';
import { createRowWriter } from '../store/row-writer.ts';
import type { Activity } from '../store/store.ts';
import { plainText } from './audit-entry.ts';

type WatchedRow = Selectable<ActivityTables['watched']>;

/** The identity that watches. */
export interface Viewer {
  readonly user: string;
  readonly source: string;
  /** The session, API token, display or share, or `undefined` for an identity that the gate did not issue. */
  readonly by: string | undefined;
  readonly address: string;
}

/** The record of who watched what: one row for each stretch, written when it begins and again while it lasts. */
export interface Viewing {
  /** @returns false if nothing may be shown now, because it cannot be recorded: at once, or once the beginning of a stretch is written */
  note(viewer: Viewer, viewed: Viewed): boolean | Promise<boolean>;
  /** Removes older rows, a few at a time. @param before milliseconds since the epoch */
  prune(before: number, careful?: Omit<Careful, 'span'>): Promise<void>;
  /** Writes what is pending. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface ViewingOptions {
  readonly clock: Clock;
  readonly mode: () => boolean | 'required';
  readonly onError: (error: unknown) => void;
  /** Called for each stretch that was not recorded. */
  readonly onDrop: () => void;
}

interface Stretch {
  readonly id: string;
  readonly beganAt: number;
  last: number;
}

// Milliseconds.
const writeInterval = 2_000;
/** Someone who looks away for a while, or from one camera to another and back, still watches. */
const joined = 5 * 60_000;

const most = 10_000;

export function createViewing(activity: Activity, options: ViewingOptions): Viewing {
  const { clock, mode, onError, onDrop } = options;
  const stretches = boundedCache<string, Stretch>(most);
  /** The last write failed. */
  let isFailing = false;
  const rows = createRowWriter<'watch_id', WatchedRow>({
    activity,
    table: 'watched',
    key: 'watch_id',
    columns: {
      username: 'later',
      source: 'later',
      by_id: 'later',
      address: 'later',
      camera: 'later',
      kind: 'later',
      began_at: 'least',
      ended_at: 'greatest',
      footage_from: 'least',
      footage_to: 'greatest',
    },
    interval: writeInterval,
    batch: 500,
    most,
    onError: (error) => {
      isFailing = true;
      onError(error);
    },
    onDrop,
    onWritten: () => void (isFailing = false),
  });

  /** @returns whether a stretch begins */
  const noteCamera = (viewer: Viewer, camera: string, { kind, footage }: Viewed): boolean => {
    const now = clock.now();
    const { user, source, by, address } = viewer;
    const key = `${source}\n${by ?? address}\n${kind}\n${camera}\n${user}`;
    let stretch = stretches.get(key);
    const isNew = stretch === undefined || now - stretch.last > joined || now < stretch.last;
    if (stretch === undefined || isNew) {
      stretch = { id: randomUUID(), beganAt: now, last: now };
      stretches.set(key, stretch);
    }
    stretch.last = now;
    rows.put({
      watch_id: stretch.id,
      username: plainText(user, 256),
      source,
      by_id: by ?? null,
      address: plainText(address, 64),
      camera: plainText(camera, 255),
      kind,
      began_at: wholeSeconds(stretch.beganAt),
      ended_at: wholeSeconds(now),
      footage_from: Math.floor(footage?.from ?? 0),
      footage_to: Math.ceil(footage?.to ?? 0),
    });
    return isNew;
  };

  return {
    note: (viewer, viewed) => {
      const wanted = mode();
      if (wanted === false) return true;
      let begins = false;
      for (const camera of viewed.cameras) if (noteCamera(viewer, camera, viewed)) begins = true;
      if (wanted !== 'required' || (!begins && !isFailing)) return true;
      return rows.flush().then(
        () => !isFailing,
        () => false,
      );
    },
    prune: async (before, { mayDelete, signal } = {}) => {
      const over = await activity
        .selectFrom('watched')
        .select('watch_id')
        .where('ended_at', '<', wholeSeconds(before))
        .limit(1)
        .executeTakeFirst();
      // A disk that is read-only causes no error then.
      if (over === undefined) return;
      const count = activity.selectFrom('watched').select(({ fn }) => fn.countAll<number>().as('count'));
      const { count: old } = await count
        .where('ended_at', '<', wholeSeconds(before))
        .executeTakeFirstOrThrow();
      const { count: all } = await count.executeTakeFirstOrThrow();
      if (mayDelete !== undefined && !mayDelete(old, all)) return;
      await inSlices(async () => {
        const some = activity
          .selectFrom('watched')
          .select('watch_id')
          .where('ended_at', '<', wholeSeconds(before))
          .limit(mostInSlice);
        const { numDeletedRows } = await activity
          .deleteFrom('watched')
          .where('watch_id', 'in', some)
          .executeTakeFirst();
        return Number(numDeletedRows);
      }, signal);
    },
    flush: rows.flush,
    close: rows.close,
  };
}

/** All given conditions must hold. */
export interface WatchedFilter {
  readonly user?: string | undefined;
  readonly camera?: string | undefined;
  /** Seconds since the epoch: the stretch began then or later. */
  readonly since?: number | undefined;
  /** Seconds since the epoch: the stretch began earlier. */
  readonly until?: number | undefined;
  /** `next` of the previous page. */
  readonly before?: string | undefined;
  readonly limit: number;
}

export interface WatchedPage {
  readonly rows: ReadonlyArray<Selectable<ActivityTables['watched']>>;
  /** `before` of the next page, or `undefined` on the last one. */
  readonly next: string | undefined;
}

const cursor = /^(\d{1,12})~([0-9a-f-]{36})$/;
export const cursorForm = v.pipe(v.string(), v.regex(cursor, 'Input should be the next of a page'));

/** Reads who watched what, the newest stretch first. */
export async function findWatched(
  activity: Activity,
  { user, camera, since, until, before, limit }: WatchedFilter,
): Promise<WatchedPage> {
  let rows = activity
    .selectFrom('watched')
    .selectAll()
    .orderBy('began_at', 'desc')
    .orderBy('watch_id', 'desc')
    .limit(limit + 1);
  if (user !== undefined) rows = rows.where('username', '=', user);
  if (camera !== undefined) rows = rows.where('camera', '=', camera);
  if (since !== undefined) rows = rows.where('began_at', '>=', since);
  if (until !== undefined) rows = rows.where('began_at', '<', until);
  const [, at, id] = cursor.exec(before ?? '') ?? [];
  if (at !== undefined && id !== undefined)
    rows = rows.where(({ eb, or, and }) =>
      or([eb('began_at', '<', Number(at)), and([eb('began_at', '=', Number(at)), eb('watch_id', '<', id)])]),
    );
  const found = await rows.execute();
  const last = found.length > limit ? found[limit - 1] : undefined;
  return {
    rows: found.slice(0, limit),
    next: last && `${last.began_at}~${last.watch_id}`,
  };
}

// As for last logins: each query blocks the thread.
const namesAtOnce = 50;
const mostLookedAt = 1_000;

/** @returns what each user watched last, by name: signed in, and by no screen, token or link */
export async function findLastWatched(
  activity: Activity,
  names: readonly string[],
): Promise<ReadonlyMap<string, WatchedRow>> {
  const found = new Map<string, WatchedRow>();
  for (let i = 0; i < names.length; i += namesAtOnce) {
    if (i > 0) await nextTurn();
    const values = sql.join(names.slice(i, i + namesAtOnce).map((name) => sql`(${name})`));
    const { rows } = await sql<WatchedRow>`
      SELECT * FROM watched WHERE watch_id IN (
        SELECT (
          SELECT watch_id FROM (
            SELECT watch_id, source, began_at FROM watched WHERE username = column1
            ORDER BY began_at DESC, watch_id DESC LIMIT ${mostLookedAt}
          ) AS latest WHERE source IN ('session', 'bearer') ORDER BY began_at DESC, watch_id DESC LIMIT 1
        ) FROM (VALUES ${values}) AS names
      )`.execute(activity);
    for (const row of rows) found.set(row.username, row);
  }
  return found;
}
