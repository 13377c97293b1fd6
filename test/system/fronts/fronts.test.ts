import { once } from 'node:events';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { headerAlias, headerValues } from '../../../src/policy/raw-headers.ts';
import { cookieOf, goodPassword, visitor, type Visitor } from '../../support/log-in.ts';
import { connectTo, sendRaw, type RawRequest } from '../../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../../support/recording-upstream.ts';
import { startFront, frontNames, type RunningFront } from '../../support/start-front.ts';
import { blocksOf } from '../../support/markdown.ts';
import { projectRoot } from '../../support/start-gateway.ts';
import { startSessionGate, type SessionGate } from './gates.ts';
import { reachedIdentity } from './reached-identity.ts';
import { acceptWebSocket, frameOf, maskedFrameOf, opcodes, readFrames } from '../../support/web-socket.ts';
import { spoofedHeaders } from './spoofed-headers.ts';

const guide = readFileSync(join(projectRoot, 'docs/fronts/README.md'), 'utf8');
const curlLines = blocksOf(guide).find(({ code }) => code.startsWith('front='))?.code ?? '';

let upstream: RecordingUpstream;
let gate: SessionGate;

beforeAll(async () => {
  upstream = await startRecordingUpstream();
  gate = await startSessionGate(upstream.address);
});
afterAll(async () => {
  await gate.close();
  await upstream.close();
});

describe.each(frontNames)('%s', (name) => {
  let front: RunningFront;
  let orphan: RunningFront;
  let admin: Visitor;
  let olaf: Visitor;
  let nell: Visitor;

  beforeAll(async () => {
    const recorder = upstream.address;
    [front, orphan] = await Promise.all([
      startFront(name, { gateway: gate.address, relay: gate.relay, recorder }),
      startFront(name, { gateway: '127.0.0.1:1', recorder }),
    ]);
    [admin, olaf, nell] = ['admin', 'olaf', 'nell'].map(() => visitor(front.address, front.tls)) as [
      Visitor,
      Visitor,
      Visitor,
    ];
  });
  afterAll(() => Promise.all([front, orphan].map((running) => running?.close())));
  beforeEach(() => void upstream.takeReached());

  const send = (request: RawRequest, to = front) => sendRaw(to.address, request, to.tls);
  const as = ({ token }: Visitor, headers: RawRequest['headers'] = []) => [
    ['Cookie', `session_token=${token}`] as const,
    ...headers,
  ];

  test('a login through it sets the cookie', async () => {
    const answers = await Promise.all([
      admin.logIn('admin', gate.adminPassword),
      olaf.logIn('olaf', goodPassword),
      nell.logIn('nell', goodPassword),
    ]);
    expect(answers.map(({ status, headers }) => [status, headers.get('set-cookie')?.length])).toEqual([
      [200, 1],
      [200, 1],
      [200, 1],
    ]);
    const secure = answers[0]?.headers.get('set-cookie')?.[0]?.includes('; Secure');
    expect(secure).toBe(front.tls);
    const profile = await olaf.send('GET', '/api/profile');
    expect(JSON.parse(profile.body)).toMatchObject({ username: 'olaf', role: 'viewer' });
    expect(upstream.takeReached()).toEqual([]);
  });

  test('the curl lines of docs/fronts/README.md have the answers that it lists', async () => {
    const directory = mkdtempSync(join(tmpdir(), 'postern-curl-'));
    const url = `${front.tls ? 'https' : 'http'}://gate.local:${front.address.split(':')[1]}`;
    const code = curlLines
      .replace(/^front=.*$/m, `front=${url}`)
      .replace('"password":"…"', `"password":"${gate.adminPassword}"`);
    const curl = `curl() { command curl --resolve '${url.split('//')[1]}:127.0.0.1' -o /dev/null -w '%{http_code}\\n' "$@"; }`;
    try {
      const { stdout } = await promisify(execFile)('bash', ['-euc', `${curl}\n${code}`], { cwd: directory });
      const answers = stdout.trim().split('\n');
      const listed = [...curlLines.matchAll(/# (\d{3})(?: or (\d{3}))?/g)].map(([, ...codes]) => codes);
      expect(listed.length).toBe(6);
      expect(answers.length).toBe(listed.length);
      for (const [index, codes] of listed.entries()) expect(codes).toContain(answers[index]);
    } finally {
      rmSync(directory, { recursive: true });
    }
  });

  test('no session: 401 in JSON', async () => {
    const answer = await send({ uri: '/api/review?limit=1', headers: [['Accept', '*/*']] });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      401,
      { message: 'Authentication required', code: 'unauthenticated' },
    ]);
    expect(answer.headers.get('location')?.[0]).toMatch(/\/login$/);
    expect(upstream.takeReached()).toEqual([]);
  });

  test.each([
    ['Sec-Fetch-Mode', 'navigate'],
    ['Accept', 'text/html,*/*'],
  ])('a navigation (%s) without a session: to the login, and back after', async (header, value) => {
    const answer = await send({ uri: '/review?day=1', headers: [[header, value]] });
    expect(answer.status).toBe(name === 'Caddy' || name === 'HAProxy' ? 302 : 303);
    const location = answer.headers.get('location')?.[0] ?? '';
    expect(decodeURIComponent(location).endsWith('/login?next=/review?day=1')).toBe(true);
    expect(URL.parse(location, 'http://gate.local')?.host).toBe('gate.local');
    expect((await send({ uri: '/login', headers: [['Accept', 'text/html']] })).body).toContain(
      '<!doctype html>',
    );
    expect(upstream.takeReached()).toEqual([]);
  });

  test('the recorder gets the identity that the gate found', async () => {
    const answer = await send({ uri: '/api/driveway/latest.jpg?h=1', headers: as(nell) });
    expect([answer.status, answer.body]).toEqual([200, 'recorder']);
    const [reached] = upstream.takeReached();
    expect([reached?.method, reached?.uri]).toEqual(['GET', '/api/driveway/latest.jpg?h=1']);
    expect(reachedIdentity(reached?.rawHeaders)).toEqual({ user: ['nell'], role: ['operator'] });
  });

  test('another camera: 403 without the reason', async () => {
    const answer = await send({ uri: '/api/garage/latest.jpg', headers: as(nell) });
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      403,
      { message: 'Access denied', code: 'forbidden' },
    ]);
    expect(JSON.stringify([...answer.headers])).not.toContain('camera_not_granted');
    expect(upstream.takeReached()).toEqual([]);
  });

  test.each(spoofedHeaders)('%s of a client does not reach the recorder', async (header) => {
    const answer = await send({ uri: '/api/version', headers: as(nell, [[header, 'mallory']]) });
    const reached = upstream.takeReached();
    for (const { rawHeaders } of reached) {
      expect(rawHeaders).not.toContain('mallory');
      expect(reachedIdentity(rawHeaders)).toEqual({ user: ['nell'], role: ['operator'] });
    }
    // Caddy passes other spellings on, and the gate refuses them; the others take them out.
    const isRefused = name === 'Caddy' && headerAlias(header) !== header.toLowerCase();
    expect([answer.status, reached.length]).toEqual(isRefused ? [403, 0] : [200, 1]);
  });

  test('two Remote-User, and all spoofed headers at once, in front of another camera', async () => {
    const headers = as(nell, [
      ['Remote-User', 'admin'],
      ['Remote-User', 'admin'],
      ['X-Original-URL', '/api/driveway/latest.jpg'],
      ['X-Original-Method', 'GET'],
      ['X-Forwarded-Uri', '/api/driveway/latest.jpg'],
      ['X-Forwarded-Method', 'GET'],
    ]);
    expect((await send({ uri: '/api/garage/latest.jpg', headers })).status).toBe(403);
    expect(upstream.takeReached()).toEqual([]);
  });

  test.each([
    '/api/..%2fconfig',
    '/api/driveway/%2e%2e/garage/latest.jpg',
    '/api/driveway/../garage/latest.jpg',
    '/clips\\..\\x',
    '/api/driveway%252f..%252fgarage/latest.jpg',
  ])('%s is refused', async (uri) => {
    const answer = await send({ uri, headers: as(nell) });
    expect([400, 403]).toContain(answer.status);
    expect(upstream.takeReached()).toEqual([]);
  });

  test('the absolute form is decided by its path', async () => {
    const ask = (path: string) => send({ uri: `http://gate.local${path}`, headers: as(nell) });
    expect((await ask('/api/garage/latest.jpg')).status).toBe(403);
    expect(upstream.takeReached()).toEqual([]);
    await ask('/api/driveway/latest.jpg');
    expect(upstream.takeReached()).toMatchObject([{ uri: '/api/driveway/latest.jpg' }]);
  });

  test('a body reaches the recorder, when it is allowed', async () => {
    const request = { method: 'POST', uri: '/api/events/1/retain', body: 'x'.repeat(100_000) };
    const bodies = bodiesOf(upstream, request.uri);
    const refused = await send({ ...request, headers: as(olaf) });
    expect([refused.status, bodies.taken()]).toEqual([403, []]);
    const answer = await send({ ...request, headers: as(admin) });
    bodies.end();
    expect([answer.status, bodies.taken()]).toEqual([200, [request.body]]);
  });

  test('HEAD is answered like GET, without a body', async () => {
    const refused = await send({ method: 'HEAD', uri: '/api/garage/latest.jpg', headers: as(nell) });
    const allowed = await send({ method: 'HEAD', uri: '/api/driveway/latest.jpg', headers: as(nell) });
    expect([refused.status, refused.body, allowed.status, allowed.body]).toEqual([403, '', 200, '']);
    expect(upstream.takeReached()).toMatchObject([{ method: 'HEAD' }]);
  });

  test('a WebSocket passes, when it is allowed', async () => {
    const open = async (visitor: Visitor) => {
      const socket = connectTo(front.address, front.tls);
      const lines = [`Cookie: session_token=${visitor.token}`, 'Connection: Upgrade', 'Upgrade: websocket'];
      const key = ['Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='];
      socket.write(`GET /ws HTTP/1.1\r\nHost: gate.local\r\n${[...lines, ...key].join('\r\n')}\r\n\r\n`);
      let received = '';
      socket.on('data', (chunk: Buffer) => {
        received += chunk.toString();
        if (received.includes('hello') && !received.includes('again'))
          socket.write(maskedFrameOf(opcodes.text, '"again"'));
        if (/again|"code"/.test(received)) socket.end();
      });
      await once(socket, 'close');
      return received;
    };
    upstream.server.once('upgrade', (request, socket) => {
      acceptWebSocket(request, socket);
      socket.write(frameOf(opcodes.text, Buffer.from(`hello ${String(request.headers['remote-user'])}`)));
      readFrames(socket, ({ opcode, payload }) => socket.end(frameOf(opcode, payload)));
      socket.on('error', () => socket.destroy());
    });
    expect(await open(admin)).toMatch(/^HTTP\/1\.1 101 [^]*hello admin[^]*"again"/);
    expect(await open(visitor(front.address))).toMatch(/^HTTP\/1\.1 401 /);
  });

  test.each(['h2c', 'foo'])('an upgrade to %s is not passed on', async (protocol) => {
    await send({
      uri: '/api/version',
      headers: as(admin, [
        ['Connection', 'Upgrade, HTTP2-Settings'],
        ['Upgrade', protocol],
        ['HTTP2-Settings', 'AAMAAABkAARAAAAAAAIAAAAA'],
      ]),
    });
    for (const { rawHeaders } of upstream.takeReached()) {
      const names = rawHeaders.map((text) => text.toLowerCase());
      expect(names).not.toContain('upgrade');
      expect(names).not.toContain('http2-settings');
    }
  });

  test.each([[['h2c', 'websocket']], [['websocket', 'h2c']], [['h2c, websocket']]])(
    'of the upgrades %j nothing but a WebSocket is passed on',
    async (protocols) => {
      const offered: string[] = [];
      const take = ({ headers }: IncomingMessage, socket: Duplex) => {
        offered.push(headers.upgrade ?? '');
        socket.on('error', () => socket.destroy());
        socket.end('HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n');
      };
      upstream.server.once('upgrade', take);
      await send({
        uri: '/ws',
        headers: as(admin, [
          ['Connection', 'Upgrade'],
          ...protocols.map((protocol) => ['Upgrade', protocol] as const),
        ]),
      });
      upstream.server.off('upgrade', take);
      offered.push(
        ...upstream.takeReached().flatMap(({ rawHeaders }) => headerValues(rawHeaders, 'upgrade')),
      );
      expect(offered.filter((protocol) => protocol !== 'websocket')).toEqual([]);
    },
  );

  test('Connection takes no identity out of a request', async () => {
    const listed = ['Connection', 'close, Remote-Role, Remote-User'] as const;
    const answer = await send({ uri: '/api/driveway/latest.jpg', headers: as(nell, [listed]) });
    expect(answer.status).toBe(200);
    const [reached] = upstream.takeReached();
    expect(headerValues(reached?.rawHeaders ?? [], 'remote-user')).toEqual(['nell']);
    expect(headerValues(reached?.rawHeaders ?? [], 'remote-role')).toHaveLength(1);
  });

  test('a public path in another spelling is no way to the recorder', async () => {
    for (const uri of ['/api//login', '//login', '/%6cogin', '/login/']) {
      await send({ uri });
      expect(upstream.takeReached()).toEqual([]);
    }
  });

  test('a visit to /auth reveals no reason', async () => {
    const headers = as(nell, [['Origin', 'https://evil.test']]);
    const answer = await send({ method: 'POST', uri: '/auth', headers });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('x-postern-reason')).toBeUndefined();
  });

  test.each(['TRACE', 'CONNECT'])('%s is refused to an admin too', async (method) => {
    for (const uri of ['/api/version', '/login', '/auth', '/api/profile']) {
      const { status } = await send({ method, uri, headers: as(admin) });
      expect([400, 405]).toContain(status);
    }
    expect(upstream.takeReached()).toEqual([]);
  });

  test("the gate's own pages and endpoints are the gate's", async () => {
    const login = await send({ uri: '/login', headers: [['Accept', 'text/html']] });
    const asset = /"\.\/(postern\/assets\/[^"]+\.js)"/.exec(login.body)?.[1];
    expect((await send({ uri: `/${asset}` })).headers.get('content-type')).toEqual([
      'text/javascript; charset=utf-8',
    ]);
    for (const uri of [
      '/postern/account',
      '/postern/settings/users',
      '/postern/settings/access',
      '/api/login',
      '/api/profile',
      '/postern/api/cameras',
      '/api/users',
      '/postern/api/roles',
    ]) {
      expect([uri, (await send({ uri, headers: as(admin) })).status]).toEqual([uri, 200]);
    }
    const user = await send({ method: 'DELETE', uri: '/api/users/no.such.user', headers: as(admin) });
    expect([user.status, JSON.parse(user.body)]).toMatchObject([404, { code: 'user_unknown' }]);
    expect(upstream.takeReached()).toEqual([]);
  });

  test.each(['/api/authz/forward-auth', '/api/authz/auth-request', '/api/authz/ext-authz/api/version'])(
    'a client cannot ask at %s',
    async (uri) => {
      const answer = await send({ uri, headers: as(admin, [['X-Forwarded-Uri', '/']]) });
      expect(answer.headers.has('remote-user')).toBe(false);
      expect(answer.headers.has('x-postern-reason')).toBe(false);
    },
  );

  test('a long look-up passes', async () => {
    const ids = Array.from({ length: 1_000 }, (_, i) => `1718987129.${100_000 + i}-fqk5ka`).join(',');
    const answer = await send({ uri: `/api/event_ids?ids=${ids}`, headers: as(admin) });
    expect([answer.status, upstream.takeReached().length]).toEqual([200, 1]);
  });

  test('the recorder sees whom the front serves', async () => {
    await send({
      uri: '/api/version',
      headers: as(admin, [
        ['X-Forwarded-For', '192.0.2.1'],
        ['X-Forwarded-Host', 'elsewhere.example'],
        ['X-Forwarded-Proto', 'gopher'],
      ]),
    });
    const [reached] = upstream.takeReached();
    const value = (header: string) => headerValues(reached?.rawHeaders ?? [], header);
    expect(value('x-forwarded-for')).toEqual(['127.0.0.1']);
    expect(value('x-forwarded-host')).toEqual(['gate.local']);
    expect(value('x-forwarded-proto')).toEqual([front.tls ? 'https' : 'http']);
  });

  test('a file of a kind that fronts cache is asked about too', async () => {
    expect((await send({ uri: '/images/plan.svg' })).status).toBe(401);
    expect(upstream.takeReached()).toEqual([]);
  });

  test('the gate unreachable: nothing passes', async () => {
    // HAProxy tries three times, a second apart.
    const answers = await Promise.all(
      [[], as(admin), as(admin, [['Remote-User', 'admin']])].map((headers) =>
        send({ uri: '/api/version', headers }, orphan),
      ),
    );
    const status = name === 'Caddy' ? 502 : 503;
    expect(answers.map((answer) => answer.status)).toEqual([status, status, status]);
    expect(upstream.takeReached()).toEqual([]);
  });

  test('the cookie of a session that was refreshed arrives', async () => {
    gate.passTime(800);
    const answer = await send({ uri: '/api/version', headers: as(olaf) });
    expect([answer.status, answer.headers.get('set-cookie')?.length]).toEqual([200, 1]);
    const token = cookieOf(answer);
    expect(token).not.toBe(olaf.token);
    olaf.token = token;
    const next = await olaf.send('GET', '/api/version');
    expect([next.status, next.headers.has('set-cookie')]).toEqual([200, false]);
  });

  test('a visit to /auth refreshes the session', async () => {
    gate.passTime(10);
    const answer = await send({ uri: '/auth', headers: as(olaf) });
    expect([answer.status, cookieOf(answer) === olaf.token]).toEqual([200, false]);
    expect((await send({ uri: '/auth' })).status).toBe(401);
    expect(upstream.takeReached()).toEqual([]);
  });
});

/** Bodies that arrive from now on: the gate asks the recorder, too, whenever its round comes. */
function bodiesOf({ server }: RecordingUpstream, uri: string) {
  const bodies: string[] = [];
  const listener = (request: IncomingMessage) => {
    if (request.url !== uri) return;
    const at = bodies.push('') - 1;
    request.on('data', (chunk: Buffer) => (bodies[at] += chunk.toString()));
  };
  server.on('request', listener);
  return { taken: () => [...bodies], end: () => void server.off('request', listener) };
}
