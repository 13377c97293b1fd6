import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { acceptWebSocket, frameOf, opcodes } from '../support/web-socket.ts';
import { patience, slowness } from '../support/patience.ts';

// A client that stops in the middle of header lines, a body, an answer or a handshake does not hold what others need.

let upstream: RecordingUpstream;
let gateway: RunningGateway;
beforeEach(async () => {
  upstream = await startRecordingUpstream();
});
afterEach(async () => {
  await gateway.close();
  await upstream.close();
});

async function start(limits: object, config: object = {}): Promise<void> {
  gateway = await startGateway({ config: { upstream: `http://${upstream.address}`, limits, ...config } });
}

function connect(address: string, tls = false, from = '127.0.0.1'): Socket {
  const socket = connectTo(address, tls, from);
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return socket;
}

function answerWith(answer: Parameters<RecordingUpstream['server']['on']>[1]): void {
  upstream.server.removeAllListeners('request');
  upstream.server.on('request', answer);
}

/** A recorder that answers when it has the whole body. */
function answerToBody(): void {
  answerWith((request, response) => {
    request.resume();
    request.on('end', () => response.end('taken'));
  });
}

const internal = () => gateway.addresses.internal ?? '';

/** @returns what was received until the other end closed */
async function readAll(socket: Socket): Promise<string> {
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  await closed(socket);
  return received;
}

/** However it ended. */
async function closed(socket: Socket): Promise<void> {
  socket.on('error', () => undefined);
  if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
}

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
/** Seconds of a time limit that a client on this machine keeps by doing something each fifth of it. */
const limit = Math.ceil(2 * slowness);
const head = (line: string, ...lines: string[]) =>
  [`${line} HTTP/1.1`, 'Host: x', ...lines, '', ''].join('\r\n');

describe('limits.header_timeout', () => {
  test.each(['', 'GET / HTTP/1.1\r\nHost: x\r\nX-Half'])(
    'cuts what begins with %j and stops',
    async (begin) => {
      await start({ header_timeout: 1 });
      const began = performance.now();
      const socket = connect(internal());
      socket.write(begin);
      await readAll(socket);
      // Node's own limit is a minute.
      expect(performance.now() - began).toBeLessThan(30_000 * slowness);
    },
  );
});

describe('limits.body_timeout', () => {
  test.each<[string, listener: 'internal' | 'forwardAuthAuthenticated' | 'authenticated', string]>([
    ['passed on', 'internal', head('POST /upload', 'Content-Length: 100')],
    ['passed on, chunked', 'internal', `${head('POST /upload', 'Transfer-Encoding: chunked')}4\r\n`],
    [
      'read by the gate',
      'authenticated',
      head('POST /api/login', 'Content-Type: application/json', 'Content-Length: 9'),
    ],
    [
      'read by the gate, behind a front',
      'forwardAuthAuthenticated',
      head('POST /api/login', 'Content-Length: 9'),
    ],
  ])('cuts a body that stops: %s', async (_, listener, sent) => {
    await start({ body_timeout: 1 });
    answerToBody();
    const socket = connect(gateway.addresses[listener] ?? '', listener === 'authenticated');
    socket.write(`${sent}ha`);
    const received = await readAll(socket);
    expect(received === '' || /^HTTP\/1\.1 4(?:08|15) /.test(received)).toBe(true);
  });

  test('the client gets an answer if none has begun', async () => {
    await start({ body_timeout: 1 });
    answerToBody();
    const socket = connect(internal());
    socket.write(`${head('POST /upload', 'Content-Length: 100')}half`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('cuts a body of a request that was refused already', async () => {
    await start({ body_timeout: 1 });
    const socket = connect(gateway.addresses.authenticated ?? '', true);
    socket.write(`${head('POST /upload', 'Content-Length: 100')}half`);
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 401 /);
  });

  test('cuts a body that comes byte by byte', async () => {
    await start({ body_timeout: 2 });
    answerToBody();
    const socket = connect(internal());
    socket.write(head('POST /upload', 'Content-Length: 10000'));
    const trickle = setInterval(() => socket.write('x'), 100);
    onTestFinished(() => clearInterval(trickle));
    await readAll(socket);
  });

  test('keeps a body that takes long', async () => {
    await start({ body_timeout: limit });
    answerToBody();
    const socket = connect(internal());
    socket.write(head('POST /upload', 'Connection: close', 'Content-Length: 5000'));
    for (let i = 0; i < 10; i += 1) {
      await pause(200 * limit);
      socket.write('x'.repeat(500));
    }
    expect(await readAll(socket)).toContain('taken');
  });

  test('blames no client for a body that the recorder does not read', async () => {
    await start({ body_timeout: 1 });
    let take = () => {};
    answerWith((request, response) => {
      take = () => request.resume();
      request.on('end', () => response.end('taken'));
    });
    const body = Buffer.alloc(30_000_000);
    const socket = connect(internal());
    socket.write(head('POST /upload', 'Connection: close', `Content-Length: ${body.length}`));
    socket.write(body);
    await pause(4_000);
    take();
    expect(await readAll(socket)).toContain('taken');
  });
});

describe('limits.write_timeout', () => {
  const frame = Buffer.alloc(65_536);
  const stream = () =>
    answerWith((_, response) => {
      const send = () => {
        while (!response.destroyed && response.write(frame));
      };
      response.on('drain', send);
      send();
    });

  test.each<[string, 'internal' | 'authenticated']>([
    ['plain', 'internal'],
    ['TLS', 'authenticated'],
  ])(
    'cuts who does not read the answer, and frees the connection to the recorder: %s',
    async (_, listener) => {
      await start({ write_timeout: 1 }, { auth: { enabled: false }, proxy: { default_role: 'viewer' } });
      stream();
      const left = once(upstream.server, 'request').then(([request]) => closed(request.socket));
      const socket = connect(gateway.addresses[listener] ?? '', listener === 'authenticated');
      socket.write(head('GET /stream'));
      socket.pause();
      await left;
    },
  );

  test('keeps a slow reader', async () => {
    await start({ write_timeout: limit });
    stream();
    const socket = connect(internal());
    socket.write(head('GET /stream'));
    let received = 0;
    socket.on('readable', () => undefined);
    for (let i = 0; i < 10; i += 1) {
      await pause(200 * limit);
      received += (socket.read(socket.readableLength) as Buffer | null)?.length ?? 0;
    }
    expect(socket.destroyed).toBe(false);
    expect(received).toBeGreaterThan(0);
  });

  test('leaves an answer alone that is idle for a while', async () => {
    await start({ write_timeout: 1, body_timeout: 1 });
    let finish = () => {};
    answerWith((_, response) => {
      response.write('first ');
      finish = () => response.end('last');
    });
    const socket = connect(internal());
    socket.write(head('GET /stream', 'Connection: close'));
    await pause(3_500);
    finish();
    expect(await readAll(socket)).toContain('last');
  });
});

describe('a WebSocket', () => {
  // Its bytes are passed on unread; those of /ws are read as messages.
  const unread = '/live/jsmpeg/garage';
  const handshakeOf = (target: string) =>
    head(
      `GET ${target}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    );
  const handshake = handshakeOf(unread);

  describe.each(['/ws', unread])('%s', (target) => {
    test.each<[string, (socket: Socket) => void]>([
      ['ends', (socket) => socket.end()],
      ['is reset', (socket) => socket.resetAndDestroy()],
      ['ends behind a frame that came early', (socket) => socket.end('early')],
      ['sends without end', (socket) => socket.write(Buffer.alloc(1_000_000))],
    ])('whose client leaves before it is accepted ends at the recorder too: it %s', async (_, leave) => {
      await start({});
      const opened = once(upstream.server, 'upgrade') as Promise<[unknown, Socket]>;
      const socket = connect(internal());
      socket.write(handshakeOf(target));
      const [, atRecorder] = await opened;
      atRecorder.once('end', () => atRecorder.end()).resume();
      leave(socket);
      await closed(atRecorder);
    });

    test('whose client does not read is cut', async () => {
      await start({ write_timeout: 1 });
      upstream.server.on('upgrade', (request, atRecorder: Socket) => {
        acceptWebSocket(request, atRecorder);
        const message = frameOf(opcodes.text, Buffer.alloc(65_536, 'x'));
        const send = () => {
          while (!atRecorder.destroyed && atRecorder.write(message));
        };
        atRecorder.on('drain', send).on('error', () => undefined);
        send();
      });
      const opened = once(upstream.server, 'upgrade') as Promise<[unknown, Socket]>;
      const socket = connect(internal());
      socket.write(handshakeOf(target));
      socket.pause();
      const [, atRecorder] = await opened;
      await closed(atRecorder);
    });
  });

  test('keeps what the client sent before it was accepted', async () => {
    const warnings: Error[] = [];
    process.on('warning', (warning) => warnings.push(warning));
    await start({});
    const opened = once(upstream.server, 'upgrade');
    const socket = connect(internal());
    socket.write(`${handshake}early `);
    const [request, atRecorder] = (await opened) as [Parameters<typeof acceptWebSocket>[0], Socket];
    socket.write('and late');
    await pause(200);
    let received = '';
    atRecorder.on('data', (chunk: Buffer) => (received += chunk.toString()));
    acceptWebSocket(request, atRecorder);
    await vi.waitFor(() => expect(received).toBe('early and late'), patience);
    expect(warnings).toEqual([]);
    atRecorder.destroy();
  });

  test('with a body is rejected', async () => {
    await start({});
    let isUpgraded = false;
    upstream.server.on('upgrade', (_, atRecorder) => {
      isUpgraded = true;
      atRecorder.destroy();
    });
    const answer = await sendRaw(internal(), {
      uri: '/ws',
      headers: [
        ['Connection', 'Upgrade, close'],
        ['Upgrade', 'websocket'],
      ],
      body: 'body',
    });
    expect([answer.status, isUpgraded]).toEqual([200, false]);
  });
});
