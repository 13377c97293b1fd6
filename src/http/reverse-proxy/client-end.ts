import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { cutConnection } from '../connections/cut-connection.ts';
import type { Leaving } from './fair-share.ts';

/** The client's end of an exchange. */
export interface ClientEnd extends Leaving {
  readonly kind: 'websocket' | 'answer';
  /** Cuts it in the middle of whatever is being sent. */
  cut(): void;
  /** Calls when nothing of it is waiting to be sent any more. */
  whenSent(call: () => void): void;
}

/** @param socket the client's, which a response has no more once it was sent */
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

/** @param left goes off when the client leaves before it is a WebSocket */
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
