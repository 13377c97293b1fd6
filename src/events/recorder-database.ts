import { statSync } from 'node:fs';
import { AppError } from '../errors.ts';
import type { Grant } from '../policy/grant.ts';
import { openReadOnly, type SqliteFile } from '../store/sqlite-file.ts';
import { eventColumns, type EventRow } from './event-record.ts';

/** The recorder's SQLite file. Every method throws AppError `events_unavailable` when it cannot be read. */
export interface RecorderDatabase {
  /** @returns the events there are, in no order */
  eventsById(ids: readonly string[]): EventRow[];
  /** @returns the newest events first, of the cameras given, at most `limit` */
  recentEvents(filter: EventFilter): EventRow[];
  /** @returns camera by id, of the events that there are */
  camerasOfEvents(ids: readonly string[]): ReadonlyMap<string, string>;
  /** @param name id of an export, or the file name of its video or thumbnail */
  camerasOfExport(name: string): readonly string[];
  camerasOfReview(id: string): readonly string[];
  /** @returns names of the cameras that have events, sorted */
  cameras(): string[];
  close(): void;
}

interface EventFilter {
  readonly cameras: Grant;
  readonly label: string | undefined;
  /** Seconds since the epoch: only events that started earlier. */
  readonly before: number | undefined;
  /** Of those that started at `before`: the ones whose id comes earlier. */
  readonly beforeId: string | undefined;
  readonly limit: number;
}

// A reader of a WAL database never waits; in other journal modes the recorder's writes are short.
const lockTimeout = 100;

const columns = eventColumns.map((column) => `"${column}"`).join(', ');

/** Names in `cameras` and ids come as one JSON array, so that each query is prepared once. */
function prepare(file: SqliteFile) {
  const statements = {
    byId: file.prepare(`SELECT ${columns} FROM event WHERE id IN (SELECT value FROM json_each(?))`),
    recent: file.prepare(
      `SELECT ${columns} FROM event
        WHERE (:cameras IS NULL OR camera IN (SELECT value FROM json_each(:cameras)))
          AND (:label IS NULL OR label = :label)
          AND (:before IS NULL OR start_time < :before OR (start_time = :before AND id < :beforeId))
        ORDER BY start_time DESC, id DESC LIMIT :limit`,
    ),
    camerasOfEvents: file.prepare(
      'SELECT id, camera FROM event WHERE id IN (SELECT value FROM json_each(?))',
    ),
    // When they are first needed: a recorder of an earlier release may not have these tables.
    // Names are compared as text, since a file name may hold what LIKE takes for a pattern.
    camerasOfExport: whenNeeded(() =>
      file.prepare(
        `SELECT camera FROM export
          WHERE id = :name
             OR substr(video_path, -length(:name) - 1) = '/' || :name
             OR substr(thumb_path, -length(:name) - 1) = '/' || :name`,
      ),
    ),
    camerasOfReview: whenNeeded(() => file.prepare('SELECT camera FROM reviewsegment WHERE id = ?')),
    // Jumps from one camera to the next in the index, whatever the number of events.
    cameras: file.prepare(
      `WITH RECURSIVE found(camera) AS (
         SELECT min(camera) FROM event
         UNION ALL
         SELECT (SELECT min(camera) FROM event WHERE camera > found.camera) FROM found WHERE found.camera IS NOT NULL
       )
       SELECT camera FROM found WHERE camera IS NOT NULL`,
    ),
  };
  // A number that JavaScript cannot hold would otherwise fail the whole query.
  statements.byId.setReadBigInts(true);
  statements.recent.setReadBigInts(true);
  return statements;
}

interface OpenFile {
  readonly file: SqliteFile;
  /** Device and inode, to see when the recorder's file was replaced. */
  readonly identity: string;
  readonly statements: ReturnType<typeof prepare>;
}

/** Opens the file when it is first needed, and again when it was away or was replaced. */
export function recorderDatabase(path: string): RecorderDatabase {
  let current: OpenFile | undefined;

  const close = () => {
    current?.file.close();
    current = undefined;
  };
  const open = (): OpenFile => {
    const identity = fileIdentity(path);
    if (current?.identity === identity) return current;
    close();
    const file = openReadOnly(path, lockTimeout);
    try {
      current = { file, identity, statements: prepare(file) };
    } catch (error) {
      file.close();
      throw error;
    }
    return current;
  };
  const read = <T>(query: (statements: OpenFile['statements']) => T): T => {
    try {
      return query(open().statements);
    } catch (cause) {
      throw new AppError('events_unavailable', { cause });
    }
  };

  return {
    eventsById: (ids) => read(({ byId }) => byId.all(JSON.stringify(ids)) as unknown as EventRow[]),
    recentEvents: ({ cameras, label, before, beforeId, limit }) =>
      read(({ recent }) => {
        const rows = recent.all({
          cameras: cameras === 'all' ? null : JSON.stringify([...cameras]),
          label: label ?? null,
          before: before ?? null,
          beforeId: beforeId ?? null,
          limit,
        });
        return rows as unknown as EventRow[];
      }),
    camerasOfEvents: (ids) =>
      read(({ camerasOfEvents }) => {
        const rows = camerasOfEvents.all(JSON.stringify(ids));
        return new Map(rows.map(({ id, camera }) => [String(id), String(camera)]));
      }),
    camerasOfExport: (name) => read(({ camerasOfExport }) => camerasOfExport().all({ name }).map(cameraOf)),
    camerasOfReview: (id) => read(({ camerasOfReview }) => camerasOfReview().all(id).map(cameraOf)),
    cameras: () => read(({ cameras }) => cameras.all().map(cameraOf)),
    close,
  };
}

/**
 * Looks at the file as the first request would.
 * @returns what is the matter with it, for the operator; undefined: nothing, or nothing but that it is locked just now
 */
export function recorderDatabaseFault(path: string): string | undefined {
  const database = recorderDatabase(path);
  try {
    database.eventsById([]);
    return undefined;
  } catch (error) {
    return faultOf((error as AppError).cause);
  } finally {
    database.close();
  }
}

function faultOf(cause: unknown): string | undefined {
  const { code, errcode, message } = cause as NodeJS.ErrnoException & { readonly errcode?: number };
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'a file that is not there';
  if (code === 'EACCES' || errcode === sqlite.cannotOpen) return 'a file that this user cannot read';
  if (errcode === sqlite.busy) return undefined;
  if (errcode === sqlite.notADatabase) return 'a file that is no SQLite database';
  if (errcode === sqlite.error) return `a database that is no recorder's (${message})`;
  return `a file that cannot be read (${message})`;
}

// https://sqlite.org/rescode.html
const sqlite = { error: 1, busy: 5, cannotOpen: 14, notADatabase: 26 } as const;

function whenNeeded<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}

function cameraOf(row: Record<string, unknown>): string {
  return String(row['camera']);
}

function fileIdentity(path: string): string {
  const { dev, ino } = statSync(path);
  return `${dev}:${ino}`;
}
