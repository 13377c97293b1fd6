import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityHeaders } from '../../../src/policy/identity-headers.ts';
import { cookieOf, goodPassword, visitor } from '../../support/log-in.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { startProxyGate, startSessionGate, type ProxyGate, type SessionGate } from './gates.ts';
import { recordedFronts, type ClientRequest } from './recordings.ts';
import { recorderHeaders, setByFronts, trustedHeaders } from './spoofed-headers.ts';

let gate: SessionGate;
let proxyGate: ProxyGate;
beforeAll(async () => {
  [gate, proxyGate] = await Promise.all([startSessionGate(), startProxyGate()]);
});
afterAll(async () => {
  await proxyGate.close();
  await gate.close();
});

describe.each(['Traefik', 'Envoy'] as const)('%s', (name) => {
  const { authorizationRequest, origin } = recordedFronts[name];
  const ask = (request: ClientRequest, to = gate.address) => sendRaw(to, authorizationRequest(request));
  let nell: readonly [string, string];

  beforeAll(async () => {
    const session = visitor(gate.address, false);
    await session.logIn('nell', goodPassword);
    nell = ['Cookie', `session_token=${session.token}`];
  });

  test('an allowed request: 200, with the five fields of the identity', async () => {
    const answer = await ask({ uri: '/api/driveway/latest.jpg?h=1', headers: [nell] });
    expect([answer.status, answer.body]).toEqual([200, '']);
    expect(identityHeaders.map((header) => answer.headers.get(header))).toEqual([
      ['nell'],
      ['operator'],
      [''],
      [''],
      [''],
    ]);
  });

  test('no session: 401 in JSON', async () => {
    const answer = await ask({ uri: '/api/review', headers: [['Accept', '*/*']] });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      401,
      { message: 'Authentication required', code: 'unauthenticated' },
    ]);
    expect(answer.headers.get('location')).toEqual([`${origin}/login`]);
    expect(identityHeaders.some((header) => answer.headers.has(header))).toBe(false);
  });

  test('a navigation without a session: to the login, and back after', async () => {
    const answer = await ask({ uri: '/review?day=1&x=%2Fy', headers: [['Sec-Fetch-Mode', 'navigate']] });
    expect([answer.status, answer.headers.get('location')]).toEqual([
      302,
      [`${origin}/login?next=${encodeURIComponent('/review?day=1&x=%2Fy')}`],
    ]);
  });

  test('another camera: 403 without the reason', async () => {
    const answer = await ask({ uri: '/api/garage/latest.jpg', headers: [nell] });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      403,
      { message: 'Access denied', code: 'forbidden' },
    ]);
    expect(answer.headers.has('x-postern-reason')).toBe(false);
  });

  test.each([
    '/api/..%2fconfig',
    '/api/driveway/%2e%2e/garage/latest.jpg',
    '/api/driveway/../garage/latest.jpg',
  ])('%s is refused', async (uri) => {
    expect((await ask({ uri, headers: [nell] })).status).toBe(403);
  });

  test.each(['POST', 'DELETE', 'PUT'])(
    '%s is read from the client, not from the authorization request',
    async (method) => {
      expect((await ask({ method, uri: '/api/driveway/latest.jpg', headers: [nell] })).status).toBe(403);
    },
  );

  test.each(['X-Original-URL', 'X-Original-Method'])('%s beside it is refused', async (header) => {
    expect((await ask({ uri: '/api/version', headers: [nell, [header, '/']] })).status).toBe(403);
  });

  test('the cookie of a refreshed session is in the answer', async () => {
    gate.passTime(800);
    const answer = await ask({ uri: '/api/version', headers: [nell] });
    expect([answer.status, answer.headers.get('set-cookie')?.length]).toEqual([200, 1]);
    nell = ['Cookie', `session_token=${cookieOf(answer)}`];
  });

  test('an upstream proxy signs users on', async () => {
    const from = (uri: string, headers: ClientRequest['headers'] = []) =>
      ask({ uri, headers }, proxyGate.address);
    const allowed = await from('/api/driveway/latest.jpg', proxyGate.nell);
    expect([allowed.status, allowed.headers.get('remote-groups')]).toEqual([200, ['group_operator']]);
    expect((await from('/api/garage/latest.jpg', proxyGate.nell)).status).toBe(403);
    expect((await from('/api/driveway/latest.jpg', proxyGate.nell.slice(1))).status).toBe(401);
  });
});

test('Envoy removes what a client may not send, and not what the gate sends', async () => {
  const { authorizationRequest } = recordedFronts.Envoy;
  const answer = await sendRaw(
    proxyGate.address,
    authorizationRequest({ uri: '/api/version', headers: proxyGate.nell }),
  );
  const removed = answer.headers.get('x-envoy-auth-headers-to-remove')?.[0]?.split(',') ?? [];
  const identity: readonly string[] = identityHeaders;
  const expected = [...trustedHeaders, ...recorderHeaders].filter(
    (header) => !identity.includes(header) && !setByFronts.includes(header),
  );
  // Envoy's own, which no client can set.
  const ofEnvoy = new Set(['x-forwarded-port', 'x-forwarded-server', 'x-real-ip']);
  expect(expected.filter((header) => !removed.includes(header) && !ofEnvoy.has(header))).toEqual([]);
  expect(removed.filter((header) => identity.includes(header))).toEqual([]);
});
