import type { IncomingMessage } from 'node:http';
import { AppError } from '../../errors.ts';
import { longestBody } from '../../policy/recorder/named-in-body.ts';

/** A request body that is not held back as a whole: it is long, or of unknown length. */
export interface StreamedBody {
  /**
   * Passes the body on as it arrives, except its end: the last byte, or the final chunk.
   * @param confirm is called when all of it has arrived. @throws if the end may not follow
   */
  readonly passOn: (confirm: () => Promise<void>) => AsyncIterable<Buffer>;
  /** Reads and discards the rest, so that the connection can be reused. */
  readonly drop: () => void;
}

export function hasBody(request: IncomingMessage): boolean {
  return request.headers['transfer-encoding'] !== undefined || lengthOf(request) > 0;
}

/**
 * Reads the body of a request completely if it is short, or needed. The time is limited per connection (`limits.body_timeout`).
 * @param isNeeded whether the decision depends on it
 * @throws AppError `payload_too_large` if it is needed and too long, as soon as that is clear; `bad_request` if the client leaves
 */
export async function readAhead(request: IncomingMessage, isNeeded: boolean): Promise<Buffer | StreamedBody> {
  // A client that has left sends no more.
  if (request.destroyed) throw new AppError('bad_request');
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const length = isChunked ? Number.POSITIVE_INFINITY : lengthOf(request);
  const parts = partsOf(request);
  if (length <= longestBody || (isNeeded && isChunked)) return readWhole(parts);
  if (isNeeded) throw new AppError('payload_too_large');
  return {
    passOn: (confirm) => allButTheEnd(parts, length, confirm),
    drop: () => void readToTheEnd(parts),
  };
}

type Parts = () => Promise<Buffer | undefined>;

/** The body in parts. Leaves the connection open when no more is read. */
function partsOf(request: IncomingMessage): Parts {
  const parts: AsyncIterator<Buffer> = request[Symbol.asyncIterator]();
  return async () => {
    try {
      const { value, done } = await parts.next();
      return done === true ? undefined : value;
    } catch (cause) {
      throw new AppError('bad_request', { cause });
    }
  };
}

async function readWhole(parts: Parts): Promise<Buffer> {
  const read: Buffer[] = [];
  let length = 0;
  for (let part = await parts(); part !== undefined; part = await parts()) {
    read.push(part);
    length += part.length;
    if (length > longestBody) throw new AppError('payload_too_large');
  }
  return Buffer.concat(read);
}

async function* allButTheEnd(parts: Parts, length: number, confirm: () => Promise<void>) {
  let left = length;
  let end: Buffer | undefined;
  for (let part = await parts(); part !== undefined; part = await parts()) {
    left -= part.length;
    if (left === 0) end = part.subarray(-1);
    const passed = part.subarray(0, part.length - (end?.length ?? 0));
    if (passed.length > 0) yield passed;
  }
  await confirm();
  if (end !== undefined) yield end;
}

async function readToTheEnd(parts: Parts): Promise<void> {
  try {
    while ((await parts()) !== undefined);
  } catch {
    // The client has left.
  }
}

function lengthOf({ headers }: IncomingMessage): number {
  return Number(headers['content-length'] ?? 0);
}
