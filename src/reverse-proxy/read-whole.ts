import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { AppError } from '../errors.ts';
import { longestBody } from '../policy/named-in-body.ts';

/**
 * Reads the body of a request to its last byte. How long that may take is bounded by the connection (`limits.body_timeout`).
 * @throws AppError `payload_too_large`, as soon as that is known; `bad_request` when the client leaves before the end
 */
export async function readWhole(request: IncomingMessage): Promise<Buffer> {
  // What opens something else by GET has none, and a client that is gone sends no more.
  if (request.method === 'GET' || request.method === 'HEAD') return Buffer.alloc(0);
  if (request.destroyed) throw new AppError('bad_request');
  if (Number(request.headers['content-length'] ?? 0) > longestBody) throw new AppError('payload_too_large');
  const chunks: Buffer[] = [];
  let length = 0;
  const left = new AbortController();
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > longestBody) left.abort(new AppError('payload_too_large'));
  };
  const onClose = () => left.abort(new AppError('bad_request'));
  request.on('data', onData);
  request.once('close', onClose);
  try {
    await once(request, 'end', { signal: left.signal });
  } catch (cause) {
    throw left.signal.aborted ? left.signal.reason : new AppError('bad_request', { cause });
  } finally {
    request.off('data', onData);
    request.off('close', onClose);
  }
  return Buffer.concat(chunks);
}
