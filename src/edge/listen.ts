import { chmodSync, rmSync } from 'node:fs';
import type { Server } from 'node:http';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { ListenAddress } from '../config/listen.ts';

export interface Listening {
  /** `host:port`, or `unix:/path`. */
  readonly address: string;
  close(): Promise<void>;
}

/**
 * Listens; a Unix socket is open to its owner and group only, and a stale one is replaced.
 * @throws the system's error, with the address in its message
 */
export async function listen(server: Server, address: ListenAddress): Promise<Listening> {
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
  return {
    address: describe(server),
    close: async () => {
      server.close();
      server.closeAllConnections();
      if (server.listening) await once(server, 'close');
    },
  };
}

function describe(server: Server): string {
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
