/** Bytes of a picture at most, with its header: a stream that never ends one is no stream of pictures. */
const longest = 8 * 1024 * 1024;

/** @returns the boundary of a `multipart/x-mixed-replace` answer (RFC 2046, 5.1.1); undefined: it is none */
export function boundaryOf(type: string | null): string | undefined {
  const found = /^multipart\/x-mixed-replace\s*;.*?boundary="?([^";]+)"?/i.exec(type ?? '')?.[1];
  // Some cameras write the dashes too.
  return found?.replace(/^--/, '');
}

/**
 * Takes an answer of many pictures apart, as it comes. A part ends by its `Content-Length`, or where the next begins.
 * @returns takes the next bytes, and returns the bodies that are complete now
 * @throws RangeError when a part is too long
 */
export function partReader(boundary: string): (bytes: Uint8Array) => Array<Uint8Array<ArrayBuffer>> {
  const delimiter = bytesOf(`--${boundary}`);
  const headEnd = bytesOf('\r\n\r\n');
  let pending: Uint8Array<ArrayBuffer> = new Uint8Array();
  // Where the search for the end goes on: what was looked at is not looked at again.
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

/** @returns where a pattern begins, at a place or after it; -1: nowhere */
function indexOf(bytes: Uint8Array, pattern: Uint8Array, from: number): number {
  const [first = 0] = pattern;
  for (let at = bytes.indexOf(first, from); at >= 0; at = bytes.indexOf(first, at + 1))
    if (pattern.every((byte, i) => bytes[at + i] === byte)) return at;
  return -1;
}
