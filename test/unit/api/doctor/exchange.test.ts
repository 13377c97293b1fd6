import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import {
  type Place,
  answerOf,
  exchange,
  hasPassed,
  inWords,
  isComplete,
} from '../../../../src/api/doctor/front/exchange.ts';
import { sessionCookieOf, timesOf } from '../../../../src/api/doctor/front/session.ts';

const closing: Array<() => void> = [];
afterEach(() => {
  for (const step of closing.splice(0)) step();
});

/** A server that handles each connection with `does`. */
async function serve(onConnection: (socket: Socket) => void): Promise<Place> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => {});
    onConnection(socket);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  return { host: '127.0.0.1', port: (server.address() as AddressInfo).port, tls: false };
}

const head = (...lines: readonly string[]) =>
  `HTTP/1.1 200 OK\r\n${lines.map((l) => `${l}\r\n`).join('')}\r\n`;

describe('an answer', () => {
  test.each<[what: string, sent: string, complete: boolean, status: number | undefined, body: string]>([
    ['with a length', `${head('Content-Length: 2')}ab`, true, 200, 'ab'],
    ['with a length, half of it', `${head('Content-Length: 4')}ab`, false, 200, 'ab'],
    ['in chunks', `${head('Transfer-Encoding: chunked')}2\r\nab\r\n1\r\nc\r\n0\r\n\r\n`, true, 200, 'abc'],
    ['in chunks, some of them', `${head('Transfer-Encoding: chunked')}2\r\nab\r\n`, false, 200, 'ab'],
    ['until the connection ends', `${head()}ab`, false, 200, 'ab'],
    ['without a body', 'HTTP/1.1 304 Not Modified\r\n\r\n', true, 304, ''],
    ['whose head is cut off', 'HTTP/1.1 200 OK\r\nA: b\r\n', false, undefined, ''],
    ['of another protocol', 'SSH-2.0-OpenSSH_9.2\r\n\r\n', true, undefined, ''],
    ['that is empty', '', false, undefined, ''],
  ])('%s', (_, sent, complete, status, body) => {
    const bytes = Buffer.from(sent);
    const answer = answerOf(bytes);
    expect([answer?.status, answer?.body ?? '']).toEqual([status, body]);
    if (status !== undefined) expect(isComplete(bytes)).toBe(complete);
  });

  test('keeps repeated headers, by lower-case names', () => {
    const answer = answerOf(Buffer.from(head('Set-Cookie: a=1', 'SET-COOKIE: b=2', 'Content-Length: 0')));
    expect(answer?.headers.get('set-cookie')).toEqual(['a=1', 'b=2']);
  });

  test.each<[status: number, decision: boolean, passed: boolean]>([
    [200, false, true],
    [204, true, true],
    [303, true, false],
    [401, true, false],
    [403, true, false],
    [404, false, false],
    [404, true, true],
    [502, true, true],
    [502, false, false],
    [0, false, false],
  ])('%i, of the gate: %s, has passed: %s', (status, decision, passed) => {
    const headers = new Map(decision ? [['x-postern-decision', ['id-1']]] : []);
    expect(hasPassed({ status, headers, body: '' })).toBe(passed);
  });
});

describe('an exchange', () => {
  test('sends the target and the headers byte for byte', async () => {
    let received = '';
    const place = await serve((socket) =>
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString('latin1');
        if (received.endsWith('\r\n\r\n')) socket.end(`${head('Content-Length: 2')}ok`);
      }),
    );
    const target = String.raw`/a/../b%2e\c//d;x`;
    const headers = [
      ['Remote_User', 'a'],
      ['remote-USER', 'b'],
    ] as const;
    const answer = await exchange(place, { target, headers }, 2_000);
    expect(answer).toMatchObject({ status: 200, body: 'ok' });
    expect(received).toBe(
      `GET ${target} HTTP/1.1\r\nHost: 127.0.0.1:${place.port}\r\nConnection: close\r\nRemote_User: a\r\nremote-USER: b\r\n\r\n`,
    );
  });

  test.each<[what: string, does: (socket: Socket) => void, words: string]>([
    ['a server that does not answer', () => {}, 'no answer (ETIMEDOUT)'],
    ['a server that hangs up', (socket) => socket.end(), 'no answer (the connection was closed)'],
    [
      'a server of something else',
      (socket) => socket.end('220 mail\r\n\r\n'),
      'no answer (the connection was closed)',
    ],
    ['a body that never ends', (socket) => socket.write(`${head('Content-Length: 9')}ab`), '200'],
  ])('%s', async (_, does, words) => {
    const place = await serve(does);
    expect(inWords(await exchange(place, { target: '/' }, 200))).toBe(words);
  });

  test('no server', async () => {
    const answer = await exchange({ host: '127.0.0.1', port: 1, tls: false }, { target: '/' }, 1_000);
    expect(inWords(answer)).toBe('no answer (ECONNREFUSED)');
  });

  test('a server without TLS, asked with it', async () => {
    const place = await serve((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'));
    const answer = await exchange({ ...place, tls: true }, { target: '/' }, 1_000);
    expect(answer.status).toBe(0);
  });
});

describe('the session', () => {
  const answerWith = (...cookies: readonly string[]) => ({
    status: 200,
    headers: new Map([['set-cookie', cookies]]),
    body: '',
  });

  test.each<[cookies: readonly string[], name: string | undefined]>([
    [['session_token=a.b-_.c; Path=/'], 'session_token'],
    [['other=1; Path=/', 'frigate_token=a.b.c'], 'frigate_token'],
    [['session_token=; Max-Age=0'], undefined],
    [['session_token=a.b; Path=/'], undefined],
    [[], undefined],
  ])('is in the cookie whose value looks like a token: %j', (cookies, name) => {
    expect(sessionCookieOf(answerWith(...cookies))?.name).toBe(name);
  });

  test.each<[claims: string, times: unknown]>([
    ['{"iat":1,"exp":5}', { issued: 1_000, expires: 5_000 }],
    ['{"iat":1}', undefined],
    ['null', undefined],
    ['nonsense', undefined],
  ])('has its times: %s', (claims, times) => {
    expect(timesOf(`x.${Buffer.from(claims).toString('base64url')}.y`)).toEqual(times);
  });
});
