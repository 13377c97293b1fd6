import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from '../../config/configuration.ts';
import { arrivingRequest, bytesTaken, currentAnswer, isWriting, onConnection } from './http-connection.ts';
import { createStallWatch } from './stall-watch.ts';

export type TimeLimits = Pick<Limits, 'headerTimeout' | 'bodyTimeout' | 'writeTimeout'>;

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
