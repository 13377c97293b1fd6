import { randomInt } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { neighbourEvent, recordedCamera, recordedId } from './recorder-content.ts';

/** Who has opened the recorder's UI; a neighbour sees some of the cameras. */
export type Visitor = 'admin' | 'viewer' | 'neighbour';

/** A request of the recorder's UI, and how often it occurs beside others. */
export interface Template {
  /** With `{camera}` and the like in it. */
  readonly uri: string;
  readonly weight: number;
}

// What a page asks for many times while it is open, where the file names one; everything else once.
const recurring: ReadonlyArray<readonly [kind: RegExp, times: number]> = [
  [/^\/api\/events\/[^/]+\/thumbnail/, 25],
  [/^\/clips\/review\//, 25],
  [/\/latest\.webp/, 25],
  [/\/snapshot/, 5],
  [/^\/vod\/.*\.m4s$/, 20],
  [/^\/recordings\//, 20],
  [/^\/assets\//, 10],
];

const placeholders: ReadonlyArray<readonly [example: RegExp, placeholder: string]> = [
  [/1793000935\.726501-j8ht9l|1793000933\.726501-rvfron/, '{id}'],
  [/front_door(?!_parcel)/g, '{camera}'],
  [/1793\d{6}/g, '{time}'],
  [/(?<=\/assets\/index)/, '-{hash}'],
  // Pages ask for the newest picture with the time, so that no cache answers.
  [/(?<=latest\.webp.*)$/, '&cache={time}'],
];

/** What the recorder's UI asks for by GET, page by page, as recorder-pages.tsv has it. */
export function templatesOf(visitor: Visitor): Template[] {
  const role = visitor === 'neighbour' ? 'neighbour' : 'viewer';
  return (
    readFileSync(join(import.meta.dirname, 'recorder-pages.tsv'), 'utf8')
      .split('\n')
      .map((line) => line.split('\t'))
      .filter(([who, , request = '']) => who === role && request.startsWith('GET '))
      .map(([, , request = '']) => request.slice('GET '.length))
      // The gate answers it itself, and no front asks.
      .filter((uri) => uri !== '/api/profile')
      .map((uri) => placeholders.reduce((text, [example, name]) => text.replace(example, name), uri))
      .flatMap(withFollowers)
      .map((uri) => ({ uri, weight: recurring.find(([kind]) => kind.test(uri))?.[1] ?? 1 }))
  );
}

/** And what a player fetches next, which the file of pages does not list. */
function withFollowers(uri: string): string[] {
  if (uri.endsWith('.m3u8')) return [uri, uri.replace(/[^/]+$/, 'seg-{second}-v1.m4s')];
  if (uri.includes('/recordings?'))
    return [uri, '/recordings/2026-10-26/{hour}/{camera}/{second}.{second}.mp4'];
  return [uri];
}

/** A template with another camera, event, review, time or file; what names nothing, such as `/api/stats`, stays. */
export function another({ uri }: Template, visitor: Visitor): string {
  const any = randomInt(idCount);
  const n = visitor === 'neighbour' ? neighbourEvent(any) : any;
  return uri.replace(/\{(\w+)\}/g, (_, name: string) => fillers[name]?.(n) ?? name);
}

/** Events and reviews that the requests name. */
const idCount = 4_000;

const fillers: Readonly<Record<string, (n: number) => string>> = {
  id: recordedId,
  camera: recordedCamera,
  time: () => String(1_793_000_000 + randomInt(1_000_000)),
  hash: () =>
    randomInt(2 ** 40)
      .toString(36)
      .padStart(8, '0'),
  hour: () => String(randomInt(24)).padStart(2, '0'),
  second: () => String(randomInt(60)).padStart(2, '0'),
};

/** Writes so many requests of the templates, one a line, mixed by their weights, without the slash at its beginning. @returns the file */
export function writeRequests(
  path: string,
  visitor: Visitor,
  templates: readonly Template[],
  count: number,
): string {
  const weighted = templates.flatMap((template) => Array.from({ length: template.weight }, () => template));
  const draw = () => weighted[randomInt(weighted.length)] ?? weighted[0];
  const line = () => `${another(draw() as Template, visitor).slice(1)}\n`;
  return writeLines(path, count, line);
}

/** Writes the thumbnails of so many events that a neighbour may see, likewise. @returns the file */
export function writeThumbnails(directory: string, from: number, count: number): string {
  const path = join(directory, `thumbnails-${from}`);
  return writeLines(
    path,
    count,
    (n) => `api/events/${recordedId(neighbourEvent(from + n))}/thumbnail.webp\n`,
  );
}

function writeLines(path: string, count: number, line: (n: number) => string): string {
  const file = openSync(path, 'w');
  for (let written = 0; written < count; written += 10_000) {
    const length = Math.min(10_000, count - written);
    writeSync(file, Array.from({ length }, (_, i) => line(written + i)).join(''));
  }
  closeSync(file);
  return path;
}
