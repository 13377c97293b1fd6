import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from '../../config/configuration.ts';
import { arrivingRequest, bytesTaken, currentAnswer, isWriting, onConnection } from './http-connection.ts';
import { createStallWatch } from './stall-watch.ts';

export type TimeLimits = Pick<Limits, 'headerTimeout' | 'bodyTimeout' | 'writeTimeout'>;

// Milliseconds between two looks at all connections: nothing of this is done for each request.
const interval = 1_000;

/**
 * Cuts connections whose clients stopped in the middle: of header lines, of a body, of reading an answer. Whoever goes on
 * may take as long as it takes; createStallWatch says what going on is.
 * @param limits as they are now
 * @param onCut told which limit it was
 */
export function cutStalled(
  server: Server,
  limits: () => TimeLimits,
  onCut: (limit: 'body' | 'write') => void,
): void {
  // It would end uploads that go on.
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
    // What waits to be taken by whoever answers is no fault of the client.
    const isWaiting = request !== undefined && request.readableLength < request.readableHighWaterMark;
    if (!reading.isStalled(isWaiting, socket.bytesRead, now, bodyTimeout)) return;
    onCut('body');
    if (currentAnswer(socket)?.headersSent === false) socket.write(requestTimeout);
    socket.destroy();
  };
}

const requestTimeout = 'HTTP/1.1 408 Request Timeout\r\nContent-Length: 0\r\nConnection: close\r\n\r\n';
