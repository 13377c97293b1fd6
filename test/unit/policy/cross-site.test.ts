import { noSchedules, rolesOf } from '../../support/roles.ts';
import { plainIdentity, type Identity } from '../../../src/policy/identity.ts';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { isCrossSite, isEmbeddedElsewhere, lostPortHint } from '../../../src/policy/cross-site.ts';
import { evaluate } from '../../../src/policy/evaluate/evaluate.ts';
import { prepareRules } from '../../../src/policy/rule-tree.ts';
import { filtered, known, nothingRecorded } from './known-cameras.ts';
import { anyCodePoint } from '../../support/any-code-point.ts';
import { assertCases } from '../../support/assert-cases.ts';

const host = 'cameras.test:8971';
const publicOrigin = 'https://nvr.example:8443';

test.each<[what: string, headers: readonly string[], host: string | undefined, cross: boolean]>([
  ['a client that is no browser', [], host, false],
  ['the page itself', ['Origin', `https://${host}`, 'Sec-Fetch-Site', 'same-origin'], host, false],
  ['the address bar', ['Sec-Fetch-Site', 'none'], host, false],
  ['an origin in capitals', ['Origin', 'HTTPS://Cameras.Test:8971'], host, false],
  ['a host in capitals', ['Origin', `https://${host}`], 'CAMERAS.test:8971', false],
  ['without TLS', ['Origin', 'http://cameras.test:5000'], 'cameras.test:5000', false],
  ['IPv6', ['Origin', 'https://[::1]:8971'], '[::1]:8971', false],
  ['another site', ['Origin', 'https://evil.test'], host, true],
  ['another site, by fetch metadata', ['Sec-Fetch-Site', 'cross-site'], host, true],
  ['a subdomain', ['Sec-Fetch-Site', 'same-site'], host, true],
  ['another port', ['Origin', 'https://cameras.test:8972'], host, true],
  ['no port', ['Origin', 'https://cameras.test'], host, true],
  ['the default port, which a proxy adds', ['Origin', 'https://cameras.test'], 'Cameras.test:443', false],
  ['the default port, which a program adds', ['Origin', 'https://cameras.test:443'], 'cameras.test', false],
  ['the default port without TLS', ['Origin', 'http://cameras.test'], 'cameras.test:80', false],
  ['the default port of the other scheme', ['Origin', 'https://cameras.test'], 'cameras.test:80', true],
  ['a port that a proxy lost', ['Origin', `https://${host}`], 'cameras.test', true],
  [
    'the same, but the browser knows better',
    ['Origin', `https://${host}`, 'Sec-Fetch-Site', 'same-origin'],
    'cameras.test',
    false,
  ],
  [
    'another host, but the browser knows better',
    ['Origin', `https://${host}`, 'Sec-Fetch-Site', 'none'],
    'postern:8971',
    false,
  ],
  ['the public origin', ['Origin', 'https://nvr.example:8443'], 'postern', false],
  ['the public origin in capitals', ['Origin', 'HTTPS://NVR.example:8443'], undefined, false],
  ['the public origin without its port', ['Origin', 'https://nvr.example'], host, true],
  ['the public origin by another scheme', ['Origin', 'http://nvr.example:8443'], host, true],
  [
    'the public origin, by fetch metadata another site',
    ['Origin', 'https://nvr.example:8443', 'Sec-Fetch-Site', 'same-site'],
    host,
    true,
  ],
  ['the own origin twice', ['Origin', `https://${host}`, 'Origin', `https://${host}`], host, true],
  [
    'two origins, whatever the browser knows',
    ['Origin', `https://${host}`, 'Origin', 'https://evil.test', 'Sec-Fetch-Site', 'same-origin'],
    host,
    true,
  ],
  ['the same site twice', ['Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-Site', 'same-origin'], host, true],
  ['a list of sites', ['Sec-Fetch-Site', 'same-origin, same-origin'], host, true],
  ['an empty site', ['Sec-Fetch-Site', ''], host, true],
  ['a backslash in the origin', ['Origin', `https://${host}\\.evil.test`], host, true],
  ['an opaque origin', ['Origin', 'null'], host, true],
  ['an empty origin', ['Origin', ''], host, true],
  ['an origin that is no URL', ['Origin', host], host, true],
  ['another scheme', ['Origin', `chrome-extension://${host}`], host, true],
  ['a path behind it', ['Origin', `https://${host}/`], host, true],
  ['a user before it', ['Origin', `https://${host}@evil.test`], host, true],
  ['the host as a user', ['Origin', `https://evil.test@${host}`], host, true],
  ['a host that only ends like it', ['Origin', `https://evil-${host}`], host, true],
  ['a host that only begins like it', ['Origin', `https://${host}.evil.test`], host, true],
  ['a site that contradicts', ['Origin', `https://${host}`, 'Sec-Fetch-Site', 'cross-site'], host, true],
  ['two origins', ['Origin', `https://${host}`, 'Origin', 'https://evil.test'], host, true],
  ['two sites', ['Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-Site', 'cross-site'], host, true],
  ['an unknown site', ['Sec-Fetch-Site', 'SAME-ORIGIN'], host, true],
  ['no host', ['Origin', `https://${host}`], undefined, true],
  ['no host and no origin', [], undefined, false],
])('%s', (_, headers, asked, cross) => {
  expect(isCrossSite(headers, { host: asked, publicOrigin })).toBe(cross);
});

test.each<[what: string, headers: readonly string[], embedded: boolean]>([
  ['no sign', [], false],
  [
    'a link',
    ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Dest', 'document'],
    false,
  ],
  ['a frame, by what it is for', ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Dest', 'iframe'], true],
  ['a picture, by how it is fetched', ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'no-cors'], true],
  ['another origin', ['Origin', 'https://evil.test', 'Sec-Fetch-Mode', 'cors'], true],
  ['a link without the rest', ['Sec-Fetch-Site', 'cross-site'], false],
  ['a frame of this site', ['Sec-Fetch-Site', 'same-origin', 'Sec-Fetch-Dest', 'iframe'], false],
  [
    'two modes',
    ['Sec-Fetch-Site', 'cross-site', 'Sec-Fetch-Mode', 'navigate', 'Sec-Fetch-Mode', 'cors'],
    true,
  ],
])('embedded elsewhere: %s', (_, headers, embedded) => {
  expect(isEmbeddedElsewhere(headers, { host, publicOrigin })).toBe(embedded);
});

// fc.webUrl searches all of Unicode first, which takes seconds.
const anyUrl = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.domain(),
    fc.option(fc.nat(65_535)),
    fc.string({ unit: anyCodePoint }),
  )
  .map(([scheme, name, port, path]) => `${scheme}://${name}${port === null ? '' : `:${port}`}/${path}`);

test('only its own origin is the same site', () => {
  assertCases(
    fc.property(
      fc.oneof(
        anyUrl,
        fc.string(),
        fc.domain().map((name) => `https://${name}`),
      ),
      (origin) => {
        fc.pre(origin.toLowerCase() !== `https://${host}`);
        expect(isCrossSite(['origin', origin], { host, publicOrigin })).toBe(true);
      },
    ),
  );
});

const rules = {
  roles: rolesOf(),
  resolveResource: prepareRules([{ path: '/**', level: 'any', may: 'shell' }])(known([])),
  recorded: nothingRecorded,
  internalHosts: new Set<string>(),
  publicOrigin,
  listsAreFiltered: filtered.listsAreFiltered,
  stateOf: noSchedules,
  basePath: '',
};
const forged = ['Origin', 'https://evil.test'];

test.each<
  [
    source: Identity['source'] | 'basic',
    method: string | undefined,
    headers: readonly string[],
    reason: string,
  ]
>([
  ['session', 'POST', forged, 'cross_site'],
  ['session', 'PUT', forged, 'cross_site'],
  ['session', 'DELETE', forged, 'cross_site'],
  ['session', 'OPTIONS', forged, 'cross_site'],
  ['session', 'get', forged, 'cross_site'],
  ['session', undefined, forged, 'cross_site'],
  ['session', 'GET', forged, 'allowed'],
  ['session', 'HEAD', forged, 'allowed'],
  ['session', 'POST', ['Origin', `https://${host}`], 'allowed'],
  ['session', 'POST', [], 'allowed'],
  ['bearer', 'POST', forged, 'allowed'],
  ['api-token', 'POST', forged, 'allowed'],
  ['api-token', 'GET', [...forged, 'Upgrade', 'websocket'], 'allowed'],
  // Browsers send Basic by themselves, programs name no site.
  ['basic', 'POST', forged, 'cross_site'],
  ['basic', 'DELETE', ['Sec-Fetch-Site', 'same-site'], 'cross_site'],
  ['basic', 'POST', [...forged, 'Sec-Fetch-Site', 'same-origin'], 'allowed'],
  ['basic', 'GET', [...forged, 'Upgrade', 'websocket'], 'cross_site'],
  ['basic', 'GET', forged, 'allowed'],
  ['basic', 'POST', [], 'allowed'],
  ['proxy', 'POST', forged, 'cross_site'],
  ['proxy', 'POST', [...forged, 'Sec-Fetch-Site', 'same-origin'], 'allowed'],
  ['proxy', 'POST', ['Sec-Fetch-Site', 'cross-site'], 'cross_site'],
  ['proxy', 'GET', [...forged, 'Sec-WebSocket-Key', 'x'], 'cross_site'],
  ['proxy', 'GET', [...forged, 'Upgrade', 'WebSocket'], 'cross_site'],
  ['session', 'GET', [...forged, 'Sec-Fetch-Mode', 'websocket'], 'cross_site'],
  ['proxy', 'GET', forged, 'allowed'],
  ['internal', 'POST', forged, 'cross_site'],
  ['internal', 'GET', [...forged, 'Sec-WebSocket-Key', 'x'], 'allowed'],
  ['internal', 'POST', [], 'allowed'],
  ['session', 'POST', [...forged, 'Sec-Fetch-Site', 'same-origin'], 'allowed'],
  ['session', 'POST', [...forged, 'Sec-Fetch-Site', 'none'], 'allowed'],
  ['session', 'POST', [...forged, 'Sec-Fetch-Site', 'same-site'], 'cross_site'],
  ['session', 'POST', ['Origin', publicOrigin], 'allowed'],
  ['session', 'GET', ['Origin', publicOrigin, 'Upgrade', 'websocket'], 'allowed'],
  ['session', 'GET', [...forged, 'Sec-Fetch-Site', 'same-origin', 'Upgrade', 'websocket'], 'allowed'],
])('%s, %s with %j: %s', (source, method, headers, reason) => {
  const identity: Identity =
    source === 'basic'
      ? { ...plainIdentity('root', 'admin', 'api-token'), scheme: 'basic' }
      : plainIdentity('root', 'admin', source);
  const request = { entryPoint: 'authenticated', method, uri: '/x', headers, host, secure: true } as const;
  expect(evaluate(request, { identity }, rules)).toMatchObject({
    outcome: reason === 'allowed' ? 'allow' : 'forbidden',
    reason,
    identity,
  });
});

test.each<[what: string, headers: readonly string[], host: string | undefined, hints: boolean]>([
  ['the port', ['Origin', 'https://cameras.test:8443'], 'cameras.test', true],
  ['another port', ['Origin', 'http://192.0.2.7:8080'], '192.0.2.7:8971', true],
  ['the port of IPv6', ['Origin', 'http://[2001:db8::1]:8080'], '[2001:DB8::1]', true],
  ['another host', ['Origin', 'https://evil.test'], 'cameras.test', false],
  ['a host that begins like it', ['Origin', 'https://cameras.test.evil.test:8443'], 'cameras.test', false],
  [
    'a site of the browser',
    ['Origin', 'https://cameras.test:8443', 'Sec-Fetch-Site', 'same-site'],
    'cameras.test',
    false,
  ],
  ['an opaque origin', ['Origin', 'null'], 'cameras.test', false],
])('the operator is told of a lost port: %s', (_, headers, asked, hints) => {
  expect(lostPortHint(headers, asked) !== undefined).toBe(hints);
});
