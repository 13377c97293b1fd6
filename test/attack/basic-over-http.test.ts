import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { basic } from '../support/basic.ts';
import { adminOf, userOf } from '../support/log-in.ts';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/*
 * Programs send the password of Basic with every request, so the gate takes it over TLS alone, or from its own machine. A proxy that
 * reports TLS has to be trusted.
 */

const trusted = '127.0.0.2';

let upstream: RecordingUpstream;
let gateway: RunningGateway;
let token: string;

beforeAll(async () => {
  upstream = await startRecordingUpstream();
  gateway = await startGateway({
    config: {
      tls: { enabled: false },
      auth: { trusted_proxies: [trusted], failed_login_rate_limit: null },
      cameras: ['garage'],
      upstream: `http://${upstream.address}`,
    },
  });
  const address = gateway.addresses.forwardAuthAuthenticated ?? '';
  const vera = await userOf(await adminOf(gateway, address), address, 'vera', 'viewer');
  const { body } = await vera.send('POST', '/postern/api/tokens', { name: 'script', role: 'viewer' });
  ({ token } = JSON.parse(body) as { token: string });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
});

type Header = readonly [name: string, value: string];
type Road = 'client' | 'relay' | 'nginx' | 'forward-auth' | 'ext-authz';

const forClient: Header = ['X-Forwarded-For', '203.0.113.9'];
const forThisMachine: Header = ['X-Forwarded-For', '127.0.0.1'];
const https: Header = ['X-Forwarded-Proto', 'https'];
const http: Header = ['X-Forwarded-Proto', 'http'];

const ofBrowsers: readonly Header[] = [
  ['User-Agent', 'Mozilla/5.0 (X11)'],
  ['Origin', 'null'],
  ['Cookie', 'postern_look=dark'],
  ['Sec-Fetch-Mode', 'no-cors'],
];

/** By each road, the question whether a client may know the recorder's version. */
function requestBy(road: Road, headers: readonly Header[]): RawRequest {
  const uri = '/api/version';
  if (road === 'nginx')
    return { uri: '/auth', headers: [...headers, ['X-Original-Method', 'GET'], ['X-Original-URL', uri]] };
  if (road === 'ext-authz') return { uri: `/api/authz/ext-authz${uri}`, headers };
  if (road !== 'forward-auth') return { uri, headers };
  return {
    uri: '/api/authz/forward-auth',
    headers: [
      ...headers,
      ['X-Forwarded-Method', 'GET'],
      ['X-Forwarded-Host', 'gate.local'],
      ['X-Forwarded-Uri', uri],
    ],
  };
}

async function ask(road: Road, authorization: string | undefined, headers: readonly Header[], from?: string) {
  const { addresses, log } = gateway;
  const { authenticated, relayAuthenticated, forwardAuthAuthenticated } = addresses;
  const listeners = { client: authenticated, relay: relayAuthenticated };
  const address = (road in listeners ? listeners[road as 'client'] : forwardAuthAuthenticated) ?? '';
  const credentials: Header[] = authorization === undefined ? [] : [['Authorization', authorization]];
  const request = requestBy(road, [...credentials, ...headers]);
  const before = log.length;
  const { status, body, headers: answered } = await sendRaw(address, request, false, from);
  const reason = log.slice(before).find((line) => line['decision'] !== undefined)?.['reason'];
  return { status, body, headers: answered, reason };
}

describe.each<[road: Road, what: string, headers: readonly Header[], isTaken: boolean, from?: string]>([
  ['client', 'of this machine', [], true],
  ['client', 'through a proxy that is not trusted', [forClient], false],
  ['client', 'through one that claims TLS', [forClient, https], false],
  ['client', 'through one that claims to be this machine', [forThisMachine, https], false],
  ['client', 'through one that claims nothing but TLS', [https], false],
  ['client', 'through one of RFC 7239', [['Forwarded', 'for=203.0.113.9;proto=https']], false],
  ['client', 'over TLS, through a trusted proxy', [forClient, https], true, trusted],
  ['client', 'over plain HTTP, through a trusted proxy', [forClient, http], false, trusted],
  ['client', 'through a trusted proxy that does not say how', [forClient], false, trusted],
  ['client', 'through a trusted proxy that does not say who', [http], false, trusted],
  ['client', 'of a trusted proxy’s machine', [forThisMachine, http], true, trusted],
  ...(['relay', 'nginx', 'forward-auth', 'ext-authz'] as const).flatMap(
    (road): Array<[Road, string, Header[], boolean]> => [
      [road, 'over TLS', [forClient, https], true],
      [road, 'over plain HTTP', [forClient, http], false],
      [
        road,
        'over plain HTTP, which the client denies',
        [['X-Forwarded-For', '127.0.0.1, 203.0.113.9'], http],
        false,
      ],
      [road, 'of this machine', [forThisMachine, http], true],
      [road, 'that it does not name', [http], false],
    ],
  ),
])('by the road %s, for a client %s', (road, _, headers, isTaken, from) => {
  test(`Basic is ${isTaken ? 'taken' : 'refused'}`, async () => {
    for (const name of ['vera', 'token']) {
      const { status, reason } = await ask(road, basic(name, token), headers, from);
      expect([status, reason]).toEqual(isTaken ? [200, 'allowed'] : [401, 'basic_over_http']);
    }
  });

  test(`a program is ${isTaken ? 'asked for it' : 'not asked for it'}, and no browser`, async () => {
    const challenged = async (...others: Header[]) => {
      const answer = await ask(road, undefined, [...headers, ['User-Agent', 'curl/8'], ...others], from);
      expect(answer.status).toBe(401);
      return answer.headers.get('www-authenticate')?.[0];
    };
    expect(await challenged()).toBe(isTaken ? 'Basic realm="Postern", charset="UTF-8"' : undefined);
    for (const header of ofBrowsers) expect(await challenged(header), header[0]).toBeUndefined();
  });

  test('a token as bearer is taken', async () => {
    expect((await ask(road, `Bearer ${token}`, headers, from)).status).toBe(200);
  });
});

test('a client cannot distinguish its refusal from that of an unknown token', async () => {
  const seen = ({ status, body, headers }: Awaited<ReturnType<typeof ask>>) => [
    status,
    body,
    [...headers.keys()],
  ];
  const over = await ask('client', basic('vera', token), [forClient]);
  expect(seen(over)).toEqual(seen(await ask('client', basic('vera', `${token}A`), [forClient])));
  // Only the question for a password tells them apart, and that depends on the connection alone.
  const unknown = await ask('client', basic('vera', `${token}A`), []);
  expect([over.reason, unknown.reason]).toEqual(['basic_over_http', 'api_token_unknown']);
  expect([over, unknown].map(({ headers }) => headers.has('www-authenticate'))).toEqual([false, true]);
});

test('no log line has what was sent', () => {
  const log = JSON.stringify(gateway.log);
  for (const secret of [token, basic('vera', token), basic('token', token)])
    expect(log).not.toContain(secret);
});
