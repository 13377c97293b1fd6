import { once } from 'node:events';
import { readFileSync, statSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { acceptWebSocket, frameOf, maskedFrameOf, opcodes, readFrames } from '../support/web-socket.ts';

let upstream: RecordingUpstream;
let gateway: RunningGateway;

beforeEach(async () => {
  upstream = await startRecordingUpstream();
  gateway = await startGateway({ config: { upstream: `http://${upstream.address}` } });
});
afterEach(async () => {
  await gateway.close();
  await upstream.close().catch(() => undefined);
});

function answerWith(answer: (request: IncomingMessage, response: ServerResponse) => void): void {
  upstream.server.removeAllListeners('request');
  upstream.server.on('request', answer);
}

const internal = () => gateway.addresses.internal ?? '';

describe('streams', () => {
  test('the answer, while it is made', async () => {
    let finish = () => {};
    answerWith((_, response) => {
      response.write('first');
      finish = () => response.end('last');
    });
    const socket = connectTo(internal());
    socket.write('GET /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (received.includes('first')) finish();
    });
    await once(socket, 'close');
    expect(received).toContain('last');
  });

  test.each(['internal', 'relayInternal'] as const)(
    'the header lines, before there is a body, by %s',
    async (listener) => {
      let finish = () => {};
      answerWith((_, response) => {
        response.writeHead(200, { 'x-head': 'alone' }).flushHeaders();
        finish = () => response.end('body');
      });
      const socket = connectTo(gateway.addresses[listener] ?? '');
      socket.write('GET /stream HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
      let received = '';
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString();
        if (received.includes('\r\n\r\n')) finish();
      });
      await once(socket, 'close');
      expect(received).toMatch(/x-head: alone[^]*body/);
    },
  );

  test('the request body, while it is sent', async () => {
    const chunks: string[] = [];
    const socket = connectTo(internal());
    answerWith((request, response) => {
      request.on('data', (chunk: Buffer) => {
        chunks.push(chunk.toString());
        if (chunks.length === 1) socket.write('3\r\ntwo\r\n0\r\n\r\n');
      });
      request.on('end', () => response.end('done'));
    });
    socket.write(
      'POST /upload HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\none\r\n',
    );
    socket.resume();
    await once(socket, 'close');
    expect(chunks).toEqual(['one', 'two']);
  });

  test('a client that leaves ends the request upstream', async () => {
    const left = new Promise((resolve) => {
      answerWith((_, response) => {
        response.write('live');
        response.once('close', resolve);
      });
    });
    const socket = connectTo(internal());
    socket.write('GET /live HTTP/1.1\r\nHost: x\r\n\r\n');
    socket.once('data', () => socket.destroy());
    await left;
  });

  test('an upstream that breaks off cuts the client off', async () => {
    answerWith((_, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('half', () => response.destroy());
    });
    const answer = await sendRaw(internal(), { uri: '/clip' });
    expect(answer.body).toBe('half');
  });
});

describe('headers', () => {
  test('of the answer arrive as they are, those of the hop do not', async () => {
    answerWith((_, response) => {
      response.writeHead(
        206,
        [
          ['Set-Cookie', 'a=1'],
          ['Set-Cookie', 'b=2'],
          ['Content-Range', 'bytes 0-1/4'],
          ['Connection', 'keep-alive, x-hop'],
          ['X-Hop', '1'],
          ['Content-Length', '2'],
        ].flat(),
      );
      response.end('ab');
    });
    const answer = await sendRaw(internal(), { uri: '/clip', headers: [['Range', 'bytes=0-1']] });
    expect(answer.status).toBe(206);
    expect(answer.headers.get('set-cookie')).toEqual(['a=1', 'b=2']);
    expect(answer.headers.get('content-range')).toEqual(['bytes 0-1/4']);
    expect(answer.headers.has('x-hop')).toBe(false);
  });

  test('of the request: the client’s address is the peer, not what the client sends', async () => {
    await sendRaw(internal(), {
      uri: '/x',
      headers: [
        ['X-Forwarded-For', '203.0.113.9'],
        ['Accept', 'a/b'],
      ],
    });
    const [reached] = upstream.takeReached();
    const headers = Object.fromEntries(
      Array.from(
        { length: (reached?.rawHeaders.length ?? 0) / 2 },
        (_, i) => reached?.rawHeaders.slice(i * 2, i * 2 + 2) as [string, string],
      ),
    );
    expect(headers).toMatchObject({
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      Accept: 'a/b',
    });
  });

  test('HEAD has no body', async () => {
    const answer = await sendRaw(internal(), { method: 'HEAD', uri: '/x' });
    expect([answer.status, answer.body]).toEqual([200, '']);
  });
});

describe('below a base path', () => {
  test.each<
    [uri: string, headers: ReadonlyArray<readonly [string, string]>, status: number, passedOn?: string]
  >([
    ['/cameras/api/x?a=b', [], 200, '/api/x?a=b'],
    ['/cameras?a=b', [], 308],
    // A target that two servers read differently.
    ['/%63ameras/api/x', [], 403],
  ])('%s: %j %i %s', async (uri, headers, status, passedOn) => {
    const recorder = await startRecordingUpstream();
    const prefixed = await startGateway({
      config: { upstream: `http://${recorder.address}`, base_path: '/cameras' },
    });
    try {
      const answer = await sendRaw(prefixed.addresses.internal ?? '', { uri, headers });
      expect(answer.status).toBe(status);
      const reached = recorder.takeReached();
      expect(reached.map(({ uri: target }) => target)).toEqual(passedOn === undefined ? [] : [passedOn]);
      if (status === 308)
        expect(answer.headers.get('location')).toEqual([uri.replace('/cameras', '/cameras/')]);
      const said = reached[0] && headerValues(reached[0].rawHeaders, 'x-forwarded-prefix');
      expect(said).toEqual(reached.length === 0 ? undefined : ['/cameras']);
    } finally {
      await prefixed.close();
      await recorder.close();
    }
  });
});

describe('WebSocket', () => {
  const handshake = (uri: string) =>
    `GET ${uri} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nRemote-User: mallory\r\n\r\n`;

  test('is passed on, both ways, with the identity of the gate', async () => {
    let user: unknown;
    const echo = '"echo me"';
    upstream.server.on('upgrade', (request, socket) => {
      user = request.headers['remote-user'];
      acceptWebSocket(request, socket);
      socket.on('end', () => socket.end());
      readFrames(socket, ({ opcode, payload }) => socket.write(frameOf(opcode, payload)));
    });
    const socket = connectTo(internal());
    socket.write(handshake('/ws'));
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString('latin1');
      if (received.endsWith('\r\n\r\n')) socket.write(maskedFrameOf(opcodes.text, echo));
      if (received.includes(echo)) socket.end();
    });
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 101 /);
    expect(received).toContain('s3pPLMBiTxaQ9kYGzzhZRbK+xOo=');
    expect(received.endsWith(echo)).toBe(true);
    expect(user).toBe('anonymous');
  });

  test('another protocol that a client offers is not taken, and the request is answered', async () => {
    const answer = await sendRaw(internal(), {
      uri: '/x',
      headers: [
        ['Connection', 'Upgrade, close'],
        ['Upgrade', 'h2c'],
      ],
    });
    expect([answer.status, answer.body]).toEqual([200, 'recorder']);
  });

  test('is refused without an identity, before anything reaches the upstream', async () => {
    const reached: unknown[] = [];
    upstream.server.on('upgrade', (request, socket) => {
      reached.push(request);
      socket.destroy();
    });
    const socket = connectTo(gateway.addresses.authenticated ?? '', true);
    socket.write(handshake('/ws'));
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 401 /);
    expect(reached).toEqual([]);
  });

  test('is 502 when the upstream does not take it', async () => {
    await upstream.close();
    const socket = connectTo(internal());
    socket.write(handshake('/ws'));
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 502 /);
  });
});

describe('failure', () => {
  test.each(['CONNECT x:1', 'GET /ws'])('a client that breaks off after %s harms no other', async (start) => {
    for (let i = 0; i < 10; i += 1) {
      const socket = connectTo(internal());
      await once(socket, 'connect');
      socket.write(`${start} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\njunk`);
      await new Promise((resolve) => setTimeout(resolve, 5));
      socket.resetAndDestroy();
    }
    expect((await sendRaw(internal(), { uri: '/api/profile' })).status).toBe(200);
  });

  test('a refused upgrade does not hold its connection open', async () => {
    const socket = connectTo(gateway.addresses.authenticated ?? '', true);
    socket.write('GET /ws HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n');
    socket.resume();
    await once(socket, 'close');
  });

  test('upstream down: 502 with a message, and the gate lives on', async () => {
    await upstream.close();
    const answer = await sendRaw(internal(), { uri: '/api/events' });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      502,
      { message: "The recorder doesn't answer", code: 'upstream_unavailable' },
    ]);
    expect((await sendRaw(internal(), { uri: '/api/profile' })).status).toBe(200);
  });

  test.each<[what: string, fail: () => Promise<void>, accept?: string, expected?: RegExp]>([
    ['is down', () => upstream.close()],
    ['hangs up', async () => answerWith((request) => request.once('data', () => request.socket.destroy()))],
    [
      'hangs up on a browser',
      async () => answerWith((request) => request.once('data', () => request.socket.destroy())),
      'Accept: text/html\r\n',
      /^HTTP\/1\.1 502 .*<title>The recorder doesn’t answer.*<p>Everyone who reaches this internal entry point/s,
    ],
  ])(
    'an upload to an upstream that %s: 502, and the gate lives on',
    async (_, fail, accept = '', expected = /^HTTP\/1\.1 502 .*"upstream_unavailable"/s) => {
      await fail();
      const socket = connectTo(internal());
      let received = '';
      socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
      socket.write(
        `POST /api/export HTTP/1.1\r\nHost: localhost\r\n${accept}Content-Length: 100000\r\n\r\nfirst`,
      );
      await expect.poll(() => received).toMatch(expected);
      socket.destroy();
      expect((await sendRaw(internal(), { uri: '/api/profile' })).status).toBe(200);
    },
  );

  test('auth.enabled without accounts: everything is refused, with a pointer to the login', async () => {
    const answer = await sendRaw(gateway.addresses.authenticated ?? '', { uri: '/api/events' }, true);
    expect([answer.status, answer.headers.get('location')]).toEqual([401, ['/login']]);
    expect(upstream.takeReached()).toEqual([]);
  });
});

test('the self-signed certificate is made once and its key is private', async () => {
  const key = join(gateway.directory, 'tls', 'self-signed.key');
  expect(statSync(key).mode & 0o777).toBe(0o600);
  expect(readFileSync(key, 'utf8')).toContain('PRIVATE KEY');
});
