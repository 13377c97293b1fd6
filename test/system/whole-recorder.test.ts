import { execFile, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Agent, WebSocket } from 'undici';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { parse } from 'yaml';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { goodPassword, printedPassword } from '../support/log-in.ts';
import { connectTo, sendRaw, type RawRequest } from '../support/raw-http.ts';
import { startGateway, projectRoot, type RunningGateway } from '../support/start-gateway.ts';
import { startNginx, startNginxFor, type RunningNginx } from '../support/start-nginx.ts';
import {
  guideCameras,
  liveFrameLength,
  recording,
  recordingTag,
  startRecorder,
  type Recorder,
} from '../support/start-recorder.ts';
import { rolesAreVerified } from '../support/verified-roles.ts';
import { canHere } from '../support/can-here.ts';

// The sample's events and exports stand for those of the recorder.
const ofFrontDoor = '1793171721.544347-5lmtzv';
const ofGarage = '1793175318.749865-ef7cib';

const guideConfig = parse(readFileSync(join(projectRoot, 'docs/recorder/config.yml'), 'utf8')) as {
  readonly auth: { readonly roles: Readonly<Record<string, readonly string[]>> };
  readonly events: object;
  readonly networking: object;
};

/** The gate of the guide, but for the addresses of the machine and the database. */
function startGuideGateway(recorder: string): Promise<RunningGateway> {
  const { networking: _networking, events: _events, ...config } = guideConfig;
  return startGateway({ config: { ...config, upstream: `http://${recorder}` } });
}

function startRecorderNginx(gateway: RunningGateway, recorder: string): Promise<RunningNginx> {
  return startNginxFor(gateway, { main: 'recorder.conf', recorder });
}

/** Waits until it holds, on a busy machine too. */
const eventually = <T>(value: () => T) => expect.poll(value);

const roles = { ada: 'admin', vera: 'viewer', nell: 'neighbour' } as const;
type User = keyof typeof roles;

let recorder: Recorder;
let gateway: RunningGateway;
let nginx: RunningNginx;
const cookies = new Map<User, string>();

beforeAll(async () => {
  recorder = await startRecorder(guideCameras, guideConfig.auth.roles);
  gateway = await startGuideGateway(recorder.address);
  await rolesAreVerified(gateway);
  nginx = await startRecorderNginx(gateway, recorder.address);
  const admin = await cookieOf('admin', printedPassword(gateway));
  for (const [username, role] of Object.entries(roles)) {
    await ask('/api/users', [['Cookie', admin], ...json], 'POST', {
      username,
      password: goodPassword,
      role,
    });
    cookies.set(username as User, await cookieOf(username, goodPassword));
  }
});
afterAll(async () => {
  await nginx.close();
  await gateway.close();
  await recorder.close();
});
afterEach(async () => {
  await eventually(() => recorder.open()).toBe(0);
  recorder.takeReached();
});

type Headers = NonNullable<RawRequest['headers']>;
const json: Headers = [['Content-Type', 'application/json']];

function ask(uri: string, headers: Headers = [], method = 'GET', body?: unknown) {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  return sendRaw(nginx.authenticated, { method, uri, headers, ...sent }, true);
}

function logIn(user: string, password: string) {
  return ask('/api/login', json, 'POST', { user, password });
}

async function cookieOf(user: string, password: string): Promise<string> {
  const [line = ''] = (await logIn(user, password)).headers.get('set-cookie') ?? [];
  return line.split(';')[0] ?? '';
}

const as = (user: User): Headers => [['Cookie', cookies.get(user) ?? '']];

/** A client that reads what comes, and can write on. */
function openRequest(uri: string, headers: Headers, method = 'GET') {
  const socket = connectTo(nginx.authenticated, true);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  socket.write(`${method} ${uri} HTTP/1.1\r\nHost: gate.local\r\nConnection: close\r\n${lines}\r\n`);
  let received = '';
  socket.on('data', (chunk: Buffer) => (received += chunk.toString('latin1')));
  socket.on('error', () => socket.destroy());
  return { socket, received: () => received };
}

const occurrences = (text: string, part: string) => text.split(part).length - 1;

describe('the login', () => {
  test('has what an integration for such a recorder reads: one cookie of its name, with a token that has exp', async () => {
    const answer = await logIn('nell', goodPassword);
    expect(JSON.parse(answer.body)).toEqual({
      username: 'nell',
      role: 'neighbour',
      allowed_cameras: ['driveway', 'front_door'],
    });
    expect(answer.headers.get('set-cookie')).toEqual([
      expect.stringMatching(/^frigate_token=[^;]+;.*HttpOnly/),
    ]);
    const token = /^frigate_token=([^;]+)/.exec(answer.headers.get('set-cookie')?.[0] ?? '')?.[1] ?? '';
    const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as object;
    expect(claims).toMatchObject({ sub: 'nell', exp: expect.any(Number) });
    const bearer = await ask('/api/version', [['Authorization', `Bearer ${token}`]]);
    expect(bearer.status).toBe(200);
  });

  test('is where a browser without a session goes', async () => {
    const answer = await ask('/review?id=1', [
      ['Sec-Fetch-Mode', 'navigate'],
      ['Accept', 'text/html'],
    ]);
    expect([answer.status, answer.headers.get('location')]).toEqual([303, ['/login?next=/review?id=1']]);
    expect(recorder.takeReached()).toEqual([]);
  });
});

describe('access by role', () => {
  const cases: ReadonlyArray<readonly [uri: string, admin: number, viewer: number, neighbour: number]> = [
    ['/', 200, 200, 200],
    ['/review', 200, 200, 200],
    ['/explore', 200, 200, 200],
    ['/settings', 200, 200, 200],
    ['/assets/index-1a2b.js', 200, 200, 200],
    ['/api/version', 200, 200, 200],
    ['/api/config', 200, 200, 200],
    ['/api/config/raw', 200, 403, 403],
    ['/api/restart', 200, 403, 403],
    ['/api/logs/go2rtc', 200, 403, 403],
    ['/api/go2rtc/api/streams', 200, 403, 403],
    ['/api/events', 200, 200, 200],
    ['/api/events?cameras=garage', 200, 200, 403],
    [`/api/events/${ofFrontDoor}/snapshot.jpg`, 200, 200, 200],
    [`/api/events/${ofGarage}/snapshot.jpg`, 200, 200, 403],
    ['/api/driveway/latest.jpg', 200, 200, 200],
    ['/api/garage/latest.jpg', 200, 200, 403],
    ['/vod/driveway/start/1/end/2/index.m3u8', 200, 200, 200],
    ['/vod/driveway/start/1/end/2/seg-1.m4s', 200, 200, 200],
    ['/vod/garage/start/1/end/2/index.m3u8', 200, 200, 403],
    ['/vod/garage/start/1/end/2/seg-1.m4s', 200, 200, 403],
    [`/vod/event/${ofFrontDoor}/seg-1.m4s`, 200, 200, 200],
    [`/vod/event/${ofGarage}/seg-1.m4s`, 200, 200, 403],
    [`/clips/front_door-${ofFrontDoor}.jpg`, 200, 200, 200],
    [`/clips/garage-${ofGarage}.jpg`, 200, 200, 403],
    ['/recordings/2026-11-01/12/driveway/00.00.mp4', 200, 200, 200],
    ['/recordings/2026-11-01/12/garage/00.00.mp4', 200, 200, 403],
    ['/recordings/2026-11-01/12/', 200, 200, 403],
    ['/exports/front_door_parcel.mp4', 200, 200, 200],
    ['/exports/night-in-the-garage.mp4', 200, 200, 403],
  ];
  const rows = cases.flatMap(([uri, ...statuses]) =>
    (Object.keys(roles) as User[]).map((user, i) => [user, uri, statuses[i] ?? 0] as const),
  );

  test.each(rows)('%s %s %i', async (user, uri, status) => {
    recorder.takeReached();
    const answer = await ask(uri, as(user));
    expect(answer.status).toBe(status);
    // The neighbour's list, narrowed.
    const isNarrowed = user === 'nell' && uri === '/api/events';
    const target = isNarrowed ? `${uri}?cameras=driveway,front_door` : uri;
    expect(recorder.takeReached().map((request) => request.uri)).toEqual(status === 200 ? [target] : []);
  });

  test.each(cases)('without an identity %s is 401, and does not reach the recorder', async (uri) => {
    expect((await ask(uri)).status).toBe(401);
    expect(recorder.takeReached()).toEqual([]);
  });

  test.each([
    '/login',
    '/logout',
    '/auth',
    '/postern/account',
    '/postern/settings/users',
    '/postern/settings/access',
    '/postern/assets/none.js',
    '/api/login',
    '/api/logout',
    '/api/profile',
    '/postern/api/cameras',
    '/api/users',
    '/postern/api/roles',
    '/postern/api/explain/none',
  ])('%s is the gate’s own', async (uri) => {
    // A session that a logout may end.
    await ask(uri, [['Cookie', await cookieOf('ada', goodPassword)]]);
    expect(recorder.takeReached()).toEqual([]);
  });
});

test('the recorder’s configuration reaches only an admin with its secrets, and nell with her cameras alone', async () => {
  recorder.define({ configuration: { mqtt: { password: 'hunter2' } } });
  const configurationOf = async (user: User) => (await ask('/api/config', as(user))).body;
  expect(await configurationOf('ada')).toContain('hunter2');
  expect(await configurationOf('vera')).not.toContain('hunter2');
  const { cameras } = JSON.parse(await configurationOf('nell')) as { readonly cameras: object };
  expect(Object.keys(cameras)).toEqual(['driveway', 'front_door']);
  recorder.define({ configuration: {} });
});

describe('the identity', () => {
  const lies: Headers = [
    ['Remote-User', 'mallory'],
    ['Remote-Role', 'admin'],
    ['Remote-Groups', 'admin'],
    ['X-Forwarded-User', 'mallory'],
    ['X-Original-URL', '/api/version'],
  ];
  const sentHeaders = () => {
    const [{ rawHeaders } = { rawHeaders: [] }] = recorder.takeReached();
    return ['remote-user', 'remote-role', 'remote-groups', 'x-forwarded-user', 'x-original-url'].map((name) =>
      headerValues(rawHeaders, name),
    );
  };

  test.each(Object.entries(roles))('%s is %s to the recorder, whatever was sent', async (user, role) => {
    await ask('/api/version', [...as(user as User), ...lies]);
    expect(sentHeaders()).toEqual([[user], [role], [], [], []]);
  });

  test('the internal entry point is anonymous, admin', async () => {
    const answer = await sendRaw(nginx.internal, { uri: '/api/version', headers: lies });
    expect(answer.status).toBe(200);
    expect(sentHeaders()).toEqual([['anonymous'], ['admin'], [], [], []]);
  });
});

describe('live pictures', () => {
  test('a part arrives before the next is sent', async () => {
    const { socket, received } = openRequest('/api/driveway', as('nell'));
    for (const parts of [1, 2, 3]) {
      await eventually(() => recorder.open()).toBe(1);
      recorder.nextPart();
      await eventually(() => occurrences(received(), 'picture')).toBe(parts);
    }
    expect(received()).toContain('Content-Type: multipart/x-mixed-replace; boundary=frame');
    socket.destroy();
  });

  test('a client that leaves ends the request upstream', async () => {
    const clients = Array.from({ length: 20 }, () => openRequest('/api/driveway', as('nell')));
    await eventually(() => recorder.open()).toBe(20);
    for (const { socket } of clients) socket.destroy();
    await eventually(() => recorder.open()).toBe(0);
  });

  test('are refused for another camera, before they reach the recorder', async () => {
    expect((await ask('/api/garage', as('nell'))).status).toBe(403);
    expect(recorder.takeReached()).toEqual([]);
  });
});

describe('a WebSocket', () => {
  const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });
  afterAll(() => dispatcher.destroy());

  async function openWebSocket(uri: string, user: User): Promise<WebSocket> {
    const socket = new WebSocket(`wss://${nginx.authenticated}${uri}`, {
      dispatcher,
      headers: Object.fromEntries(as(user)),
    });
    socket.binaryType = 'arraybuffer';
    await once(socket, 'open');
    return socket;
  }
  const nextMessage = async (socket: WebSocket) =>
    ((await once(socket, 'message')) as [{ data: string | ArrayBuffer }])[0].data;
  const end = async (socket: WebSocket) => {
    const closed = once(socket, 'close') as Promise<[{ code: number; wasClean: boolean }]>;
    socket.close(1000);
    const [{ code, wasClean }] = await closed;
    return { code, wasClean };
  };

  test('carries commands both ways, and its end', async () => {
    const socket = await openWebSocket('/ws', 'vera');
    const command = JSON.stringify({ topic: 'onConnect', payload: '' });
    socket.send(command);
    expect(await nextMessage(socket)).toBe(command);
    expect(await end(socket)).toEqual({ code: 1000, wasClean: true });
  });

  test('streams binary frames, as a live view does', async () => {
    const socket = await openWebSocket('/live/mse/api/ws?src=driveway', 'nell');
    const frames: number[] = [];
    socket.addEventListener('message', ({ data }) => frames.push((data as ArrayBuffer).byteLength));
    socket.send(JSON.stringify({ type: 'mse' }));
    await eventually(() => frames).toEqual([liveFrameLength, liveFrameLength, liveFrameLength]);
    await end(socket);
  });

  test('stays open while no message is sent', async () => {
    const socket = await openWebSocket('/ws', 'vera');
    await new Promise((resolve) => setTimeout(resolve, 4_000));
    const command = JSON.stringify({ topic: 'modelState', payload: '' });
    socket.send(command);
    expect(await nextMessage(socket)).toBe(command);
    await end(socket);
  });

  test('dropped by its client ends at the recorder', async () => {
    const { socket } = openRequest('/live/jsmpeg/driveway', [...as('nell'), ...upgrade]);
    await eventually(() => recorder.open()).toBe(1);
    socket.destroy();
    await eventually(() => recorder.open()).toBe(0);
  });

  test('sends its identity to the recorder', async () => {
    await end(await openWebSocket('/ws', 'vera'));
    const [{ rawHeaders } = { rawHeaders: [] }] = recorder.takeReached();
    expect(headerValues(rawHeaders, 'remote-role')).toEqual(['viewer']);
  });

  const upgrade: Headers = [
    ['Connection', 'Upgrade'],
    ['Upgrade', 'websocket'],
    ['Sec-WebSocket-Version', '13'],
    ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ];
  test.each<[user: User | undefined, uri: string, status: number]>([
    [undefined, '/ws', 401],
    [undefined, '/live/mse/api/ws?src=driveway', 401],
    ['nell', '/live/mse/api/ws?src=garage', 403],
    ['nell', '/live/webrtc/api/ws?src=garage', 403],
    ['nell', '/live/mse/api/ws?src=driveway&src=garage', 403],
    ['nell', '/live/mse/api/ws', 403],
    ['nell', '/live/jsmpeg/garage', 403],
  ])('of %s to %s is refused with %i, and the recorder never sees it', async (user, uri, status) => {
    const answer = await ask(uri, [...upgrade, ...(user === undefined ? [] : as(user))]);
    expect(answer.status).toBe(status);
    expect(recorder.takeReached()).toEqual([]);
  });
});

describe('recordings', () => {
  const uri = '/exports/front_door_parcel.mp4';
  const size = recording.length;

  test.each<
    [
      name: string,
      headers: Headers,
      status: number,
      length: number,
      range: string | undefined,
      method?: string,
    ]
  >([
    ['a whole file', [], 200, size, undefined],
    ['its head', [], 200, 0, undefined, 'HEAD'],
    ['a range', [['Range', 'bytes=100-299']], 206, 200, `bytes 100-299/${size}`],
    ['the rest', [['Range', `bytes=${size - 5}-`]], 206, 5, `bytes ${size - 5}-${size - 1}/${size}`],
    [
      'a range of the file that is known',
      [
        ['Range', 'bytes=0-9'],
        ['If-Range', recordingTag],
      ],
      206,
      10,
      `bytes 0-9/${size}`,
    ],
    [
      'a range of a file that has changed',
      [
        ['Range', 'bytes=0-9'],
        ['If-Range', '"0-other"'],
      ],
      200,
      size,
      undefined,
    ],
    ['what the client has', [['If-None-Match', recordingTag]], 304, 0, undefined],
  ])('%s', async (_name, headers, status, length, range, method = 'GET') => {
    const { socket, received } = openRequest(uri, [...as('nell'), ...headers], method);
    await once(socket, 'close');
    const [head = '', ...rest] = received().split('\r\n\r\n');
    expect(Number(head.split(' ')[1])).toBe(status);
    expect(/\r\netag: (.*)/i.exec(head)?.[1]).toBe(recordingTag);
    expect(/\r\ncontent-range: (.*)/i.exec(head)?.[1]).toBe(range);
    if (status !== 304) expect(/\r\ncontent-length: (.*)/i.exec(head)?.[1]).toBe(String(length || size));
    const body = Buffer.from(rest.join('\r\n\r\n'), 'latin1');
    const first = Number(/bytes (\d+)/.exec(range ?? '')?.[1] ?? 0);
    expect(body.equals(recording.subarray(first, first + length))).toBe(true);
  });

  test('a client that reads slowly holds the recorder back: nothing is put on disk', async () => {
    const before = recorder.sent();
    const { socket } = openRequest('/exports/endless.mp4', as('ada'));
    await eventually(() => recorder.sent()).toBeGreaterThan(before);
    socket.pause();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    // As much as fits into the sockets on the way.
    expect(recorder.sent() - before).toBeLessThan(64 * size);
    socket.destroy();
  });

  test('each segment is asked about: a logout counts for the next', async () => {
    const cookie = await cookieOf('nell', goodPassword);
    const segment = '/vod/driveway/start/1/end/2/seg-2.m4s';
    expect((await ask(segment, [['Cookie', cookie]])).status).toBe(200);
    await ask('/api/logout', [['Cookie', cookie]], 'POST');
    recorder.takeReached();
    expect((await ask(segment, [['Cookie', cookie]])).status).toBe(401);
    expect(recorder.takeReached()).toEqual([]);
  });
});

describe('an upload', () => {
  test('reaches the recorder while it is sent', async () => {
    const before = recorder.uploaded();
    const { socket, received } = openRequest(
      '/api/import',
      [...as('ada'), ['Content-Length', String(8 * recording.length)]],
      'POST',
    );
    for (const pieces of [1, 2, 3, 4, 5, 6, 7, 8]) {
      socket.write(recording);
      await eventually(() => recorder.uploaded() - before).toBe(pieces * recording.length);
    }
    await eventually(received).toContain(`"uploaded":${before + 8 * recording.length}`);
    socket.destroy();
  });

  test('of a viewer is refused, and the recorder gets nothing', async () => {
    expect((await ask('/api/import', as('vera'), 'POST', { a: 1 })).status).toBe(403);
    expect(recorder.takeReached()).toEqual([]);
  });
});

describe('the secret of the recorder', () => {
  const forged: Headers = [
    ['X-Proxy-Secret', 'forged'],
    ['x-proxy-secret', 'forged too'],
    ['X_Proxy_Secret', 'forged'],
  ];

  async function secretsSent(file: string | undefined): Promise<readonly string[]> {
    const directory = mkdtempSync(join(tmpdir(), 'postern-secret-'));
    onTestFinished(() => rmSync(directory, { recursive: true }));
    if (file !== undefined) writeFileSync(join(directory, 'recorder-secret.conf'), file);
    const front = await startNginxFor(gateway, {
      main: 'recorder.conf',
      recorder: recorder.address,
      changes: { 'postern/credentials.conf': [['/etc/postern/tls/', `${directory}/`]] },
    });
    onTestFinished(() => front.close());
    recorder.takeReached();
    const headers = [...as('vera'), ...forged];
    expect((await sendRaw(front.authenticated, { uri: '/api/version', headers }, true)).status).toBe(200);
    const [reached] = recorder.takeReached();
    return (reached?.rawHeaders ?? []).filter((_, at, all) => /^x.proxy.secret$/i.test(all[at - 1] ?? ''));
  }

  test('comes from nginx only, which reads it from a file', async () => {
    expect(await secretsSent('default "of-the-file";\n')).toEqual(['of-the-file']);
  });

  test('is not sent without that file, whatever a client sends', async () => {
    expect(await secretsSent(undefined)).toEqual([]);
  });
});

describe('when something is unreachable', () => {
  test('the gate: 503, and nothing reaches the recorder', async () => {
    const orphan = await startNginx({
      main: 'recorder.conf',
      gateway: { authenticated: 'unix:/nowhere/a.sock', internal: 'unix:/nowhere/b.sock' },
      recorder: recorder.address,
    });
    const answers = [
      await sendRaw(orphan.authenticated, { uri: '/vod/driveway/start/1/end/2/index.m3u8' }, true),
      await sendRaw(orphan.internal, { uri: '/' }),
    ];
    await orphan.close();
    expect(answers.map(({ status }) => status)).toEqual([503, 503]);
    expect(recorder.takeReached()).toEqual([]);
  });

  test('the recorder: 502 until it is back, at once then', async () => {
    const first = await startRecorder(guideCameras, {});
    const front = await startRecorderNginx(gateway, first.address);
    const status = async () => (await sendRaw(front.internal, { uri: '/api/version' })).status;
    const statuses = [await status()];
    await first.close();
    statuses.push(await status());
    const second = await startRecorder(guideCameras, {}, Number(first.address.split(':')[1]));
    statuses.push(await status());
    await front.close();
    await second.close();
    expect(statuses).toEqual([200, 502, 200]);
  });
});

const hasCurl = canHere('curl', spawnSync('curl', ['--version']).status === 0);
test.skipIf(!hasCurl)('the commands of the guide have the answers that it gives', async () => {
  const guide = readFileSync(join(projectRoot, 'docs/recorder.md'), 'utf8');
  const [, part = ''] = /^## Check it\n([^]*)/m.exec(guide) ?? [];
  const [setUp = '', commands = ''] = [...part.matchAll(/^```sh\n([^]*?)^```$/gm)].map(([, text]) => text);
  const passwords: Readonly<Record<string, string>> = { admin: printedPassword(gateway), nell: goodPassword };
  const start = setUp
    .replace('https://localhost:8971', `https://${nginx.authenticated}`)
    .replaceAll(/^(log_in (\w+)) '…'/gm, (_, call: string, user: string) => `${call} '${passwords[user]}'`);
  const expected = [...commands.matchAll(/^(?:status|upgrade) .*# (\d{3})/gm)].map(([, status]) => status);
  expect(expected).toHaveLength(14);
  const directory = mkdtempSync(join(tmpdir(), 'postern-guide-'));
  const live = setInterval(recorder.nextPart, 100);
  const { stdout } = await promisify(execFile)(
    'bash',
    ['-uc', `${start}\n${commands.replace('| wc -c', '>&2')}`],
    {
      cwd: directory,
    },
  ).finally(() => clearInterval(live));
  rmSync(directory, { recursive: true });
  expect(stdout.match(/^\d{3}$/gm)).toEqual(expected);
});
