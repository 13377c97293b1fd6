import { chmodSync, rmSync } from 'node:fs';
import type { Server, ServerResponse } from 'node:http';
import { connect, Server as NetServer } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ListenError, type ListenAddress } from '../config/listen.ts';
import { AppError, errorAnswer, type Answer } from '../errors.ts';
import { send, sendRaw } from './reverse-proxy/client-end.ts';

export interface Listening {
  /** `host:port`, or `unix:/path`. */
  readonly address: string;
  /** Sends `Connection: close` with each answer from now on (RFC 9112, 9.6), so that clients connect elsewhere. */
  leave(): void;
  /**
   * Accepts no more connections, ends WebSockets, and lets requests finish.
   * @param timeoutMs after which open requests are cut
   */
  close(timeoutMs?: number): Promise<void>;
}

/** @param key of the address in config.yml, for errors. @throws ListenError */
export type Listen = (server: Server, address: ListenAddress, key: string) => Promise<Listening>;

export const listen: Listen = async (server, address, key) => {
  const bound = await bind(server, address, key);
  const stop = async () => {
    const gone = once(server, 'close');
    await stopAccepting(server);
    return { gone };
  };
  return { address: bound, ...endingOf(server, stop) };
};

/**
 * Accepts the connections that are waiting, and no more. A client that connects to a Unix socket in between gets an error instead of
 * an ignored connection; over TCP that moment remains, as short as possible.
 */
async function stopAccepting(server: NetServer): Promise<void> {
  const address = server.address();
  if (typeof address === 'string') rmSync(address, { force: true });
  let hasAccepted: boolean;
  const notice = () => (hasAccepted = true);
  server.on('connection', notice);
  do {
    hasAccepted = false;
    // The first may be in the middle of a turn of the event loop, and each turn accepts one.
    await setImmediate();
    await setImmediate();
  } while (hasAccepted);
  server.off('connection', notice);
  // An HTTP server would immediately close idle connections.
  NetServer.prototype.close.call(server);
}

/**
 * Starts listening; a Unix socket is open to its owner and group only, and a stale one is replaced.
 * @returns `host:port`, or `unix:/path`
 */
async function bind(server: NetServer, address: ListenAddress, key: string): Promise<string> {
  try {
    if ('path' in address) await removeStaleSocket(address.path);
    // The owner's umask could leave the socket open to everyone for a moment.
    const umask = 'path' in address ? process.umask(0o117) : undefined;
    server.listen('path' in address ? { path: address.path } : { port: address.port, host: address.host });
    try {
      await once(server, 'listening');
    } finally {
      if (umask !== undefined) process.umask(umask);
    }
    if ('path' in address) chmodSync(address.path, 0o660);
    return describe(server);
  } catch (error) {
    throw new ListenError(key, address, error);
  }
}

// Milliseconds in which clients of open connections send another request, if at all.
const lull = 500;

/** @param stop accepts no more connections; `gone` settles when none is left */
function endingOf(
  server: Server,
  stop: () => Promise<{ readonly gone: Promise<unknown> }>,
): Pick<Listening, 'leave' | 'close'> {
  // The server does not track these, and they do not end by themselves.
  const upgraded = new Set<Duplex>();
  // A listener for upgrades would take them away from a server that answers them like other requests.
  if (server.listenerCount('upgrade') > 0)
    server.on('upgrade', (_, socket: Duplex) => {
      upgraded.add(socket);
      socket.once('close', () => upgraded.delete(socket));
    });
  const leave = () => {
    server.prependListener('request', (_, answer) => {
      answer.shouldKeepAlive = false;
    });
  };
  const close = async (timeoutMs = 0) => {
    leave();
    const { gone } = await stop();
    for (const socket of upgraded) socket.destroy();
    const began = performance.now();
    // Closes connections that were busy when the drain began.
    const sweep = setInterval(() => {
      if (performance.now() - began > lull) server.closeIdleConnections();
    }, 50);
    const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
    await gone;
    clearInterval(sweep);
    clearTimeout(cut);
    // Stops the server's timer for its connections.
    server.close();
  };
  return { leave, close };
}

function describe(server: NetServer): string {
  const address = server.address();
  if (address === null || typeof address === 'string') return `unix:${address}`;
  const host = address.family === 'IPv6' ? `[${address.address}]` : address.address;
  return `${host}:${address.port}`;
}

async function removeStaleSocket(path: string): Promise<void> {
  const socket = connect(path);
  try {
    await once(socket, 'connect');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ECONNREFUSED') rmSync(path);
    return;
  } finally {
    socket.destroy();
  }
}

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
    hold('request', (response) => send(response as ServerResponse, notReady()));
    hold('upgrade', (socket) => refuse(socket as Duplex));
    hold('connect', (socket) => refuse(socket as Duplex));
    return openListener(server, address, key);
  };
}

function refuse(socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  sendRaw(socket, notReady());
}

function notReady(): Answer {
  const { status, headers, body } = errorAnswer(new AppError('store_unavailable'));
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers, connection: 'close' },
    body: JSON.stringify(body),
  };
}
