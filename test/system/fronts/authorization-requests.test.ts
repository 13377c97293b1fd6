import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { identityHeaders } from '../../../src/policy/identity-headers.ts';
import { headerAlias, headerValues } from '../../../src/policy/raw-headers.ts';
import { connectTo } from '../../support/raw-http.ts';
import { listenOnLoopback } from '../../support/reverse-proxy.ts';
import { frontNames, startFront } from '../../support/start-front.ts';
import { spoofedHeaders, trustedHeaders } from './spoofed-headers.ts';

test.each(frontNames)('%s asks without the body, and streams the answer', async (name) => {
  const asked: IncomingMessage[] = [];
  const gate = await listenOnLoopback(
    createServer((request, response) => {
      asked.push(request.resume());
      for (const header of identityHeaders) response.setHeader(header, '');
      response.setHeader('remote-user', 'olaf').end();
    }),
  );
  const { promise: isRead, resolve: read } = Promise.withResolvers<void>();
  const recorder = await listenOnLoopback(
    createServer((request, response) => {
      response.write(`${String(request.headers['remote-user'])} first `);
      request.resume().on('end', () => void isRead.then(() => response.end('second')));
    }),
  );
  const hostOf = ({ origin }: { readonly origin: string }) => origin.slice('http://'.length);
  const streaming = await startFront(name, { gateway: hostOf(gate), recorder: hostOf(recorder) });

  const socket = connectTo(streaming.address, streaming.tls);
  const spoofed = spoofedHeaders.filter((header) => headerAlias(header) === header);
  const lines = spoofed.map((header) => `${header}: mallory\r\n`).join('');
  socket.write(
    `GET /stream?a=%20b HTTP/1.1\r\nHost: gate.local\r\nContent-Length: 5\r\nConnection: close\r\n${lines}\r\n12345`,
  );
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    received += chunk.toString();
    if (received.includes('first')) read();
  });
  await once(socket, 'close');
  await streaming.close();
  await recorder.close();
  await gate.close();

  expect(received).toMatch(/\r\nolaf first [^]*second/);
  const [first, ...others] = asked;
  const value = (header: string) => headerValues(first?.rawHeaders ?? [], header);
  const family = name === 'nginx' || name === 'Nginx Proxy Manager' ? 'auth-request' : 'forward-auth';
  const said = {
    'auth-request': [['GET'], ['/stream?a=%20b'], [], []],
    'forward-auth': [[], [], ['GET'], ['/stream?a=%20b']],
  };
  expect([
    others,
    value('x-original-method'),
    value('x-original-url'),
    value('x-forwarded-method'),
    value('x-forwarded-uri'),
  ]).toEqual([[], ...said[family]]);
  expect([value('transfer-encoding'), value('content-length').filter((length) => length !== '0')]).toEqual([
    [],
    [],
  ]);
  expect([value('x-forwarded-proto'), value('x-forwarded-host'), value('x-forwarded-for')]).toEqual([
    [streaming.tls ? 'https' : 'http'],
    ['gate.local'],
    ['127.0.0.1'],
  ]);
  expect(value('x-forwarded-prefix')).not.toContain('mallory');
  // The gate has to see what an upstream proxy may send.
  for (const header of trustedHeaders) expect([header, value(header)]).toEqual([header, ['mallory']]);
});
