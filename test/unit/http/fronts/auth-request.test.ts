import { mayByDefault, mayEverything, mayNothing } from '../../../../src/policy/capability.ts';
import type { IncomingMessage } from 'node:http';
import type { FrontFault } from '../../../../src/policy/request-context.ts';
import type { Identity } from '../../../../src/policy/identity.ts';
import { describe, expect, test } from 'vitest';
import {
  answerAuthRequest,
  authRequest,
  authorizationRequestOfNginx,
} from '../../../../src/http/fronts/auth-request.ts';
import type { Decision } from '../../../../src/policy/decision.ts';

describe('a request of nginx', () => {
  test.each<[what: string, headers: readonly string[], method: string | undefined, uri: string | undefined]>([
    ['both', ['X-Original-Method', 'PUT', 'X-Original-URL', '/a?b'], 'PUT', '/a?b'],
    ['in any case', ['x-original-method', 'GET', 'X-ORIGINAL-url', 'https://h/a'], 'GET', 'https://h/a'],
    ['neither', ['Host', 'gate.test'], undefined, undefined],
    ['the URL only', ['X-Original-URL', '/a'], undefined, '/a'],
    ['empty', ['X-Original-Method', '', 'X-Original-URL', ''], '', ''],
    ['aliases are none', ['X_Original_Url', '/a', 'X_Original_Method', 'GET'], undefined, undefined],
  ])('%s', (_, headers, method, uri) => {
    expect(authorizationRequestOfNginx(headers, 'internal')).toEqual({
      entryPoint: 'internal',
      front: 'auth-request',
      method,
      uri,
      headers,
      host: headers[0] === 'Host' ? 'gate.test' : undefined,
      secure: false,
    });
    expect(authorizationRequestOfNginx(headers, 'authenticated').entryPoint).toBe('authenticated');
  });

  test.each<[what: string, headers: readonly string[], fault: FrontFault]>([
    [
      'two URLs',
      ['X-Original-URL', '/a', 'X-Original-URL', '/a', 'X-Original-Method', 'GET'],
      { reason: 'front_header_repeated', header: 'x-original-url' },
    ],
    [
      'two methods',
      ['X-Original-Method', 'GET', 'x-original-method', 'PUT', 'X-Original-URL', '/a'],
      { reason: 'front_header_repeated', header: 'x-original-method' },
    ],
    [
      'an invalid method',
      ['X-Original-Method', 'A'.repeat(33), 'X-Original-URL', '/a'],
      { reason: 'front_header_malformed', header: 'x-original-method' },
    ],
    [
      "another front's URI",
      ['X-Original-URL', '/a', 'X-Forwarded-Uri', '/a'],
      { reason: 'front_headers_mixed', header: 'x-forwarded-uri' },
    ],
    [
      "another front's method alone",
      ['x-forwarded-METHOD', 'GET'],
      { reason: 'front_headers_mixed', header: 'x-forwarded-method' },
    ],
  ])('is refused with %s', (_, headers, fault) => {
    const request = authorizationRequestOfNginx(headers, 'internal');
    expect(request).toMatchObject({ front: 'auth-request', fault, method: undefined, uri: undefined });
  });
});

test.each<[what: string, headers: readonly string[], host: string | undefined, secure: boolean]>([
  ['nothing said', [], undefined, false],
  ['the host asked for', ['Host', 'gate.test'], 'gate.test', false],
  ['a front with both', ['X-Forwarded-Host', 'cams.test', 'X-Forwarded-Proto', 'https'], 'cams.test', true],
  ['the front before the connection', ['Host', 'unix', 'X-Forwarded-Host', 'cams.test'], 'cams.test', false],
  [
    'a list of both',
    ['X-Forwarded-Host', 'cams.test, b', 'X-Forwarded-Proto', 'HTTPS,http'],
    'cams.test',
    true,
  ],
  ['another protocol', ['X-Forwarded-Proto', 'http'], undefined, false],
])('reads host and scheme: %s', (_, headers, host, secure) => {
  expect(authorizationRequestOfNginx(headers, 'authenticated')).toMatchObject({ host, secure });
});

const identity: Identity = {
  user: 'Olaf Sørensen',
  role: 'family',
  source: 'proxy',
  groups: 'home,süd',
  email: 'o@x.test',
  name: '',
};
const common = { 'content-length': '0', 'cache-control': 'no-store', 'x-postern-decision': 'd-1' };
const unidentified = {
  'remote-user': '',
  'remote-role': '',
  'remote-groups': '',
  'remote-email': '',
  'remote-name': '',
};
const asBytes = (text: string) => Buffer.from(text).toString('latin1');

test.each<
  [
    what: string,
    decision: Decision,
    login: string | undefined,
    status: number,
    headers: Record<string, string>,
  ]
>([
  [
    'allowed: the identity, in UTF-8 bytes, and empty unknown fields',
    { outcome: 'allow', reason: 'allowed', identity, grant: 'all', may: mayEverything },
    '/login',
    200,
    {
      'remote-user': asBytes('Olaf Sørensen'),
      'remote-role': 'family',
      'remote-groups': asBytes('home,süd'),
      'remote-email': 'o@x.test',
      'remote-name': '',
    },
  ],
  [
    'allowed: the name, in UTF-8 bytes',
    {
      outcome: 'allow',
      reason: 'allowed',
      identity: { ...identity, name: 'Søren', email: '' },
      grant: 'all',
      may: mayEverything,
    },
    '/login',
    200,
    {
      'remote-user': asBytes('Olaf Sørensen'),
      'remote-role': 'family',
      'remote-groups': asBytes('home,süd'),
      'remote-email': '',
      'remote-name': asBytes('Søren'),
    },
  ],
  [
    'allowed without an identity',
    { outcome: 'allow', reason: 'public', identity: undefined, grant: new Set(), may: mayNothing },
    undefined,
    200,
    unidentified,
  ],
  [
    'no session: the login',
    { outcome: 'unauthenticated', reason: 'no_session', identity: undefined },
    '/login',
    401,
    { location: '/login' },
  ],
  [
    'no session and no login',
    { outcome: 'unauthenticated', reason: 'no_session', identity: undefined },
    undefined,
    401,
    {},
  ],
  [
    'no secret: a login would not help',
    { outcome: 'unauthenticated', reason: 'proxy_secret_missing', identity: undefined },
    '/login',
    401,
    {},
  ],
  [
    'a repeated header',
    { outcome: 'unauthenticated', reason: 'trusted_header_repeated', identity: undefined },
    '/login',
    401,
    {},
  ],
  [
    'no user',
    { outcome: 'unauthenticated', reason: 'user_missing', identity: undefined },
    undefined,
    401,
    {},
  ],
  [
    'forbidden: the reason',
    { outcome: 'forbidden', reason: 'camera_not_granted', identity },
    '/login',
    403,
    { 'x-postern-reason': 'camera_not_granted' },
  ],
  [
    'no role',
    { outcome: 'forbidden', reason: 'no_role', identity: undefined },
    undefined,
    403,
    { 'x-postern-reason': 'no_role' },
  ],
  [
    'a fault',
    { outcome: 'forbidden', reason: 'failure', identity: undefined },
    '/login',
    500,
    { 'x-postern-reason': 'failure' },
  ],
  [
    'no store',
    { outcome: 'forbidden', reason: 'store_unavailable', identity: undefined },
    '/login',
    503,
    { 'x-postern-reason': 'store_unavailable', 'retry-after': '1' },
  ],
])('%s', (_, decision, login, status, headers) => {
  const answer = answerAuthRequest({ id: 'd-1', decision }, login);
  expect(answer.status).toBe(status);
  expect(linesOf(answer.headers)).toEqual({ ...common, ...headers });
  expect(answer.body).toBeUndefined();
});

test('sends a refreshed session with an allowance, never with a refusal', () => {
  const setCookie = 'session_token=new';
  const allowed = answerAuthRequest(
    {
      id: 'd-1',
      decision: { outcome: 'allow', reason: 'allowed', identity, grant: 'all', may: mayEverything },
      setCookie,
    },
    '/login',
  );
  expect(linesOf(allowed.headers)['set-cookie']).toBe(setCookie);
  for (const outcome of ['forbidden', 'unauthenticated'] as const) {
    const refused = answerAuthRequest(
      { id: 'd-1', decision: { outcome, reason: 'read_only', identity }, setCookie },
      '/login',
    );
    expect(linesOf(refused.headers)).not.toHaveProperty('set-cookie');
  }
});

function linesOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.flatMap((name, i) => (i % 2 === 0 ? [[name, lines[i + 1] ?? '']] : [])));
}

describe('the path of nginx', () => {
  const adapter = authRequest({
    entryPoint: 'authenticated',
    strippedHeaders: new Set(),
    loginPathOf: () => undefined,
    accountPathOf: () => '/postern/account',
    isChallenged: () => false,
    recipientOf: () => ({ loginUrl: undefined, reader: undefined, zone: 'UTC' }),
  });
  const asked = (url: string) =>
    adapter.requestOf({
      url,
      rawHeaders: ['X-Original-URL', '/a', 'X-Narrow', '1'],
    } as unknown as IncomingMessage);

  test.each<[target: string, narrows: boolean]>([
    ['/auth', false],
    ['/api/authz/auth-request', false],
    ['/auth?narrow', true],
    ['/api/authz/auth-request?narrow', true],
  ])('%s: may be narrowed: %s', (target, narrows) => {
    expect(adapter.isAskedAt(target)).toBe(true);
    expect(asked(target).narrows).toBe(narrows);
  });

  test.each([
    '/auth?',
    '/auth?narrow=',
    '/auth?narrow=1',
    '/auth?narrow&x',
    '/auth?x&narrow',
    '/auth?Narrow',
    '/auth/',
  ])('%s: is another path', (target) => expect(adapter.isAskedAt(target)).toBe(false));
});

test('an allowed answer has the narrowed request target', () => {
  const identity = {
    user: 'nell',
    role: 'family',
    source: 'session',
    groups: '',
    email: '',
    name: '',
  } as const;
  const decision = {
    outcome: 'allow',
    reason: 'allowed',
    identity,
    grant: new Set(['front']),
    may: mayByDefault,
  } as const;
  const lines = (narrowed?: string) =>
    answerAuthRequest({ id: '1', decision: { ...decision, narrowed } }, undefined).headers;
  expect(lines()).not.toContain('x-postern-target');
  const headers = lines('/api/events?cameras=front');
  expect(headers[headers.indexOf('x-postern-target') + 1]).toBe('/api/events?cameras=front');
});
