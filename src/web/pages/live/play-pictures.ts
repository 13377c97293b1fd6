import { ApiFailure, fetchThroughGate, isRefused } from '../../api-client.ts';
import type { Playing } from './live-player.ts';
import { pathTo } from '../../path-prefix.ts';
import { decoded, readPicture } from '../../ui/cameras/pictures.ts';

/** Lines of a picture, enough for a screen. */
const height = 720;

/** Shows the pictures of one long response as they arrive. */
export function playMjpeg({ camera, onPicture, onPlaying, onFailed, signal }: Playing): void {
  const show = async () => {
    const path = `/api/${encodeURIComponent(camera)}?fps=5&height=${height}`;
    const response = await fetchThroughGate(pathTo(path), { signal, cache: 'no-store' });
    const boundary = boundaryOf(response.headers.get('content-type'));
    if (!response.ok) throw new ApiFailure(response.status, response.statusText);
    if (response.body === null || boundary === undefined) return;
    const partsOf = partReader(boundary);
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      // If several arrived together, only the newest is shown.
      const newest = partsOf(value).at(-1);
      if (newest === undefined) continue;
      const url = await decoded(new Blob([newest], { type: 'image/jpeg' }));
      if (signal.aborted) return URL.revokeObjectURL(url);
      onPicture({ url, at: Date.now() / 1000, isOffline: false, seenAt: undefined });
      onPlaying();
    }
  };
  void settle(show(), signal, onFailed);
}

/** Milliseconds between two single pictures. */
const pause = 1_000;

/** Requests one picture after the other. */
export function playPictures({ camera, onPicture, onPlaying, onFailed, signal }: Playing): void {
  const show = async () => {
    while (!signal.aborted) {
      onPicture(await readPicture(camera, height, signal));
      onPlaying();
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  };
  void settle(show(), signal, onFailed);
}

async function settle(
  playing: Promise<void>,
  signal: AbortSignal,
  onFailed: Playing['onFailed'],
): Promise<void> {
  const error = await playing.catch((reason: unknown) => reason);
  if (!signal.aborted) onFailed(isRefused(error));
}

/** The most bytes of a picture with its header: a longer part is no picture. */
const longest = 8 * 1024 * 1024;

/** @returns the boundary of a `multipart/x-mixed-replace` response (RFC 2046, 5.1.1), or `undefined` if it has another type */
export function boundaryOf(type: string | null): string | undefined {
  const found = /^multipart\/x-mixed-replace\s*;.*?boundary="?([^";]+)"?/i.exec(type ?? '')?.[1];
  // Some cameras include the dashes.
  return found?.replace(/^--/, '');
}

/**
 * Splits a response of many pictures as it arrives. A part ends by its `Content-Length`, or where the next begins.
 * @returns a function that accepts the next bytes and returns the bodies completed by them
 * @throws RangeError when a part is too long
 */
export function partReader(boundary: string): (bytes: Uint8Array) => Array<Uint8Array<ArrayBuffer>> {
  const delimiter = bytesOf(`--${boundary}`);
  const headEnd = bytesOf('\r\n\r\n');
  let pending: Uint8Array<ArrayBuffer> = new Uint8Array();
  // Where to continue the search, so that no byte is searched twice.
  let looked = 0;

  const take = (): Uint8Array<ArrayBuffer> | undefined => {
    const begin = indexOf(pending, delimiter, 0);
    if (begin < 0) return undefined;
    const head = indexOf(pending, headEnd, begin);
    if (head < 0) return undefined;
    const body = head + headEnd.length;
    const text = new TextDecoder().decode(pending.subarray(begin, head));
    const length = Number(/^content-length:\s*(\d+)/im.exec(text)?.[1] ?? Number.NaN);
    if (length > longest) throw new RangeError('too_long');
    const end = Number.isNaN(length)
      ? indexOf(pending, delimiter, Math.max(body, looked))
      : body + length <= pending.length
        ? body + length
        : -1;
    if (end < 0) {
      looked = Math.max(body, pending.length - delimiter.length);
      return undefined;
    }
    const part = pending.slice(body, end);
    pending = pending.slice(end);
    looked = 0;
    return part;
  };

  return (bytes) => {
    const joined = new Uint8Array(pending.length + bytes.length);
    joined.set(pending);
    joined.set(bytes, pending.length);
    pending = joined;
    const parts: Array<Uint8Array<ArrayBuffer>> = [];
    for (let part = take(); part !== undefined; part = take()) parts.push(part);
    if (pending.length > longest) throw new RangeError('too_long');
    return parts;
  };
}

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** @returns the index of a pattern at or after a place, or -1 */
function indexOf(bytes: Uint8Array, pattern: Uint8Array, from: number): number {
  const [first = 0] = pattern;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (pattern.every((byte, i) => bytes[at + i] === byte)) return at;
  return -1;
}
