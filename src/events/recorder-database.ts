import { statSync } from 'node:fs';
import type { SQLOutputValue } from 'node:sqlite';
import { requireKind } from '../config/read-file.ts';
import { AppError } from '../errors.ts';
import { openReadOnly, type SqliteFile } from '../store/sqlite/sqlite-file.ts';
import { atMostEvery } from '../telemetry/pacing.ts';
import { databaseState, faultOf, type DatabaseFault, type FoundFault } from './database-state.ts';
import { rememberEventCameras } from './event-cameras.ts';
import type { EventRow } from './event-record.ts';
import { fileName, secondsOf } from './exports-by-name.ts';
import { prepareQueries, type RecorderQueries } from './recorder-queries.ts';

/** The recorder's SQLite file. Every method throws AppError `events_unavailable` when it cannot be read. */
export interface RecorderDatabase {
  /** @returns the existing events, in no particular order */
  eventsById(ids: readonly string[]): EventRow[];
  /**
   * @param most of each label; it reads those, and others at the time of the last one
   * @returns the first events of a range, of all cameras
   */
  newestEvents(range: EventRange, most: number): FirstEvents;
  /** @returns the cameras' whole range, or `undefined` if they have more than `most` events. It reads all of those. */
  eventsOfFew(cameras: readonly string[], range: EventRange, most: number): EventPlace[] | undefined;
  /** @returns camera by id, of existing events */
  camerasOfEvents(ids: readonly string[]): ReadonlyMap<string, string>;
  /** @param name id of an export, or the file name of its video or thumbnail */
  camerasOfExport(name: string): readonly string[];
  camerasOfReview(id: string): readonly string[];
  /** @returns `undefined` if there is no such export */
  exportById(id: string): RecordedExport | undefined;
  /** @returns seconds since the epoch by id, of existing events; NaN: unknown */
  startsOfEvents(ids: readonly string[]): ReadonlyMap<string, number>;
  /** @param name as of `camerasOfExport` */
  startsOfExport(name: string): readonly number[];
  startsOfReview(id: string): readonly number[];
  /** @returns the sorted names of all cameras with events */
  cameras(): string[];
  /** Looks at the file. @returns why it cannot be read, or undefined when it can; it never throws */
  fault(): DatabaseFault | undefined;
  close(): void;
}

/** An exported recording. */
interface RecordedExport {
  readonly camera: string;
  /** Milliseconds since the epoch. */
  readonly startTime: number;
  /** Names of its files. */
  readonly video: string;
  readonly thumbnail: string;
}

/** A place in the list of events, newest first, with the values of the recorder's file. */
export interface EventPlace {
  readonly id: string;
  readonly camera: string;
  readonly startTime: SQLOutputValue;
}

interface FirstEvents {
  readonly places: readonly EventPlace[];
  /** Whether the range may have more events. */
  readonly goesOn: boolean;
  /** How many events were read. */
  readonly looked: number;
}

/** The events after a place in the list. */
export interface EventRange {
  /** Without duplicates. Omit for all labels. */
  readonly labels: readonly string[] | undefined;
  /** Seconds since the epoch: only events that started later. */
  readonly after: number | undefined;
  /** Seconds since the epoch: only events that started earlier. */
  readonly before: SQLOutputValue | undefined;
  /** Leaves out events that started at `before`, except those with a lower id. */
  readonly beforeId: string | undefined;
}

// Readers of a WAL database never wait; in other journal modes, the recorder's writes are short.
const lockTimeout = 100;

// A BLOB sorts after all other values (https://sqlite.org/datatype3.html, 4.1).
const endOfTime = new Uint8Array([0xff]);

/** Where the rows are. Both functions throw when they are nowhere. */
export interface RowsSource {
  /** @returns another text once the file has been replaced */
  identity(): string;
  /** @param lockTimeout as of `openReadOnly` */
  open(lockTimeout: number): SqliteFile;
}

interface OpenFile {
  readonly file: SqliteFile;
  /** The identity of the source, to notice that the file was replaced. */
  readonly identity: string;
  readonly statements: RecorderQueries;
}

/**
 * Opens the file at first use, and again after it was missing, replaced or unreadable.
 * @param from path of the recorder's file, or other rows
 * @param elapsed milliseconds, monotonic
 * @param onChange called when a fault begins, with it, and when the file can be read again
 */
export function recorderDatabase(
  from: string | RowsSource,
  elapsed: () => number = () => performance.now(),
  onChange: (found: FoundFault | undefined) => void = () => {},
): RecorderDatabase {
  const source = typeof from === 'string' ? fileAt(from) : from;
  const path = typeof from === 'string' ? from : '';
  let current: OpenFile | undefined;
  let identity: string | undefined;
  const eventCameras = rememberEventCameras(elapsed);
  const state = databaseState(onChange, elapsed);

  const close = () => {
    current?.file.close();
    current = undefined;
  };
  const open = (): OpenFile => {
    const found = source.identity();
    if (current?.identity === found) return current;
    close();
    // They belong to the previous file.
    if (found !== identity) eventCameras.clear();
    identity = found;
    // The thread waits for a lock only once: while it lasts, every request would stop all others.
    const file = source.open(state.fault()?.fault === 'locked' ? 0 : lockTimeout);
    try {
      current = { file, identity, statements: prepareQueries(file) };
    } catch (error) {
      file.close();
      throw error;
    }
    return current;
  };
  const read = <T>(query: (statements: OpenFile['statements']) => T, opened: () => OpenFile = open): T => {
    try {
      const { statements, identity: of } = opened();
      const found = query(statements);
      state.succeeded(of);
      return found;
    } catch (cause) {
      // SQLite keeps pages that it has read, damaged ones too.
      close();
      state.failed(faultOf(path, cause), identity);
      throw new AppError('events_unavailable', { cause });
    }
  };
  const look = () => read(({ byId }) => void byId.all('[]'));

  // Checking the file takes as long as all the rest of a decision about a cached event.
  const requireFile = atMostEvery(1, () => read(() => undefined), elapsed);
  const camerasIn = (ids: readonly string[]) =>
    read(
      ({ cameraOfEvent, camerasOfEvents }) => {
        const [id = '', ...others] = ids;
        if (others.length === 0) return new Map(cameraOfEvent.all(id).map((row) => [id, cameraOf(row)]));
        const rows = camerasOfEvents.all(JSON.stringify(ids));
        return new Map(rows.map((row) => [String(row['id']), cameraOf(row)]));
      },
      () => current ?? open(),
    );

  return {
    eventsById: (ids) => read(({ byId }) => byId.all(JSON.stringify(ids)) as unknown as EventRow[]),
    newestEvents: (range, most) =>
      read(({ newest, newestOfLabels }) => {
        const { labels, ...times } = parametersOf(range);
        if (labels !== null) return firstOfLabels(newestOfLabels.all({ ...times, labels, most }), most);
        const places = newest.all({ ...times, most }).map(placeOf);
        return { places, goesOn: places.length === most, looked: places.length };
      }),
    eventsOfFew: (cameras, range, most) =>
      read(({ countOfCameras, ofCameras }) => {
        const names = JSON.stringify(cameras);
        const found = countOfCameras.get({ cameras: names, most: most + 1 });
        if (Number(found?.['events']) > most) return undefined;
        return ofCameras.all({ ...parametersOf(range), cameras: names, most }).map(placeOf);
      }),
    camerasOfEvents: (ids) => {
      requireFile();
      return eventCameras.of(ids, camerasIn);
    },
    camerasOfExport: (name) =>
      read(({ exportsNamed }) => [...new Set(exportsNamed()(name).map(({ camera }) => camera))]),
    camerasOfReview: (id) => read(({ camerasOfReview }) => camerasOfReview().all(id).map(cameraOf)),
    exportById: (id) =>
      read(({ exportById }) => {
        const row = exportById().get(id);
        return (
          row && {
            camera: cameraOf(row),
            startTime: Number(row['date']) * 1000,
            video: fileName(row['video_path']),
            thumbnail: fileName(row['thumb_path']),
          }
        );
      }),
    startsOfEvents: (ids) =>
      read(({ startsOfEvents }) => {
        const rows = startsOfEvents().all(JSON.stringify(ids));
        return new Map(rows.map(({ id, start_time: start }) => [String(id), secondsOf(start)]));
      }),
    startsOfExport: (name) => read(({ exportsNamed }) => exportsNamed()(name).map(({ start }) => start)),
    startsOfReview: (id) =>
      read(({ startsOfReview }) =>
        startsOfReview()
          .all(id)
          .map(({ start_time: start }) => secondsOf(start)),
      ),
    cameras: () => read(({ cameras }) => cameras.all().map(cameraOf)),
    fault: () => {
      try {
        look();
      } catch {
        // The state has it.
      }
      return state.fault()?.fault;
    },
    close,
  };
}

/**
 * Checks the file as the first request would.
 * @returns the fault, for the operator, or `undefined` if there is none or the file is only locked at the moment
 */
export function recorderDatabaseFault(path: string): string | undefined {
  let found: FoundFault | undefined;
  const database = recorderDatabase(path, undefined, (fault) => (found = fault));
  database.fault();
  database.close();
  return found?.fault === 'locked' ? undefined : found?.text;
}

function parametersOf({ labels, after, before = endOfTime, beforeId }: EventRange) {
  return {
    labels: labels === undefined ? null : JSON.stringify(labels),
    after: after ?? null,
    before,
    beforeId: beforeId ?? null,
  };
}

/**
 * If a label may have more events than were read, the list must end with the last one read of that label.
 * @param rows first events of several labels, up to `most` of each, in one order
 */
function firstOfLabels(rows: ReadonlyArray<Record<string, SQLOutputValue>>, most: number): FirstEvents {
  const found = new Map<SQLOutputValue | undefined, number>();
  const end = rows.findIndex(({ label }) => {
    const count = (found.get(label) ?? 0) + 1;
    found.set(label, count);
    return count === most;
  });
  const places = (end === -1 ? rows : rows.slice(0, end + 1)).map(placeOf);
  return { places, goesOn: end !== -1, looked: rows.length };
}

function placeOf(row: Record<string, SQLOutputValue>): EventPlace {
  return { id: String(row['id']), camera: cameraOf(row), startTime: row['start_time'] ?? null };
}

function cameraOf(row: Record<string, unknown>): string {
  return String(row['camera']);
}

function fileAt(path: string): RowsSource {
  return {
    identity: () => {
      const found = statSync(path);
      requireKind(path, found);
      return `${found.dev}:${found.ino}`;
    },
    open: (timeout) => openReadOnly(path, timeout),
  };
}
