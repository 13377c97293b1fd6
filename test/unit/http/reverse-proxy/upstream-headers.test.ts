import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clientHeaders,
  strippedHeaders,
  upstreamHeaders,
  withoutCredentials,
  type ClientConnection,
} from '../../../../src/http/reverse-proxy/upstream-headers.ts';
import { isOwnCookie } from '../../../../src/policy/own-cookies.ts';
import { headerAlias, headerValues } from '../../../../src/policy/raw-headers.ts';
import { basic } from '../../../support/basic.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const identity = {
  'remote-user': 'olaf',
  'remote-role': 'viewer',
  'remote-groups': '',
  'remote-email': '',
  'remote-name': '',
};
const stripped = strippedHeaders(new Set(['x-forwarded-user', 'x-idp-groups']));
const connection: ClientConnection = { address: '192.0.2.7', secure: true, trusted: false, prefix: '' };
const sendUp = (sent: readonly string[], client: Partial<ClientConnection> = {}) =>
  upstreamHeaders(sent, stripped, { identity, client: { ...connection, ...client } });
const ours = [
  ...Object.entries(identity).flat(),
  'x-forwarded-for',
  '192.0.2.7',
  'x-forwarded-proto',
  'https',
];

describe('the upstream gets', () => {
  test('the same for names that are not cached any more, or differ in case', () => {
    const many = Array.from({ length: 1_000 }, (_, i) => [`X-${i}`, '']).flat();
    expect(sendUp(many)).toEqual([...many, ...ours]);
    for (const name of ['Remote-User', 'REMOTE_USER', 'x-Forwarded-User', 'TE', 'Keep-Alive'])
      for (let times = 0; times < 2; times += 1)
        expect(sendUp([name, 'x', ...many])).toEqual([...many, ...ours]);
    expect(sendUp(['Connection', 'X-999', ...many])).toEqual([...many.slice(0, -2), ...ours]);
    expect(sendUp(['X-999', ''])).toEqual(['X-999', '', ...ours]);
  });

  test.each<[what: string, sent: readonly string[], kept: readonly string[]]>([
    ['nothing sent: the identity and the address', [], []],
    [
      'headers of the client, unchanged',
      ['Accept', 'a', 'X-b', 'c', 'accept', 'd'],
      ['Accept', 'a', 'X-b', 'c', 'accept', 'd'],
    ],
    [
      'cookies and credentials',
      ['Cookie', 'a=b', 'Authorization', 'Bearer x'],
      ['Cookie', 'a=b', 'Authorization', 'Bearer x'],
    ],
    [
      'similar names',
      ['X-Remote-User', 'a', 'Remote-Users', 'b'],
      ['X-Remote-User', 'a', 'Remote-Users', 'b'],
    ],
  ])('%s', (_, sent, kept) => {
    expect(sendUp(sent)).toEqual([...kept, ...ours]);
  });

  test.each<[host: string]>([
    ['gate.test'],
    ['Gate.Test.:8971'],
    ['192.0.2.1'],
    ['[2001:db8::1]:8971'],
    ['under_score.test'],
  ])('a plain host: %s', (host) => {
    expect(sendUp(['Host', host])).toEqual([...ours, 'host', host, 'x-forwarded-host', host]);
  });

  test.each<[trusted: boolean, sent: readonly string[], forwardedFor: string]>([
    [false, ['X-Forwarded-For', '203.0.113.9'], '192.0.2.7'],
    [true, ['X-Forwarded-For', '203.0.113.9'], '203.0.113.9, 192.0.2.7'],
    [true, ['X-Forwarded-For', 'a, b', 'x-forwarded-for', 'c'], 'a, b, c, 192.0.2.7'],
    [true, [], '192.0.2.7'],
    [true, ['X_Forwarded_For', '203.0.113.9'], '192.0.2.7'],
  ])('the address, from a trusted peer only (%j %j)', (trusted, sent, forwardedFor) => {
    expect(headerValues(sendUp(sent, { trusted }), 'x-forwarded-for')).toEqual([forwardedFor]);
  });

  test('whether the client used TLS', () => {
    const sent = ['X-Forwarded-Proto', 'https'];
    expect(headerValues(sendUp(sent, { secure: false, trusted: true }), 'x-forwarded-proto')).toEqual([
      'http',
    ]);
  });
});

test('the prefix from the front, and none from the client', () => {
  const sent = ['X-Forwarded-Prefix', '/evil'];
  for (const name of ['x-forwarded-prefix', 'x-ingress-path']) {
    expect(headerValues(sendUp(sent, { prefix: '/cameras' }), name)).toEqual(['/cameras']);
    expect(headerValues(sendUp(sent), name)).toEqual([]);
  }
});

describe('the upstream does not get', () => {
  test.each<[what: string, names: readonly string[]]>([
    ['the identity headers', ['Remote-User', 'REMOTE-ROLE', 'remote-groups', 'Remote-Email', 'Remote-Name']],
    ['their aliases', ['Remote_User', 'remote.role', 'REMOTE_groups', 'remote_Email', 'remote.name']],
    [
      'headers of an upstream proxy',
      ['X-Forwarded-User', 'x_forwarded_user', 'X-Idp.Groups', 'X-Proxy-Secret'],
    ],
    [
      'headers of a front',
      ['X-Original-URL', 'X-Original-Method', 'X-Rewrite-Url', 'X-Original-Uri', 'Forwarded'],
    ],
    ['the host from a front', ['X-Forwarded-Host', 'X-Forwarded-Port', 'X-Forwarded-Prefix', 'X-Real-IP']],
    [
      'another entry point, another method',
      ['X-Server-Port', 'X-HTTP-Method-Override', 'X-Method-Override', 'X-Forwarded-Uri'],
    ],
    [
      'hop-by-hop headers',
      ['Keep-Alive', 'TE', 'Trailer', 'Transfer-Encoding', 'Upgrade', 'Expect', 'Connection'],
    ],
    ['credentials for a proxy', ['Proxy-Authorization', 'Proxy-Connection', 'Proxy-Authenticate']],
  ])('%s', (_, names) => {
    expect(sendUp(names.flatMap((name) => [name, 'evil']))).toEqual(ours);
  });

  // Written out, so that a header missing from the list is noticed.
  test.each([
    'Host',
    'X-Proxy-Secret',
    'X-Front-Secret',
    'X-Original-Url',
    'X-Original-Uri',
    'X-Original-Method',
    'X-Original-Host',
    'X-Rewrite-Url',
    'X-Forwarded-For',
    'X-Forwarded-Host',
    'X-Forwarded-Proto',
    'X-Forwarded-Port',
    'X-Forwarded-Method',
    'X-Forwarded-Uri',
    'X-Forwarded-Prefix',
    'X-Forwarded-Server',
    'X-Real-Ip',
    'X-Server-Port',
    'X-Ingress-Path',
    'X-Http-Method-Override',
    'X-Http-Method',
    'X-Method-Override',
    'Forwarded',
    'X-Postern-Assertion',
    'Remote-User',
    'Remote-Role',
    'Remote-Groups',
    'Remote-Email',
    'Remote-Name',
    'Connection',
    'Keep-Alive',
    'Proxy-Connection',
    'Proxy-Authenticate',
    'Proxy-Authorization',
    'Te',
    'Trailer',
    'Transfer-Encoding',
    'Upgrade',
    'Expect',
  ])('%s of a client, in any case, and under aliases that some programs read', (name) => {
    const isOfHop = clientHeaders([name, 'x'], () => false).length === 0;
    const spellings = [name, name.toLowerCase(), name.toUpperCase()];
    // Hop-by-hop headers only count under their exact name.
    const aliases = isOfHop ? [] : [name.replaceAll('-', '_'), name.replaceAll('-', '.')];
    for (const spelling of [...spellings, ...aliases])
      expect(sendUp([spelling, '/evil']), spelling).toEqual(ours);
  });

  test('headers listed in Connection', () => {
    const sent = [
      'Connection',
      'close, X-Hop',
      'connection',
      ' x-other ',
      'X-Hop',
      'a',
      'X-Other',
      'b',
      'X-Kept',
      'c',
    ];
    expect(sendUp(sent)).toEqual(['X-Kept', 'c', ...ours]);
  });

  test('our own headers cannot be removed by Connection', () => {
    expect(sendUp(['Connection', 'remote-user, x-forwarded-for'])).toEqual(ours);
  });

  test.each<[host: string]>([
    ['x?'],
    ['x#'],
    ['x/..'],
    ['a@b'],
    ['x y'],
    ['x\\y'],
    [''],
    ['a,b'],
    ['[::1'],
    ['x:80:80'],
    ['x:a'],
    ['gate.test:000443'],
    ['gate..test'],
  ])('a host that could be read as more: %j', (host) => {
    expect(sendUp(['Host', host])).toEqual(ours);
  });
});

test('the upstream gets the gate’s identity exactly once, for any headers', () => {
  const name = fc.oneof(
    fc.constantFrom('Remote-User', 'remote_role', 'REMOTE.NAME', 'Connection', 'X-Forwarded-User', 'Host'),
    fc.string({ minLength: 1 }),
  );
  const value = fc.oneof(fc.constantFrom('remote-user', 'admin', 'Remote-Role, close'), fc.string());
  assertCases(
    fc.property(fc.array(fc.tuple(name, value)), (lines) => {
      const headers = sendUp(lines.flat());
      const names = headers.filter((_, i) => i % 2 === 0).map(headerAlias);
      for (const [own, text] of Object.entries(identity)) {
        expect(names.filter((sent) => sent === own)).toEqual([own]);
        expect(headerValues(headers, own)).toEqual([text]);
      }
    }),
  );
});

test("an upstream's answer loses hop-by-hop headers only", () => {
  const answered = [
    'Content-Type',
    'text/html',
    'Connection',
    'keep-alive, X-Hop',
    'Keep-Alive',
    'timeout=5',
    'X-Hop',
    'a',
  ];
  const kept = ['Set-Cookie', 'a=b', 'Set-Cookie', 'c=d', 'Remote-User', 'olaf'];
  expect(clientHeaders([...answered, ...kept], () => false)).toEqual(['Content-Type', 'text/html', ...kept]);
});

describe('credentials for the gate end at the gate', () => {
  const isOwn = isOwnCookie('session_token');
  const as = (source: 'session' | 'bearer' | 'api-token' | 'proxy' | 'internal') => ({ source });

  test.each<[source: Parameters<typeof as>[0], authorization: string, passes: boolean]>([
    ['bearer', 'Bearer a.b.c', false],
    ['api-token', 'Bearer postern_a', false],
    ['api-token', 'Basic dG9rZW46cG9zdGVybl9h', false],
    ['session', 'Basic bmVsbDphYmM=', true],
    ['proxy', 'Bearer a.b.c', true],
    ['internal', 'Bearer a.b.c', true],
    ['proxy', 'Bearer postern_a', false],
    ['internal', 'bearer \t postern_a', false],
    ['internal', basic('olaf', 'postern_a'), false],
    ['proxy', basic('olaf', 'postern_a'), false],
    ['session', basic('olaf', 'x:postern_a'), false],
    ['session', 'bASIC  dG9r ZW46cG9zdGVybl9h', false],
    ['internal', basic('postern_service', 'a'), true],
    ['proxy', 'Basic', true],
  ])('with an identity by %s: %s', (source, authorization, passes) => {
    for (const name of ['Authorization', 'AUTHORIZATION']) {
      const kept = withoutCredentials([name, authorization, 'Accept', 'a'], isOwn, as(source));
      expect(kept).toEqual([...(passes ? [name, authorization] : []), 'Accept', 'a']);
    }
  });

  test('a Cookie line without other cookies is removed', () => {
    const sent = ['Cookie', 'session_token=a', 'cookie', 'b=c; postern_share=d', 'COOKIE', '', 'Accept', 'a'];
    expect(withoutCredentials(sent, isOwn, as('proxy'))).toEqual(['cookie', 'b=c', 'Accept', 'a']);
  });

  test("and cookies of the gate's own do not come back", () => {
    const answered = ['Set-Cookie', 'session_token=a', 'SET-COOKIE', 'b=c', 'set-cookie', '=postern_share=a'];
    const assertions = ['X-Postern-Assertion', 'a', 'x_postern_assertion', 'b'];
    expect(clientHeaders([...answered, ...assertions], isOwn)).toEqual(['SET-COOKIE', 'b=c']);
  });
});
