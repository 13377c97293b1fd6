import { once } from 'node:events';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';
import { createIncomingConnections } from '../../../../src/gate/workers/incoming-connections.ts';

const key = 'networking.listen.internal';

/** A server whose connections are accepted elsewhere. @returns what connects to it, and what closes it */
async function start(answer: RequestListener) {
  const server = createHttpServer({ connectionsCheckingInterval: 20 }, answer);
  server.headersTimeout = 100;
  const connections = createIncomingConnections();
  const listening = await connections.listen(server, { host: '127.0.0.1', port: 0 }, key);
  // Sockets that come from another process are not half open.
  const accepting = createServer({ allowHalfOpen: false }, (socket) => connections.take(key, socket));
  accepting.listen(0, '127.0.0.1');
  await once(accepting, 'listening');
  onTestFinished(() => void accepting.close());
  const { port } = accepting.address() as AddressInfo;
  return {
    server,
    listening,
    connections,
    open: () => connect({ port, host: '127.0.0.1', allowHalfOpen: true }),
  };
}

test('a client that has ended its side gets the rest', async () => {
  const { open, server } = await start((_, response) => response.end());
  server.on('upgrade', (_, socket: Socket) => {
    socket.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
    socket.resume().once('end', () => setTimeout(() => socket.end('the rest'), 20));
  });
  const socket = open();
  socket.end('GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: echo\r\n\r\n');
  expect(await text(socket)).toMatch(/the rest$/);
});

test('closes a connection whose header lines do not arrive', async () => {
  const { open } = await start((_, response) => response.end());
  const socket = open();
  socket.write('GET / HTTP/1.1\r\nHo');
  expect(await text(socket)).toMatch(/^HTTP\/1.1 408 /);
});

test('waits for requests under way at the end, and not for idle connections', async () => {
  const { open, listening, connections } = await start((request, response) => {
    if (request.url === '/slow') request.resume().once('end', () => response.end('done'));
    else response.end('at once');
  });
  const [idle, busy] = [open(), open()];
  idle.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  busy.write('POST /slow HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nExpect: 100-continue\r\n\r\n');
  await Promise.all([once(idle, 'data'), once(busy, 'data')]);
  idle.resume();
  const closing = listening.close(3_600_000);
  await once(idle, 'end');
  const answer = text(busy);
  busy.write('.');
  expect(await answer).toContain('done');
  await closing;
  // A connection that arrives now comes too late.
  const late = open();
  await once(late.resume(), 'end');
  connections.take(key, undefined);
});
