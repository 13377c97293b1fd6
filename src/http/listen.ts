import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, Server as NetServer } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { ListenError, type ListenAddress } from '../config/listen.ts';

export interface Listening {
  /** `host:port`, or `unix:/path`. */
  readonly address: string;
  /** Says with each answer from now on that its connection ends (RFC 9112, 9.6): whoever keeps it goes elsewhere with the next request. */
  leave(): void;
  /**
   * Takes no more connections, ends WebSockets, and lets requests come to their end.
   * @param timeoutMs milliseconds; what is then not over is cut
   */
  close(timeoutMs?: number): Promise<void>;
}

/** @param key of config.yml, which says where. @throws ListenError */
export type Listen = (server: Server, address: ListenAddress, key: string) => Promise<Listening>;

/** Listens in this process. */
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
 * Accepts what has connected by now, and then nobody. Who connects to a Unix socket in between is not there any more, instead of
 * being let go unheard; over TCP that moment stays, as short as it can be.
 */
export async function stopAccepting(server: NetServer): Promise<void> {
  const address = server.address();
  if (typeof address === 'string') rmSync(address, { force: true });
  let hasAccepted: boolean;
  const notice = () => (hasAccepted = true);
  server.on('connection', notice);
  do {
    hasAccepted = false;
    // The first may be in the middle of a turn of the event loop: each accepts one.
    await setImmediate();
    await setImmediate();
  } while (hasAccepted);
  server.off('connection', notice);
  // An HTTP server would close at once what is idle.
  NetServer.prototype.close.call(server);
}

/**
 * Begins to listen; a Unix socket is open to its owner and group only, and a stale one is replaced.
 * @returns `host:port`, or `unix:/path`
 */
export async function bind(server: NetServer, address: ListenAddress, key: string): Promise<string> {
  try {
    if ('path' in address) await removeStaleSocket(address.path);
    // The owner's umask could leave the socket open to everybody for a moment.
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

// Milliseconds, after which whoever keeps a connection has used it, or will not.
const lull = 500;

/** @param stop takes no more connections; `gone` settles when none is left */
export function endingOf(
  server: Server,
  stop: () => Promise<{ readonly gone: Promise<unknown> }>,
): Pick<Listening, 'leave' | 'close'> {
  // They have no end of their own, and the server forgets them.
  const upgraded = new Set<Duplex>();
  // A listener for upgrades would take them from a server that answers them like other requests.
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
    // What becomes idle was under way when it began.
    const sweep = setInterval(() => {
      if (performance.now() - began > lull) server.closeIdleConnections();
    }, 50);
    const cut = setTimeout(() => server.closeAllConnections(), timeoutMs);
    await gone;
    clearInterval(sweep);
    clearTimeout(cut);
    // The timer that looks at its connections ends.
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
