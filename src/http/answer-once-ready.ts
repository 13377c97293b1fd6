import type { ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, errorAnswer, type Answer } from '../errors.ts';
import type { Listen } from './listen.ts';
import { send, sendRaw } from './reverse-proxy/send-answer.ts';

const { status, body } = errorAnswer(new AppError('store_unavailable'));
const notReady: Answer = {
  status,
  headers: { 'content-type': 'application/json', 'retry-after': '1', connection: 'close' },
  body: JSON.stringify(body),
};

/**
 * Listens as `openListener` does, and answers 503 until the gate is ready: a start that fails when it listens has made nothing
 * yet, and no request meets a gate without accounts.
 */
export function answerOnceReady(openListener: Listen, isReady: () => boolean): Listen {
  return (server, address, key) => {
    const hold = (event: string, answer: (end: unknown) => void) => {
      const listeners = server.listeners(event);
      if (listeners.length === 0) return;
      server.removeAllListeners(event);
      server.on(event, (...given: unknown[]) => {
        if (isReady()) for (const listener of listeners) listener.apply(server, given);
        else answer(given[1]);
      });
    };
    hold('request', (response) => send(response as ServerResponse, notReady));
    hold('upgrade', (socket) => refuse(socket as Duplex));
    hold('connect', (socket) => refuse(socket as Duplex));
    return openListener(server, address, key);
  };
}

function refuse(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  sendRaw(socket, notReady);
}
