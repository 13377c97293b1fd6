import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const sample = join(import.meta.dirname, '..', '..', 'test', 'support', 'recorder.db');

export const cameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'];
/** Of the role `neighbour`. */
export const neighbourCameras = ['driveway', 'front_door'];

/** The n-th event or review, and its camera: all cameras in turn. */
export const recordedId = (n: number): string =>
  `${epoch + n}.${String((n * 7_919) % 1_000_000).padStart(6, '0')}-${((n * 40_503) & 0xffffff).toString(16).padStart(6, '0')}`;
export const recordedCamera = (n: number): string => cameras[n % cameras.length] ?? '';

/** The n-th event of those that a neighbour may see. */
export function neighbourEvent(n: number): number {
  const places = neighbourCameras.map((camera) => cameras.indexOf(camera));
  return Math.floor(n / places.length) * cameras.length + (places[n % places.length] ?? 0);
}

const epoch = 1_793_000_000;
const reviews = 10_000;

/** Makes a database as a recorder has it: so many events, reviews as well, and the exports of the sample. */
export function makeRecorderDatabase(path: string, events: number): void {
  copyFileSync(sample, path);
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; DELETE FROM event; BEGIN');
  const event = database.prepare(
    `INSERT INTO event (id, label, camera, start_time, end_time, zones, has_clip, has_snapshot, retain_indefinitely, data)
     VALUES (?, 'person', ?, ?, ?, '[]', 1, 1, 0, '{"box": [0.425, 0.827, 0.124, 0.223], "score": 0.589, "type": "object"}')`,
  );
  const review = database.prepare(
    `INSERT INTO reviewsegment (id, camera, start_time, end_time, severity, thumb_path, data)
     VALUES (?, ?, ?, ?, 'alert', '', '{}')`,
  );
  for (let n = 0; n < events; n += 1) event.run(recordedId(n), recordedCamera(n), epoch + n, epoch + n + 10);
  for (let n = 0; n < reviews; n += 1)
    review.run(recordedId(n), recordedCamera(n), epoch + n, epoch + n + 10);
  database.exec('COMMIT');
  database.close();
}
