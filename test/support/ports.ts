import { once } from 'node:events';
import { createServer, type Server } from 'node:net';
import { connectTo } from './raw-http.ts';

// Below the ports that Linux gives to programs that ask for any, and to outgoing connections; a hundred for each process of the tests.
const firstPort = 10_000;
// Workers of one run that exist together have different numbers; other runs on this machine begin elsewhere. The process that began
// the workers has a hundred of its own.
const pool = process.env['VITEST_POOL_ID'];
const place = pool === undefined ? 219 : (process.ppid + Number(pool)) % 219;
let next = firstPort + place * 100;

/** A port of loopback without a listener, which no other process of the tests is given until this one ends. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = next + 1 < 32_000 ? next + 1 : firstPort;
    // The same port of another address of loopback stays taken, for the processes that come to this hundred when theirs is used up.
    const reservation = await listen('127.0.0.2', port);
    if (reservation === undefined) continue;
    const server = await listen('127.0.0.1', port);
    if (server === undefined) {
      reservation.close();
      continue;
    }
    reservation.unref();
    server.close();
    await once(server, 'close');
    return port;
  }
}

/** @returns undefined when the port is taken */
async function listen(host: string, port: number): Promise<Server | undefined> {
  const server = createServer().listen(port, host);
  return once(server, 'listening').then(
    () => server,
    () => undefined,
  );
}

/** Waits until a program listens. @throws when it does not within a minute */
export async function listening(address: string): Promise<void> {
  for (let attempt = 0; attempt < 2_400; attempt += 1) {
    const socket = connectTo(address);
    const connected = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (connected) return;
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  throw new Error(`nothing listens on ${address}`);
}
