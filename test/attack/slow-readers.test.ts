import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable, type Duplex, type Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { streamsOf, upgradeHeaders } from '../support/open-stream.ts';
import { readSlowly } from '../support/slow-reader.ts';
import { acceptWebSocket, frameOf, opcodes } from '../support/web-socket.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/** More than the buffers between the recorder and the client hold. */
const endless = 64 * 1_024 * 1_024;

/** Bytes that the recorder has got rid of when the system of the gate holds most of what it takes for one connection. */
const enough = 4 * 1_024 * 1_024;

/** Bytes that the client's own system may hold. */
const most = 1_024 * 1_024;

/** A recorder that sends whatever is taken. */
async function startFastRecorder() {
  let sent = 0;
  const upgraded = new Set<Duplex>();
  const send = (to: Writable, piece: Buffer) => {
    function* pieces() {
      for (; sent < endless; sent += piece.length) yield piece;
    }
    Readable.from(pieces(), { highWaterMark: 1 })
      .pipe(to)
      .on('error', () => undefined);
  };
  const server = createServer((_, response) => {
    sent = 0;
    response.writeHead(200, { 'content-type': 'multipart/x-mixed-replace;boundary=frame' });
    send(response, Buffer.alloc(65_536, 1));
  });
  server.on('upgrade', (request, socket) => {
    sent = 0;
    upgraded.add(socket);
    acceptWebSocket(request, socket);
    send(socket, frameOf(opcodes.binary, Buffer.alloc(65_536, 1)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    sent: () => sent,
    close: async () => {
      server.close();
      server.closeAllConnections();
      for (const socket of upgraded) socket.destroy();
      await once(server, 'close');
    },
  };
}

/** What the system of the gate holds for a client that reads slowly is thrown away when its stream is cut. */
describe.each([
  ['TLS', true],
  ['plain TCP', false],
] as const)('over %s', (_, tls) => {
  let recorder: Awaited<ReturnType<typeof startFastRecorder>>;
  let gateway: RunningGateway;
  let admin: Visitor;
  let own: string;
  beforeAll(async () => {
    recorder = await startFastRecorder();
    gateway = await startGateway({
      config: { tls: { enabled: tls }, cameras: ['driveway'], upstream: `http://${recorder.address}` },
    });
    own = (tls ? gateway.addresses.authenticated : gateway.addresses.forwardAuthAuthenticated) ?? '';
    admin = await adminOf(gateway, own);
  });
  afterAll(async () => {
    await gateway.close();
    await recorder.close();
  });

  test.each([
    ['picture', []],
    ['video', upgradeHeaders],
  ] as const)('a client that stops reading a %s gets no more of it after the cut', async (kind, headers) => {
    const name = `watcher-of-${kind}`;
    const user = await userOf(admin, own, name, 'viewer');
    const reader = await readSlowly(
      { address: gateway.addresses.authenticated ?? '', tls },
      streamsOf('driveway')[kind],
      [['Cookie', `session_token=${user.token}`], ...headers],
    );
    onTestFinished(reader.close);
    reader.pace(0);
    await expect.poll(recorder.sent).toBeGreaterThan(enough);
    const before = reader.read();
    await user.send('POST', '/api/logout');
    const ended = () =>
      gateway.log.filter((line) => line['event'] === 'stream_ended' && line['user'] === name);
    await expect.poll(() => ended().length).toBe(1);
    reader.pace(Number.POSITIVE_INFINITY);
    expect(await reader.ended).toBe('reset');
    expect(reader.read() - before).toBeLessThan(most);
  });
});
