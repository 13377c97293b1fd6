import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { connectionBelow } from './cut-connection.ts';
import { arrivingRequest, currentAnswer } from './http-connection.ts';

/** The connections of clients, in the order in which they last began a request, or were opened. */
export interface IdleConnections {
  /** @param onCut called when the connection gives up its place */
  add(connection: Socket, onCut: () => void): void;
  forget(connection: Socket): void;
  /** Closes the one that has been idle longest. @returns false if none is idle */
  closeOldest(): boolean;
  /** Follows the requests of a server that also has its own listeners for them. */
  follow(server: Server): void;
}

interface Entry {
  /** Where requests arrive: with TLS, the socket above. Absent before the first request. */
  readonly socket?: Socket;
  readonly onCut: () => void;
}

export function createIdleConnections(): IdleConnections {
  const entries = new Map<Socket, Entry>();
  return {
    add: (connection, onCut) => void entries.set(connection, { onCut }),
    forget: (connection) => void entries.delete(connection),
    closeOldest: () => {
      for (const [connection, entry] of entries) {
        if (!isIdle(entry)) continue;
        entries.delete(connection);
        entry.onCut();
        entry.socket?.destroy();
        connection.destroy();
        return true;
      }
      return false;
    },
    follow: (server) => {
      server.on('request', ({ socket }) => {
        const connection = connectionBelow(socket);
        const entry = entries.get(connection);
        if (entry === undefined) return;
        entries.delete(connection);
        entries.set(connection, { ...entry, socket });
      });
      // A WebSocket is in use for as long as it is open.
      server.on('upgrade', (_, socket) => void entries.delete(connectionBelow(socket as Socket)));
    },
  };
}

/** A handshake, and header lines that have not all arrived, are idle too. */
function isIdle({ socket }: Entry): boolean {
  return (
    socket === undefined || (currentAnswer(socket) === undefined && arrivingRequest(socket) === undefined)
  );
}
