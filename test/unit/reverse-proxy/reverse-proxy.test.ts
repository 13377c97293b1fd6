import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { Exchange } from '../../../src/exchanges/exchange.ts';
import {
  attachReverseProxy,
  type ReverseProxyDependencies,
} from '../../../src/reverse-proxy/reverse-proxy.ts';
import { sendRaw } from '../../support/raw-http.ts';

test('of whoever is not admitted nothing is made, be it an upgrade', async () => {
  const server = createServer();
  const asked: Array<string | undefined> = [];
  attachReverseProxy(
    server,
    () => {
      throw new Error('somebody was let in');
    },
    ({ url }) => {
      asked.push(url);
      return false;
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

test('an exchange whose body was given up is decided again as who it came from', async () => {
  const server = createServer();
  const identity = { user: 'vera', role: 'viewer', source: 'session', groups: '', email: '', name: '' };
  const decision = { outcome: 'allow', reason: 'role_sees_all', identity, grant: 'all' };
  const asked: unknown[] = [];
  let exchange: Exchange | undefined;
  const front = {
    basePath: () => '',
    isOwnPath: () => false,
    isRefusedToEverybody: () => false,
    authorizationRequest: ({ method, url, socket }: IncomingMessage) => ({
      method,
      uri: url,
      peer: socket.remoteAddress,
    }),
    authorize: () => ({ id: 'a', decision }),
    evaluate: (request: unknown) => {
      asked.push(request);
      return { decision };
    },
    exchanges: {
      mark: () => 1,
      open: (opened: Exchange) => {
        exchange = opened;
        return { permitted: opened.permitted, isCut: false, close: () => undefined };
      },
    },
    clientOf: () => 'client',
    addressOf: ({ socket }: IncomingMessage) => socket.remoteAddress ?? '',
    identityOf: () => ({}),
    connectionOf: () => ({ address: '', secure: false, trusted: false, prefix: '' }),
    strippedHeaders: new Set(),
    transformers: [],
    upstream: {
      take: async () => ({ hasWaited: false, giveBack: () => undefined }),
      forward: async ({ request }: { request: IncomingMessage }, response: ServerResponse) => {
        // As undici does.
        request.socket = null as never;
        await exchange?.decideAgain(undefined);
        response.end(exchange?.address());
      },
    },
  };
  attachReverseProxy(server, () => front as unknown as ReverseProxyDependencies);
  onTestFinished(() => void server.close());
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  const { body } = await sendRaw(address, { uri: '/api/config', body: '{}' });
  expect(body).toBe('127.0.0.1');
  expect(asked).toEqual([{ method: 'GET', uri: '/api/config', peer: '127.0.0.1' }]);
});
