import { createFrontListener } from '../../../src/http/fronts/front-listener.ts';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { RequestFacts } from '../../../src/api/environment.ts';
import { createApi } from '../../../src/api/api.ts';
import { apiListener } from '../../../src/api/listener.ts';
import { capabilities } from '../../../src/policy/capability.ts';
import { sendRaw, type RawAnswer, type RawRequest } from '../../support/raw-http.ts';
import { apiDependencies, authorizationOf, mountEvery, settings, type Changes } from './api-dependencies.ts';

type Facts = Pick<RequestFacts, 'entryPoint' | 'listener' | 'tls'>;
type Header = readonly [name: string, value: string];

const forwardAuth: Facts = { entryPoint: 'authenticated', listener: 'forward-auth', tls: false };
const clientFacing: Facts = { entryPoint: 'authenticated', listener: 'client-facing', tls: true };
const session: Changes = { mode: 'session' };

async function ask(facts: Facts, request: RawRequest, changes: Changes = {}): Promise<RawAnswer> {
  const { dependencies } = apiDependencies(changes);
  const authorization = authorizationOf(dependencies);
  const { authorize, evaluate, identify } = authorization;
  const api = createApi(
    { ...dependencies, authorization },
    mountEvery({ ...dependencies, authorize, evaluate }),
    dependencies,
  );
  const own = apiListener(api, facts, dependencies);
  const { entryPoint, listener } = facts;
  const options = {
    entryPoint,
    settings: dependencies.settings,
    authorize,
    identify,
    decisions: { find: () => undefined },
    strippedHeaders: new Set<string>(),
    isOwnPath: () => false,
    warnOnce: dependencies.warnOnce,
  };
  const asksFront = listener === 'forward-auth' && request.uri === '/auth';
  const answer = asksFront ? createFrontListener(own, options) : own;
  const server = createServer(answer).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return sendRaw(`127.0.0.1:${(server.address() as AddressInfo).port}`, request);
}

const as = (groups: string): Header[] => [
  ['Remote-User', 'olaf'],
  ['Remote-Groups', groups],
];
const original = (method: string, uri: string): Header[] => [
  ['X-Original-Method', method],
  ['X-Original-URL', uri],
];

describe('GET /auth, to a front', () => {
  test.each<
    [what: string, headers: readonly Header[], status: number, answered: Readonly<Record<string, string>>]
  >([
    [
      'a granted camera',
      [...as('family'), ...original('GET', '/api/front/latest.jpg')],
      200,
      { 'remote-user': 'olaf', 'remote-role': 'family' },
    ],
    [
      'another camera',
      [...as('family'), ...original('GET', '/api/garage/latest.jpg')],
      403,
      { 'x-postern-reason': 'camera_not_granted' },
    ],
    [
      'a bad URI, for admin too',
      [...as('admin'), ...original('GET', '/a/../b')],
      403,
      { 'x-postern-reason': 'uri_dot_segment' },
    ],
    [
      'the method of the client, not of the authorization request',
      [...as('viewer'), ...original('POST', '/')],
      403,
      { 'x-postern-reason': 'read_only' },
    ],
    ['nothing said: unrestricted roles pass', as('viewer'), 200, { 'remote-role': 'viewer' }],
    ['nothing said: other roles do not', as('family'), 403, { 'x-postern-reason': 'uri_missing' }],
    [
      '/auth itself, visited through the front',
      [...as('family'), ...original('GET', '/auth')],
      200,
      { 'remote-role': 'family' },
    ],
    ['no user', original('GET', '/'), 401, {}],
    ['a user under an alias', [...as('viewer'), ['Remote_User', 'eve'], ...original('GET', '/')], 401, {}],
    [
      'a user with no role',
      [...as('strangers'), ...original('GET', '/')],
      403,
      { 'x-postern-reason': 'no_role' },
    ],
    [
      'two URLs',
      [...as('admin'), ...original('GET', '/'), ...original('GET', '/')],
      403,
      { 'x-postern-reason': 'front_header_repeated' },
    ],
    ['a public path', original('POST', '/api/login'), 200, { 'remote-user': '', 'remote-role': '' }],
  ])('%s', async (_, headers, status, answered) => {
    for (const method of ['GET', 'HEAD']) {
      const answer = await ask(forwardAuth, { method, uri: '/auth', headers });
      expect(answer).toMatchObject({ status, body: '' });
      const expected = { 'content-length': '0', 'cache-control': 'no-store', ...answered };
      for (const [name, value] of Object.entries(expected)) expect(answer.headers.get(name)).toEqual([value]);
      expect(answer.headers.has('location')).toBe(false);
      expect(answer.headers.has('remote-user')).toBe(status === 200);
    }
  });

  test('an internal front: anonymous, whatever the headers', async () => {
    const internal = { ...forwardAuth, entryPoint: 'internal' } as const;
    const headers = [...as('family'), ...original('DELETE', '/api/config')];
    const answer = await ask(internal, { uri: '/auth', headers }, { proxySecret: 's3cret' });
    expect(answer.status).toBe(200);
    expect([answer.headers.get('remote-user'), answer.headers.get('remote-role')]).toEqual([
      ['anonymous'],
      ['admin'],
    ]);
  });

  test('without a session: the address of the login', async () => {
    const answer = await ask(forwardAuth, { uri: '/auth', headers: original('GET', '/') }, session);
    expect([answer.status, answer.headers.get('location')]).toEqual([401, ['/login']]);
  });
});

describe('GET /auth, to a client', () => {
  test.each<[what: string, headers: readonly Header[], status: number]>([
    ['any role', as('family'), 200],
    ['what only a front may say is not believed', [...as('family'), ...original('GET', '/api/config')], 200],
    ['no user, whatever the headers', original('GET', '/login'), 401],
    ['a user under an alias', [...as('viewer'), ['Remote.User', 'eve']], 400],
    ['a user twice', [...as('viewer'), ['Remote-User', 'eve']], 400],
  ])('%s', async (_, headers, status) => {
    expect((await ask(clientFacing, { uri: '/auth', headers })).status).toBe(status);
  });
});

describe('endpoints of the gate, the same on every listener', () => {
  const family = {
    username: 'olaf',
    role: 'family',
    allowed_cameras: ['front'],
    may: ['live', 'history', 'export'],
  };
  const rows: ReadonlyArray<[request: string, groups: string | undefined, status: number, body: unknown]> = [
    ['GET /api/profile', 'family', 200, family],
    [
      'GET /api/profile',
      'viewer',
      200,
      { username: 'olaf', role: 'viewer', allowed_cameras: ['front', 'garage'], may: capabilities },
    ],
    ['GET /%61pi//profile', 'family', 200, family],
    ['GET /api/profile', undefined, 401, { message: 'Authentication required', code: 'unauthenticated' }],
    ['GET /api/profile', 'strangers', 403, { message: 'Access denied', code: 'forbidden' }],
    ['GET /postern/api/cameras', 'family', 200, ['front']],
    ['GET /postern/api/cameras', 'admin', 200, ['front', 'garage']],
    [
      'GET /postern/api/cameras',
      undefined,
      401,
      { message: 'Authentication required', code: 'unauthenticated' },
    ],
    ['GET /postern/api/live/front', 'family', 200, { camera: 'front', streams: ['front', 'front_sub'] }],
    // A foreign camera and one that does not exist are the same to the role.
    ['GET /postern/api/live/garage', 'family', 403, { message: 'Access denied', code: 'forbidden' }],
    ['GET /postern/api/live/none', 'family', 403, { message: 'Access denied', code: 'forbidden' }],
    ['GET /postern/api/live/none', 'admin', 404, { message: 'No such camera', code: 'camera_unknown' }],
    ['GET /postern/api/live/front', 'strangers', 403, { message: 'Access denied', code: 'forbidden' }],
    [
      'GET /postern/api/live/front',
      undefined,
      401,
      { message: 'Authentication required', code: 'unauthenticated' },
    ],
    [
      'POST /api/login',
      undefined,
      404,
      { message: 'Authentication is disabled', code: 'authentication_disabled' },
    ],
    ['GET /api/nothing', 'admin', 404, { message: 'Not found', code: 'not_found' }],
    ['GET /api/restart', 'viewer', 403, { message: 'Access denied', code: 'forbidden' }],
    ['GET /api/../api/profile', 'admin', 403, { message: 'Access denied', code: 'forbidden' }],
    ['GET /api/profile%00', 'admin', 403, { message: 'Access denied', code: 'forbidden' }],
  ];
  test.each(rows)('%s as %s: %i', async (request, groups, status, body) => {
    const [method = '', uri = ''] = request.split(' ');
    const headers = groups === undefined ? [] : as(groups);
    for (const facts of [forwardAuth, clientFacing]) {
      const answer = await ask(facts, { method, uri, headers });
      expect(answer.status).toBe(status);
      expect(JSON.parse(answer.body)).toEqual(body);
      expect(answer.headers.has('remote-user')).toBe(false);
    }
  });

  test('headers of a front about another request do not change whose profile it is', async () => {
    const headers = [...as('family'), ...original('POST', '/api/login')];
    const answer = await ask(forwardAuth, { uri: '/api/profile', headers });
    expect(JSON.parse(answer.body)).toMatchObject({ username: 'olaf', role: 'family' });
  });

  test('the internal entry point makes everyone anonymous', async () => {
    const answer = await ask(
      { ...clientFacing, entryPoint: 'internal' },
      { uri: '/api/profile', headers: as('family') },
    );
    expect(JSON.parse(answer.body)).toEqual({
      username: 'anonymous',
      role: 'admin',
      allowed_cameras: ['front', 'garage'],
      may: capabilities,
    });
  });

  test.each<[what: string, logoutUrl: string | undefined, to: string]>([
    ['to the login', undefined, '/login'],
    ['to the configured address', 'https://idp.test/out', 'https://idp.test/out'],
  ])('a logout without a session leads %s', async (_, logoutUrl, to) => {
    for (const uri of ['/logout', '/api/logout']) {
      for (const [method, ...headers] of [['GET', ['Origin', 'x']], ['POST']] as const) {
        const answer = await ask(clientFacing, { method, uri, headers }, { logoutUrl });
        expect([answer.status, answer.headers.get('location')]).toEqual([303, [to]]);
        expect(answer.headers.has('remote-user')).toBe(false);
      }
    }
  });

  test.each<[headers: Header[], lang: string, title: string]>([
    [[], 'lang="en"', 'This isn’t shared with you · Postern'],
    [[['Accept-Language', 'de-AT,en;q=0.5']], 'lang="de"', 'Das ist nicht mit Ihnen geteilt · Postern'],
    [
      [
        ['Accept-Language', 'en'],
        ['Cookie', 'a=b; postern_look=de.dark'],
      ],
      'lang="de" data-theme="dark"',
      'Das ist nicht mit Ihnen geteilt · Postern',
    ],
  ])('a refusal page is in the language of its reader: %j', async (headers, lang, title) => {
    const more = [...as('viewer'), ['Accept', 'text/html'] as const, ...headers];
    const answer = await ask(clientFacing, { uri: '/postern/api/audit', headers: more });
    expect(answer.status).toBe(403);
    expect(answer.body).toContain(`<html ${lang}>`);
    expect(answer.body).toContain(`<title>${title}</title>`);
    expect(answer.body).toContain('<strong dir="auto">olaf</strong>');
  });

  test.each<[what: string, next: string, changes: Changes, to: string]>([
    ['to the configured address', '', { ...session, logoutUrl: '/bye' }, '/bye'],
    ['to the login, to continue as another user', '?next=/a%3Fb%3Dc', session, '/login?next=%2Fa%3Fb%3Dc'],
    [
      'there too, with a configured address',
      '?next=%2Fa',
      { ...session, logoutUrl: '/bye' },
      '/login?next=%2Fa',
    ],
    ['to the configured address behind a proxy that logs in', '?next=/a', { logoutUrl: '/bye' }, '/bye'],
    ['to no other site', '?next=https://evil.test', session, '/login'],
    ['to no address that is too long', `?next=/${'a'.repeat(3_000)}`, session, '/login'],
  ])('a logout leads %s', async (_, next, changes, to) => {
    const answer = await ask(clientFacing, { method: 'POST', uri: `/logout${next}` }, changes);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, [to]]);
  });

  test('rejects a logout by a form of another site', async () => {
    for (const uri of ['/logout', '/api/logout']) {
      const answer = await ask(clientFacing, { method: 'POST', uri, headers: [['Origin', 'x']] });
      expect([answer.status, answer.headers.has('set-cookie')]).toEqual([403, false]);
    }
  });

  test('logs an internal error and does not reveal it', async () => {
    const allCameras = () => {
      throw new Error('s3cret');
    };
    const answer = await ask(
      clientFacing,
      { uri: '/postern/api/cameras', headers: as('admin') },
      { allCameras },
    );
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      500,
      { message: 'Internal error', code: 'internal' },
    ]);
  });

  describe('the prefix below which the client sees the site', () => {
    const trusting: Changes = { ...session, isTrustedProxy: () => true };
    const configured: Changes = { ...session, rules: { ...settings.rules, basePath: '/configured' } };
    test.each<[what: string, changes: Changes, facts: Facts, said: readonly string[], prefix: string]>([
      ['from a trusted proxy', trusting, clientFacing, ['/cameras'], '/cameras'],
      ['with a slash at the end', trusting, clientFacing, ['/cameras/'], '/cameras'],
      ['ignored from a client', session, clientFacing, ['/cameras'], ''],
      ['from a front', session, forwardAuth, ['/cameras'], '/cameras'],
      ['from the configuration, without a header', configured, clientFacing, [], '/configured'],
      [
        'from the proxy rather than the configuration',
        { ...configured, isTrustedProxy: () => true },
        clientFacing,
        ['/cameras'],
        '/cameras',
      ],
      ...['//evil.test', 'https://evil.test', '/a//b', '/\\evil.test', '/a b', 'cameras', '/a?b', '/'].map(
        (said): [string, Changes, Facts, string[], string] => [
          'no prefix',
          trusting,
          clientFacing,
          [said],
          '',
        ],
      ),
    ])('%s: %#', async (_, changes, facts, said, prefix) => {
      const headers = said.map((value): Header => ['X-Forwarded-Prefix', value]);
      const refused = await ask(facts, { uri: '/postern/api/cameras', headers }, changes);
      expect([refused.status, refused.headers.get('location')]).toEqual([401, [`${prefix}/login`]]);
    });

    test('is not part of the way back', async () => {
      const headers: Header[] = [['Accept', 'text/html']];
      const sent = await ask(clientFacing, { uri: '/postern/api/cameras?a=b', headers }, configured);
      expect(sent.headers.get('location')).toEqual([
        '/configured/login?next=%2Fpostern%2Fapi%2Fcameras%3Fa%3Db',
      ]);
    });
  });

  test('a browser gets a page', async () => {
    const headers: Header[] = [['Accept', 'text/html']];
    const sent = await ask(clientFacing, { uri: '/postern/api/cameras?a=b', headers }, session);
    expect([sent.status, sent.headers.get('location')]).toEqual([
      303,
      ['/login?next=%2Fpostern%2Fapi%2Fcameras%3Fa%3Db'],
    ]);
    const answer = await ask(clientFacing, { method: 'POST', uri: '/postern/api/cameras', headers }, session);
    expect([answer.status, answer.headers.get('location')]).toEqual([401, ['/login']]);
    expect(answer.body).toContain('href="/login">Sign in');
  });
});
