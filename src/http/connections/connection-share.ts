import type { Server } from 'node:http';
import { createIdleConnections } from './idle-connections.ts';

interface ConnectionShareOptions {
  /** Connections of one client; read each time. */
  readonly perClient: () => number;
  /** Connections of all clients together. */
  readonly total: () => number;
  /** Maps an address to its client, or to `undefined` if many clients may share it: then it is not limited. */
  readonly clientOf: (address: string) => string | undefined;
  /** Called for a client that has more than half of its connections. */
  readonly onMost: (address: string, count: number) => void;
  /** Called for each connection that was cut at once because its client has too many. */
  readonly onTurnedAway: (address: string) => void;
  /** Called when all places are taken: an idle connection was closed for the new one, or, if none is idle, the new one. */
  readonly onFull: (connections: number, closed: 'idle' | 'new') => void;
}

/**
 * Someone who opens connections and does nothing must not keep others out: when all places are taken, the connection that has been idle
 * longest gives way to a new one.
 * @returns counts the connections of a server, together with those of the others that it is given. Those of a front have many
 *   clients behind them, count only in the total, and never give way
 */
export function createConnectionShare(
  options: ConnectionShareOptions,
): (server: Server, of?: 'clients' | 'fronts') => void {
  const { perClient, total, clientOf, onMost, onTurnedAway, onFull } = options;
  const counts = createClientCount();
  const idle = createIdleConnections();
  let all = 0;

  return (server, of = 'clients') => {
    if (of === 'clients') idle.follow(server);
    server.on('connection', (socket) => {
      const address = socket.remoteAddress ?? '';
      const client = of === 'clients' ? clientOf(address) : undefined;
      const count = client === undefined ? 0 : counts.add(client, 1);
      all += 1;
      let hasPlace = true;
      const leave = () => {
        if (!hasPlace) return;
        hasPlace = false;
        all -= 1;
        idle.forget(socket);
        if (client !== undefined) counts.add(client, -1);
      };
      socket.once('close', leave);
      if (count > perClient()) {
        onTurnedAway(address);
        socket.destroy();
        return;
      }
      if (all > total()) {
        const isMade = idle.closeOldest();
        onFull(total(), isMade ? 'idle' : 'new');
        if (!isMade) {
          socket.destroy();
          return;
        }
      }
      if (of === 'clients') idle.add(socket, leave);
      if (count > perClient() / 2) onMost(address, count);
    });
  };
}

/** Counts by client; clients with a count of zero take no memory. */
interface ClientCount {
  of(client: string): number;
  total(): number;
  /** @returns how many the client has now */
  add(client: string, change: 1 | -1): number;
}

export function createClientCount(): ClientCount {
  const counts = new Map<string, number>();
  let total = 0;
  return {
    of: (client) => counts.get(client) ?? 0,
    total: () => total,
    add: (client, change) => {
      total += change;
      const count = (counts.get(client) ?? 0) + change;
      if (count === 0) counts.delete(client);
      else counts.set(client, count);
      return count;
    },
  };
}
