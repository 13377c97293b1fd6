import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { rememberConnections } from './cut-connection.ts';
import { serveOneAtATime } from './one-at-a-time.ts';
import type { Limits } from '../../config/configuration.ts';
import { arrivingRequest, bytesTaken, currentAnswer, isWriting, onConnection } from './http-connection.ts';

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

type TimeLimits = Pick<Limits, 'headerTimeout' | 'bodyTimeout' | 'writeTimeout'>;

// Milliseconds between two checks of all connections: nothing is done per request.
const interval = 1_000;

/**
 * Cuts connections whose clients stop in the middle: of header lines, of a body, of reading a response. A client that keeps
 * going may take any time; `createStallWatch` defines that.
 * @param limits the current ones
 * @param onCut called with the limit that was exceeded
 */
export function cutStalled(
  server: Server,
  limits: () => TimeLimits,
  onCut: (limit: 'body' | 'write') => void,
): void {
  // It would end long uploads that are still making progress.
  server.requestTimeout = 0;
  const watched = new Map<Socket, () => void>();
  onConnection(server, (socket) => watched.set(socket, watch(socket, limits, onCut)));
  const timer = setInterval(() => {
    server.headersTimeout = limits().headerTimeout;
    for (const [socket, look] of watched) {
      if (socket.destroyed) watched.delete(socket);
      else look();
    }
  }, interval).unref();
  server.once('close', () => clearInterval(timer));
}

/** @returns cuts the connection when it is stalled */
function watch(
  socket: Socket,
  limits: () => TimeLimits,
  onCut: (limit: 'body' | 'write') => void,
): () => void {
  const writing = createStallWatch();
  const reading = createStallWatch();
  return () => {
    const now = performance.now();
    const { writeTimeout, bodyTimeout } = limits();
    if (writing.isStalled(isWriting(socket), bytesTaken(socket), now, writeTimeout)) {
      onCut('write');
      socket.destroy();
      return;
    }
    const request = arrivingRequest(socket);
    // Data that has arrived but is not read yet is not the client's delay.
    const isWaiting = request !== undefined && request.readableLength < request.readableHighWaterMark;
    if (!reading.isStalled(isWaiting, socket.bytesRead, now, bodyTimeout)) return;
    onCut('body');
    if (currentAnswer(socket)?.headersSent === false) socket.write(requestTimeout);
    socket.destroy();
  };
}

const requestTimeout = 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';

/** Bytes a second: a connection that is slower than this, over the whole time of a limit, counts as stalled. */
export const slowest = 256;

interface StallWatch {
  /**
   * @param isWaiting whether the client has to act now
   * @param moved bytes that the client has moved so far
   * @param now milliseconds, monotonic
   * @param limit milliseconds
   * @returns whether the client was waited for throughout that time and moved fewer bytes than `slowest` requires
   */
  isStalled(isWaiting: boolean, moved: number, now: number, limit: number): boolean;
}

/** Watches one direction of a connection. */
export function createStallWatch(): StallWatch {
  let since: { readonly at: number; readonly moved: number } | undefined;
  return {
    isStalled: (isWaiting, moved, now, limit) => {
      if (!isWaiting) {
        since = undefined;
        return false;
      }
      if (since === undefined || moved - since.moved >= (slowest * limit) / 1_000) since = { at: now, moved };
      return now - since.at >= limit;
    },
  };
}
