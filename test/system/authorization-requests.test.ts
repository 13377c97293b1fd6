import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { identityHeaders } from '../../src/policy/identity-headers.ts';
import { adapters, type Asked, type Header } from '../support/front-requests.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { sendRaw, type RawAnswer } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

type Adapter = keyof typeof adapters;
const names = Object.keys(adapters) as Adapter[];

let gateway: RunningGateway;
let socket: string;
let admin: Visitor;
let nell: Visitor;

beforeAll(async () => {
  gateway = await startGateway({
    config: { auth: { roles: { street: ['front'] } }, cameras: ['front', 'garage'] },
  });
  socket = gateway.addresses.forwardAuthAuthenticated ?? '';
  admin = await adminOf(gateway);
  nell = await userOf(admin, gateway.addresses.authenticated ?? '', 'nell', 'street');
});
afterAll(() => gateway.close());

const cookie = (who: Visitor): Header => ['Cookie', `session_token=${who.token}`];
const navigation: readonly Header[] = [
  ['Accept', 'text/html'],
  ['Sec-Fetch-Mode', 'navigate'],
];
const ask = (adapter: Adapter, asked: Asked): Promise<RawAnswer> => sendRaw(socket, adapters[adapter](asked));
const lastRefusal = () => gateway.log.findLast(({ msg }) => msg === 'refused');

describe.each(names)('%s', (adapter) => {
  test('allows with the identity, and an empty body', async () => {
    const answer = await ask(adapter, { uri: '/api/front/latest.jpg?h=1', headers: [cookie(nell)] });
    expect(answer).toMatchObject({ status: 200, body: '' });
    const identity = identityHeaders.map((name) => [name, answer.headers.get(name)]);
    expect(Object.fromEntries(identity)).toEqual({
      'remote-user': ['nell'],
      'remote-role': ['street'],
      'remote-groups': [''],
      'remote-email': [''],
      'remote-name': [''],
    });
    expect(answer.headers.get('content-length')).toEqual(['0']);
    expect(answer.headers.get('cache-control')).toEqual(['no-store']);
  });

  test.each<[uri: string, method: string, who: () => Visitor, status: number]>([
    ['/api/front/latest.jpg', 'HEAD', () => nell, 200],
    ['/api/garage/latest.jpg', 'GET', () => nell, 403],
    ['/api/front/latest.jpg', 'DELETE', () => nell, 403],
    ['/api/config', 'POST', () => admin, 200],
    ['/api/config', 'PROPFIND', () => admin, 200],
    ['/api/config', 'OPTIONS', () => nell, 403],
    ['/api/%2e%2e/config', 'GET', () => admin, 403],
    ['/clips%2ffront', 'GET', () => admin, 403],
  ])('%s by %s', async (uri, method, who, status) => {
    expect(await ask(adapter, { uri, method, headers: [cookie(who())] })).toMatchObject({ status });
    expect(gateway.log.findLast(({ decision }) => decision !== undefined)).toMatchObject({ front: adapter });
  });

  test('is answered when the client opens a WebSocket, and no upgrade is made of the authorization request', async () => {
    const upgrade: readonly Header[] = [
      ['Connection', 'Upgrade'],
      ['Upgrade', 'websocket'],
    ];
    expect((await ask(adapter, { uri: '/ws', headers: [cookie(admin), ...upgrade] })).status).toBe(200);
    expect((await ask(adapter, { uri: '/ws', headers: upgrade })).status).toBe(401);
  });

  test('refreshes a session on a visit to /auth', async () => {
    const answer = await ask(adapter, { uri: '/auth', headers: [cookie(nell)] });
    expect(answer.headers.get('set-cookie')?.[0]).toMatch(/^session_token=ey.*; Secure$/);
  });

  test('never sets an identity on a refusal', async () => {
    for (const headers of [[], [cookie(nell)]]) {
      const answer = await ask(adapter, { uri: '/api/garage/latest.jpg', headers });
      expect(answer.status).toBe(headers.length === 0 ? 401 : 403);
      for (const name of identityHeaders) expect(answer.headers.get(name)).toBeUndefined();
    }
  });
});

describe.each<[adapter: Adapter, origin: string]>([
  ['forward-auth', 'https://cameras.example'],
  ['ext-authz', ''],
])('%s, whose refusals reach the client', (adapter, origin) => {
  test.each<[what: string, asked: Asked, next: string]>([
    ['a page', { uri: '/explore?label=car&x=1', headers: navigation }, '%2Fexplore%3Flabel%3Dcar%26x%3D1'],
    ['the root', { uri: '/', headers: navigation }, '%2F'],
    ['what looks like another host', { uri: '//evil.test/', headers: navigation }, '%2F%2Fevil.test%2F'],
  ])('sends a browser that wants %s to the login, and back after', async (_, asked, next) => {
    const answer = await ask(adapter, asked);
    expect(answer).toMatchObject({ status: 302, body: '' });
    expect(answer.headers.get('location')).toEqual([`${origin}/login?next=${next}`]);
  });

  test.each<[what: string, asked: Asked]>([
    ['a script', { uri: '/api/profile', headers: [['Accept', 'application/json']] }],
    ['a form', { uri: '/api/profile', method: 'POST', headers: navigation }],
    [
      'an image',
      {
        uri: '/api/front/latest.jpg',
        headers: [
          ['Sec-Fetch-Mode', 'no-cors'],
          ['Accept', 'text/html'],
        ],
      },
    ],
  ])('answers %s with 401', async (_, asked) => {
    const answer = await ask(adapter, asked);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('location')).toEqual([`${origin}/login`]);
    expect(answer.headers.get('content-length')).not.toEqual(['0']);
  });

  test('reveals no reason to the client', async () => {
    const answer = await ask(adapter, { uri: '/api/garage/latest.jpg', headers: [cookie(nell)] });
    expect([...answer.headers.keys()]).not.toContain('x-postern-reason');
    expect(answer.body).not.toMatch(/garage|camera/);
    expect(lastRefusal()).toMatchObject({ front: adapter, reason: 'camera_not_granted', user: 'nell' });
  });

  test.each<[header: Header, reason: string]>([
    [['X-Original-URL', '/login'], 'front_headers_mixed'],
    [['X-Original-Method', 'GET'], 'front_headers_mixed'],
    [['Remote_User', 'admin'], 'front_header_alias'],
    [['X.Proxy.Secret', 'x'], 'front_header_alias'],
    [['X-Forwarded-Proto', 'http'], 'front_header_repeated'],
  ])('refuses a request with %s, and says which header of which front', async (header, reason) => {
    const answer = await ask(adapter, { uri: '/', headers: [cookie(admin), header] });
    expect(answer.status).toBe(403);
    expect(lastRefusal()).toMatchObject({ front: adapter, reason, header: header[0].toLowerCase() });
  });
});

test('Envoy removes the client’s headers, but not those that the answer sets', async () => {
  const { headers } = await ask('ext-authz', { uri: '/', headers: [cookie(nell)] });
  const removed = headers.get('x-envoy-auth-headers-to-remove')?.[0]?.split(',') ?? [];
  expect(removed).toEqual(
    expect.arrayContaining(['x-forwarded-user', 'x-authentik-username', 'x-proxy-secret', 'x-original-url']),
  );
  for (const name of [...identityHeaders, 'host', 'x-forwarded-for', 'cookie'])
    expect(removed).not.toContain(name);
});

test.each<[path: string, words: readonly Header[], header: string]>([
  ['/', [['X-Original-URL', '/api/config']], 'x-original-url'],
  ['/api/profile', [['X-Original-URL', '/api/config']], 'x-original-url'],
  ['/login', [['X-Original-URL', '/api/config']], 'x-original-url'],
  ['/auth/', [['X-Original-URL', '/api/config']], 'x-original-url'],
  ['/api/verify', [['X-Forwarded-Uri', '/api/config']], 'x-forwarded-uri'],
  ['/api/authz/forward_auth', [['X-Forwarded-Method', 'GET']], 'x-forwarded-method'],
  ['/postern/account', [['X-Forwarded-Uri', '/postern/account']], 'x-forwarded-uri'],
])('a front that asks at %s is refused, and the log says where it asked', async (path, words, header) => {
  const answer = await sendRaw(socket, { uri: path, headers: [cookie(nell), ...words] });
  expect(answer.status).toBe(403);
  expect(lastRefusal()).toMatchObject({ reason: 'front_path_unknown', path, header });
});

test('a request to the gate itself may have its own target, below a prefix too', async () => {
  for (const url of ['/api/profile', '/cameras/api/profile']) {
    const headers = [cookie(nell), ['X-Original-URL', url], ['X-Original-Method', 'GET']] as const;
    expect((await sendRaw(socket, { uri: '/api/profile', headers })).status).toBe(200);
  }
});

test('nginx asks only its own adapter', async () => {
  for (const uri of ['/auth', '/api/authz/auth-request']) {
    const headers = [['X-Original-URL', '/'], ['X-Forwarded-Uri', '/login'], cookie(admin)] as const;
    expect((await sendRaw(socket, { uri, headers })).status).toBe(403);
    expect(lastRefusal()).toMatchObject({
      front: 'auth-request',
      reason: 'front_headers_mixed',
      header: 'x-forwarded-uri',
    });
  }
});

test.each(['/api/authz/forward-auth', '/api/authz/ext-authz/', '/api/authz/auth-request'])(
  'a client that sends %s to the embedded front asks the recorder for it',
  async (uri) => {
    const headers = adapters['forward-auth']({ uri: '/login' }).headers;
    const answer = await sendRaw(gateway.addresses.authenticated ?? '', { uri, headers }, true);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('remote-user')).toBeUndefined();
  },
);
