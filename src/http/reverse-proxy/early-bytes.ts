import type { Duplex } from 'node:stream';

// Of frames that a client sends before it was told that it may.
const most = 65_536;

/**
 * Reads a connection that waits for its upgrade, since nothing else would tell that the client has left.
 * @param head what was read of it already
 * @returns `left` goes off when the client leaves, or sends more than anybody would; `release` ends that, and gives what
 *   was read
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
