import { once } from 'node:events';
import { createServer } from 'node:net';
import { connectTo } from './raw-http.ts';

// Below the ports that Linux gives to programs that ask for any, and to outgoing connections; a hundred for each process of the tests.
const firstPort = 10_000;
// Workers of one run that exist together have different numbers; other runs on this machine begin elsewhere. The process that began
// the workers has a hundred of its own.
const pool = process.env['VITEST_POOL_ID'];
const place = pool === undefined ? 219 : (process.ppid + Number(pool)) % 219;
let next = firstPort + place * 100;

/** A port of loopback without a listener, which no other test is given before it is used. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = next;
    next = next + 1 < 32_000 ? next + 1 : firstPort;
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
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
