import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { keptConnection } from '../../support/raw-http.ts';

test('a request that a kept connection swallows is sent once more, by another', async () => {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
      socket.once('data', () => socket.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  using connection = keptConnection(`127.0.0.1:${(server.address() as AddressInfo).port}`);
  const statuses = [await connection.send({ uri: '/a' }), await connection.send({ uri: '/b' })];
  expect([statuses.map(({ status }) => status), connections]).toEqual([[200, 200], 2]);
});
