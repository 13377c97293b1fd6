import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { printedPassword } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/* What reaches the gate through the proxies that people have, each with its own spelling of host, scheme and client. */

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      auth: { trusted_proxies: ['127.0.0.1/32'], failed_login_rate_limit: '2/hour' },
      public_url: 'https://nvr.example:8443',
    },
  });
});
afterAll(() => gateway?.close());

type Line = readonly [name: string, value: string];
type Lines = readonly Line[];

const site: Line = ['Sec-Fetch-Site', 'same-origin'];
const webSocket: Lines = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
];
const origin = (value: string): Line => ['Origin', value];
const host = (value: string): Line => ['Host', value];
const forwarded = (value: string): Line => ['X-Forwarded-Host', value];

const send = (uri: string, headers: Lines, user = 'admin', password = printedPassword(gateway)) =>
  sendRaw(
    gateway.addresses.authenticated ?? '',
    uri === '/api/login'
      ? {
          method: 'POST',
          uri,
          headers: [['Content-Type', 'application/json'], ...headers],
          body: JSON.stringify({ user, password }),
        }
      : { uri, headers },
    true,
  );

const own: ReadonlyArray<[what: string, headers: Lines]> = [
  [
    'a port that the proxy lost, told by the browser',
    [host('cams.lan'), origin('https://cams.lan:444'), site],
  ],
  ['a name of the upstream, told by the browser', [host('postern'), origin('https://cams.lan'), site]],
  ['the port of the scheme, which the proxy adds', [host('cams.lan:443'), origin('https://cams.lan')]],
  ['X-Forwarded-Host in capitals', [host('x'), forwarded('Cams.LAN:443'), origin('https://cams.lan')]],
  ['X-Forwarded-Host of two proxies', [host('x'), forwarded('cams.lan, inner'), origin('https://cams.lan')]],
  ['an empty X-Forwarded-Host', [host('cams.lan'), forwarded(''), origin('https://cams.lan')]],
  ['public_url', [host('nvr.example'), origin('https://nvr.example:8443')]],
];
const foreign: ReadonlyArray<[what: string, headers: Lines]> = [
  ['another origin', [host('cams.lan'), origin('https://evil.example')]],
  ['a port that the proxy lost', [host('cams.lan'), origin('https://cams.lan:444')]],
  ['a second proxy', [host('x'), forwarded('inner, cams.lan'), origin('https://cams.lan')]],
  [
    'a site of its own',
    [host('nvr.example'), origin('https://nvr.example:8443'), ['Sec-Fetch-Site', 'same-site']],
  ],
  ['two sites', [host('cams.lan'), site, site]],
];

describe('a sign-in and a WebSocket are of this site by', () => {
  test.each(own)('%s', async (_, headers) => {
    const { status, headers: answered } = await send('/api/login', headers);
    expect(status).toBe(200);
    const cookie: Line = ['Cookie', answered.get('set-cookie')?.[0]?.split(';')[0] ?? ''];
    // Only a recorder would answer it.
    expect((await send('/ws', [...headers, ...webSocket, cookie])).status).not.toBe(403);
    expect(gateway.log.at(-1)).not.toMatchObject({ reason: 'cross_site' });
  });
});

describe('a sign-in and a WebSocket are of another site by', () => {
  test.each(foreign)('%s', async (_, headers) => {
    const signedIn = await send('/api/login', []);
    const cookie: Line = ['Cookie', signedIn.headers.get('set-cookie')?.[0]?.split(';')[0] ?? ''];
    for (const answer of [
      await send('/api/login', headers),
      await send('/ws', [...headers, ...webSocket, cookie]),
    ]) {
      expect(answer.status).toBe(403);
      expect(gateway.log.findLast(({ event }) => event === 'refused')).toMatchObject({
        reason: 'cross_site',
      });
    }
  });
});

test('the log says which key helps where a proxy loses the port', async () => {
  const signedIn = await send('/api/login', []);
  const cookie: Line = ['Cookie', signedIn.headers.get('set-cookie')?.[0]?.split(';')[0] ?? ''];
  for (const [sent, hint] of [
    ['https://cams.lan:444', expect.stringContaining('public_url')],
    ['https://evil.example:444', undefined],
  ] as const)
    for (const uri of ['/ws', '/api/login']) {
      await send(uri, [host('cams.lan'), origin(sent), ...(uri === '/ws' ? [...webSocket, cookie] : [])]);
      const line = gateway.log.findLast(({ event }) => event === 'refused');
      expect([line?.['path'], line?.['hint']], `${uri} of ${sent}`).toEqual([uri, hint]);
    }
});

describe('each client behind a proxy is limited by itself', () => {
  test.each([
    ['Azure, IIS', (n: number) => `203.0.113.${n}:5123${n}`],
    ['IPv6 with a port', (n: number) => `[2001:db8:0:${n}::1]:443`],
    ['a quoted address', (n: number) => `"[2001:db8:1:${n}::1]:443"`],
    ['two proxies', (n: number) => `198.51.100.${n}:1, 127.0.0.1:8080`],
  ])('%s', async (_, client) => {
    const fail = (n: number) =>
      send('/api/login', [['X-Forwarded-For', client(n)]], 'nobody', 'not the password');
    expect([await fail(1), await fail(1), await fail(1)].map(({ status }) => status)).toEqual([
      401, 401, 429,
    ]);
    expect((await fail(2)).status).toBe(401);
  });
});

describe('the cookie is for TLS only where the browser speaks it', () => {
  test.each([
    ['https', true],
    ['HTTPS', true],
    ['https,http', true],
    ['https, http', true],
    ['http', false],
    ['HTTP', false],
    ['http,https', false],
  ])('%s', async (proto, secure) => {
    const { headers } = await send('/api/login', [['X-Forwarded-Proto', proto]]);
    expect(headers.get('set-cookie')?.[0]?.includes('; Secure')).toBe(secure);
  });
});
