import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import type { RequestListener, ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startFronts, type Fronts } from '../support/fronts.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { adminOf, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { connectTo, sendRaw, type RawAnswer, type RawRequest } from '../support/raw-http.ts';
import { openShare, secretOf, shareOf, type MadeShare } from '../support/share.ts';

const cameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'];
const frontDoor = '1793000935.726501-j8ht9l';
const backYard = '1793001976.611703-seh60k';
let now = 1_793_100_000_000;
let fronts: Fronts;
let admin: Visitor;
let vera: Visitor;
let anna: Visitor;
const address = () => fronts.gateway.addresses.authenticated ?? '';

beforeAll(async () => {
  fronts = await startFronts({
    config: {
      auth: {
        roles: { family: ['front_door', 'driveway'] },
        role_access: { family: { may: ['live', 'history', 'export', 'share'] } },
        failed_login_rate_limit: '',
      },
      cameras,
      shares: { longest: '7d', most_per_user: 6 },
    },
    clock: { now: () => now },
  });
  admin = await adminOf(fronts.gateway);
  vera = await userOf(admin, address(), 'vera', 'viewer');
  anna = await userOf(admin, address(), 'anna', 'family');
});
afterAll(() => fronts.close());

const make = (creator: Visitor, wanted: object) => shareOf(creator, { expires_in: 3600, ...wanted });
const open = (share: Pick<MadeShare, 'url'>, password?: string) =>
  openShare(visitor(address()), share, password);
const media = (
  share: MadeShare,
  cookie: string | undefined,
  path: string,
  more: Partial<RawRequest> = {},
): RawRequest => ({
  uri: `/postern/share/${share.id}/media/${path}`,
  ...more,
  headers: [
    ...(cookie === undefined ? [] : [['Cookie', `postern_share=${cookie}`] as const]),
    ...(more.headers ?? []),
  ],
});
const jsonOf = (answer: RawAnswer) => JSON.parse(answer.body) as Record<string, unknown>;

test('nginx buffers nothing of a clip that a client reads slowly, and sends no more when the share ends', async () => {
  const share = await make(vera, { kind: 'event', id: frontDoor });
  const { cookie } = await open(share);
  const { server } = fronts.upstream;
  const listeners = server.listeners('request') as RequestListener[];
  server.removeAllListeners('request');
  const size = 64 * 1_048_576;
  const asked = Promise.withResolvers<ServerResponse>();
  server.on('request', (_, response) => {
    Readable.from(Array.from({ length: 1_024 }, () => Buffer.alloc(size / 1_024))).pipe(response);
    asked.resolve(response);
  });
  const socket = connectTo(fronts.clientFacing.nginx.authenticated, true);
  const uri = `/postern/share/${share.id}/media/api/events/${frontDoor}/clip.mp4`;
  socket.write(`GET ${uri} HTTP/1.1\r\nHost: gate.local\r\nCookie: postern_share=${cookie}\r\n\r\n`);
  let received = 0;
  socket.on('data', ({ length }: Buffer) => (received += length)).on('error', () => undefined);
  await once(socket, 'data');
  socket.pause();
  const clip = await asked.promise;
  let [still, taken] = [0, -1];
  while (still < 20 && !clip.writableFinished) {
    await setTimeout(25);
    const sent = clip.socket?.bytesWritten ?? 0;
    still = sent === taken ? still + 1 : 0;
    taken = sent;
  }
  expect(clip.writableFinished).toBe(false);
  await vera.send('DELETE', `/postern/api/shares/${share.id}`);
  const closed = once(socket, 'close');
  socket.resume();
  await closed;
  expect(received).toBeLessThan(size);
  server.removeAllListeners('request');
  for (const listener of listeners) server.on('request', listener);
});

describe('a share of an event', () => {
  test('is opened without an account, and plays by every front', async () => {
    const share = await make(vera, { kind: 'event', id: frontDoor });
    const { answer, cookie } = await open(share);
    expect(answer.status).toBe(200);
    expect(jsonOf(answer)).toEqual({
      kind: 'event',
      cameras: ['front_door'],
      label: null,
      from: 1_793_000_935,
      until: 1_793_000_953,
      expires_at: now / 1000 + 3600,
      media: {
        video: `${share.id}/media/vod/event/${frontDoor}/master.m3u8`,
        thumbnail: `${share.id}/media/api/events/${frontDoor}/thumbnail.jpg`,
        download: `${share.id}/media/api/events/${frontDoor}/clip.mp4`,
      },
    });
    expect(answer.headers.get('set-cookie')?.[0]?.replace(cookie ?? '', 'VALUE')).toBe(
      `postern_share=VALUE; Max-Age=3600; Path=/postern/share/${share.id}/; HttpOnly; SameSite=Strict; Secure`,
    );
    for (const front of ['embedded front', 'nginx'] as const) {
      const request = media(share, cookie, `vod/event/${frontDoor}/seg-1-v1.ts`, {
        headers: [
          ['Range', 'bytes=0-9'],
          ['Remote-User', 'mallory'],
          ['Remote-Role', 'admin'],
          ['X-HTTP-Method-Override', 'DELETE'],
          ['X-Original-URL', '/api/config'],
          ['User-Agent', 'a phone'],
          ['Cookie', 'frigate_token=x'],
          ['Referer', 'https://gate.local/secret'],
          ['Authorization', 'Bearer x'],
        ],
      });
      const played = await fronts.send(front, 'authenticated', request);
      expect(played.status, front).toBe(200);
      expect(played.headers.get('cache-control')).toEqual(['private, no-store']);
      expect(played.headers.get('x-robots-tag')).toEqual(['noindex, nofollow']);
      const [reached] = played.reached ?? [];
      expect(reached?.uri).toBe(`/vod/event/${frontDoor}/seg-1-v1.ts`);
      const lines = new Map<string, string>();
      reached?.rawHeaders.forEach((name, i, all) => {
        if (i % 2 === 0) lines.set(name.toLowerCase(), all[i + 1] ?? '');
      });
      expect(lines.get('remote-user')).toBe('vera');
      expect(lines.get('remote-role')).toBe('viewer');
      expect(lines.get('range')).toBe('bytes=0-9');
      expect(reached?.method).toBe('GET');
      const ofVisitor = ['cookie', 'referer', 'authorization', 'user-agent', 'x-original-url'];
      for (const name of [...ofVisitor, 'x-http-method-override']) expect(lines.has(name), name).toBe(false);
    }
  });
});

test('a refusal is explained to an admin, and not to visitors', async () => {
  const share = await make(vera, { kind: 'event', id: frontDoor });
  const { cookie } = await open(share);
  const refused = await fronts.send('embedded front', 'authenticated', media(share, cookie, 'api/config'));
  expect(jsonOf(refused)).toEqual({ message: 'Access denied', code: 'forbidden' });
  const [decision] = refused.headers.get('x-postern-decision') ?? [];
  const { status, body } = await admin.send('POST', '/postern/api/explain', { decision });
  expect([status, body]).toEqual([200, expect.stringContaining('share_scope')]);
  expect(body).toContain(`share:${share.id}`);
});

test('what the user may not see cannot be shared, and looks like what does not exist', async () => {
  for (const wanted of [
    { kind: 'event', id: backYard },
    { kind: 'event', id: 'no-such-event' },
    { kind: 'export', id: 'exp2' },
    { kind: 'camera', camera: 'garage' },
    { kind: 'camera', camera: 'birdseye' },
    { kind: 'camera', camera: 'config' },
  ]) {
    const answer = await anna.send('POST', '/postern/api/shares', { ...wanted, expires_in: 3600 });
    expect([answer.status, jsonOf(answer)['code']], JSON.stringify(wanted)).toEqual([
      404,
      'share_object_unknown',
    ]);
  }
});

describe('behind a proxy that names the user', () => {
  const secret = ['X-Proxy-Secret', 'of proxy and gate'] as const;
  const as = (user: string, groups: string) =>
    [secret, ['Remote-User', user], ['Remote-Groups', groups]] as const;
  const config = {
    public_url: 'https://cameras.example',
    base_path: '/nvr',
    cameras,
    auth: {
      enabled: false,
      roles: { family: ['front_door'] },
      role_access: { family: { may: ['live', 'history', 'export', 'share'] } },
    },
    proxy: { auth_secret: secret[1], header_map: { user: 'remote-user', role: 'remote-groups' } },
  };
  let upstream: RecordingUpstream;
  let gateway: RunningGateway;
  beforeAll(async () => {
    upstream = await startRecordingUpstream();
    gateway = await startGateway({
      config: { ...config, upstream: `http://${upstream.address}` },
      clock: { now: () => now },
    });
  });
  afterAll(async () => {
    await gateway.close();
    await upstream.close();
  });
  const ask = (request: RawRequest) => sendRaw(gateway.addresses.authenticated ?? '', request, true);
  const post = (uri: string, body: object, headers: RawRequest['headers'] = []) =>
    ask({
      method: 'POST',
      uri: `/nvr${uri}`,
      body: JSON.stringify(body),
      headers: [['Content-Type', 'application/json'], ...headers],
    });

  test('the paths of shares need no secret or name, and trust none', async () => {
    const wanted = { kind: 'event', id: frontDoor, expires_in: 3600 };
    expect((await post('/postern/api/shares', wanted)).status).toBe(401);
    const made = await post('/postern/api/shares', wanted, as('nell', 'family'));
    const share = JSON.parse(made.body) as MadeShare;
    expect(share.url).toBe(`https://cameras.example/nvr/postern/share/${share.id}#${secretOf(share)}`);
    const uri = `/postern/api/shares/${share.id}/open`;
    const answer = await post(uri, { secret: secretOf(share) }, [['Remote-User', 'mallory']]);
    const [set = ''] = answer.headers.get('set-cookie') ?? [];
    expect(set).toContain(`; Path=/nvr/postern/share/${share.id}/;`);
    const cookie = /^postern_share=([^;]+)/.exec(set)?.[1];
    const request = media(share, cookie, `vod/event/${frontDoor}/master.m3u8`);
    const seen = () => ask({ ...request, uri: `/nvr${request.uri}` });
    upstream.takeReached();
    const played = await seen();
    expect([played.status, played.body]).toEqual([200, 'recorder']);
    expect(upstream.takeReached()[0]?.rawHeaders).toContain('nell');

    // The gate does not learn that the proxy took the role from nell, and it has the role's cameras.
    const file = join(gateway.directory, 'config.yml');
    const [before, after] = ['family:\n      - front_door', 'family:\n      - garage'];
    const text = readFileSync(file, 'utf8');
    expect(text).toContain(before);
    writeFileSync(file, text.replace(before, after));
    await gateway.reloading.reload('test');
    expect([(await seen()).status, upstream.takeReached()]).toEqual([404, []]);
  });
});
