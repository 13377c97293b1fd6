import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { headerValues } from '../../../src/policy/raw-headers.ts';
import { canHere } from '../../support/can-here.ts';
import { everyFront, startFrontedGateway, type FrontedGateway } from '../../support/every-front.ts';
import { adminOf, userOf } from '../../support/log-in.ts';
import { sendRaw, type RawRequest } from '../../support/raw-http.ts';

/* Programs that send a password only once they are asked for it get that question through each front, and browsers never do. */

const hasCurl = canHere('curl', spawnSync('curl', ['--version']).status === 0);

let running: FrontedGateway;
let token: string;

beforeAll(async () => {
  running = await startFrontedGateway({ cameras: ['driveway', 'garage'] });
  const address = running.gateway.addresses.authenticated ?? '';
  const vera = await userOf(await adminOf(running.gateway), address, 'vera', 'viewer');
  const { body } = await vera.send('POST', '/postern/api/tokens', { name: 'player', role: 'viewer' });
  ({ token } = JSON.parse(body) as { token: string });
});
afterAll(() => running.close());
beforeEach(() => void running.upstream.takeReached());

type Headers = NonNullable<RawRequest['headers']>;

const curl: Headers = [['User-Agent', 'curl/7.88.1']];
const browsers: ReadonlyArray<readonly [what: string, headers: Headers]> = [
  ['a browser', [['User-Agent', 'Mozilla/5.0 (X11)']]],
  ['a page', [...curl, ['Accept', 'text/html']]],
  ['a picture of a page', [...curl, ['Sec-Fetch-Dest', 'image']]],
  ['a script of a page', [...curl, ['Origin', 'https://gate.local']]],
  ['a session that has ended', [...curl, ['Cookie', 'session_token=a.b.c']]],
];

/** Postern's own, the recorder's, one that is narrowed, the relay's, and a visit. */
const paths = ['/api/profile', '/api/garage/latest.jpg', '/api/events?limit=1', '/api/config', '/auth'];

describe.each(everyFront)('%s', (name) => {
  const ask = async (uri: string, headers: Headers, method = 'GET') => {
    const { address, tls } = running.front(name);
    const answer = await sendRaw(address, { method, uri, headers }, tls);
    return [answer.status, ...(answer.headers.get('www-authenticate') ?? [])];
  };

  test('a program is asked once', async () => {
    for (const uri of paths)
      expect(await ask(uri, curl), uri).toEqual([401, expect.stringMatching(/^Basic realm=/)]);
    expect(await ask('/api/events/1/retain', curl, 'POST')).toEqual([401, expect.stringMatching(/^Basic /)]);
  });

  test.each(browsers)('%s is not asked', async (_, headers) => {
    for (const uri of paths) {
      const [status, ...challenges] = await ask(uri, headers);
      expect([401, 302, 303], uri).toContain(status);
      expect(challenges, uri).toEqual([]);
    }
  });

  test.skipIf(!hasCurl)('curl --anyauth gets in by a token in the address', async () => {
    const { address, tls } = running.front(name);
    for (const uri of ['/api/garage/latest.jpg', '/api/config']) {
      const url = `${tls ? 'https' : 'http'}://token:${token}@${address}${uri}`;
      // Caddy's site has a name.
      const host = ['--header', 'Host: gate.local'];
      const parameters = ['--silent', '--insecure', '--anyauth', '--output', '/dev/null', ...host];
      const { stdout } = await promisify(execFile)('curl', [
        ...parameters,
        '--write-out',
        '%{http_code}',
        url,
      ]);
      expect(stdout, uri).toBe('200');
      const [reached, ...others] = running.upstream.takeReached();
      expect(others).toEqual([]);
      expect(headerValues(reached?.rawHeaders ?? [], 'remote-user'), uri).toEqual(['vera']);
      expect(headerValues(reached?.rawHeaders ?? [], 'authorization'), uri).toEqual([]);
    }
  });
});

test('a front that hides the client’s name asks for no password', async () => {
  const { forwardAuthAuthenticated: gate = '' } = running.gateway.addresses;
  const uri = '/api/authz/ext-authz/api/version';
  for (const [headers, isAsked] of [
    [curl, true],
    [[], false],
  ] as const) {
    const answer = await sendRaw(gate, { uri, headers: [['X-Forwarded-Proto', 'https'], ...headers] });
    expect([answer.status, answer.headers.has('www-authenticate')]).toEqual([401, isAsked]);
  }
});
