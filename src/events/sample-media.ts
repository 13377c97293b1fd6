import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { programDirectory } from '../version.ts';
import { happeningOf } from './sample-events.ts';

/** The drawn pictures and clips of the sample, as a recorder serves a camera's. `script/draw-sample.ts` makes the files. */

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
 * @returns undefined when there is no such file
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
