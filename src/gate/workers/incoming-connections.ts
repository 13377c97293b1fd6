import { once } from 'node:events';
import type { Socket } from 'node:net';
import { endingOf, type Listen } from '../../http/listen.ts';

/** Where the connections of a worker come from: another process accepts them. */
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
        // As of a connection that the server has accepted itself: a client may say that it sends no more, and wait.
        socket.allowHalfOpen = true;
        server.emit('connection', socket);
      });
      // Node's server keeps no list of its connections before, and would neither time header lines nor find what is idle.
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
