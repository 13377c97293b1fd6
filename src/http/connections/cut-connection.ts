import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** The TCP connection below each TLS socket. */
const below = new WeakMap<Duplex, Socket>();

/** Remembers the TCP connections of a TLS server for `cutConnection`. */
export function rememberConnections(server: Server): void {
  if (!('setSecureContext' in server)) return;
  // Node has no public way from a TLS socket to its TCP connection. They share both addresses, and no other pair does.
  const inHandshake = new Map<string, Socket>();
  server.on('connection', (socket: Socket) => {
    const ends = endsOf(socket);
    inHandshake.set(ends, socket);
    socket.once('close', () => {
      if (inHandshake.get(ends) === socket) inHandshake.delete(ends);
    });
  });
  server.on('secureConnection', (socket: TLSSocket) => {
    const ends = endsOf(socket);
    const found = inHandshake.get(ends);
    if (found === undefined) return;
    inHandshake.delete(ends);
    below.set(socket, found);
  });
}

function endsOf({ remoteAddress, remotePort, localAddress, localPort }: Socket): string {
  return `${remoteAddress} ${remotePort} ${localAddress} ${localPort}`;
}

/** @returns the TCP connection of a socket: with TLS, the one below */
export function connectionBelow(socket: Socket): Socket {
  return below.get(socket) ?? socket;
}

/**
 * Cuts a connection while data is being sent. Otherwise a slow client would receive for many seconds what the system has
 * buffered: a reset discards that. Unix sockets, which fronts read, have no reset.
 */
export function cutConnection(socket: Duplex): void {
  const connection = socket instanceof TLSSocket ? below.get(socket) : socket;
  if (connection instanceof Socket && connection.remoteFamily !== undefined) connection.resetAndDestroy();
  socket.destroy();
}

// Milliseconds for an answer to be read; no timeout of a server covers such a connection anymore.
const lingerTime = 1_000;

/** Ends a connection that is answered by hand, and closes it when its answer had time to be read. */
export function endSocket(socket: Duplex, answer?: string): void {
  if (answer === undefined) socket.end();
  else socket.end(answer);
  setTimeout(() => socket.destroy(), lingerTime).unref();
}
