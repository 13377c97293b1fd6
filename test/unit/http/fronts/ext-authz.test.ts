import type { FrontFault } from '../../../../src/policy/request-context.ts';
import { describe, expect, test } from 'vitest';
import { authorizationRequestOfExtAuthz, extAuthz } from '../../../../src/http/fronts/ext-authz.ts';

const identityNames = new Set(['remote-user']);
const prefix = '/api/authz/ext-authz';
const adapter = extAuthz({
  entryPoint: 'internal',
  strippedHeaders: identityNames,
  loginPathOf: () => undefined,
  accountPathOf: () => '/postern/account',
  isChallenged: () => false,
  recipientOf: () => ({ loginUrl: undefined, reader: undefined, zone: 'UTC' }),
});
const asked = (target: string, ...headers: readonly string[]) =>
  authorizationRequestOfExtAuthz(
    { method: 'PUT', target: `${prefix}${target}`, headers },
    'internal',
    identityNames,
  );

test.each<[target: string, is: boolean]>([
  [`${prefix}/`, true],
  [`${prefix}/api/events?limit=1`, true],
  [`${prefix}//evil.test/`, true],
  [prefix, false],
  [`${prefix}?a=/`, false],
  [`${prefix}x/`, false],
  ['/API/authz/ext-authz/', false],
  ['/api/authz/forward-auth', false],
])('%s is an authorization request of Envoy: %s', (target, is) => {
  expect(adapter.isAskedAt(target)).toBe(is);
});

describe('a request of Envoy', () => {
  test('is the request itself, after the prefix', () => {
    const headers = ['Host', 'cameras.example', 'X-Forwarded-Proto', 'https'];
    expect(asked('/api/front/latest.jpg?h=1', ...headers)).toEqual({
      entryPoint: 'internal',
      front: 'ext-authz',
      method: 'PUT',
      uri: '/api/front/latest.jpg?h=1',
      headers,
      host: 'cameras.example',
      secure: true,
    });
  });

  test.each<[what: string, headers: readonly string[], fault: FrontFault]>([
    ['no scheme', [], { reason: 'front_header_missing', header: 'x-forwarded-proto' }],
    [
      'two schemes',
      ['X-Forwarded-Proto', 'https', 'X-Forwarded-Proto', 'http'],
      { reason: 'front_header_repeated', header: 'x-forwarded-proto' },
    ],
    [
      'an unknown scheme',
      ['X-Forwarded-Proto', 'HTTPS://'],
      { reason: 'front_header_malformed', header: 'x-forwarded-proto' },
    ],
    [
      "nginx's URL",
      ['X-Forwarded-Proto', 'https', 'X-Original-URL', '/login'],
      { reason: 'front_headers_mixed', header: 'x-original-url' },
    ],
    [
      "Traefik's URI",
      ['X-Forwarded-Proto', 'https', 'X-Forwarded-Uri', '/login'],
      { reason: 'front_headers_mixed', header: 'x-forwarded-uri' },
    ],
    [
      'an identity with an underscore',
      ['X-Forwarded-Proto', 'https', 'REMOTE_USER', 'admin'],
      { reason: 'front_header_alias', header: 'remote_user' },
    ],
  ])('is refused with %s', (_, headers, fault) => {
    expect(asked('/', ...headers)).toMatchObject({ front: 'ext-authz', fault, uri: undefined });
  });
});
