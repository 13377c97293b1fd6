import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer as createPlainServer } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Pool } from 'undici';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { selfSignedCertificate, type Certificate } from '../../../src/http/tls/certificate.ts';
import { openWebSocket } from '../../../src/http/reverse-proxy/filtered-web-socket.ts';
import { anything } from '../../../src/http/reverse-proxy/message-filter.ts';
import { connectorTo, lazyPool, readRecorderCertificate } from '../../../src/recorder/upstream-pool.ts';
import { createRecorderClient } from '../../../src/recorder/recorder-client.ts';

let directory = '';
let one: Certificate;
let other: Certificate;
let late: Certificate;
beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'postern-recorder-'));
  one = await selfSignedCertificate(join(directory, 'one'), Date.now());
  late = await selfSignedCertificate(join(directory, 'late'), Date.parse('2020-01-01T00:00:00Z'));
  other = await selfSignedCertificate(join(directory, 'other'), Date.now());
});
afterAll(() => rmSync(directory, { recursive: true }));

describe('the file', () => {
  test.each<[what: string, text: () => string, found: RegExp]>([
    ['without a certificate', () => 'nothing', /which has no certificate in it/],
    ['with the key alone', () => one.key, /which has no certificate in it/],
    ['with a broken certificate', () => one.cert.replace(/^M.*$/m, 'M'), /something else for a certificate/],
    [
      'with a good and a broken one',
      () => one.cert + other.cert.replace(/^M.*$/m, 'M'),
      /something else for a certificate/,
    ],
  ])('%s is refused', (_, text, found) => {
    const file = join(directory, 'recorder.pem');
    writeFileSync(file, text());
    expect(() => readRecorderCertificate(file)).toThrow(found);
  });

  test('is refused if it is missing', () => {
    expect(() => readRecorderCertificate('/nowhere.pem')).toThrow(/recorder\.certificate: found .*ENOENT/);
  });

  test('may contain several certificates', () => {
    const file = join(directory, 'recorder.pem');
    writeFileSync(file, one.cert + other.cert);
    expect(readRecorderCertificate(file)).toBe(one.cert + other.cert);
  });
});

test('checks no certificate of a server without TLS', async () => {
  const server = createPlainServer((_, response) => response.end('yes')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const client = createRecorderClient({ origin, certificate: one.cert });
  expect((await client.get('/', {}, new AbortController().signal)).body).toBe('yes');
  client.close();
  server.closeAllConnections();
  server.close();
});

describe('a server with a self-signed certificate', () => {
  // No certificate has this address in it.
  const host = '127.0.0.2';

  test.each<
    [what: string, expected: () => string | undefined, outcome: number | RegExp, shown?: () => Certificate]
  >([
    ['is taken with the certificate that is expected, under any name', () => one.cert, 200],
    ['is taken with one of several', () => other.cert + one.cert, 200],
    ['is taken with its own, after its time', () => late.cert, 200, () => late],
    ['is not taken with another certificate', () => other.cert, /another certificate than expected/],
    ['is not taken when none is expected', () => undefined, /self-signed certificate/],
  ])('%s', async (_, expected, outcome, shown = () => one) => {
    const server = createServer(shown(), (__, response) => response.end('yes')).listen(0, host);
    await once(server, 'listening');
    const origin = `https://${host}:${(server.address() as AddressInfo).port}`;
    const client = createRecorderClient({ origin, certificate: expected() });
    const asked = client.get('/', {}, new AbortController().signal);
    if (typeof outcome === 'number') expect((await asked).status).toBe(outcome);
    else await expect(asked).rejects.toThrow(outcome);
    client.close();
    server.closeAllConnections();
    server.close();
  });

  test('gets nothing of a WebSocket before its certificate was compared', async () => {
    const received: string[] = [];
    const server = createServer(one).listen(0, host);
    server.on('secureConnection', (socket) => socket.on('data', (bytes) => received.push(String(bytes))));
    await once(server, 'listening');
    const origin = `https://${host}:${(server.address() as AddressInfo).port}`;
    const opening = openWebSocket(await connectorTo({ origin, certificate: other.cert }, 5_000), {
      path: '/ws',
      headers: ['X-Proxy-Secret', 'a secret'],
      left: new AbortController().signal,
      accepted: anything,
    });
    await expect(opening).rejects.toThrow(/another certificate than expected/);
    server.closeAllConnections();
    await once(server.close(), 'close');
    expect(received).toEqual([]);
  });
});

describe('connections that the first request opens', () => {
  /** The pool opens when `open` is called. */
  function lazy() {
    const { promise, resolve } = Promise.withResolvers<void>();
    const pool = { close: vi.fn(async () => undefined), destroy: vi.fn(async () => undefined) };
    const opening = vi.fn(async () => {
      await promise;
      return pool as unknown as Pool;
    });
    return { ...lazyPool(opening), pool, opening, open: resolve };
  }

  test('are opened once', async () => {
    const { opened, pool, opening, open } = lazy();
    expect(opening).not.toHaveBeenCalled();
    const first = opened();
    open();
    expect([await first, await opened()]).toEqual([pool, pool]);
    expect(opening).toHaveBeenCalledTimes(1);
  });

  test.each(['close', 'destroy'] as const)('%s opens none, nor does a later request', async (how) => {
    const { opened, opening, open, [how]: end } = lazy();
    open();
    await end();
    await expect(opened()).rejects.toMatchObject({ code: 'upstream_unavailable' });
    expect(opening).not.toHaveBeenCalled();
  });

  test.each(['close', 'destroy'] as const)('%s while they open waits for them', async (how) => {
    const { opened, pool, open, [how]: end } = lazy();
    const asked = opened().then(() => pool[how].mock.calls.length);
    const ended = end();
    open();
    await ended;
    expect([await asked, pool[how].mock.calls.length]).toEqual([0, 1]);
  });

  test('that could not be opened are opened by the next request', async () => {
    const { pool, opening, opened, open } = lazy();
    const cause = new Error('EMFILE');
    opening.mockRejectedValueOnce(cause);
    await expect(opened()).rejects.toMatchObject({ code: 'upstream_unavailable', cause });
    open();
    expect(await opened()).toBe(pool);
  });

  test('end although they did not open', async () => {
    const { opened, destroy } = lazyPool(() => Promise.reject(new Error('no package')));
    await expect(opened()).rejects.toMatchObject({ code: 'upstream_unavailable' });
    await destroy();
  });
});
