import type { IncomingMessage } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { everyFront, startFrontedGateway, type FrontedGateway } from '../support/every-front.ts';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { connectTo } from '../support/raw-http.ts';

/*
 * The head of a change, the end of the right to it, and then its body: nothing takes effect that a revoked right permitted.
 */

let running: FrontedGateway;
let admin: Visitor;
let token: string;
/** Targets of requests that have reached the recorder with the last byte of their bodies. */
const complete: string[] = [];
/** Bytes of bodies that have reached it. */
let arrived = 0;

beforeAll(async () => {
  running = await startFrontedGateway({ auth: { failed_login_rate_limit: null } });
  running.upstream.server.prependListener('request', (request: IncomingMessage) => {
    // The gate asks things of its own.
    if (request.method === 'GET') return;
    request.on('data', (chunk: Buffer) => (arrived += chunk.length));
    request.once('end', () => complete.push(request.url ?? ''));
  });
  const { gateway } = running;
  admin = await adminOf(gateway);
  await userOf(admin, gateway.addresses.authenticated ?? '', 'thief', 'admin');
});
afterAll(() => running.close());
beforeEach(async () => {
  const thief = visitor(running.gateway.addresses.authenticated ?? '');
  expect((await thief.logIn('thief', goodPassword)).status).toBe(200);
  token = thief.token ?? '';
  complete.splice(0);
  arrived = 0;
});

const endSessions = () => admin.send('DELETE', '/postern/api/sessions?user=thief');

describe.each(everyFront)('through %s', (name) => {
  let count = 0;

  /** Sends the head and the beginning of a body. */
  function begin(method: string, lines: string, body: string) {
    const { address, tls } = running.front(name);
    const { log } = running.gateway;
    const before = log.length;
    const uri = `/api/config/set?${name.replaceAll(' ', '-')}-${(count += 1)}`;
    const socket = connectTo(address, tls);
    onTestFinished(() => void socket.destroy());
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    socket.on('error', () => socket.destroy());
    socket.write(
      `${method} ${uri} HTTP/1.1\r\nHost: gate.local\r\nCookie: session_token=${token}\r\nConnection: close\r\n` +
        `Content-Type: application/json\r\n${lines}\r\n\r\n${body}`,
    );
    return {
      uri,
      isDecided: () => log.slice(before).some(({ msg, user }) => msg === 'allowed' && user === 'thief'),
      finish: async (rest: string) => {
        if (socket.writable) socket.write(rest);
        // A cut may be a reset, which `once` of node:events would take for a failure.
        if (!socket.closed) await new Promise((resolve) => socket.once('close', resolve));
        return Number(answer.split(' ', 2)[1] ?? 0);
      },
    };
  }

  test('what is not taken away takes effect', async () => {
    const { uri, finish } = begin('PUT', 'Content-Length: 2', '{');
    expect([await finish('}'), complete]).toEqual([200, [uri]]);
  });

  test.each(['PUT', 'POST', 'DELETE', 'PATCH'])(
    '%s takes no effect when the sessions end first',
    async (method) => {
      const { isDecided, finish } = begin(method, 'Content-Length: 2', '{');
      await expect.poll(isDecided).toBe(true);
      expect((await endSessions()).status).toBe(204);
      expect([await finish('}'), complete]).toEqual([401, []]);
    },
  );

  const long = 'x'.repeat(300_000);
  test.each<[what: string, lines: string, first: string, rest: string]>([
    ['a long body', `Content-Length: ${long.length}`, long.slice(0, 200_000), long.slice(200_000)],
    ['a long body, but for a byte', `Content-Length: ${long.length}`, long.slice(1), 'x'],
    ['a body of chunks', 'Transfer-Encoding: chunked', '1\r\n{\r\n', '1\r\n}\r\n0\r\n\r\n'],
    ['a body of chunks, but for its end', 'Transfer-Encoding: chunked', '2\r\n{}\r\n', '0\r\n\r\n'],
  ])('and neither does %s', async (_, lines, first, rest) => {
    // It passes on no body of chunks.
    if (name === 'HAProxy' && lines.startsWith('Transfer')) return;
    const { isDecided, finish } = begin('PUT', lines, first);
    await expect.poll(isDecided).toBe(true);
    await expect.poll(() => arrived).toBeGreaterThan(0);
    expect((await endSessions()).status).toBe(204);
    expect(await finish(rest)).not.toBe(200);
    // Whatever was under way has arrived by now.
    await wait(50);
    expect(complete).toEqual([]);
  });

  test.each<[what: string, lines: string, first: string, rest: string]>([
    ['a long body', `Content-Length: ${long.length}`, long.slice(0, 200_000), long.slice(200_000)],
    ['a long body, but for a byte', `Content-Length: ${long.length}`, long.slice(1), 'x'],
    ['a body of chunks', 'Transfer-Encoding: chunked', '1\r\n{\r\n', '1\r\n}\r\n0\r\n\r\n'],
  ])('%s that no one stops arrives as it was sent', async (_, lines, first, rest) => {
    if (name === 'HAProxy' && lines.startsWith('Transfer')) return;
    const { uri, finish } = begin('PUT', lines, first);
    await expect.poll(() => arrived).toBeGreaterThan(0);
    expect([await finish(rest), complete]).toEqual([200, [uri]]);
    expect(arrived).toBe(lines.startsWith('Transfer') ? 2 : long.length);
  });
});
