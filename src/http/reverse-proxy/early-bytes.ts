import type { Duplex } from 'node:stream';

// Bytes of frames that a client may send before the upgrade is accepted.
const most = 65_536;

/**
 * Reads from a connection that waits for its upgrade, since otherwise a client that leaves would not be noticed.
 * @param head bytes of it that were read already
 * @returns `left` aborts if the client leaves, or sends too much; `release` ends that, and returns the bytes
 */
export function holdEarly(
  socket: Duplex,
  head: Buffer,
): { readonly left: AbortSignal; readonly release: () => readonly Buffer[] } {
  const left = new AbortController();
  const chunks = head.length > 0 ? [head] : [];
  let length = head.length;
  const abort = () => {
    left.abort();
    socket.destroy();
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) abort();
  };
  socket.on('data', onData);
  socket.once('end', abort);
  socket.once('close', abort);
  return {
    left: left.signal,
    release: () => {
      socket.pause();
      socket.off('data', onData);
      socket.off('end', abort);
      socket.off('close', abort);
      return chunks;
    },
  };
}
