import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { cutConnection } from '../connections/cut-connection.ts';
import type { Leaving } from './fair-share.ts';

/** The client's end of a request that is passed on. */
export interface ClientEnd extends Leaving {
  readonly kind: 'websocket' | 'answer';
  /** Cuts it, even in the middle of an answer. */
  cut(): void;
  /** Calls when nothing is waiting to be sent anymore. */
  whenSent(call: () => void): void;
}

/** @param socket the client's, which the response loses once it was sent */
export function answerTo(response: ServerResponse, socket: Socket): ClientEnd {
  return {
    kind: 'answer',
    get hasLeft() {
      return response.closed;
    },
    signal: () => {
      const left = new AbortController();
      if (response.closed) left.abort();
      else response.once('close', () => left.abort());
      return left.signal;
    },
    cut: () => cutConnection(socket),
    whenSent: (call) => {
      if (response.closed || socket.writableLength === 0) call();
      else response.once('close', call);
    },
  };
}

/** @param left aborts if the client leaves before it is a WebSocket */
export function webSocketOf(socket: Duplex, left: AbortSignal): ClientEnd {
  return {
    kind: 'websocket',
    get hasLeft() {
      return left.aborted;
    },
    signal: () => left,
    cut: () => cutConnection(socket),
    whenSent: (call) => call(),
  };
}
