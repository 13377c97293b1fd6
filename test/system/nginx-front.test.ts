import { ownPaths } from '../support/every-endpoint.ts';
import { chmodSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { strippedHeaders } from '../../src/http/reverse-proxy/upstream-headers.ts';
import { parseTrustedHeaders } from '../../src/config/trusted-headers-file.ts';
import { AppError, errorAnswer } from '../../src/errors.ts';
import { monitoringPaths } from '../../src/telemetry/monitoring-answers.ts';
import { headersSetIn } from '../support/nginx-headers.ts';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { projectRoot, startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { acceptWebSocket, frameOf, opcodes } from '../support/web-socket.ts';
import { upgradeHeaders } from '../support/open-stream.ts';
import { startNginx, startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

const { isOwn: isOwnPath } = ownPaths;

const trustedHeadersFile = join(projectRoot, 'proxy_trusted_headers.conf');

function temporaryFile(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), 'postern-headers-')), 'proxy_trusted_headers.conf');
  writeFileSync(file, text);
  return file;
}

function nginxFor(gateway: RunningGateway, recorder: string): Promise<RunningNginx> {
  return startNginxFor(gateway, { recorder });
}

/** nginx whose gate is away. */
async function orphaned(recorder: string): Promise<RunningNginx & AsyncDisposable> {
  const nowhere = { authenticated: 'unix:/nowhere/a.sock', internal: 'unix:/nowhere/b.sock' };
  const nginx = await startNginx({ gateway: nowhere, relay: nowhere, recorder });
  return { ...nginx, [Symbol.asyncDispose]: nginx.close };
}

describe('with sessions', () => {
  let upstream: RecordingUpstream;
  let gateway: RunningGateway;
  let nginx: RunningNginx;
  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    gateway = await startGateway({ config: { upstream: `http://${upstream.address}` } });
    nginx = await nginxFor(gateway, upstream.address);
  });
  afterAll(async () => {
    await nginx.close();
    await gateway.close();
    await upstream.close();
  });

  test('a refusal carries the Location of the gateway, and no reason', async () => {
    const answer = await sendRaw(nginx.authenticated, { uri: '/api/events' }, true);
    expect(answer.status).toBe(401);
    expect(answer.headers.get('location')).toEqual(['/login']);
    expect(JSON.parse(answer.body)).toEqual({ message: 'Authentication required', code: 'unauthenticated' });
    expect(answer.headers.has('x-postern-reason')).toBe(false);
    expect(answer.headers.get('x-postern-decision')).toEqual([gateway.log.at(-1)?.['decision']]);
  });

  test('a WebSocket is passed on', async () => {
    upstream.server.once('upgrade', (request, socket) => {
      acceptWebSocket(request, socket);
      socket
        .on('error', () => socket.destroy())
        .on('end', () => socket.end())
        .resume();
      socket.write(frameOf(opcodes.text, Buffer.from(String(request.headers['remote-role']))));
    });
    const socket = connectTo(nginx.internal);
    const lines = [['Host', 'x'], ...upgradeHeaders].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(`GET /ws HTTP/1.1\r\n${lines}\r\n`);
    let received = '';
    socket.on('data', (chunk: Buffer) => {
      received += chunk.toString();
      if (received.endsWith('admin')) socket.end();
    });
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.1 101 [^]*admin$/);
  });

  test.each(['h2c', 'foo'])('an upgrade to %s is not passed on', async (protocol) => {
    const answer = await sendRaw(nginx.internal, {
      uri: '/x',
      headers: [
        ['Connection', 'Upgrade, HTTP2-Settings, close'],
        ['Upgrade', protocol],
        ['HTTP2-Settings', 'AAMAAABkAARAAAAAAAIAAAAA'],
      ],
    });
    expect(answer.body).toBe('recorder');
    const reached = upstream.takeReached()[0]?.rawHeaders.map((text) => text.toLowerCase());
    expect(reached).not.toContain('upgrade');
    expect(reached).not.toContain('http2-settings');
  });

  test('a body that the gateway would not take is refused before it is stored', async () => {
    const answer = await sendRaw(
      nginx.authenticated,
      {
        method: 'POST',
        uri: '/api/login',
        headers: [
          ['Content-Length', '100000000000'],
          ['Content-Type', 'application/json'],
        ],
      },
      true,
    );
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      413,
      { message: 'The body is too large', code: 'payload_too_large' },
    ]);
  });

  test('the recorder unreachable: 502 with a message', async () => {
    const away = await nginxFor(gateway, '127.0.0.1:1');
    const answer = await sendRaw(away.internal, { uri: '/api/events' });
    await away.close();
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      502,
      { message: "The recorder doesn't answer", code: 'upstream_unavailable' },
    ]);
  });

  test('the gateway unreachable: refused, and nothing reaches the recorder', async () => {
    const orphan = await orphaned(upstream.address);
    upstream.takeReached();
    const answers = [
      await sendRaw(orphan.authenticated, { uri: '/api/events' }, true),
      await sendRaw(orphan.internal, { uri: '/api/events' }),
    ];
    await orphan.close();
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(upstream.takeReached()).toEqual([]);
  });

  test.each([
    ['what the gate answers itself', '/postern/api/version', 502],
    ['a page of its own', '/login', 502],
    ['a visit', '/auth', 502],
    ['what the gate passes on itself', '/live/jsmpeg/garage', 502],
    ['what it is asked about', '/api/events', 503],
  ])('the gateway away: the words are about it, in %s', async (_, uri, status) => {
    await using orphan = await orphaned(upstream.address);
    const json = await sendRaw(orphan.authenticated, { uri }, true);
    expect([json.status, json.headers.get('content-type'), JSON.parse(json.body)]).toEqual([
      status,
      ['application/json'],
      { message: "Postern doesn't answer", code: 'gate_away' },
    ]);
    for (const [language, title] of [
      ['en', 'Postern doesn’t answer'],
      ['de', 'Postern antwortet nicht'],
    ] as const) {
      const headers = [
        ['Accept', 'text/html'],
        ['Accept-Language', language],
      ] as const;
      const page = await sendRaw(orphan.authenticated, { uri, headers }, true);
      expect([page.status, /<title>(.*)<\/title>/.exec(page.body)?.[1]]).toEqual([
        status,
        `${title} · Postern`,
      ]);
    }
  });

  test('the recorder unreachable behind the relay: the message is about the recorder', async () => {
    const alone = await startGateway({ config: { upstream: 'http://127.0.0.1:1' } });
    const front = await nginxFor(alone, '127.0.0.1:1');
    const answer = await sendRaw(front.internal, { uri: '/live/jsmpeg/garage' });
    await front.close();
    await alone.close();
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      502,
      { message: "The recorder doesn't answer", code: 'upstream_unavailable' },
    ]);
  });
});

test('nginx keeps its connections to the gateway', async () => {
  let connections = 0;
  const directory = mkdtempSync(join(tmpdir(), 'postern-count-'));
  const gateway = await startGateway();
  const target = gateway.addresses.forwardAuthInternal ?? '';
  const counting = createServer(() => {});
  counting.removeAllListeners('connection');
  counting.on('connection', (socket) => {
    connections += 1;
    const onward = connectTo(target);
    socket.pipe(onward).pipe(socket);
    socket.on('error', () => onward.destroy());
    onward.on('error', () => socket.destroy());
  });
  counting.listen(join(directory, 'counting.sock'));
  await once(counting, 'listening');
  chmodSync(join(directory, 'counting.sock'), 0o666);
  const socketPath = `unix:${join(directory, 'counting.sock')}`;
  const nginx = await startNginx({
    gateway: { authenticated: socketPath, internal: socketPath },
    recorder: gateway.addresses.events ?? '',
  });
  for (let i = 0; i < 20; i += 1) {
    expect((await sendRaw(nginx.internal, { uri: '/api/events?limit=1' })).status).toBe(200);
  }
  await nginx.close();
  counting.close();
  await gateway.close();
  expect(connections).toBe(1);
});

describe('the trusted-headers file', () => {
  const proxyMode = {
    auth: { enabled: false },
    proxy: { header_map: { user: 'X-Company-User', role: 'X-Company-Role' }, default_role: 'viewer' },
  };
  const companyFile = () =>
    temporaryFile(
      ['X-Company-User $http_x_company_user', 'X-Company-Role $http_x_company_role']
        .map((header) => `proxy_set_header ${header};\n`)
        .join(''),
    );

  test('of the operator applies behind nginx, which has no list of its own', async () => {
    const file = companyFile();
    const gateway = await startGateway({ config: proxyMode, trustedHeadersFile: file });
    const nginx = await nginxFor(gateway, gateway.addresses.events ?? '');
    const profile = await sendRaw(
      nginx.authenticated,
      {
        uri: '/api/profile',
        headers: [
          ['X-Company-User', 'carla'],
          ['X-Company-Role', 'admin'],
        ],
      },
      true,
    );
    const lookup = await sendRaw(
      nginx.authenticated,
      {
        uri: '/api/events',
        headers: [
          ['Remote-User', 'carla'],
          ['Remote-Groups', 'admin'],
        ],
      },
      true,
    );
    await nginx.close();
    await gateway.close();
    expect(JSON.parse(profile.body)).toMatchObject({ username: 'carla', role: 'admin' });
    expect(lookup.status).toBe(401);
  });

  test.each([
    ['proxy_set_header Remote-User;', 'line 2'],
    ['set_header Remote-User $http_remote_user;', 'line 2'],
  ])('"%s" stops the gateway', async (line, where) => {
    const file = temporaryFile(`# ours\n${line}\n`);
    await expect(startGateway({ trustedHeadersFile: file })).rejects.toThrow(where);
  });

  test('of the project lists the headers of the specification', () => {
    const vendor = ['authentik', 'idp'].flatMap((idp) =>
      ['username', 'groups', 'email', 'name', 'uid'].map((part) => `x-${idp}-${part}`),
    );
    expect(
      [...parseTrustedHeaders(readFileSync(trustedHeadersFile, 'utf8'), trustedHeadersFile)].toSorted(),
    ).toEqual(
      [
        'x-proxy-secret',
        ...['user', 'groups', 'email', 'name'].map((part) => `remote-${part}`),
        ...['user', 'groups', 'email', 'preferred-username'].map((part) => `x-forwarded-${part}`),
        ...vendor,
      ].toSorted(),
    );
  });
});

describe('nginx and the embedded front agree', () => {
  const configuration = (name: string) => readFileSync(join(projectRoot, 'nginx', 'postern', name), 'utf8');

  test('on the headers that never reach the recorder', () => {
    const trusted = parseTrustedHeaders(readFileSync(trustedHeadersFile, 'utf8'), trustedHeadersFile);
    const set = new Set(headersSetIn('recorder.conf'));
    expect([...strippedHeaders(trusted)].filter((name) => !set.has(name))).toEqual([]);
  });

  test('on the words of a refusal', () => {
    for (const code of ['unauthenticated', 'forbidden', 'host_unknown', 'payload_too_large'] as const) {
      const { status, body } = errorAnswer(new AppError(code));
      const name = code === 'host_unknown' ? code : status;
      expect(JSON.parse(configuration(`errors/${name}.json`))).toEqual(body);
    }
  });

  test('on the paths that the gateway answers', () => {
    const locations = [
      ...configuration('server.conf').matchAll(/^location (=|\^~) (\S+) \{\n([^}]*)\}/gm),
    ].map(([, kind = '', path = '', body = '']) => ({ kind, path, body }));
    const own = locations.filter(({ body }) => body === '  include postern/own.conf;\n');
    expect(own.map(({ path }) => path)).toEqual([
      '/postern/',
      '/postern',
      '/login',
      '/logout',
      '/api/login',
      '/api/logout',
      '/api/profile',
      '/api/users',
      '/api/users/',
    ]);
    expect(own.every(({ path }) => isOwnPath(path, true))).toBe(true);
    for (const { kind, path } of own) expect([path, kind]).toEqual([path, path.endsWith('/') ? '^~' : '=']);
    const relayed = locations.filter(({ body }) => body === '  include postern/relay.conf;\n');
    expect(relayed.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
      '^~ /ws',
      '^~ /live/',
      '^~ /api/go2rtc/',
      '^~ /api/logs/',
      '= /api/reviews/viewed',
      '= /api/exports/batch',
      '^~ /api/export/',
      '= /api/config',
      '= /api/stats',
      '= /api/metrics',
    ]);
    expect(relayed.filter(({ path }) => isOwnPath(path, false))).toEqual([]);
    const known = new Set([...own, ...relayed]);
    const others = locations.filter((location) => !known.has(location)).map(({ path }) => path);
    expect(others).toEqual([
      '/_errors/',
      '/_errors/401.login',
      '/_errors/403.html',
      '/_gate',
      '/_gate_narrow',
      '/login/',
      '/auth',
    ]);
    expect([...configuration('root-redirect.conf').matchAll(/^location (.*) \{/gm)]).toMatchObject([
      { 1: '= /' },
    ]);
  });

  test('on the paths that the gateway answers on the internal entry point alone', () => {
    const paths = [...configuration('monitoring.conf').matchAll(/^location = (\/\S+)/gm)].map(
      ([, path = '']) => path,
    );
    expect(paths).toEqual(monitoringPaths);
    expect(paths.every((path) => isOwnPath(path, true, 'internal') && !isOwnPath(path, false))).toBe(true);
    for (const name of ['nginx.conf', 'recorder.conf']) {
      const [, ...servers] = configuration(`../${name}`).split(/^ {2}server \{/m);
      const including = servers.filter((server) => server.includes('include postern/monitoring.conf;'));
      expect(servers).toHaveLength(2);
      expect(including.map((server) => /set \$gateway (\S+);/.exec(server)?.[1])).toEqual([
        'http://gateway_internal',
      ]);
    }
  });
});
