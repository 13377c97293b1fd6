import type { SqliteFile } from '../store/sqlite/sqlite-file.ts';
import { eventColumns } from './event-record.ts';
import { exportsByName } from './exports-by-name.ts';

const columns = eventColumns.map((column) => `"${column}"`).join(', ');
const place = 'id, camera, start_time';
// As a range of the index: an outer OR would start at the newest event, however early `before` is. Without `after` the range
// starts below all numbers.
const inRange = `start_time <= :before AND (+start_time < :before OR +id < :beforeId)
  AND start_time >= ifnull(:after, -9e999) AND (:after IS NULL OR +start_time > :after)`;
const newest = 'ORDER BY start_time DESC, id DESC';
// Camera by camera: SQLite might scan the whole table for an IN if it has statistics.
const ofWanted =
  'FROM json_each(:cameras) AS wanted CROSS JOIN event ON event.camera = wanted.value LIMIT :most';

/**
 * Clients' queries, each of which uses one of the recorder's indexes and reads no other rows. Names and ids come as one JSON
 * array, so that each query is prepared once.
 */
export const indexed = {
  byId: `SELECT ${columns} FROM event WHERE id IN (SELECT value FROM json_each(?))`,
  newest: `SELECT ${place} FROM event WHERE ${inRange} ${newest} LIMIT :most`,
  /** At most `most` of each label, all in one order. */
  newestOfLabels: `SELECT event.id, camera, start_time, label FROM json_each(:labels) AS wanted CROSS JOIN event
    ON event.rowid IN (SELECT rowid FROM event WHERE label = wanted.value AND ${inRange} ${newest} LIMIT :most)
    ORDER BY start_time DESC, event.id DESC`,
  /** The number of events, up to `most`. */
  countOfCameras: `SELECT count(*) AS events FROM (SELECT 1 ${ofWanted})`,
  /** At most `most` events of the cameras, in no particular order. */
  ofCameras: `WITH few(number) AS MATERIALIZED (SELECT event.rowid ${ofWanted})
    SELECT ${place} FROM few CROSS JOIN event ON event.rowid = few.number
     WHERE (:labels IS NULL OR +label IN (SELECT value FROM json_each(:labels))) AND +start_time <= :before
       AND (+start_time < :before OR +id < :beforeId) AND (:after IS NULL OR +start_time > :after) ${newest}`,
  cameraOfEvent: 'SELECT camera FROM event WHERE id = ?',
  camerasOfEvents: 'SELECT id, camera FROM event WHERE id IN (SELECT value FROM json_each(?))',
  /** Jumps from one camera to the next, whatever the number of events. */
  cameras: `WITH RECURSIVE found(camera) AS (
      SELECT min(camera) FROM event
      UNION ALL
      SELECT (SELECT min(camera) FROM event WHERE camera > found.camera) FROM found WHERE found.camera IS NOT NULL
    )
    SELECT camera FROM found WHERE camera IS NOT NULL`,
  camerasOfReview: 'SELECT camera FROM reviewsegment WHERE id = ?',
  exportById: 'SELECT camera, date, video_path, thumb_path FROM export WHERE id = ?',
  startsOfEvents: 'SELECT id, start_time FROM event WHERE id IN (SELECT value FROM json_each(?))',
  startsOfReview: 'SELECT start_time FROM reviewsegment WHERE id = ?',
} as const;

export type RecorderQueries = ReturnType<typeof prepareQueries>;

/** @throws when the file is no recorder's */
export function prepareQueries(file: SqliteFile) {
  const statements = {
    byId: file.prepare(indexed.byId),
    newest: file.prepare(indexed.newest),
    newestOfLabels: file.prepare(indexed.newestOfLabels),
    countOfCameras: file.prepare(indexed.countOfCameras),
    ofCameras: file.prepare(indexed.ofCameras),
    cameraOfEvent: file.prepare(indexed.cameraOfEvent),
    camerasOfEvents: file.prepare(indexed.camerasOfEvents),
    cameras: file.prepare(indexed.cameras),
    // When they are first needed: a recorder of an earlier release may not have these tables.
    exportsNamed: whenNeeded(() => exportsByName(file)),
    camerasOfReview: whenNeeded(() => file.prepare(indexed.camerasOfReview)),
    exportById: whenNeeded(() => file.prepare(indexed.exportById)),
    startsOfEvents: whenNeeded(() => file.prepare(indexed.startsOfEvents)),
    startsOfReview: whenNeeded(() => file.prepare(indexed.startsOfReview)),
  };
  // A number that JavaScript cannot hold would otherwise fail the whole query.
  for (const name of ['byId', 'newest', 'newestOfLabels', 'ofCameras'] as const)
    statements[name].setReadBigInts(true);
  return statements;
}

function whenNeeded<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
