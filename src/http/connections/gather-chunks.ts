import type { IncomingMessage } from 'node:http';

// Bytes. Chunks that are smaller are put together.
const pageSize = 4_096;

/**
 * Puts the small chunks of a chunked body together that arrive at once. Node makes an object of each: 64 KiB from the
 * client, in chunks of one byte, would take megabytes until somebody reads them.
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
      // Ticks run after each chunk; this, when what was read is parsed.
      setImmediate(flush);
    }
    used += chunk.copy(page, used);
    return wantsMore;
  };
}
