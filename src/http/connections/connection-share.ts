import type { Server } from 'node:http';

interface ConnectionShareOptions {
  /** Connections of one client; read each time. */
  readonly perClient: () => number;
  /** Connections of all clients together. */
  readonly total: () => number;
  /** Maps an address to its client, or to `undefined` if many clients may share it: then it is not limited. */
  readonly clientOf: (address: string) => string | undefined;
  /** Called for a client that has more than half of its connections. */
  readonly onMost: (address: string, count: number) => void;
  /** Called for each connection that was cut at once. */
  readonly onTurnedAway: (address: string) => void;
}

/**
 * @returns counts the connections of a server, together with those of the others that it is given. Those of a front have many
 *   clients behind them, and count only in the total
 */
export function createConnectionShare(
  options: ConnectionShareOptions,
): (server: Server, of?: 'clients' | 'fronts') => void {
  const { perClient, total, clientOf, onMost, onTurnedAway } = options;
  const counts = createClientCount();
  let all = 0;

  return (server, of = 'clients') => {
    server.on('connection', (socket) => {
      const address = socket.remoteAddress ?? '';
      const client = of === 'clients' ? clientOf(address) : undefined;
      const count = client === undefined ? 0 : counts.add(client, 1);
      all += 1;
      socket.once('close', () => {
        all -= 1;
        if (client !== undefined) counts.add(client, -1);
      });
      if (count > perClient() || all > total()) {
        onTurnedAway(address);
        socket.destroy();
      } else if (count > perClient() / 2) {
        onMost(address, count);
      }
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
