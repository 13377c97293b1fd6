import { once } from 'node:events';
import { createServer as createTlsServer, type ServerOptions } from 'node:https';
import { createServer, type RequestListener, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { selfSignedCertificate } from '../../src/http/tls/certificate.ts';
import { serveOneAtATime } from '../../src/http/connections/one-at-a-time.ts';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { scrape } from '../support/scrape.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { camerasAreRead } from '../support/verified-roles.ts';
import { patience } from '../support/patience.ts';

let upstream: RecordingUpstream;
let gateway: RunningGateway;
beforeEach(async () => {
  upstream = await startRecordingUpstream();
  gateway = await startGateway({
    config: {
      upstream: `http://${upstream.address}`,
      networking: {
        listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0', metrics: '127.0.0.1:0' },
        forward_auth: { authenticated: '127.0.0.1:0' },
      },
    },
  });
  await camerasAreRead(gateway);
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

type Listener = keyof RunningGateway['addresses'];

/** Sends bytes at once, and reads until the other end closes. */
async function exchange(address: string, tls: boolean, sent: string): Promise<string> {
  const socket = connectTo(address, tls);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  const failures: string[] = [];
  socket.on('error', (error: NodeJS.ErrnoException) => failures.push(error.code ?? error.message));
  socket.write(sent);
  await new Promise((resolve) => socket.once('close', resolve));
  expect(failures).toEqual([]);
  return received;
}

const get = (uri: string) => `GET ${uri} HTTP/1.1\r\nHost: gate.local\r\n\r\n`;
const answers = (received: string) => received.match(/^HTTP\/1\.1 \d{3}/gm) ?? [];

test.each<[Listener, boolean, uri: string]>([
  ['authenticated', true, '/login'],
  ['authenticated', true, '/postern/assets/none.css'],
  ['internal', false, '/api/version'],
  ['internal', false, '/api/profile'],
  ['forwardAuthAuthenticated', false, '/auth'],
  ['forwardAuthAuthenticated', false, '/api/authz/forward-auth'],
  ['metrics', false, '/healthz'],
  ['events', false, '/api/events'],
])('%s (TLS: %s): one of many pipelined requests for %s is answered', async (listener, tls, uri) => {
  const received = await exchange(gateway.addresses[listener] ?? '', tls, get(uri).repeat(100));
  expect(answers(received)).toHaveLength(1);
});

test('the answer has `Connection: close` if its header lines were not yet sent', async () => {
  const received = await exchange(gateway.addresses.internal ?? '', false, get('/api/version').repeat(2));
  expect(received).toMatch(/^connection: close\r$/im);
});

test('a guest that pipelines gets one connection to the recorder, and one answer', async () => {
  const connections: Socket[] = [];
  upstream.server.on('connection', (socket: Socket) => connections.push(socket));
  const received = await exchange(gateway.addresses.internal ?? '', false, get('/api/version').repeat(1_100));
  expect(answers(received)).toEqual(['HTTP/1.1 200']);
  expect(connections).toHaveLength(1);
  expect(upstream.takeReached()).toHaveLength(1);
  const samples = await scrape(gateway.addresses.metrics);
  expect(samples.get('postern_limited_total{limit="pipelining"}')).toBe(1);
});

test('an answer that has begun is finished, and then the connection closed', async () => {
  upstream.server.removeAllListeners('request');
  upstream.server.on('request', (_, response) => {
    response.write('begun ');
    setTimeout(() => response.end('ended'), 300);
  });
  const socket = connectTo(gateway.addresses.internal ?? '');
  let received = '';
  socket.on('data', (chunk: Buffer) => {
    if (received === '') socket.write(get('/second').repeat(5_000));
    received += chunk.toString();
  });
  socket.write(get('/first'));
  await once(socket, 'close');
  expect(answers(received)).toHaveLength(1);
  expect(received).toContain('ended');
});

describe('starts no request behind an unfinished answer', () => {
  test.each([
    ['a WebSocket', 'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'],
    ['CONNECT', 'CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['a request without Host', 'GET / HTTP/1.1\r\n\r\n'],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n'],
    ['an unknown expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: much\r\n\r\n'],
    ['a body', 'POST /x HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\n\r\nbody'],
    ['a chunked body', 'POST /x HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nbody\r\n'],
  ])('%s', async (_, second) => {
    const upgrades: unknown[] = [];
    upstream.server.on('upgrade', ({ url }, socket) => {
      upgrades.push(url);
      socket.destroy();
    });
    const received = await exchange(
      gateway.addresses.internal ?? '',
      false,
      get('/api/version') + second.repeat(50),
    );
    expect(answers(received)).toEqual(['HTTP/1.1 200']);
    expect(received.endsWith('recorder')).toBe(true);
    expect(upstream.takeReached()).toHaveLength(1);
    expect(upgrades).toEqual([]);
  });

  test('a body of the current request is no request behind it', async () => {
    const body = get('/smuggled');
    const received = await exchange(
      gateway.addresses.internal ?? '',
      false,
      `POST /x HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    expect(answers(received)).toEqual(['HTTP/1.1 200']);
    expect(upstream.takeReached()).toHaveLength(1);
  });
});

test('bytes that arrive while the answer waits stay unread', async () => {
  const asked = Promise.withResolvers<ServerResponse>();
  upstream.server.removeAllListeners('request');
  upstream.server.on('request', (_, response) => asked.resolve(response));
  const socket = connectTo(gateway.addresses.internal ?? '');
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
  // It cannot send the rest.
  socket.on('error', () => undefined);
  socket.write(get('/x'));
  const response = await asked.promise;
  let isTaken = false;
  socket.write(Buffer.alloc(64 * 1_048_576, get('/y')), () => (isTaken = true));
  await new Promise((resolve) => setTimeout(resolve, 500));
  expect(isTaken).toBe(false);
  response.end('late');
  await new Promise((resolve) => socket.once('close', resolve));
  expect(received).toContain('late');
});

const listen = async (options: ServerOptions | undefined, answer: RequestListener) => {
  const server = options === undefined ? createServer() : createTlsServer(options);
  server.on('request', answer);
  const pipelined: unknown[] = [];
  serveOneAtATime(server, () => pipelined.push(1));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  return { address: `127.0.0.1:${(server.address() as AddressInfo).port}`, pipelined };
};

describe('a client that pipelined and left is noticed, and its requests are released', () => {
  test.each<[protocol: string, how: 'destroy' | 'resetAndDestroy', behind: number]>([
    ['plain', 'destroy', 1],
    ['plain', 'destroy', 2_000],
    ['plain', 'resetAndDestroy', 1],
    ['TLS', 'destroy', 1],
    ['TLS', 'destroy', 2_000],
  ])('%s, by %s, with %d requests behind', async (protocol, how, behind) => {
    const options =
      protocol === 'TLS' ? await selfSignedCertificate(gateway.directory, Date.now()) : undefined;
    let left = 0;
    let asked = 0;
    const { address, pipelined } = await listen(options, (_, response) => {
      asked += 1;
      response.once('close', () => (left += 1));
    });
    const socket = connectTo(address, options !== undefined);
    socket.on('error', () => undefined);
    socket.write(get('/hang').repeat(behind + 1));
    await vi.waitFor(() => expect([asked, pipelined.length]).toEqual([1, 1]), { timeout: patience });
    socket[how]();
    await vi.waitFor(() => expect(left).toBe(1), { timeout: patience });
  });
});

describe('a client that waits for each answer', () => {
  const whole = (response: ServerResponse) => response.end('answer');
  /** As an answer is passed on: the end comes when the last part is out. */
  const inParts = (response: ServerResponse, left = 2) => {
    if (!response.headersSent) response.writeHead(200, { 'content-length': left * 70_000 });
    if (left === 0) response.end();
    else if (response.write(Buffer.alloc(70_000))) inParts(response, left - 1);
    else response.once('drain', () => inParts(response, left - 1));
  };

  // Node learns a moment late that an answer is out over TLS; the client may be quicker.
  test.each([
    ['plain', 'at once', whole],
    ['plain', 'later', (response: ServerResponse) => setImmediate(whole, response)],
    ['plain', 'in parts', inParts],
    ['TLS', 'at once', whole],
    ['TLS', 'later', (response: ServerResponse) => setImmediate(whole, response)],
    ['TLS', 'in parts', inParts],
  ])('keeps its connection: %s, answered %s', async (wire, _, answer) => {
    const certificate = await selfSignedCertificate(gateway.directory, Date.now());
    const options = wire === 'TLS' ? certificate : undefined;
    const { address, pipelined } = await listen(options, (__, response) => answer(response));
    const client = new Worker(new URL('../support/patient-clients.ts', import.meta.url), {
      workerData: { address, tls: wire === 'TLS', clients: 8, requests: 200 },
    });
    expect(await once(client, 'message')).toEqual([1_600]);
    expect(pipelined).toEqual([]);
  });
});

test('a client that leaves before the answer is one line of the log, without a stack', async () => {
  upstream.server.removeAllListeners('request');
  const begun = once(upstream.server, 'request');
  const socket = connectTo(gateway.addresses.internal ?? '');
  socket.write(get('/x'));
  await begun;
  const before = gateway.log.length;
  socket.destroy();
  await vi.waitFor(() => expect(gateway.log.length).toBeGreaterThan(before), 60_000);
  expect(gateway.log.slice(before)).toEqual([
    expect.objectContaining({ level: 'info', code: 'client_left', msg: 'the client left before its answer' }),
  ]);
  expect((await sendRaw(gateway.addresses.internal ?? '', { uri: '/api/profile' })).status).toBe(200);
});
