import type { IncomingMessage } from 'node:http';
import type { FrontFault } from '../../../../src/policy/request-context.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  authorizationRequestOfForwardAuth,
  forwardAuth,
  originOf,
} from '../../../../src/http/fronts/forward-auth.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const identityNames = new Set(['remote-user', 'x-proxy-secret', 'x-forwarded-uri']);
const asked = (lines: Readonly<Record<string, string>>, ...more: readonly string[]) =>
  authorizationRequestOfForwardAuth(
    [...Object.entries(lines).flat(), ...more],
    'authenticated',
    identityNames,
  );

const traefik = {
  'X-Forwarded-Method': 'PUT',
  'X-Forwarded-Proto': 'https',
  'X-Forwarded-Host': 'cameras.example',
  'X-Forwarded-Uri': '/api/front/latest.jpg?h=1',
};

describe('a request of Traefik and Caddy', () => {
  test('is in four headers', () => {
    expect(asked(traefik)).toEqual({
      entryPoint: 'authenticated',
      front: 'forward-auth',
      method: 'PUT',
      uri: '/api/front/latest.jpg?h=1',
      headers: Object.entries(traefik).flat(),
      host: 'cameras.example',
      secure: true,
    });
  });

  test.each<[proto: string, secure: boolean]>([
    ['http', false],
    ['https', true],
    ['ws', false],
    ['wss', true],
    ['HTTPS', true],
    ['https,http', true],
    ['http, https', false],
  ])('by %s', (proto, secure) => {
    expect(asked({ ...traefik, 'X-Forwarded-Proto': proto })).toMatchObject({ secure });
  });

  test.each<[host: string]>([['cameras.example:8443'], ['[2001:db8::1]:8443'], ['192.0.2.1'], ['nvr_1.lan']])(
    'about %s',
    (host) => {
      const request = asked({ ...traefik, 'X-Forwarded-Host': host });
      expect(request).toMatchObject({ host, front: 'forward-auth' });
      expect(originOf(request)).toBe(`https://${host}`);
    },
  );

  test('about the first host of a list', () => {
    const request = asked({ ...traefik, 'X-Forwarded-Host': 'cameras.example:8443, inner' });
    expect(request).toMatchObject({ host: 'cameras.example:8443', front: 'forward-auth' });
  });

  const without = (name: keyof typeof traefik) =>
    Object.fromEntries(Object.entries(traefik).filter(([other]) => other !== name));
  test.each<[what: string, request: ReturnType<typeof asked>, fault: FrontFault]>([
    [
      'no method',
      asked(without('X-Forwarded-Method')),
      { reason: 'front_header_missing', header: 'x-forwarded-method' },
    ],
    [
      'no scheme',
      asked(without('X-Forwarded-Proto')),
      { reason: 'front_header_missing', header: 'x-forwarded-proto' },
    ],
    [
      'no host',
      asked(without('X-Forwarded-Host')),
      { reason: 'front_header_missing', header: 'x-forwarded-host' },
    ],
    [
      'no URI',
      asked(without('X-Forwarded-Uri')),
      { reason: 'front_header_missing', header: 'x-forwarded-uri' },
    ],
    [
      'two URIs',
      asked(traefik, 'x-forwarded-uri', '/'),
      { reason: 'front_header_repeated', header: 'x-forwarded-uri' },
    ],
    [
      'two methods',
      asked(traefik, 'X-Forwarded-Method', 'PUT'),
      { reason: 'front_header_repeated', header: 'x-forwarded-method' },
    ],
    [
      'an absolute URI',
      asked({ ...traefik, 'X-Forwarded-Uri': 'https://evil.test/' }),
      { reason: 'front_header_malformed', header: 'x-forwarded-uri' },
    ],
    [
      'an empty method',
      asked({ ...traefik, 'X-Forwarded-Method': '' }),
      { reason: 'front_header_malformed', header: 'x-forwarded-method' },
    ],
    [
      'another scheme',
      asked({ ...traefik, 'X-Forwarded-Proto': 'javascript' }),
      { reason: 'front_header_malformed', header: 'x-forwarded-proto' },
    ],
    [
      'a list that begins with another scheme',
      asked({ ...traefik, 'X-Forwarded-Proto': 'javascript, https' }),
      { reason: 'front_header_malformed', header: 'x-forwarded-proto' },
    ],
    [
      'two lines with a scheme',
      asked(traefik, 'X-Forwarded-Proto', 'https'),
      { reason: 'front_header_repeated', header: 'x-forwarded-proto' },
    ],
    [
      'a list that begins without a host',
      asked({ ...traefik, 'X-Forwarded-Host': ', gate.test' }),
      { reason: 'front_header_malformed', header: 'x-forwarded-host' },
    ],
    [
      'a host with a path',
      asked({ ...traefik, 'X-Forwarded-Host': 'evil.test/x' }),
      { reason: 'front_header_malformed', header: 'x-forwarded-host' },
    ],
    [
      'a host with a user',
      asked({ ...traefik, 'X-Forwarded-Host': 'a@evil.test' }),
      { reason: 'front_header_malformed', header: 'x-forwarded-host' },
    ],
    [
      'a host with an invalid port',
      asked({ ...traefik, 'X-Forwarded-Host': 'gate.test:65536' }),
      { reason: 'front_header_malformed', header: 'x-forwarded-host' },
    ],
    [
      'a host that resembles an address',
      asked({ ...traefik, 'X-Forwarded-Host': '256.0.0.1' }),
      { reason: 'front_header_malformed', header: 'x-forwarded-host' },
    ],
    [
      "nginx's method",
      asked(traefik, 'X-Original-Method', 'GET'),
      { reason: 'front_headers_mixed', header: 'x-original-method' },
    ],
    [
      "nginx's URL",
      asked(traefik, 'x-original-URL', '/login'),
      { reason: 'front_headers_mixed', header: 'x-original-url' },
    ],
    [
      'an identity with an underscore',
      asked(traefik, 'Remote_User', 'admin'),
      { reason: 'front_header_alias', header: 'remote_user' },
    ],
    [
      'an identity with a dot',
      asked(traefik, 'remote.user', 'admin'),
      { reason: 'front_header_alias', header: 'remote.user' },
    ],
    [
      'its own header with an underscore',
      asked(traefik, 'X_Forwarded_Uri', '/login'),
      { reason: 'front_header_alias', header: 'x_forwarded_uri' },
    ],
  ])('is refused with %s', (_, request, fault) => {
    expect(request).toMatchObject({ front: 'forward-auth', fault, method: undefined, uri: undefined });
  });

  test('any header lines give a request with these four values, or a fault', () => {
    const name = fc.constantFrom(
      ...Object.keys(traefik),
      'x-original-url',
      'X_Forwarded_Host',
      'Remote-User',
      'Cookie',
    );
    const value = fc.oneof(fc.constantFrom(...Object.values(traefik)), fc.string());
    assertCases(
      fc.property(fc.array(fc.tuple(name, value), { maxLength: 6 }), (lines) => {
        const request = authorizationRequestOfForwardAuth(lines.flat(), 'authenticated', identityNames);
        const said = (header: string) =>
          lines.filter(([line]) => line.toLowerCase() === header).map(([, text]) => text);
        if (request.fault !== undefined) {
          expect(request.uri).toBeUndefined();
          return;
        }
        expect(said('x-forwarded-uri')).toEqual([request.uri]);
        expect(said('x-forwarded-method')).toEqual([request.method]);
        expect(said('x-forwarded-host')).toEqual([request.host]);
        expect(new URL(`${originOf(request)}/login`).pathname).toBe('/login');
      }),
    );
  });
});

test.each<[target: string, isAsked: boolean, narrows: boolean]>([
  ['/api/authz/forward-auth', true, false],
  ['/api/authz/forward-auth/narrow', true, true],
  // Caddy keeps the client's query, which must not matter.
  ['/api/authz/forward-auth?narrow', true, false],
  ['/api/authz/forward-auth?/narrow', true, false],
  ['/api/authz/forward-auth/narrow?limit=3', true, true],
  ['/api/authz/forward-auth/', false, false],
  ['/api/authz/forward-auth/narrow/', false, false],
])('%s: used by fronts: %s, may be narrowed: %s', (url, isAsked, narrows) => {
  const adapter = forwardAuth({
    entryPoint: 'authenticated',
    strippedHeaders: identityNames,
    loginPathOf: () => undefined,
    accountPathOf: () => '/postern/account',
    isChallenged: () => false,
    recipientOf: () => ({ loginUrl: undefined, reader: undefined, zone: 'UTC' }),
  });
  const rawHeaders = Object.entries(traefik).flat();
  expect(adapter.isAskedAt(url)).toBe(isAsked);
  expect(adapter.requestOf({ url, rawHeaders } as unknown as IncomingMessage).narrows).toBe(narrows);
});
