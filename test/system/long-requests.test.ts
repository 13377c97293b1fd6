import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { connectTo, sendRaw, type RawRequest } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

/* What is longer than the bounds for a client is answered in JSON, and never reaches a decision. */

const KiB = 1024;
let gateway: RunningGateway;
let nginx: RunningNginx;
beforeAll(async () => {
  gateway = await startGateway({ config: { cameras: ['front_door'] } });
  nginx = await startNginxFor(gateway);
});
afterAll(async () => {
  await nginx?.close();
  await gateway?.close();
});

const target = (bytes: number) => `/api/version?x=${'y'.repeat(bytes - '/api/version?x='.length)}`;
const headers = (bytes: number) =>
  Array.from({ length: 4 }, (_, i) => [`X-Filler-${i}`, 'z'.repeat(bytes / 4)] as const);
const webSocket = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
] as const;
const tooLong = { target: [414, 'target_too_long'], headers: [431, 'headers_too_long'] } as const;

async function answerTo(address: string, request: RawRequest, tls = false) {
  const { status, headers: answered, body } = await sendRaw(address, request, tls);
  return [
    status,
    answered.get('content-type')?.[0],
    status >= 400 && body !== '' ? (JSON.parse(body) as { code: string }).code : body.slice(0, 0),
  ];
}

describe.each(['authenticated', 'internal'] as const)('a client of the %s entry point', (entryPoint) => {
  const isTls = entryPoint === 'authenticated';
  const ask = (request: RawRequest) => answerTo(gateway.addresses[entryPoint] ?? '', request, isTls);

  test.each<[what: string, request: RawRequest]>([
    ['a target of 32 KiB', { uri: target(32 * KiB) }],
    ['headers of 63 KiB', { uri: '/api/version', headers: headers(63 * KiB) }],
    ['both', { uri: target(32 * KiB), headers: headers(30 * KiB) }],
  ])('may send %s', async (_, request) => {
    expect((await ask(request))[0]).toBeOneOf([200, 401, 404]);
  });

  test.each<[what: string, request: RawRequest, answer: readonly [number, string]]>([
    ['a target of more', { uri: target(32 * KiB + 1) }, tooLong.target],
    ['the same for an own path', { uri: `/login?${'y'.repeat(33 * KiB)}` }, tooLong.target],
    ['the same of absolute-form', { uri: `http://gate.local${target(32 * KiB)}` }, tooLong.target],
    ['the same with a body', { method: 'POST', uri: target(33 * KiB), body: '{}' }, tooLong.target],
    ['the same for a WebSocket', { uri: target(33 * KiB), headers: webSocket }, tooLong.target],
    ['headers of 65 KiB', { uri: '/api/version', headers: headers(65 * KiB) }, tooLong.headers],
    ['both, together too long', { uri: target(31 * KiB), headers: headers(34 * KiB) }, tooLong.headers],
    ['a target of 70 KiB', { uri: target(70 * KiB) }, tooLong.headers],
    ['300 KiB', { uri: target(300 * KiB) }, tooLong.headers],
  ])('may not send %s', async (_, request, [status, code]) => {
    expect(await ask(request)).toEqual([status, 'application/json', code]);
  });

  test('gets the answer while it still sends', async () => {
    const socket = connectTo(gateway.addresses[entryPoint] ?? '', isTls).on('error', () => undefined);
    socket.write(`GET / HTTP/1.1\r\nHost: gate.local\r\n`);
    const sending = setInterval(() => socket.write(`X-Filler: ${'z'.repeat(16 * KiB)}\r\n`), 5);
    let text = '';
    for await (const chunk of socket) {
      text += String(chunk);
      if (text.includes('}')) break;
    }
    clearInterval(sending);
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
    expect(text).toContain('"code":"headers_too_long"');
  });
});

describe('behind a front', () => {
  test('the relay takes 96 KiB', async () => {
    const relay = gateway.addresses.relayAuthenticated ?? '';
    expect((await answerTo(relay, { uri: target(33 * KiB), headers: headers(60 * KiB) }))[0]).toBe(401);
    expect(await answerTo(relay, { uri: '/', headers: headers(97 * KiB) })).toEqual([
      431,
      'application/json',
      'headers_too_long',
    ]);
  });

  test.each<[what: string, request: RawRequest, answer: readonly [number, string]]>([
    ['a target of 80 KiB', { uri: target(80 * KiB) }, tooLong.target],
    [
      'a header of 80 KiB',
      { uri: '/api/version', headers: [['X-Filler', 'z'.repeat(80 * KiB)]] },
      tooLong.headers,
    ],
  ])('nginx answers %s in JSON', async (_, request, [status, code]) => {
    expect(await answerTo(nginx.authenticated, request, true)).toEqual([status, 'application/json', code]);
  });
});
