import { describe, expect, test } from 'vitest';
import { accessRequestOfNginx, answerNginx } from '../../../src/gateway/nginx-dialect.ts';
import type { FrontFault, Subject, Verdict } from '../../../src/policy/verdict.ts';

describe('what nginx asks', () => {
  test.each<[what: string, headers: readonly string[], method: string | undefined, uri: string | undefined]>([
    ['both', ['X-Original-Method', 'PUT', 'X-Original-URL', '/a?b'], 'PUT', '/a?b'],
    ['in any case', ['x-original-method', 'GET', 'X-ORIGINAL-url', 'https://h/a'], 'GET', 'https://h/a'],
    ['neither', ['Host', 'gate.test'], undefined, undefined],
    ['the URL only', ['X-Original-URL', '/a'], undefined, '/a'],
    ['empty', ['X-Original-Method', '', 'X-Original-URL', ''], '', ''],
    ['aliases are none', ['X_Original_Url', '/a', 'X_Original_Method', 'GET'], undefined, undefined],
  ])('%s', (_, headers, method, uri) => {
    expect(accessRequestOfNginx(headers, 'internal')).toEqual({
      edge: 'internal',
      front: 'auth-request',
      method,
      uri,
      headers,
      host: headers[0] === 'Host' ? 'gate.test' : undefined,
      secure: false,
    });
    expect(accessRequestOfNginx(headers, 'authenticated').edge).toBe('authenticated');
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
      'a method that nobody has',
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
    const request = accessRequestOfNginx(headers, 'internal');
    expect(request).toMatchObject({ front: 'auth-request', fault, method: undefined, uri: undefined });
  });
});

test.each<[what: string, headers: readonly string[], host: string | undefined, secure: boolean]>([
  ['nothing said', [], undefined, false],
  ['the host asked for', ['Host', 'gate.test'], 'gate.test', false],
  [
    'a front that says both',
    ['X-Forwarded-Host', 'cams.test', 'X-Forwarded-Proto', 'https'],
    'cams.test',
    true,
  ],
  ['the front before the connection', ['Host', 'unix', 'X-Forwarded-Host', 'cams.test'], 'cams.test', false],
  ['another protocol', ['X-Forwarded-Proto', 'http'], undefined, false],
])('where the client is: %s', (_, headers, host, secure) => {
  expect(accessRequestOfNginx(headers, 'authenticated')).toMatchObject({ host, secure });
});

const subject: Subject = {
  user: 'Olaf Sørensen',
  role: 'family',
  source: 'proxy',
  groups: 'home,süd',
  email: 'o@x.test',
  name: '',
};
const common = { 'content-length': '0', 'cache-control': 'no-store', 'x-postern-decision': 'd-1' };
const nobody = {
  'remote-user': '',
  'remote-role': '',
  'remote-groups': '',
  'remote-email': '',
  'remote-name': '',
};
const asBytes = (text: string) => Buffer.from(text).toString('latin1');

test.each<
  [what: string, verdict: Verdict, login: string | undefined, status: number, headers: Record<string, string>]
>([
  [
    'allowed: who it is, in UTF-8 bytes, and empty what is not known',
    { kind: 'allow', reason: 'allowed', subject, grant: 'all' },
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
    'allowed without a subject: nobody',
    { kind: 'allow', reason: 'public', subject: undefined, grant: new Set() },
    undefined,
    200,
    nobody,
  ],
  [
    'no session: where to log in',
    { kind: 'unauthenticated', reason: 'no_session', subject: undefined },
    '/login',
    401,
    { location: '/login' },
  ],
  [
    'no session and no login of ours',
    { kind: 'unauthenticated', reason: 'no_session', subject: undefined },
    undefined,
    401,
    {},
  ],
  [
    'no secret: no login would help',
    { kind: 'unauthenticated', reason: 'proxy_secret_missing', subject: undefined },
    '/login',
    401,
    {},
  ],
  [
    'a repeated header',
    { kind: 'unauthenticated', reason: 'trusted_header_repeated', subject: undefined },
    '/login',
    401,
    {},
  ],
  ['no user', { kind: 'unauthenticated', reason: 'user_missing', subject: undefined }, undefined, 401, {}],
  [
    'forbidden: the reason',
    { kind: 'forbidden', reason: 'camera_not_granted', subject },
    '/login',
    403,
    { 'x-postern-reason': 'camera_not_granted' },
  ],
  [
    'no role',
    { kind: 'forbidden', reason: 'no_role', subject: undefined },
    undefined,
    403,
    { 'x-postern-reason': 'no_role' },
  ],
  [
    'a fault',
    { kind: 'forbidden', reason: 'failure', subject: undefined },
    '/login',
    403,
    { 'x-postern-reason': 'failure' },
  ],
])('%s', async (_, verdict, login, status, headers) => {
  const answer = answerNginx({ id: 'd-1', verdict }, login);
  expect(answer.status).toBe(status);
  expect(Object.fromEntries(answer.headers)).toEqual({ ...common, ...headers });
  expect(await answer.text()).toBe('');
});

test('a refreshed session is handed on with the allowance, and never with a refusal', () => {
  const setCookie = 'session_token=new';
  const allowed = answerNginx(
    { id: 'd-1', verdict: { kind: 'allow', reason: 'allowed', subject, grant: 'all' }, setCookie },
    '/login',
  );
  expect(allowed.headers.getSetCookie()).toEqual([setCookie]);
  for (const kind of ['forbidden', 'unauthenticated'] as const) {
    const refused = answerNginx(
      { id: 'd-1', verdict: { kind, reason: 'read_only', subject }, setCookie },
      '/login',
    );
    expect(refused.headers.getSetCookie()).toEqual([]);
  }
});
