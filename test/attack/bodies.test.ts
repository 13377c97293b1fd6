import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { connectTo, sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { rolesOf } from '../support/verified-roles.ts';
import { recorderFile } from '../unit/events/recorder-file.ts';
import { attackConfig, from } from './row.ts';

let upstream: RecordingUpstream;
let gateway: RunningGateway;
const bodies: Buffer[] = [];
const file = recorderFile();
for (const [id, camera] of [
  ['1.g', 'garage'],
  ['2.d', 'driveway'],
  ['3.f', 'front_door'],
])
  file.recorder.exec(
    `INSERT INTO reviewsegment VALUES ('${id}', '${camera}', 1, 2, 'alert', '/t.webp', '{}')`,
  );
for (let i = 0; i < 900; i += 1)
  file.recorder.exec(
    `INSERT INTO reviewsegment VALUES ('many-${i}', 'garage', 1, 2, 'alert', '/t.webp', '{}')`,
  );

beforeAll(async () => {
  upstream = await startRecordingUpstream(rolesOf(attackConfig));
  upstream.server.prependListener('request', (request) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    // The gate asks things of its own.
    request.once('end', () => request.method === 'POST' && bodies.push(Buffer.concat(chunks)));
  });
  gateway = await startGateway({
    config: {
      ...attackConfig,
      networking: {
        listen: { authenticated: '127.0.0.1:0', internal: 'off' },
        forward_auth: { authenticated: '127.0.0.1:0' },
        relay: { authenticated: '127.0.0.1:0' },
      },
      events: { database: file.path },
      limits: { body_timeout: 1 },
      upstream: `http://${upstream.address}`,
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await upstream.close();
  file.remove();
});

const operator = from('olaf', 'group_operator');
const viewer = from('vera', 'group_viewer');
const admin = from('ada', 'group_admin');
const json = ['Content-Type', 'application/json'] as const;

const ways = {
  'the embedded front': () => ({ address: gateway.addresses.authenticated ?? '', tls: true }),
  'the relay': () => ({ address: gateway.addresses.relayAuthenticated ?? '', tls: false }),
} as const;

describe.each(Object.entries(ways))('%s', (_, at) => {
  const post = async (uri: string, body: unknown, headers: typeof operator = [...operator, json]) => {
    upstream.takeReached();
    bodies.splice(0);
    const { address, tls } = at();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const { status } = await sendRaw(address, { method: 'POST', uri, headers, body: text }, tls);
    const [reached] = upstream.takeReached();
    return { status, reached, body: bodies[0]?.toString() };
  };
  const reviewed = (body: unknown, headers?: typeof operator) => post('/api/reviews/viewed', body, headers);
  const batch = (items: readonly object[], more: object = {}) =>
    post('/api/exports/batch', { items, ...more });
  const item = { camera: 'garage', start_time: 1, end_time: 2 };
  const picture = (camera: string) =>
    `/media/frigate/clips/review/thumb-${camera}-1793000933.726501-rvfron.webp`;

  test('passes on the very bytes that were read', async () => {
    const sent = '{ "ids" : ["1.g", "2.d"],\n"reviewed":true }';
    const { status, reached, body } = await reviewed(sent);
    expect([status, body]).toEqual([200, sent]);
    const headers = reached?.rawHeaders ?? [];
    expect(headerValues(headers, 'content-length')).toEqual([String(sent.length)]);
    expect(headerValues(headers, 'transfer-encoding')).toEqual([]);
    expect(headerValues(headers, 'remote-role')).toEqual(['operator']);
  });

  test('and those of a body in chunks, with an exact length', async () => {
    const { address, tls } = at();
    upstream.takeReached();
    bodies.splice(0);
    const socket = connectTo(address, tls);
    onTestFinished(() => void socket.destroy());
    const lines = [...operator, json].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(
      `POST /api/reviews/viewed HTTP/1.1\r\nHost: gate.local\r\n${lines}Transfer-Encoding: chunked\r\n\r\n6\r\n{"ids"\r\n9\r\n:["1.g"]}\r\n0\r\nRemote-User: mallory\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 200 /);
    const [reached] = upstream.takeReached();
    expect([bodies[0]?.toString(), headerValues(reached?.rawHeaders ?? [], 'content-length')]).toEqual([
      '{"ids":["1.g"]}',
      ['15'],
    ]);
    expect(reached?.rawTrailers).toEqual([]);
  });

  test.each([
    ['of another camera', { ids: ['1.g', '3.f'] }, 403],
    ['that there is not', { ids: ['1.g', '9.x'] }, 403],
    ['twice under one name', '{"ids":["3.f"],"ids":["1.g"]}', 400],
    ['in no list', { ids: '1.g' }, 400],
    ['beside something else', { ids: ['1.g'], user: 'vera' }, 400],
    ['behind a byte order mark', '\ufeff{"ids":["1.g"]}', 400],
    ['that are nested', `{"ids":${'['.repeat(20_000)}${']'.repeat(20_000)}}`, 400],
    ['of nothing', '', 400],
  ])('refuses reviews %s', async (_name, body, status) => {
    expect(await reviewed(body)).toEqual({ status, reached: undefined, body: undefined });
  });

  test.each<[name: string, headers: typeof operator]>([
    ['a form', [['Content-Type', 'application/x-www-form-urlencoded']]],
    ['text', [['Content-Type', 'text/plain']]],
    ['another charset', [['Content-Type', 'application/json; charset=utf-16']]],
    ['a coding', [['Content-Encoding', 'gzip'], json]],
    ['two types', [['Content-Type', 'text/plain'], json]],
  ])('refuses what is sent as %s', async (_name, headers) => {
    const answer = await reviewed({ ids: ['1.g'] }, [...operator, ...headers]);
    expect(answer).toEqual({ status: 400, reached: undefined, body: undefined });
  });

  test('looks up as many as a page has', async () => {
    const ids = Array.from({ length: 900 }, (_id, i) => `many-${i}`);
    expect((await reviewed({ ids })).status).toBe(200);
    expect((await reviewed({ ids: [...ids, '3.f'] })).status).toBe(403);
  });

  test('reads no body over 64 KiB for roles that are limited to cameras', async () => {
    const long = `${' '.repeat(70_000)}{"ids":["1.g"]}`;
    expect(await reviewed(long)).toEqual({ status: 413, reached: undefined, body: undefined });
    const { status, body } = await reviewed(long, [...viewer, json]);
    expect([status, body?.length]).toEqual([200, long.length]);
  });

  test('cuts a body that does not come, and frees its place', async () => {
    const { address, tls } = at();
    const socket = connectTo(address, tls);
    onTestFinished(() => void socket.destroy());
    const lines = [...operator, json].map(([name, value]) => `${name}: ${value}\r\n`).join('');
    socket.write(
      `POST /api/reviews/viewed HTTP/1.1\r\nHost: gate.local\r\n${lines}Content-Length: 9\r\n\r\n{"i`,
    );
    const closed = once(socket, 'close');
    const [answer] = (await once(socket, 'data')) as [Buffer];
    expect(answer.toString('latin1')).toMatch(/^HTTP\/1\.1 408 /);
    await closed;
    expect((await reviewed({ ids: ['1.g'] })).status).toBe(200);
  });

  test('an export of its own cameras, by pictures of them', async () => {
    const items = [item, { ...item, camera: 'driveway', image_path: picture('garage') }];
    expect((await batch(items, { new_case_name: 'Night' })).status).toBe(200);
  });

  test.each([
    ['another camera', [item, { ...item, camera: 'front_door' }], {}, 403],
    ['a camera of another case', [{ ...item, camera: 'Garage' }], {}, 403],
    ['a picture of another camera', [{ ...item, image_path: picture('front_door') }], {}, 403],
    ['an unknown picture', [{ ...item, image_path: '/media/frigate/clips/x/y/z.jpg' }], {}, 403],
    ['a picture for admins', [{ ...item, image_path: '/media/frigate/clips/faces/a.webp' }], {}, 403],
    ['a file that is none', [{ ...item, image_path: '/config/config.yml' }], {}, 400],
    ['a case that there is', [item], { export_case_id: 'abc' }, 400],
  ])('no export of %s', async (_name, items, more, status) => {
    expect(await batch(items, more)).toEqual({ status, reached: undefined, body: undefined });
  });

  describe.each(['/api/export', '/api/export/custom'])('an export by %s', (path) => {
    const one = (body: unknown, camera = 'garage') => post(`${path}/${camera}/start/1/end/2`, body);

    test.each([
      ['', {}],
      ['', { playback: 'realtime', source: 'recordings', name: 'Fox', image_path: picture('driveway') }],
      ['', { name: null, image_path: '' }],
      [' without a body', ''],
    ])('of its own camera%s: %j', async (_name, body) => {
      const sent = typeof body === 'string' ? body : JSON.stringify(body);
      expect(await one(body)).toMatchObject({ status: 200, body: sent });
    });

    test.each([
      ['another camera', {}, 403, 'front_door'],
      ['a picture of another camera', { image_path: picture('front_door') }, 403],
      ['a picture for admins', { image_path: '/media/frigate/clips/faces/a.webp' }, 403],
      ['a file by dots', { image_path: '/media/frigate/clips/..\\..\\..\\config/config.yml' }, 400],
      ['two pictures', '{"image_path":"","image_path":"/media/frigate/clips/faces/a.webp"}', 400],
      ['a case that there is', { export_case_id: 'abc' }, 400],
      ['arguments of ffmpeg', { ffmpeg_input_args: '-i /x' }, 400],
    ])('of %s is refused', async (_name, body, status, camera?: string) => {
      expect(await one(body, camera)).toEqual({ status, reached: undefined, body: undefined });
    });
  });

  test.each([viewer, admin])('a viewer and an admin send what they like: %j', async (...role) => {
    const sent = '{"ids":["9.x"],"ids":["3.f"]}';
    expect(await reviewed(sent, role)).toMatchObject({ status: 200, body: sent });
  });

  test('reads no body of a user who may not change anything', async () => {
    const { status, reached } = await post('/api/config/set', { ids: ['1.g'] });
    expect([status, reached]).toEqual([403, undefined]);
    expect((await reviewed({ ids: ['1.g'] }, [json])).status).toBe(401);
  });
});

test('where a front only asks, nothing reads the body: closed to roles that are limited to cameras', async () => {
  const ask = (headers: typeof operator, uri: string) =>
    sendRaw(gateway.addresses.forwardAuthAuthenticated ?? '', {
      uri: '/auth',
      headers: [...headers, ['X-Original-Method', 'POST'], ['X-Original-URL', uri]],
    });
  for (const uri of ['/api/reviews/viewed', '/api/exports/batch']) {
    const { status, headers } = await ask(operator, uri);
    expect([status, headers.get('x-postern-reason')]).toEqual([403, ['body_unread']]);
    for (const role of [viewer, admin]) expect((await ask(role, uri)).status).toBe(200);
  }
});
