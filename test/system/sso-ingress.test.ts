import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { freePort } from '../support/ports.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { projectRoot, startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startSite, type Site } from '../support/start-site.ts';
import { upgradeHeaders } from '../support/open-stream.ts';
import { acceptWebSocket, frameOf, opcodes } from '../support/web-socket.ts';
import type { Header } from './sso-recordings.ts';

/*
 * docs/sso/home-assistant-ingress as a whole: its nginx before the gate and behind it, and what an add-on's proxy sends.
 */

const folder = 'docs/sso/home-assistant-ingress';
const secret = 'a secret for this test';
const prefix = '/api/hassio_ingress/kQ3nqkQ0d1VQxSqg5v0bPw8K7cJqv3m2Tn5hJt9xLw0';
const fromIngress: readonly Header[] = [
  ['Host', 'home.example:8123'],
  ['X-Remote-User-Name', 'nell'],
  ['X-Ingress-Path', prefix],
  ['X-Forwarded-For', '192.168.1.7, 172.30.32.1'],
  ['X-Forwarded-Proto', 'http'],
  ['Cookie', 'ingress_session=0123456789abcdef'],
];
const without = (name: string) => fromIngress.filter(([sent]) => sent !== name);

let recorder: RecordingUpstream;
let postern: RunningGateway;
let site: Site;
let address: string;

beforeAll(async () => {
  recorder = await startRecordingUpstream();
  address = `127.0.0.1:${await freePort()}`;
  const toRecorder = `127.0.0.1:${await freePort()}`;
  const config = parse(readFileSync(join(projectRoot, folder, 'config.yml'), 'utf8')) as object;
  postern = await startGateway({
    config: {
      ...config,
      networking: { listen: { authenticated: '127.0.0.1:0', internal: 'off' } },
      upstream: `http://${toRecorder}`,
    },
    environment: { SERVICE_PROXY_SECRET: secret },
    trustedHeadersFile: join(projectRoot, folder, 'proxy_trusted_headers.conf'),
  });
  site = await startSite({
    file: `${folder}/nginx.conf`,
    addresses: [address, toRecorder],
    replaced: [
      ['listen 8972', `listen ${address}`],
      ['192.168.1.10', '127.0.0.1'],
      ['127.0.0.1:8971', postern.addresses.authenticated ?? ''],
      ['127.0.0.1:8973', toRecorder],
      ['recorder:8971', recorder.address],
    ],
    files: { 'postern-secret.conf': `proxy_set_header X-Proxy-Secret "${secret}";\n` },
  });
});
afterAll(async () => {
  await site.close();
  await postern.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.takeReached();
});

const ask = (headers: readonly Header[], uri = '/api/driveway/latest.jpg') =>
  sendRaw(address, { uri, headers });
/** What the recorder got of the requests about a camera. */
const reached = () => recorder.takeReached().filter(({ uri }) => uri.startsWith('/api/driveway/'));

test('the recorder gets the user, the role and the prefix, and nothing else of Home Assistant', async () => {
  expect((await ask(fromIngress)).status).toBe(200);
  const [request, ...others] = reached();
  expect(others).toEqual([]);
  const names = ['remote-user', 'remote-role', 'x-ingress-path', 'host', 'cookie', 'x-remote-user-name'];
  expect(names.map((name) => headerValues(request?.rawHeaders ?? [], name))).toEqual([
    ['nell'],
    ['neighbour'],
    [prefix],
    ['home.example:8123'],
    [],
    [],
  ]);
});

test.each<[what: string, headers: readonly Header[], status: number]>([
  ['no user', without('X-Remote-User-Name'), 401],
  [
    'a user who is not in the map',
    [...without('X-Remote-User-Name'), ['X-Remote-User-Name', 'mallory']],
    403,
  ],
  ['two users', [...fromIngress, ['X-Remote-User-Name', 'ada']], 400],
  [
    'a user under a name with underscores',
    [...without('X-Remote-User-Name'), ['X_Remote_User_Name', 'ada']],
    401,
  ],
])('%s: refused', async (_, headers, status) => {
  expect((await ask(headers)).status).toBe(status);
  expect(reached()).toEqual([]);
});

test('a client that names itself changes nothing', async () => {
  const own: readonly Header[] = [
    ['X_Remote_User_Name', 'ada'],
    ['Remote-User', 'ada'],
    ['Remote-Role', 'admin'],
    ['X-Proxy-Secret', 'wrong'],
    ['X-Forwarded-Prefix', '/elsewhere'],
  ];
  expect((await ask([...own, ...fromIngress])).status).toBe(200);
  const rawHeaders = reached()[0]?.rawHeaders ?? [];
  expect(headerValues(rawHeaders, 'remote-user')).toEqual(['nell']);
  expect(headerValues(rawHeaders, 'remote-role')).toEqual(['neighbour']);
  expect(headerValues(rawHeaders, 'x-ingress-path')).toEqual([prefix]);
});

test.each(['//evil.example', '/"><script>', '/a/../b'])('the prefix %s reaches no recorder', async (path) => {
  expect((await ask([...without('X-Ingress-Path'), ['X-Ingress-Path', path]])).status).toBe(200);
  const rawHeaders = reached()[0]?.rawHeaders ?? [];
  expect(headerValues(rawHeaders, 'x-ingress-path')).toEqual([]);
});

test("Postern's own redirects lead below the prefix", async () => {
  const answer = await ask(fromIngress, '/postern');
  expect([answer.status, answer.headers.get('location')]).toEqual([303, [`${prefix}/postern/`]]);
});

test('a WebSocket gets through', async () => {
  recorder.server.once('upgrade', (upgrade, socket) => {
    acceptWebSocket(upgrade, socket);
    socket.end(frameOf(opcodes.close, Buffer.alloc(0))).resume();
  });
  expect((await ask([...fromIngress, ...upgradeHeaders], '/live/mse/api/ws?src=driveway')).status).toBe(101);
});

test('another machine gets 403 from nginx', async () => {
  const answer = await sendRaw(address, { uri: '/', headers: fromIngress }, false, '127.0.0.2');
  expect(answer.status).toBe(403);
  expect(recorder.takeReached()).toEqual([]);
});
