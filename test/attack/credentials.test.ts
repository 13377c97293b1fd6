import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { basic } from '../support/basic.ts';
import { everyFront, startFrontedGateway, type FrontedGateway } from '../support/every-front.ts';
import { adminOf, userOf } from '../support/log-in.ts';
import { connectTo, sendRaw, type RawRequest } from '../support/raw-http.ts';

/*
 * Credentials end at the gate: what a client shows to it reaches no recorder, which could use it at the gate. And no recorder
 * makes a client show it something else.
 */

type Headers = NonNullable<RawRequest['headers']>;

const base64Of = (text: string) => Buffer.from(text).toString('base64');

/** For nginx, which cannot distinguish several Set-Cookie, and drops all cookies when the gate has too many. */
const nginxes = new Set(everyFront.filter((name) => !['Caddy', 'HAProxy', 'embedded front'].includes(name)));

let running: FrontedGateway;
/** A session token and an API token of vera, and an API token of ian. */
let session: string;
let apiToken: string;
let apiTokenOfIan: string;

const planted = [
  'session_token=planted; Path=/',
  'session_token = planted',
  '=session_token=planted; Path=/',
  'postern_share=planted',
  'postern_anything=planted',
];
const fromRecorder = ['theme=dark; Path=/', 'session_token2=1', 'xpostern_a=1'];

beforeAll(async () => {
  running = await startFrontedGateway({ auth: { failed_login_rate_limit: null } });
  running.upstream.server.prependListener('request', (_: IncomingMessage, response: ServerResponse) => {
    response.setHeader('set-cookie', [...planted, ...fromRecorder]);
    response.setHeader('x-postern-assertion', 'planted');
  });
  const { gateway } = running;
  const admin = await adminOf(gateway);
  const made = async (username: string) => {
    const user = await userOf(admin, gateway.addresses.authenticated ?? '', username, 'admin');
    const { body } = await user.send('POST', '/postern/api/tokens', { name: 'script', role: 'viewer' });
    const { token } = JSON.parse(body) as { token: string };
    return { session: user.token ?? '', token };
  };
  ({ session, token: apiToken } = await made('vera'));
  ({ token: apiTokenOfIan } = await made('ian'));
});
afterAll(() => running.close());
beforeEach(() => void running.upstream.takeReached());

const pairsOf = (rawHeaders: readonly string[]) =>
  headerValues(rawHeaders, 'cookie')
    .flatMap((line) => line.split(';'))
    .map((pair) => pair.trim())
    // Some lines end with a semicolon, and of two lines one can be empty by now.
    .filter((pair) => pair !== '');

interface CookieRow {
  readonly name: string;
  /** The lines of Cookie. */
  readonly sent: (token: string) => readonly string[];
  readonly passedOn: readonly string[];
}

const cookieRows: readonly CookieRow[] = [
  { name: 'alone', sent: (token) => [`session_token=${token}`], passedOn: [] },
  { name: 'first', sent: (token) => [`session_token=${token}; a=b; c=d`], passedOn: ['a=b', 'c=d'] },
  { name: 'in the middle', sent: (token) => [`a=b; session_token=${token}; c=d`], passedOn: ['a=b', 'c=d'] },
  { name: 'last', sent: (token) => [`a=b; c=d; session_token=${token}`], passedOn: ['a=b', 'c=d'] },
  {
    name: 'three times',
    sent: (token) => [`session_token=${token}; a=b; session_token=${token}; c=d; session_token=${token}`],
    passedOn: ['a=b', 'c=d'],
  },
  {
    name: 'one after the other',
    sent: (token) => [`session_token=${token}; postern_look=de.dark; postern_share=x; a=b`],
    passedOn: ['a=b'],
  },
  {
    name: 'of each kind',
    sent: (token) => [
      `postern_oidc_0123456789abcdef=x; a=b; session_token=${token}; postern_look=de.dark; frigate=x`,
    ],
    passedOn: ['a=b', 'frigate=x'],
  },
  {
    name: 'six of them',
    sent: (token) => [
      `postern_a=1; postern_b=2; c=d; postern_e=3; session_token=${token}; f=g; postern_h=4; postern_i=5`,
    ],
    passedOn: ['c=d', 'f=g'],
  },
  {
    name: 'in several lines',
    sent: (token) => [`a=b; session_token=${token}`, 'postern_look=de.dark; c=d', 'postern_share=x'],
    passedOn: ['a=b', 'c=d'],
  },
  {
    name: 'with odd spaces',
    sent: (token) => [`\t session_token=${token}\t ;a=b;postern_share =x;  c=d ;; `],
    passedOn: ['a=b', 'c=d'],
  },
  {
    name: 'in quotes of another',
    sent: (token) => [`a="x; session_token=${token}; y"`],
    passedOn: ['a="x', 'y"'],
  },
  {
    name: 'with attributes of RFC 2965',
    sent: (token) => [`$Version=1; session_token=${token}; $Path=/; a=b`],
    passedOn: ['$Version=1', '$Path=/', 'a=b'],
  },
  {
    name: 'beside names that only look like it',
    sent: (token) => [
      `SESSION_TOKEN=1; session_token2=2; xsession_token=3; session_token=${token}; __Host-session_token=4; Postern_a=5; xpostern_b=6`,
    ],
    passedOn: [
      'SESSION_TOKEN=1',
      'session_token2=2',
      'xsession_token=3',
      '__Host-session_token=4',
      'Postern_a=5',
      'xpostern_b=6',
    ],
  },
  { name: 'without a value beside it', sent: (token) => [`postern_a; session_token=${token}`], passedOn: [] },
];

describe.each(everyFront)('through %s', (name) => {
  const send = async (request: RawRequest) => {
    const { address, tls } = running.front(name);
    const answer = await sendRaw(address, request, tls);
    const reached = running.upstream.takeReached();
    return { ...answer, reached, rawHeaders: reached[0]?.rawHeaders ?? [] };
  };
  const withCookies = (lines: readonly string[], ...more: Headers): Headers => [
    ...lines.map((line) => ['Cookie', line] as const),
    ...more,
  ];

  describe.each(['GET', 'POST'])('by %s', (method) => {
    const request = { method, uri: '/api/events/1/retain' };

    test.each(cookieRows)('cookies of the gate, $name, reach no recorder', async ({ sent, passedOn }) => {
      const { status, reached, rawHeaders } = await send({ ...request, headers: withCookies(sent(session)) });
      expect([status, reached.length]).toEqual([200, 1]);
      const pairs = pairsOf(rawHeaders);
      // Caddy keeps cookies without a value.
      expect(pairs.filter((pair) => pair !== 'postern_a')).toEqual(passedOn);
      expect(JSON.stringify(rawHeaders)).not.toContain(session);
    });

    test('many cookies at once reach none either', async () => {
      const many = Array.from({ length: 30 }, (_, i) => `postern_${i}=x`).join('; ');
      const { status, rawHeaders } = await send({
        ...request,
        headers: withCookies([`a=b; session_token=${session}; ${many}; c=d`]),
      });
      expect(status).toBe(200);
      const givesUp = nginxes.has(name) && method === 'GET';
      expect(pairsOf(rawHeaders)).toEqual(givesUp ? [] : ['a=b', 'c=d']);
    });

    test.each<[what: string, authorization: () => string]>([
      ['a session token', () => `Bearer ${session}`],
      ['a session token, in another case', () => `bEARER ${session}`],
      ['a session token behind more spaces', () => `Bearer \t  ${session}`],
      ...(method === 'GET' ? [['an API token', () => `Bearer ${apiToken}`] as [string, () => string]] : []),
    ])('as bearer %s reaches no recorder', async (_, authorization) => {
      const uri = '/api/version';
      const headers: Headers = [['Authorization', authorization()]];
      const { status, rawHeaders } = await send({ method, uri, headers });
      expect([status, headerValues(rawHeaders, 'authorization')]).toEqual([200, []]);
    });

    test.each<[authorization: string]>([
      ['Basic bmVsbDpzZWNyZXQ='],
      ['bASIC  bmVsbDpzZWNyZXQ='],
      [basic('postern_service', 'secret')],
      [basic('nell', 'xpostern_a')],
      [basic('nell', 'Postern_a')],
      [basic('nell', 'eyJust_a_password')],
      [basic('display_1', 'secret')],
      // Neither has a colon.
      [`Basic ${Buffer.from('postern_a').toString('base64')}`],
      ['Basic OnBvc3Rlcm'],
      ['Digest username="OnBvc3Rlcm5f"'],
    ])('%s is the recorder’s', async (authorization) => {
      const headers = withCookies([`session_token=${session}`], ['Authorization', authorization]);
      const { status, rawHeaders } = await send({ ...request, headers });
      expect([status, headerValues(rawHeaders, 'authorization')]).toEqual([200, [authorization]]);
    });

    test('passes on the recorder’s own', async () => {
      const { status, rawHeaders } = await send({
        ...request,
        headers: withCookies(
          [`session_token=${session}`, 'a=b'],
          ['Authorization', 'Basic bmVsbDpzZWNyZXQ='],
        ),
      });
      expect([status, headerValues(rawHeaders, 'authorization'), pairsOf(rawHeaders)]).toEqual([
        200,
        ['Basic bmVsbDpzZWNyZXQ='],
        ['a=b'],
      ]);
    });

    test('no recorder sets a cookie of the gate, or sends the retired header to a client', async () => {
      const { headers } = await send({ ...request, headers: withCookies([`session_token=${session}`]) });
      const set = (headers.get('set-cookie') ?? []).filter((line) => line !== '');
      expect(set).toEqual(nginxes.has(name) && method === 'GET' ? [] : fromRecorder);
      expect(headers.get('x-postern-assertion')).toBeUndefined();
    });
  });

  // The base64 of the token differs by the length of the name before it.
  test.each<[user: string, token: () => string]>([
    ['token', () => apiToken],
    ['tokEN', () => apiToken],
    ['vera', () => apiToken],
    ['VERA', () => apiToken],
    ['ian', () => apiTokenOfIan],
  ])('an API token as Basic of %s reaches no recorder', async (user, token) => {
    for (const uri of ['/api/version', '/api/front_door/latest.jpg', '/api/stats']) {
      for (const scheme of ['Basic', 'bASIC ']) {
        const authorization = basic(user, token()).replace('Basic', scheme);
        const headers = withCookies(['a=b'], ['Authorization', authorization]);
        const { status, reached, rawHeaders } = await send({ uri, headers });
        expect([uri, status, reached.length]).toEqual([uri, 200, 1]);
        expect([headerValues(rawHeaders, 'authorization'), pairsOf(rawHeaders)]).toEqual([[], ['a=b']]);
      }
    }
  });

  test.each<[what: string, authorization: (token: string) => string]>([
    ['by itself', (token) => token],
    ['of another scheme', (token) => `Token ${token}`],
    ['as a parameter', (token) => `Digest username="nell", response="${token}"`],
    ['as Basic, not encoded', (token) => `Basic ${token}`],
    ['as Basic, without a name', (token) => `Basic ${base64Of(token)}`],
    ['as the name of Basic', (token) => basic(token, '')],
    ['as the name of Basic, with a password', (token) => basic(token, 'secret')],
    ['in the name of Basic, from its second letter', (token) => basic(`x${token}`, '')],
    ['in the name of Basic, from its third letter', (token) => basic(`xx${token}`, '')],
    ['encoded, of another scheme', (token) => `Token ${base64Of(token)}`],
    ['encoded, by itself', (token) => base64Of(token)],
  ])('an API token %s opens nothing, and reaches no recorder', async (_, authorization) => {
    const headers: Headers = [['Authorization', authorization(apiToken)]];
    const request = { uri: '/api/version' };
    const alone = await send({ ...request, headers });
    expect([alone.status, alone.reached]).toEqual([401, []]);
    const beside = await send({ ...request, headers: withCookies([`session_token=${session}`], ...headers) });
    expect([beside.status, headerValues(beside.rawHeaders, 'authorization')]).toEqual([200, []]);
  });

  test.each<[what: string, authorization: (token: string) => string]>([
    ['as the password of Basic', (token) => basic('vera', token)],
    ['behind a longer name', (token) => basic('vera2', token)],
    ['behind a still longer name', (token) => basic('vera_2', token)],
    ['as the name of Basic', (token) => basic(token, '')],
    ['as the name of Basic, with a password', (token) => basic(token, 'secret')],
    ['in the name of Basic, from its second letter', (token) => basic(`x${token}`, '')],
    ['in the name of Basic, from its third letter', (token) => basic(`xx${token}`, '')],
    ['by itself', (token) => token],
    ['of another scheme', (token) => `Token ${token}`],
    ['encoded, of another scheme', (token) => `Token ${base64Of(token)}`],
  ])('a session token and the credential of a screen %s reach no recorder', async (_, authorization) => {
    const display = `display_0b9a5fe8-3f0c-4a51-9d1b-0123456789ab.12.${'m'.repeat(43)}`;
    for (const credential of [session, display, `display_${'m'.repeat(43)}`]) {
      const headers: Headers = [['Authorization', authorization(credential)]];
      const beside = await send({
        uri: '/api/version',
        headers: withCookies([`session_token=${session}`], ...headers),
      });
      expect([beside.status, headerValues(beside.rawHeaders, 'authorization')]).toEqual([200, []]);
    }
  });

  test.each<[what: string, authorization: () => string]>([
    ['with a name that is not its owner’s', () => basic('olaf', apiToken)],
    ['without a name', () => basic('', apiToken)],
    ['with more behind it', () => basic('vera', `${apiToken}A`)],
    ['with a comma', () => `${basic('vera', apiToken)},`],
    ['with a space in it', () => basic('vera', apiToken).replace(/.{20}$/, ' $&')],
    ['in the alphabet of URLs', () => basic('>?>?', apiToken).replaceAll('/', '_').replaceAll('+', '-')],
  ])('an API token as Basic %s is refused, and reaches no recorder', async (_, authorization) => {
    const headers = withCookies([`session_token=${session}`], ['Authorization', authorization()]);
    const { status, reached } = await send({ uri: '/api/version', headers });
    expect([status, reached]).toEqual([401, []]);
  });

  test('a WebSocket sends none either, and gets none', async () => {
    const { address, tls } = running.front(name);
    let asked: readonly string[] = [];
    running.upstream.server.once('upgrade', ({ rawHeaders }, socket) => {
      asked = rawHeaders;
      const lines = [...planted, ...fromRecorder].map((line) => `Set-Cookie: ${line}\r\n`).join('');
      socket.end(
        `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\nX-Postern-Assertion: planted\r\n${lines}\r\n`,
      );
    });
    const socket = connectTo(address, tls);
    onTestFinished(() => void socket.destroy());
    socket.write(
      `GET /live/jsmpeg/garage HTTP/1.1\r\nHost: gate.local\r\nCookie: a=b; session_token=${session}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    let answer = '';
    socket.on('data', (chunk: Buffer) => (answer += chunk.toString('latin1')));
    await once(socket, 'close');
    expect(answer).toMatch(/^HTTP\/1\.1 101 /);
    expect(pairsOf(asked)).toEqual(['a=b']);
    expect(answer).not.toContain('planted');
    expect(fromRecorder.filter((line) => !answer.includes(line))).toEqual([]);
  });
});
