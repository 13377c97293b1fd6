import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { connectTo } from './raw-http.ts';

/** A port of loopback that nobody listens on at this moment. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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
