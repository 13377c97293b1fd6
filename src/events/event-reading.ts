import { AppError } from '../errors.ts';
import { isGranted, type Grant } from '../policy/grant.ts';
import type { Sliced } from '../round-robin.ts';
import { toEventJson } from './event-record.ts';
import type { RecorderDatabase } from './recorder-database.ts';

interface Reading {
  readonly database: Pick<RecorderDatabase, 'eventsById'>;
  readonly grant: Grant;
  /** Only events of these cameras. */
  readonly cameras?: Grant;
  /** False: thumbnails are null. */
  readonly thumbnails?: boolean;
  /** Called for every unreadable field. */
  readonly onBadField: (id: string, field: string) => void;
}

/** Events that are read in one slice: a fraction of a millisecond. */
const readAtOnce = 25;

/**
 * Reads events in the order of their ids, without those that do not exist.
 * @returns a JSON array of their records
 * @throws AppError `forbidden` when any of them is outside the grant
 */
export function* readEvents(ids: readonly string[], reading: Reading): Sliced<string> {
  const { database, grant, cameras = 'all', thumbnails = true, onBadField } = reading;
  const records: string[] = [];
  for (let from = 0; from < ids.length; from += readAtOnce) {
    if (from > 0) yield;
    const wanted = ids.slice(from, from + readAtOnce);
    const found = new Map(database.eventsById(wanted).map((row) => [row.id, row]));
    for (const id of wanted) {
      const row = found.get(id);
      if (row === undefined) continue;
      const camera = String(row.camera);
      if (!isGranted(grant, camera)) throw new AppError('forbidden');
      if (!isGranted(cameras, camera)) continue;
      const shown = thumbnails ? row : { ...row, thumbnail: null };
      records.push(toEventJson(shown, onBadField));
    }
  }
  return `[${records.join(',')}]`;
}
