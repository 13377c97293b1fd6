import type { Server } from 'node:http';
import { rememberConnections } from './cut-connection.ts';
import { serveOneAtATime } from './one-at-a-time.ts';
import { cutStalled, type TimeLimits } from './stalled-connections.ts';

/** Why a connection was closed early. */
export type ConnectionFault = 'pipelining' | 'body_timeout' | 'write_timeout';

/** Options of every server of the program. */
export const serverOptions = {
  connectionsCheckingInterval: 1_000,
  // Milliseconds. Finds connections of clients that have disappeared without closing them.
  keepAlive: true,
  keepAliveInitialDelay: 60_000,
} as const;

/** Limits the memory that each connection holds, and how long it may stay unused. */
export function guardConnections(
  server: Server,
  limits: () => TimeLimits,
  onFault: (fault: ConnectionFault) => void,
): void {
  rememberConnections(server);
  serveOneAtATime(server, () => onFault('pipelining'));
  cutStalled(server, limits, (limit) => onFault(`${limit}_timeout`));
}
