import { once } from 'node:events';
import type { Socket } from 'node:net';
import { endingOf, type Listen } from '../../http/listen.ts';

/** Gives a worker's servers the connections that the primary has accepted. */
export interface IncomingConnections {
  readonly listen: Listen;
  /** Takes one of a listener, by its key. */
  take(listener: string, socket: unknown): void;
}

export function createIncomingConnections(): IncomingConnections {
  const servers = new Map<string, (socket: Socket) => void>();
  return {
    listen: async (server, address, key) => {
      const open = new Set<Socket>();
      servers.set(key, (socket) => {
        open.add(socket);
        socket.once('close', () => open.delete(socket));
        // As for a connection that the server has accepted itself: a client may end its side, and wait for the answer.
        socket.allowHalfOpen = true;
        server.emit('connection', socket);
      });
      // Before this call Node's server has no list of its connections: it would not enforce timeouts or close idle ones.
      server.emit('listening');
      return {
        address: 'path' in address ? `unix:${address.path}` : key,
        ...endingOf(server, async () => {
          servers.delete(key);
          return { gone: Promise.all([...open].map((socket) => once(socket, 'close'))) };
        }),
      };
    },
    take: (listener, socket) => {
      // The client has gone meanwhile.
      if (socket === undefined || socket === null) return;
      const serve = servers.get(listener);
      if (serve === undefined) (socket as Socket).destroy();
      else serve(socket as Socket);
    },
  };
}
