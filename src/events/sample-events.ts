import { openInMemory, type SqliteFile } from '../store/sqlite/sqlite-file.ts';
import { eventColumns, type EventRecord } from './event-record.ts';
import type { RowsSource } from './recorder-database.ts';

/** What happens in the sample. `script/sample/scenes.ts` draws each by its name. */
interface Happening {
  readonly name: string;
  readonly camera: string;
  readonly label: string;
  readonly zones: readonly string[];
  readonly seconds: number;
  readonly score: number;
}

const happenings: readonly [Happening, ...Happening[]] = [
  { name: 'parcel', camera: 'front_door', label: 'package', zones: ['steps'], seconds: 9, score: 0.91 },
  { name: 'prowl', camera: 'back_yard', label: 'cat', zones: ['lawn'], seconds: 8, score: 0.78 },
  { name: 'arrival', camera: 'driveway', label: 'car', zones: ['drive'], seconds: 8, score: 0.96 },
  { name: 'visitor', camera: 'front_door', label: 'person', zones: ['steps'], seconds: 8, score: 0.93 },
  { name: 'cat', camera: 'side_gate', label: 'cat', zones: ['path'], seconds: 8, score: 0.84 },
  { name: 'fireside', camera: 'back_yard', label: 'person', zones: ['lawn'], seconds: 9, score: 0.88 },
  { name: 'workshop', camera: 'garage', label: 'person', zones: [], seconds: 9, score: 0.81 },
  { name: 'gate', camera: 'side_gate', label: 'person', zones: ['path'], seconds: 8, score: 0.9 },
  { name: 'stroll', camera: 'driveway', label: 'person', zones: ['drive'], seconds: 9, score: 0.86 },
];

export const sampleCameras: ReadonlySet<string> = new Set(happenings.map(({ camera }) => camera));

/** Seconds from one event to the next, about; the same ones happen each day. */
const pace = 2_400;
const perDay = 86_400 / pace;

/** @param count since the epoch */
function eventAt(count: number): EventRecord {
  const ofDay = count % perDay;
  // Four is prime to nine: all of them happen, and no two alike in a row.
  const { name, camera, label, zones, seconds, score } =
    happenings[(ofDay * 4) % happenings.length] ?? happenings[0];
  const start = count * pace + ((ofDay * 977) % 1_500) + 0.25;
  return {
    id: `sample-${String(ofDay).padStart(2, '0')}-${name}`,
    label,
    sub_label: null,
    camera,
    start_time: start,
    end_time: start + seconds,
    false_positive: false,
    zones,
    thumbnail: null,
    has_clip: true,
    has_snapshot: true,
    retain_indefinitely: false,
    plus_id: null,
    model_hash: null,
    detector_type: null,
    model_type: null,
    data: { type: 'object', score, top_score: score },
  };
}

/** @returns the number of the newest event that is over */
function newestAt(now: number): number {
  const count = Math.floor(now / pace);
  return (eventAt(count).end_time ?? 0) <= now ? count : count - 1;
}

/**
 * The events of the last 24 hours, whenever they are asked for: none in the future, none that is still happening.
 * Each keeps its id from day to day.
 * @param now seconds since the epoch
 */
export function sampleEvents(now: number): readonly EventRecord[] {
  const newest = newestAt(now);
  return Array.from({ length: perDay }, (_, index) => eventAt(newest - index));
}

/** @returns what an event of the sample shows; undefined: it is of no sample */
export function happeningOf(id: string): string | undefined {
  return /^sample-\d\d-([a-z]+)$/.exec(id)?.[1];
}

/**
 * The sample as a recorder's file.
 * @param now seconds since the epoch
 * @param isServed otherwise it has no rows
 */
export function sampleRows(now: () => number, isServed: () => boolean): RowsSource {
  return {
    identity: () => (isServed() ? String(newestAt(now())) : 'none'),
    open: () => fileWith(isServed() ? sampleEvents(now()) : []),
  };
}

function fileWith(events: readonly EventRecord[]): SqliteFile {
  const file = openInMemory();
  file.exec(`CREATE TABLE event (${eventColumns.join(', ')});
    CREATE TABLE reviewsegment (id, camera, start_time);
    CREATE TABLE export (id, camera, date, video_path, thumb_path)`);
  const insert = file.prepare(`INSERT INTO event VALUES (${eventColumns.map(() => '?').join(', ')})`);
  for (const event of events) insert.run(...eventColumns.map((column) => valueOf(event[column])));
  return file;
}

function valueOf(value: EventRecord[keyof EventRecord]): string | number | null {
  if (typeof value === 'boolean') return Number(value);
  return typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
}
