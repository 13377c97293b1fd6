import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { cutConnection, endSocket } from '../connections/cut-connection.ts';
import type { Leaving } from './fair-share.ts';
import type { Answer } from '../../errors.ts';

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

// Bytes of frames that a client may send before the upgrade is accepted.
const most = 65_536;

/**
 * Reads from a connection that waits for its upgrade, because otherwise a client that leaves would not be noticed.
 * @param head bytes of it that were read already
 * @returns `left` aborts if the client leaves, or sends too much; `release` ends that, and returns the bytes
 */
export function holdEarly(
  socket: Duplex,
  head: Buffer,
): { readonly left: AbortSignal; readonly release: () => readonly Buffer[] } {
  const left = new AbortController();
  const chunks = head.length > 0 ? [head] : [];
  let length = head.length;
  const abort = () => {
    left.abort();
    socket.destroy();
  };
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    length += chunk.length;
    if (length > most) abort();
  };
  socket.on('data', onData);
  socket.once('end', abort);
  socket.once('close', abort);
  return {
    left: left.signal,
    release: () => {
      socket.pause();
      socket.off('data', onData);
      socket.off('end', abort);
      socket.off('close', abort);
      return chunks;
    },
  };
}

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

export function send(response: ServerResponse, { status, headers, body }: Answer): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}

/** After an upgrade request the server hands over the connection: the answer is written by hand, and ends it. */
export function sendRaw(socket: Duplex, { status, headers, body }: Answer): void {
  const lines = Object.entries({
    ...headers,
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  endSocket(socket, `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head}\r\n${body}`);
}
