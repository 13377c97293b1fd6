import type { WebSocket } from 'ws';

// Milliseconds between two pings.
const interval = 2_000;

/** Pings without an answer, after which the client is gone. */
const mostUnanswered = 2;

/**
 * A client out of range closes no connection. Pings it while it is needed, and cuts it if it does not answer.
 * @param isNeeded asked after each message of the client
 */
export function watchPresence(client: WebSocket, isNeeded: () => boolean): void {
  let timer: NodeJS.Timeout | undefined;
  let unanswered = 0;

  const stop = () => {
    clearInterval(timer);
    timer = undefined;
  };

  const ask = () => {
    if (!isNeeded()) return stop();
    // Nothing is read of a client while the upstream does not read.
    if (client.isPaused) return;
    if (unanswered === mostUnanswered || client.readyState !== client.OPEN) return client.terminate();
    unanswered += 1;
    client.ping();
  };

  client.on('pong', () => (unanswered = 0));
  client.once('close', stop);
  client.on('message', () => {
    if (timer !== undefined || client.readyState !== client.OPEN || !isNeeded()) return;
    unanswered = 0;
    timer = setInterval(ask, interval).unref();
  });
}
