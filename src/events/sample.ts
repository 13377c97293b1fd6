import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { openInMemory, type SqliteFile } from '../store/sqlite/sqlite-file.ts';
import { eventColumns, type EventRecord } from './event-record.ts';
import type { RowsSource } from './recorder-database.ts';
import { programDirectory } from '../version.ts';

/** Whether the configuration names no recorder's file. */
export function hasSampleDatabase({ eventsDatabase }: Pick<Configuration, 'eventsDatabase'>): boolean {
  return eventsDatabase === undefined;
}

/** Whether there is a sample to see: it ends once a recorder is connected. */
export function isSample(configuration: Pick<Configuration, 'eventsDatabase' | 'upstream'>): boolean {
  return hasSampleDatabase(configuration) && configuration.upstream === undefined;
}

/** Whether users see the sample: the events app can be reached, and serves no recorder's events. */
export function servesSample(
  configuration: Pick<Configuration, 'eventsDatabase' | 'upstream' | 'listen'>,
): boolean {
  const { listen } = configuration;
  return (
    isSample(configuration) &&
    [listen.authenticated, listen.internal, listen.events].some((address) => address !== undefined)
  );
}

/** A scene of the sample. `script/sample/scenes.ts` draws each by its name. */
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

/** Seconds between two events, roughly; each day has the same ones. */
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

/** @returns the name of the scene that an event shows, or `undefined` if it is not of the sample */
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

/** The drawn pictures of a camera; `script/draw-sample.ts` makes the files. */
const frames = 24;
const frameMs = 250;

const directory = join(programDirectory, 'data', 'sample');
const read = new Map<string, Promise<Buffer<ArrayBuffer>>>();

/** They are few and small: each is read once. */
function file(name: string): Promise<Buffer<ArrayBuffer>> {
  const found = read.get(name);
  if (found !== undefined) return found;
  const reading = readFile(join(directory, name));
  read.set(name, reading);
  // A failure, such as too many open files, may pass.
  reading.catch(() => read.delete(name));
  return reading;
}

function frameOf(camera: string, now: number): Promise<Buffer<ArrayBuffer>> {
  return file(`${camera}-${Math.floor(now / frameMs) % frames}.webp`);
}

/** @param now milliseconds since the epoch @returns the picture of this moment */
export async function latestPicture(camera: string, now: number): Promise<Response> {
  return picture(await frameOf(camera, now));
}

/** @returns one picture after the other, until the client leaves */
export function movingPicture(camera: string, now: () => number): Response {
  let isFirst = true;
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (!isFirst) await new Promise((resolve) => setTimeout(resolve, frameMs));
      isFirst = false;
      const frame = await frameOf(camera, now());
      const head = `--frame\r\nContent-Type: image/webp\r\nContent-Length: ${frame.length}\r\n\r\n`;
      controller.enqueue(Buffer.concat([Buffer.from(head), frame, Buffer.from('\r\n')]));
    },
  });
  return new Response(body, {
    headers: { 'content-type': 'multipart/x-mixed-replace; boundary=frame', 'cache-control': 'no-store' },
  });
}

/**
 * @param name as a recorder calls the file
 * @param range value of `Range`: Safari plays no clip without it
 * @returns `undefined` if there is no such file
 */
export async function eventFile(
  id: string,
  name: string,
  range: string | undefined,
): Promise<Response | undefined> {
  const happening = happeningOf(id);
  if (happening === undefined) return undefined;
  if (name === 'clip.mp4') return clip(await file(`${happening}.mp4`), range);
  if (name.startsWith('snapshot.')) return picture(await file(`${happening}.webp`));
  if (name.startsWith('thumbnail.')) return picture(await file(`${happening}-small.webp`));
  return undefined;
}

function picture(bytes: Buffer<ArrayBuffer>): Response {
  return new Response(bytes, { headers: { 'content-type': 'image/webp', 'cache-control': 'no-store' } });
}

/** RFC 9110, 14: one range; a header of another form is ignored. */
function clip(bytes: Buffer<ArrayBuffer>, range: string | undefined): Response {
  const headers = { 'content-type': 'video/mp4', 'cache-control': 'private', 'accept-ranges': 'bytes' };
  const [, from = '', to = ''] = /^bytes=(\d*)-(\d*)$/.exec(range ?? '') ?? [];
  if (from === '' && to === '') return new Response(bytes, { headers });
  const { length } = bytes;
  const first = from === '' ? Math.max(0, length - Number(to)) : Number(from);
  const last = from === '' || to === '' ? length - 1 : Math.min(Number(to), length - 1);
  if (first > last)
    return new Response(null, { status: 416, headers: { ...headers, 'content-range': `bytes */${length}` } });
  return new Response(bytes.subarray(first, last + 1), {
    status: 206,
    headers: { ...headers, 'content-range': `bytes ${first}-${last}/${length}` },
  });
}
