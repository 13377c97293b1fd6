import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { adminOf, userOf } from '../support/log-in.ts';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { scrape } from '../support/scrape.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { acceptWebSocket } from '../support/web-socket.ts';

// No address gets so many connections that others get none, neither to the gate nor to the recorder.

let upstream: RecordingUpstream;
let gateway: RunningGateway;
/** Answers that do not end by themselves. */
let streams: ServerResponse[];
let connections: Set<Socket>;
beforeEach(async () => {
  upstream = await startRecordingUpstream();
  streams = [];
  connections = new Set();
  upstream.server.removeAllListeners('request');
  upstream.server.on('request', (request, response) => {
    if (request.url !== '/stream') return response.end('recorder');
    response.write('frame');
    return streams.push(response);
  });
  upstream.server.on('upgrade', acceptWebSocket);
  upstream.server.on('connection', (socket: Socket) => {
    connections.add(socket);
    socket.on('error', () => undefined);
    socket.once('close', () => connections.delete(socket));
  });
});
afterEach(async () => {
  await gateway.close();
  for (const socket of connections) socket.destroy();
  await upstream.close();
});

async function start(limits: object, config: object = {}): Promise<void> {
  gateway = await startGateway({ config: { upstream: `http://${upstream.address}`, limits, ...config } });
}

const internal = () => gateway.addresses.internal ?? '';
const attacker = '127.0.0.2';

function connect(from: string, address = internal(), tls = false): Socket {
  const socket = connectTo(address, tls, from);
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

const get = (uri: string) => `GET ${uri} HTTP/1.1\r\nHost: x\r\n\r\n`;
const handshake =
  'GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
/** What arrives first; a 503 comes too, and a cut connection brings nothing. */
const answerTo = (socket: Socket) =>
  Promise.race([once(socket, 'data').then(String), once(socket, 'close').then(() => 'closed')]);
const warnings = () => gateway.log.filter(({ level }) => level === 'warn').map(({ msg }) => String(msg));

test('an address has at most limits.connections_per_client, on both listeners together', async () => {
  await start({ connections_per_client: 8 });
  const plain = Array.from({ length: 6 }, () => connect(attacker));
  await Promise.all(plain.map((socket) => once(socket, 'connect')));
  const secure = Array.from({ length: 6 }, () => connect(attacker, gateway.addresses.authenticated, true));
  const open = () => [...plain, ...secure].filter((socket) => !socket.destroyed).length;
  await vi.waitFor(() => expect(open()).toBe(8), 60_000);
  expect((await sendRaw(internal(), { uri: '/x' })).status).toBe(200);
  expect(warnings()).toEqual(
    expect.arrayContaining([
      expect.stringContaining('auth.trusted_proxies'),
      expect.stringContaining('closed connections'),
    ]),
  );
  // A client that leaves makes room.
  plain[0]?.destroy();
  await vi.waitFor(async () => {
    const next = connect(attacker);
    next.write(get('/x'));
    expect(await answerTo(next)).toMatch(/^HTTP\/1\.1 200 /);
  });
});

test('the warnings are one line each, however many connections come', async () => {
  await start({ connections_per_client: 4 });
  for (let i = 0; i < 50; i += 1) await once(connect(attacker), 'connect');
  await vi.waitFor(
    () => expect(warnings().filter((line) => line.includes('limits.'))).toHaveLength(2),
    60_000,
  );
});

test('a trusted proxy has no such limit', async () => {
  await start({ connections_per_client: 4 }, { auth: { trusted_proxies: [attacker] } });
  const sockets = Array.from({ length: 12 }, () => connect(attacker));
  for (const socket of sockets) socket.write(get('/x'));
  for (const answer of await Promise.all(sockets.map(answerTo))) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test('a changed limit applies to new connections', async () => {
  await start({ connections_per_client: 4 });
  const file = join(gateway.directory, 'config.yml');
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace('connections_per_client: 4', 'connections_per_client: 12'),
  );
  await gateway.reloading.reload('a file changed');
  const sockets = Array.from({ length: 12 }, () => connect(attacker));
  for (const socket of sockets) socket.write(get('/x'));
  for (const answer of await Promise.all(sockets.map(answerTo))) expect(answer).toMatch(/^HTTP\/1\.1 200 /);
});

test.each([
  ['streams', get('/stream')],
  ['WebSockets', handshake],
])('an address with many %s leaves connections to the recorder to others', async (_, request) => {
  await start({ upstream_connections: 8 });
  const sockets = Array.from({ length: 50 }, () => connect(attacker));
  for (const socket of sockets) socket.write(request);
  await vi.waitFor(() => expect(connections.size).toBe(4), 60_000);
  for (let i = 0; i < 5; i += 1) expect((await sendRaw(internal(), { uri: '/x' })).body).toBe('recorder');
  expect(connections.size).toBeLessThanOrEqual(8);
  const busy = sockets.map((socket) => once(socket, 'data'));
  expect(String(await Promise.race(busy.slice(20)))).toContain('503');
  expect(warnings()).toContainEqual(expect.stringContaining('limits.upstream_connections'));
  const samples = await scrape(internal());
  expect(samples.get('postern_limited_total{limit="upstream_connections"}')).toBeGreaterThan(0);
});

test('when one ends the next begins, and waiting requests are answered', async () => {
  await start({ upstream_connections: 2 });
  const first = connect(attacker);
  first.write(get('/stream'));
  await vi.waitFor(() => expect(streams).toHaveLength(1), 60_000);
  const answer = sendRaw(internal(), { uri: '/x' });
  expect((await answer).status).toBe(200);
  const waiting = connect(attacker);
  waiting.write(get('/x'));
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(waiting.bytesRead).toBe(0);
  streams[0]?.end();
  expect(String(await once(waiting, 'data'))).toContain('200');
});

test('a client that loses the right while it waits for a connection reaches nothing', async () => {
  await start({ upstream_connections: 2 });
  const { authenticated = '' } = gateway.addresses;
  const admin = await adminOf(gateway);
  const user = await userOf(admin, authenticated, 'olaf', 'viewer');
  connect(attacker).write(get('/stream'));
  await vi.waitFor(() => expect(streams).toHaveLength(1), 60_000);
  const waiting = connect(attacker, authenticated, true);
  waiting.write(get('/stream').replace('Host', `Cookie: session_token=${user.token}\r\nHost`));
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect((await admin.send('DELETE', '/postern/api/sessions?user=olaf')).status).toBe(204);
  streams[0]?.end();
  expect(String(await once(waiting, 'data'))).toMatch(/^HTTP\/1\.1 401 /);
  expect(streams).toHaveLength(1);
});

test('behind a trusted proxy the clients share, not the proxy', async () => {
  await start({ upstream_connections: 8 }, { auth: { trusted_proxies: ['127.0.0.1'] } });
  const from = (address: string) => get('/stream').replace('Host', `X-Forwarded-For: ${address}\r\nHost`);
  for (let i = 0; i < 8; i += 1) connect('127.0.0.1').write(from('2001:db8::1'));
  await vi.waitFor(() => expect(streams).toHaveLength(4), 60_000);
  // The same /64.
  connect('127.0.0.1').write(from('2001:db8::2'));
  connect('127.0.0.1').write(from('192.0.2.1'));
  await vi.waitFor(() => expect(streams).toHaveLength(5), 60_000);
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(streams).toHaveLength(5);
});
