import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect, type Server as NetServer } from 'node:net';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { ListenError, type ListenAddress } from '../config/listen.ts';

export interface Listening {
  /** `host:port`, or `unix:/path`. */
  readonly address: string;
  /**
   * Takes no more connections, ends WebSockets, and lets requests come to their end.
   * @param patience milliseconds; what is then not over is cut
   */
  close(patience?: number): Promise<void>;
}

/** @param key of config.yml, which says where. @throws ListenError */
export type Listen = (server: Server, address: ListenAddress, key: string) => Promise<Listening>;

/** Listens in this process. */
export const listen: Listen = async (server, address, key) => {
  const bound = await bind(server, address, key);
  const close = closerOf(server, () => {
    const closed = once(server, 'close');
    server.close();
    return closed;
  });
  return { address: bound, close };
};

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

/** @param stop takes no more connections; it settles when none is left */
export function closerOf(server: Server, stop: () => Promise<unknown>): Listening['close'] {
  // They have no end of their own, and the server forgets them.
  const upgraded = new Set<Duplex>();
  // A listener for upgrades would take them from a server that answers them like other requests.
  if (server.listenerCount('upgrade') > 0)
    server.on('upgrade', (_, socket: Duplex) => {
      upgraded.add(socket);
      socket.once('close', () => upgraded.delete(socket));
    });
  return async (patience = 0) => {
    const stopped = stop();
    for (const socket of upgraded) socket.destroy();
    // A connection that was busy becomes idle, and would be kept for the next request.
    const sweep = setInterval(() => server.closeIdleConnections(), 50);
    const cut = setTimeout(() => server.closeAllConnections(), patience);
    await stopped;
    clearInterval(sweep);
    clearTimeout(cut);
  };
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
