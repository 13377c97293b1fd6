import type { IncomingMessage } from 'node:http';

// Bytes. Smaller chunks are joined.
const pageSize = 4_096;

/**
 * Joins small chunks of a chunked body that arrive at once. Node makes an object of each: 64 KiB from the client, in chunks
 * of one byte, would take megabytes until they are read.
 */
export function gatherChunks(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let wantsMore = true;
  let page: Buffer | undefined;
  let used = 0;
  const flush = () => {
    if (page === undefined || used === 0) return;
    const gathered = page.subarray(0, used);
    page = undefined;
    used = 0;
    wantsMore = push(gathered);
  };
  request.push = (chunk: Buffer | null) => {
    if (chunk === null || used + chunk.length > pageSize) flush();
    if (chunk === null || chunk.length >= pageSize) {
      wantsMore = push(chunk);
      return wantsMore;
    }
    if (page === undefined) {
      page = Buffer.allocUnsafeSlow(pageSize);
      // Ticks run after each chunk; this runs after all that was read has been parsed.
      setImmediate(flush);
    }
    used += chunk.copy(page, used);
    return wantsMore;
  };
}
