import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { attachReverseProxy } from '../../../../src/http/reverse-proxy/reverse-proxy.ts';
import { sendRaw } from '../../../support/raw-http.ts';

test('ignores clients that are not admitted, even their upgrades', async () => {
  const server = createServer();
  const asked: Array<string | undefined> = [];
  attachReverseProxy(
    server,
    () => {
      throw new Error('a client was admitted');
    },
    ({ url }) => {
      asked.push(url);
      return { status: 403, headers: {}, body: '' };
    },
  );
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const upgrade = [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Sec-WebSocket-Version', '13'],
    ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ] as const;
  for (const headers of [[], upgrade]) {
    const { status, body } = await sendRaw(address, { uri: '/ws', headers });
    expect([status, body]).toEqual([403, '']);
  }
  expect(asked).toEqual(['/ws', '/ws']);
});
