import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

let upstream: RecordingUpstream;
let gateway: RunningGateway;
let nginxes: readonly RunningNginx[];

beforeAll(async () => {
  upstream = await startRecordingUpstream();
  gateway = await startGateway({ config: { upstream: `http://${upstream.address}`, base_path: '/cameras' } });
  nginxes = await Promise.all([
    startNginxFor(gateway, { recorder: upstream.address }),
    startNginxFor(gateway, { recorder: upstream.address, main: 'recorder.conf' }),
  ]);
});
afterAll(async () => {
  await Promise.all(nginxes.map((nginx) => nginx.close()));
  await gateway.close();
  await upstream.close();
});
beforeEach(() => void upstream.takeReached());

const rebound = ['Host', 'evil.example:5000'] as const;
const addressOf = {
  'the embedded front': () => gateway.addresses.internal ?? '',
  'nginx.conf': () => nginxes[0]?.internal ?? '',
  'recorder.conf': () => nginxes[1]?.internal ?? '',
} as const;

describe.each(Object.keys(addressOf) as Array<keyof typeof addressOf>)('%s', (name) => {
  const send = (uri: string, headers: ReadonlyArray<readonly [string, string]>, method = 'GET') =>
    sendRaw(addressOf[name](), { method, uri, headers });

  test.each(['/api/config', '/metrics', '/login'])(
    '%s says which key names the hosts, and the log has the reason',
    async (uri) => {
      const answer = await send(uri, [rebound]);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        403,
        { code: 'host_unknown', message: expect.stringContaining('networking.internal_hosts') as string },
      ]);
      expect(answer.headers.get('x-postern-decision')).toHaveLength(1);
      expect(gateway.log.findLast(({ msg }) => msg === 'refused')).toMatchObject({
        reason: 'host_unknown',
        path: uri,
      });
      expect(upstream.takeReached()).toEqual([]);
    },
  );

  test('a browser that navigates gets a page about it', async () => {
    const answer = await send('/api/config', [rebound, ['Accept', 'text/html']]);
    expect(answer.status).toBe(403);
    expect(answer.body).toContain('networking.internal_hosts');
  });

  test('a request without a host is refused', async () => {
    const socket = connectTo(addressOf[name]());
    socket.end('GET /api/config HTTP/1.0\r\n\r\n');
    let received = '';
    socket.on('data', (chunk: Buffer) => (received += chunk.toString()));
    await once(socket, 'close');
    expect(received).toMatch(/^HTTP\/1\.[01] 40[03] /);
    expect(upstream.takeReached()).toEqual([]);
  });
});

test('not even the slash behind the base path is added for such a name', async () => {
  const answer = await sendRaw(gateway.addresses.internal ?? '', { uri: '/cameras', headers: [rebound] });
  expect(answer.status).toBe(403);
});

describe('a front that asks about its internal entry point', () => {
  const ask = (uri: string, headers: ReadonlyArray<readonly [string, string]>) =>
    sendRaw(gateway.addresses.forwardAuthInternal ?? '', { uri, headers });

  test.each<[how: string, headers: ReadonlyArray<readonly [string, string]>]>([
    [
      'X-Forwarded-Host',
      [
        ['Host', 'postern'],
        ['X-Forwarded-Host', 'evil.example'],
        ['X-Original-URL', '/'],
      ],
    ],
    [
      'an absolute X-Original-URL',
      [
        ['Host', 'postern'],
        ['X-Original-URL', 'http://evil.example/'],
      ],
    ],
    [
      'its own Host',
      [
        ['Host', 'evil.example'],
        ['X-Original-URL', '/'],
      ],
    ],
  ])('nginx, by %s', async (_, headers) => {
    const answer = await ask('/auth', headers);
    expect([answer.status, answer.headers.get('x-postern-reason')]).toEqual([403, ['host_unknown']]);
  });

  test('nginx, and the name is known', async () => {
    const answer = await ask('/auth', [
      ['Host', 'postern'],
      ['X-Forwarded-Host', 'nvr.local:5000'],
      ['X-Original-URL', 'http://nvr.local:5000/'],
    ]);
    expect([answer.status, answer.headers.get('remote-role')]).toEqual([200, ['admin']]);
  });

  test.each([
    ['evil.example', 403],
    ['nvr.lan', 200],
  ] as const)('Traefik, by X-Forwarded-Host: %s', async (host, status) => {
    const answer = await ask('/api/authz/forward-auth', [
      ['Host', 'gate.example:8972'],
      ['X-Forwarded-Method', 'GET'],
      ['X-Forwarded-Proto', 'http'],
      ['X-Forwarded-Host', host],
      ['X-Forwarded-Uri', '/'],
    ]);
    expect(answer.status).toBe(status);
  });

  test.each([
    ['evil.example', 403],
    ['nvr.lan', 200],
  ] as const)('Envoy, by Host: %s', async (host, status) => {
    const headers = [
      ['Host', host],
      ['X-Forwarded-Proto', 'http'],
    ] as const;
    expect((await ask('/api/authz/ext-authz/', headers)).status).toBe(status);
  });
});

test('a name that networking.internal_hosts lists is known from the next request on', async () => {
  const file = join(gateway.directory, 'config.yml');
  const document = parse(readFileSync(file, 'utf8')) as { networking: object };
  Object.assign(document.networking, { internal_hosts: ['Evil.Example'] });
  writeFileSync(file, stringify(document));
  await gateway.reloading.reload('test');
  for (const address of Object.values(addressOf))
    expect((await sendRaw(address(), { uri: '/api/version', headers: [rebound] })).status).toBe(200);
});
