import type { Duplex } from 'node:stream';

// Milliseconds for an answer to be read; no timeout of a server covers such a connection anymore.
const lingerTime = 1_000;

/** Ends a connection that is answered by hand, and closes it when its answer had time to be read. */
export function endSocket(socket: Duplex, answer?: string): void {
  if (answer === undefined) socket.end();
  else socket.end(answer);
  setTimeout(() => socket.destroy(), lingerTime).unref();
}
