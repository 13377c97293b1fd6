import type { Server } from 'node:http';
import { rememberConnections } from './cut-connection.ts';
import { serveOneAtATime } from './one-at-a-time.ts';
import { cutStalled, type TimeLimits } from './stalled-connections.ts';

/** Why a connection was closed in the middle. */
export type ConnectionFault = 'pipelining' | 'body_timeout' | 'write_timeout';

/** How every server of the program is made. */
export const serverOptions = {
  connectionsCheckingInterval: 1_000,
  // Milliseconds. A client that is gone without a word leaves a connection that nothing else would end.
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
} as const;

/** Lets no connection hold more than its share of memory, or hold it for longer than it makes use of it. */
export function guardConnections(
  server: Server,
  limits: () => TimeLimits,
  onFault: (fault: ConnectionFault) => void,
): void {
  rememberConnections(server);
  serveOneAtATime(server, () => onFault('pipelining'));
  cutStalled(server, limits, (limit) => onFault(`${limit}_timeout`));
}
