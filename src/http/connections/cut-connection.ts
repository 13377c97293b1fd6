import type { Server } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { TLSSocket } from 'node:tls';

/** The TCP connection below each socket that speaks TLS. */
const below = new WeakMap<Duplex, Socket>();

/** Remembers what `cutConnection` needs of the connections of a server that speaks TLS. */
export function rememberConnections(server: Server): void {
  if (!('setSecureContext' in server)) return;
  // Node has no public way from a TLS socket to the connection below it. Both have the same two ends, and no other pair has.
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

/**
 * Ends a connection in the middle of whatever is being sent. A client that reads slowly would otherwise get for many seconds what
 * the system holds for it: a reset throws that away. Unix sockets, where a front reads, have no reset.
 */
export function cutConnection(socket: Duplex): void {
  const connection = socket instanceof TLSSocket ? below.get(socket) : socket;
  if (connection instanceof Socket && connection.remoteFamily !== undefined) connection.resetAndDestroy();
  socket.destroy();
}
