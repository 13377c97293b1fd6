import { randomInt } from 'node:crypto';
import { closeSync, copyFileSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/* What a web server asks Postern about while someone uses Frigate, and the recorder's database that it's about. */

export type Visitor = 'viewer' | 'neighbour';

export const cameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'];
/** Of the role `neighbour`. */
export const neighbourCameras = ['driveway', 'front_door'];

const epoch = 1_793_000_000;
const recordedId = (n: number): string =>
  `${epoch + n}.${String((n * 7_919) % 1_000_000).padStart(6, '0')}-${((n * 40_503) & 0xffffff).toString(16).padStart(6, '0')}`;
/** All cameras in turn. */
const recordedCamera = (n: number): string => cameras[n % cameras.length] ?? '';

/** Events that the requests of pages name. */
const namedEvents = 4_000;
const reviews = 10_000;

/** Makes a recorder's database with so many events, with the tables and the exports of the sample. */
export function makeRecorderDatabase(path: string, events: number): void {
  copyFileSync(join(import.meta.dirname, '..', '..', 'test', 'support', 'recorder.db'), path);
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000');
  const indexes = database
    .prepare(
      "SELECT name, sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'event' AND sql IS NOT NULL",
    )
    .all() as Array<{ readonly name: string; readonly sql: string }>;
  for (const { name } of indexes) database.exec(`DROP INDEX ${name}`);
  const ids = `printf('%d.%06d-%06x', ${epoch} + n, (n * 7919) % 1000000, (n * 40503) & 0xffffff)`;
  const camera = `json_extract('${JSON.stringify(cameras)}', '$[' || (n % ${cameras.length}) || ']')`;
  const numbers =
    'WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < ?)';
  database.exec('DELETE FROM event; DELETE FROM reviewsegment');
  const times = `${epoch} + n, ${epoch} + n + 10`;
  database
    .prepare(
      `${numbers} INSERT INTO event (id, label, camera, start_time, end_time, zones, has_clip, has_snapshot, retain_indefinitely, data)
       SELECT ${ids}, 'person', ${camera}, ${times}, '[]', 1, 1, 0, '{"score": 0.589, "type": "object"}' FROM numbers`,
    )
    .run(events);
  database
    .prepare(
      `${numbers} INSERT INTO reviewsegment (id, camera, start_time, end_time, severity, thumb_path, data)
       SELECT ${ids}, ${camera}, ${times}, 'alert', '', '{}' FROM numbers`,
    )
    .run(reviews);
  // The look-up by id needs none of the others, which would take a minute for ten million.
  if (events < 1_000_000) for (const { sql } of indexes) database.exec(sql);
  database.close();
}

/** What Frigate's pages ask for, and how often beside each other. */
const pages: ReadonlyArray<readonly [times: number, uri: string]> = [
  [25, '/api/{camera}/latest.webp?height=180&cache={time}'],
  [25, '/api/events/{id}/thumbnail.webp'],
  [25, '/clips/review/thumb-{camera}-{id}.webp'],
  [20, '/vod/{camera}/start/{time}/end/{time}/seg-{second}-v1.m4s'],
  [20, '/recordings/2026-10-26/{second}/{camera}/{second}.{second}.mp4'],
  [10, '/assets/index-{time}.js'],
  [5, '/api/events/{id}/snapshot.jpg'],
  [1, '/api/events?limit=25&before={time}'],
  [1, '/api/timeline?source_id={id}'],
  [1, '/api/{camera}/recordings?after={time}&before={time}'],
  [1, '/vod/{camera}/start/{time}/end/{time}/master.m3u8'],
];
const weighted = pages.flatMap(([count, uri]) => Array.from({ length: count }, () => uri));

const fillers: Readonly<Record<string, (n: number) => string>> = {
  id: recordedId,
  camera: recordedCamera,
  time: () => String(epoch + randomInt(1_000_000)),
  second: () => String(randomInt(24)).padStart(2, '0'),
};

/** One of the first events at random, of those that the visitor may see. */
function anyEvent(visitor: Visitor, events: number): number {
  for (;;) {
    const n = randomInt(events);
    if (visitor === 'viewer' || neighbourCameras.includes(recordedCamera(n))) return n;
  }
}

/** Writes what pages ask for, each time about another camera, event, time or file that the visitor may see. @returns the file */
export function writePageQuestions(path: string, visitor: Visitor, lines = 300_000): string {
  return writeLines(path, lines, () => {
    const n = anyEvent(visitor, namedEvents);
    const uri = weighted[randomInt(weighted.length)] ?? '';
    return uri.slice(1).replace(/\{(\w+)\}/g, (_, name: string) => fillers[name]?.(n) ?? name);
  });
}

/** What nginx asks with: the lines of nginx/postern/authorization-request.conf, and the client's own. */
export function questionHeaders(cookie: string, url = '/{1}'): Readonly<Record<string, string>> {
  return {
    Host: 'cameras.example',
    'X-Original-Method': 'GET',
    'X-Original-URL': url,
    'X-Forwarded-For': '192.0.2.7',
    'X-Forwarded-Proto': 'https',
    'X-Forwarded-Host': 'cameras.example',
    'User-Agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0',
    Accept: 'application/json',
    'Accept-Language': 'en-US,en;q=0.5',
    'Accept-Encoding': 'gzip, deflate, br',
    'Sec-Fetch-Mode': 'cors',
    'Sec-Fetch-Site': 'same-origin',
    Cookie: cookie,
  };
}

/** Writes requests for thumbnails of events at random, of those that a neighbour may see. @returns the file */
export function writeThumbnailQuestions(path: string, events: number, lines: number): string {
  return writeLines(path, lines, () => {
    return `api/events/${recordedId(anyEvent('neighbour', events))}/thumbnail.webp`;
  });
}

export function writeLines(path: string, count: number, line: (n: number) => string): string {
  const file = openSync(path, 'w');
  for (let written = 0; written < count; written += 10_000) {
    const length = Math.min(10_000, count - written);
    writeSync(file, Array.from({ length }, (_, i) => `${line(written + i)}\n`).join(''));
  }
  closeSync(file);
  return path;
}
