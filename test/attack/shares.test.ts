import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { DatabaseSync } from 'node:sqlite';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listExchanges } from '../../src/api/exchanges/reference.ts';
import { storePath } from '../../src/store/sqlite/open-store.ts';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { sendRaw, type RawAnswer, type RawRequest } from '../support/raw-http.ts';
import { openShare, secretOf, shareOf, type MadeShare } from '../support/share.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const cameras = ['back_yard', 'driveway', 'front_door', 'garage', 'side_yard'];
const frontDoor = '1793000935.726501-j8ht9l';
const backYard = '1793001976.611703-seh60k';
const thumbnail = `api/events/${frontDoor}/thumbnail.jpg`;
const noon = 1_793_100_000_000;
let now = noon;
let gateway: RunningGateway;
let admin: Visitor;
let vera: Visitor;
let gina: Visitor;
/** What has reached the recorder, without what the gate itself asks. */
let reached: IncomingMessage[] = [];
/** Answers of which the recorder has sent a part. */
const begun: ServerResponse[] = [];

const recorder = createServer((request, response) => {
  if (request.url?.startsWith('/api/profile') === true) {
    const granted = { username: 'postern', role: 'x', allowed_cameras: [] };
    return void response.end(JSON.stringify(granted));
  }
  if (request.headers['remote-user'] === 'postern') return void response.writeHead(404).end();
  reached.push(request);
  response.setHeader('set-cookie', 'recorder=1');
  response.setHeader('location', 'https://elsewhere.example/');
  response.setHeader('x-recorder', 'garage');
  if (!(request.url ?? '').endsWith('/clip.mp4')) return void response.end('picture');
  response.write('the first part');
  begun.push(response);
  return undefined;
});

beforeAll(async () => {
  recorder.listen(0, '127.0.0.1');
  await once(recorder, 'listening');
  gateway = await startGateway({
    config: {
      auth: {
        roles: { family: ['front_door', 'driveway'], yard: ['back_yard'], guests: ['front_door'] },
        role_windows: { guests: { from: '2026-10-27', until: '2026-10-29', history: 'from' } },
      },
      cameras,
      upstream: `http://127.0.0.1:${(recorder.address() as AddressInfo).port}`,
      recorder: { check_interval: 3_600 },
    },
    clock: { now: () => now },
  });
  admin = await adminOf(gateway);
  vera = await userOf(admin, address(), 'vera', 'viewer');
  gina = await userOf(admin, address(), 'gina', 'guests');
});
afterAll(async () => {
  await gateway.close();
  recorder.closeAllConnections();
  recorder.close();
});

const address = () => gateway.addresses.authenticated ?? '';
const behindFront = () => gateway.addresses.forwardAuthAuthenticated ?? '';
let clients = 0;
/** Each from an address of its own, so that no failure counts for another. */
const somebody = (from = `198.51.${Math.floor((clients += 1) / 250)}.${clients % 250}`): Visitor => {
  const client = visitor(behindFront());
  return {
    ...client,
    send: (method, uri, body, headers = []) =>
      client.send(method, uri, body, [...headers, ['X-Forwarded-For', from]]),
  };
};
const make = (wanted: object = {}, maker = vera) =>
  shareOf(maker, { kind: 'event', id: frontDoor, expires_in: 3600, ...wanted });
const opened = async (share: MadeShare, password?: string) => {
  const { answer, cookie } = await openShare(somebody(), share, password);
  if (cookie === undefined) throw new Error(`${answer.status} ${answer.body}`);
  return cookie;
};
const asked = (uri: string, cookie: string, more: Partial<RawRequest> = {}): RawRequest => ({
  uri,
  ...more,
  headers: [['Cookie', `postern_share=${cookie}`], ...(more.headers ?? [])],
});
const mediaOf = (share: MadeShare, path = thumbnail) => `/postern/share/${share.id}/media/${path}`;
const see = (share: MadeShare, cookie: string, path?: string) =>
  sendRaw(address(), asked(mediaOf(share, path), cookie), true);
const codeOf = ({ body }: RawAnswer) => (JSON.parse(body) as { code?: string }).code;
const openingsOf = async ({ id }: MadeShare) => {
  const { body } = await vera.send('GET', '/postern/api/shares');
  const listed = JSON.parse(body) as Array<{ id: string; openings: number }>;
  return listed.find((one) => one.id === id)?.openings;
};
/** What a share says that is over, to whoever has its link and to whoever has it open. */
const isOver = async (share: MadeShare, cookie: string) => {
  reached = [];
  const seen = await see(share, cookie);
  const { answer } = await openShare(somebody(), share);
  expect([seen.status, codeOf(seen), answer.status, answer.body]).toEqual([
    404,
    'share_over',
    404,
    '{"message":"This share is over","code":"share_over"}',
  ]);
  expect(reached).toEqual([]);
};

describe('a share of one event', () => {
  let share: MadeShare;
  let cookie: string;
  beforeAll(async () => {
    share = await make();
    cookie = await opened(share);
  });

  test.each<[what: string, path: string]>([
    ['another event', `api/events/${backYard}/thumbnail.jpg`],
    ['another event, of the same camera', 'api/events/1793000935.726501-j8ht9/thumbnail.jpg'],
    ['two events', `vod/event/${frontDoor},${backYard}/master.m3u8`],
    ['what it says of itself', `api/events/${frontDoor}`],
    ['the list of all', 'api/events'],
    ['its camera now', 'api/front_door/latest.jpg'],
    ['its camera at its time', 'vod/front_door/start/1793000935/end/1793000953/master.m3u8'],
    ['its camera by the name of a file', `clips/front_door-${frontDoor}.jpg`],
    ['an export', 'exports/front_door_parcel.mp4'],
    ['the configuration', 'api/config'],
    ['more than its time', `api/events/${frontDoor}/clip.mp4?padding=86400`],
    ['a picture with what else there is', `${thumbnail}?bbox=1`],
    ['a dot segment', `api/events/${frontDoor}/../${backYard}/thumbnail.jpg`],
    ['an encoded dot segment', `api/events/${frontDoor}/%2e%2e/${backYard}/thumbnail.jpg`],
    ['an encoded slash', `api/events/${frontDoor}%2f..%2f${backYard}/thumbnail.jpg`],
    ['a backslash', String.raw`api\events\${frontDoor}\thumbnail.jpg`],
    ['what is encoded twice', `api/events/${frontDoor}/thumbnail%252ejpg`],
    ['a path parameter', `api/events;/${frontDoor}/thumbnail.jpg`],
    ['other letters', `API/events/${frontDoor}/thumbnail.jpg`],
    ['a NUL', `api/events/${frontDoor}/thumbnail.jpg%00`],
    ['nothing', ''],
    ['the gate', 'postern/api/profile'],
    ['a share in a share', `postern/share/x/media/${thumbnail}`],
  ])('is not good for %s', async (_, path) => {
    reached = [];
    const answer = await see(share, cookie, path);
    expect([401, 403, 404]).toContain(answer.status);
    expect(reached).toEqual([]);
  });

  test.each<[what: string, request: (uri: string) => Partial<RawRequest>]>([
    ['POST', () => ({ method: 'POST' })],
    ['DELETE', () => ({ method: 'DELETE' })],
    ['OPTIONS', () => ({ method: 'OPTIONS' })],
    ['get', () => ({ method: 'get' })],
    ['a body', () => ({ body: 'x' })],
    ['a WebSocket', () => ({ headers: [...upgrade] })],
    ['a share of another spelling', (uri) => ({ uri: uri.replace('/postern/', '/%70ostern/') })],
    ['another share', (uri) => ({ uri: uri.replace(share.id, `${share.id}x`) })],
    ['no share', (uri) => ({ uri: uri.replace(`${share.id}/`, '') })],
  ])('is not good for %s', async (_, more) => {
    reached = [];
    const uri = mediaOf(share);
    const answer = await sendRaw(address(), asked(uri, cookie, more(uri)), true);
    expect([400, 401, 403, 404]).toContain(answer.status);
    expect(reached).toEqual([]);
  });

  test('says to the recorder who made it, and nothing of whoever looks', async () => {
    reached = [];
    const headers = [
      ['Remote-User', 'admin'],
      ['Remote-Role', 'admin'],
      ['X-HTTP-Method-Override', 'DELETE'],
      ['X-Original-URL', '/api/config'],
      ['Referer', `https://gate.local/postern/share/${share.id}`],
      ['User-Agent', 'a phone'],
      ['Cookie', 'frigate_token=x'],
    ] as const;
    const answer = await sendRaw(address(), asked(mediaOf(share), cookie, { headers }), true);
    expect(answer.status).toBe(200);
    const { method, url, headers: told } = reached[0] ?? {};
    expect([method, url]).toEqual(['GET', `/${thumbnail}`]);
    expect(told).toMatchObject({ 'remote-user': 'vera', 'remote-role': 'viewer' });
    for (const name of ['cookie', 'referer', 'user-agent', 'x-original-url', 'x-http-method-override'])
      expect(told, name).not.toHaveProperty(name);
  });

  test('passes on of the answer what it is, and nobody keeps or finds it', async () => {
    const { headers } = await see(share, cookie);
    expect([...headers.keys()].toSorted()).toEqual([
      'cache-control',
      'connection',
      'content-length',
      'content-security-policy',
      'date',
      'referrer-policy',
      'x-content-type-options',
      'x-postern-decision',
      'x-robots-tag',
    ]);
    expect(headers.get('cache-control')).toEqual(['private, no-store']);
  });

  test.each(['/api/profile', '/api/events', '/auth', '/postern/api/shares', `/${thumbnail}`, '/'])(
    'has a cookie that is nobody at %s',
    async (uri) => {
      reached = [];
      const answer = await sendRaw(address(), asked(uri, cookie), true);
      expect([303, 401]).toContain(answer.status);
      const asSession = { uri, headers: [['Cookie', `session_token=${cookie}`] as const] };
      expect([303, 401]).toContain((await sendRaw(address(), asSession, true)).status);
      expect(reached).toEqual([]);
    },
  );

  test('takes no cookie but its own', async () => {
    const other = await make({ id: backYard }, admin);
    const others = await opened(other);
    const both = `${others}; postern_share=${cookie}`;
    for (const wrong of [others, both, `${cookie}x`, vera.token ?? '', '', '{}'])
      expect((await see(share, wrong)).status).toBe(401);
    expect((await see(other, cookie)).status).toBe(401);
    expect((await see(share, cookie)).status).toBe(200);
  });
});

const upgrade = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
  ['Sec-WebSocket-Version', '13'],
] as const;

describe('the secret', () => {
  test('is asked of nobody by a preview of the link, which opens nothing', async () => {
    const share = await make();
    for (const [method, uri] of [
      ['GET', `/postern/share/${share.id}`],
      ['HEAD', `/postern/share/${share.id}`],
      ['GET', `/postern/api/shares/${share.id}/open`],
      ['POST', `/postern/api/shares/${share.id}/open`],
      ['GET', mediaOf(share)],
    ] as const) {
      reached = [];
      const answer = await somebody().send(method, uri, method === 'POST' ? {} : undefined);
      expect(answer.headers.has('set-cookie'), `${method} ${uri}`).toBe(false);
      expect(reached).toEqual([]);
    }
    expect(await openingsOf(share)).toBe(0);
  });

  test('is in no log, record, list or answer, nor are the password and the cookie', async () => {
    const share = await make({ password: 'four walls', label: 'Garden' });
    await openShare(somebody(), share);
    await openShare(somebody(), share, 'no four walls');
    const cookie = await opened(share, 'four walls');
    await see(share, cookie);
    await see(share, cookie, 'api/config');
    const audit = await admin.send('GET', '/postern/api/audit?limit=200');
    const list = await admin.send('GET', '/postern/api/shares');
    const everything = JSON.stringify([gateway.log, audit.body, list.body]);
    expect(everything).toContain(share.id);
    for (const secret of [secretOf(share), 'four walls', cookie]) expect(everything).not.toContain(secret);
    await vera.send('DELETE', `/postern/api/shares/${share.id}`);
  });

  test('says nothing of what there is to whoever has it not', async () => {
    const [plain, locked, over, gone] = [
      await make(),
      await make({ password: 'four walls' }),
      await make({ expires_in: 60 }),
      await make(),
    ];
    await vera.send('DELETE', `/postern/api/shares/${gone.id}`);
    now += 60_000;
    const wrong = (share: MadeShare) => ({ url: share.url.replace(/#.*/, `#${'x'.repeat(43)}`) });
    const none = { url: `https://gate.local/postern/share/${'y'.repeat(20)}#${secretOf(plain)}` };
    const odd = { url: `https://gate.local/postern/share/x#${secretOf(plain)}` };
    const answers = [];
    for (const share of [wrong(plain), wrong(locked), wrong(over), over, gone, none, odd])
      answers.push((await openShare(somebody(), share)).answer);
    expect(new Set(answers.map(({ status, body }) => `${status} ${body}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(404);
    now = noon;
  });

  test('is not opened by a page of another site', async () => {
    const share = await make();
    const uri = `/postern/api/shares/${share.id}/open`;
    const answer = await somebody().send('POST', uri, { secret: secretOf(share) }, [
      ['Sec-Fetch-Site', 'cross-site'],
    ]);
    expect([answer.status, answer.headers.has('set-cookie')]).toEqual([403, false]);
  });
});

describe('guesses', () => {
  test('are limited by address, and leave the login of that address alone', async () => {
    const share = await make();
    const wrong = { url: share.url.replace(/#.*/, `#${'x'.repeat(43)}`) };
    const guesser = somebody();
    const statuses = [];
    for (let i = 0; i < 7; i += 1) statuses.push((await openShare(guesser, wrong)).answer.status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 429, 429]);
    expect((await openShare(guesser, share)).answer.status).toBe(429);
    expect((await guesser.logIn('vera', goodPassword)).status).toBe(200);
  });

  test('of a password are limited by share, wherever they come from', async () => {
    const share = await make({ password: 'four walls' });
    const statuses = [];
    for (let i = 0; i < 7; i += 1)
      statuses.push((await openShare(somebody(), share, `guess ${i}`)).answer.status);
    expect(statuses).toEqual([401, 401, 401, 401, 401, 429, 429]);
    expect((await openShare(somebody(), share, 'four walls')).answer.status).toBe(429);
    // Whoever has not the link can close it to nobody.
    expect(codeOf((await openShare(somebody(), share)).answer)).toBe('share_password_needed');
  });

  test('would find a short password in the time that a share may last: none is taken', async () => {
    const wanted = { kind: 'event', id: frontDoor, expires_in: 3600 };
    const statusOf = async (password: string) =>
      (await vera.send('POST', '/postern/api/shares', { ...wanted, password })).status;
    expect([await statusOf('1234'), await statusOf('1234567'), await statusOf('12345678')]).toEqual([
      422, 422, 201,
    ]);
  });

  test('in a crowd are no more than one after the other', async () => {
    const share = await make({ password: 'four walls' });
    const answers = await Promise.all(
      Array.from({ length: 30 }, (_, i) => openShare(somebody(), share, `guess ${i}`)),
    );
    expect(answers.filter(({ answer }) => answer.status === 401)).toHaveLength(5);
  });

  test('a flood of openings writes nothing to the store, and is counted', async () => {
    const share = await make();
    const store = new DatabaseSync(storePath(gateway.directory), { readOnly: true });
    const version = () => store.prepare('PRAGMA data_version').get()?.['data_version'];
    const before = version();
    const visitors = Array.from({ length: 5 }, () => somebody());
    await Promise.all(Array.from({ length: 100 }, (_, i) => openShare(visitors[i % 5] ?? admin, share)));
    expect(version()).toBe(before);
    store.close();
    expect(await openingsOf(share)).toBe(100);
    const audit = await admin.send('GET', '/postern/api/audit?event=share_opened&limit=200');
    expect(audit.body.split(share.id)).toHaveLength(6);
  });
});

const ofFrontDoor = { kind: 'camera', id: undefined, camera: 'front_door' };

describe('a share ends', () => {
  test.each<[what: string, end: (name: string) => Promise<unknown>]>([
    [
      'gets a role without the camera',
      (name) => admin.send('PUT', `/api/users/${name}/role`, { role: 'yard' }),
    ],
    ['is blocked', (name) => admin.send('PUT', `/postern/api/users/${name}/blocked`, { blocked: true })],
    ['is removed', (name) => admin.send('DELETE', `/api/users/${name}`)],
    [
      'has a role that loses the camera',
      () => admin.send('PUT', '/postern/api/roles/family', { cameras: ['driveway'] }),
    ],
  ])('when its maker %s', async (what, end) => {
    const name = `olaf_${what.replaceAll(/\W/g, '_')}`.slice(0, 64);
    const olaf = await userOf(admin, address(), name, 'family');
    const share = await make({}, olaf);
    const cookie = await opened(share);
    expect((await see(share, cookie)).status).toBe(200);
    await end(name);
    await isOver(share, cookie);
    await admin.send('PUT', '/postern/api/roles/family', { cameras: ['front_door', 'driveway'] });
  });

  test('with the user for good: whoever is called so later has nothing of it', async () => {
    const olaf = await userOf(admin, address(), 'olaf', 'viewer');
    const share = await make({}, olaf);
    const cookie = await opened(share);
    await admin.send('DELETE', '/api/users/olaf');
    await userOf(admin, address(), 'olaf', 'admin');
    await isOver(share, cookie);
  });

  test('while its maker is blocked, and no longer', async () => {
    const rita = await userOf(admin, address(), 'rita', 'viewer');
    const share = await make({}, rita);
    const cookie = await opened(share);
    await admin.send('PUT', '/postern/api/users/rita/blocked', { blocked: true });
    await isOver(share, cookie);
    await admin.send('PUT', '/postern/api/users/rita/blocked', { blocked: false });
    expect((await see(share, cookie)).status).toBe(200);
  });

  test('when the window of its maker’s role is over', async () => {
    const at = noon / 1000;
    const share = await make({ ...ofFrontDoor, from: at - 60, until: at, expires_in: 604_800 }, gina);
    const cookie = await opened(share);
    const path = `vod/front_door/start/${at - 60}/end/${at}/master.m3u8`;
    expect((await see(share, cookie, path)).status).toBe(200);
    now += 3 * 86_400_000;
    // The cookie is over as well by then.
    const again = await openShare(somebody(), share);
    expect([again.answer.status, codeOf(again.answer)]).toEqual([404, 'share_over']);
    now = noon;
  });

  test.each<[what: string, wanted: object]>([
    ['an event of before', {}],
    ['what was recorded before', { ...ofFrontDoor, from: noon / 1000 - 86_400, until: noon / 1000 }],
  ])('before it begins: whose role sees nothing of before does not share %s', async (_, wanted) => {
    await expect(make(wanted, gina)).rejects.toThrow('share_object_unknown');
  });

  test('with the API token that made it', async () => {
    const made = await vera.send('POST', '/postern/api/tokens', {
      name: 'doorbell',
      role: 'viewer',
      cameras: ['front_door'],
    });
    const { id, token } = JSON.parse(made.body) as { id: string; token: string };
    const bearer = [['Authorization', `Bearer ${token}`] as const];
    const by = (body: object) => somebody().send('POST', '/postern/api/shares', body, bearer);
    expect((await by({ kind: 'event', id: backYard, expires_in: 60 })).status).toBe(404);
    const answer = await by({ kind: 'event', id: frontDoor, expires_in: 3600 });
    const share = JSON.parse(answer.body) as MadeShare;
    const cookie = await opened(share);
    const listed = await somebody().send('GET', '/postern/api/shares', undefined, bearer);
    expect((JSON.parse(listed.body) as MadeShare[]).map((one) => one.id)).toEqual([share.id]);
    const others = await make();
    const gone = await somebody().send('DELETE', `/postern/api/shares/${others.id}`, undefined, bearer);
    expect(gone.status).toBe(404);
    await vera.send('DELETE', `/postern/api/tokens/${id}`);
    await isOver(share, cookie);
  });

  test('with its time', async () => {
    const share = await make({ expires_in: 600 });
    const cookie = await opened(share);
    now += 599_000;
    expect((await see(share, cookie)).status).toBe(200);
    now += 1_000;
    // The browser has no cookie any more; one that is kept all the same is over too.
    expect((await see(share, cookie)).status).toBe(401);
    expect((await openShare(somebody(), share)).answer.status).toBe(404);
    now = noon;
  });

  test('when its maker or an admin ends it, and nobody else can', async () => {
    const anna = await userOf(admin, address(), 'anna', 'family');
    const [one, other] = [await make(), await make()];
    expect((await anna.send('DELETE', `/postern/api/shares/${one.id}`)).status).toBe(404);
    expect((await anna.send('GET', '/postern/api/shares')).body).toBe('[]');
    const cookie = await opened(one);
    expect((await vera.send('DELETE', `/postern/api/shares/${one.id}`)).status).toBe(204);
    await isOver(one, cookie);
    expect((await admin.send('DELETE', `/postern/api/shares/${other.id}`)).status).toBe(204);
  });

  test.each<[what: string, end: (share: MadeShare) => unknown]>([
    ['it is ended', (share) => vera.send('DELETE', `/postern/api/shares/${share.id}`)],
    ['its time is over', () => (now += 3_600_000)],
  ])('in the middle of a clip, when %s', async (_, end) => {
    const share = await make();
    const cookie = await opened(share);
    const before = begun.length;
    const socket = connect(behindFront().slice('unix:'.length));
    const uri = mediaOf(share, `api/events/${frontDoor}/clip.mp4`);
    socket.write(`GET ${uri} HTTP/1.1\r\nHost: gate.local\r\nCookie: postern_share=${cookie}\r\n\r\n`);
    const closed = once(socket, 'close');
    await once(socket, 'data');
    const left = once(begun[before] ?? socket, 'close');
    const listed = JSON.parse((await admin.send('GET', '/postern/api/exchanges')).body) as unknown;
    expect(listed).toContainEqual(expect.objectContaining({ user: `share:${share.id}`, source: 'share' }));
    v.parse(listExchanges.answers[200]?.body ?? v.never(), listed);
    await end(share);
    await closed;
    await left;
    now = noon;
    const records = (await admin.send('GET', '/postern/api/audit?event=exchange_ended')).body;
    expect(records).toContain('share_over');
  });
});

test('of clips that are asked for in the moment in which a share ends, none goes on', async () => {
  const share = await make();
  const cookie = await opened(share);
  const uri = mediaOf(share, `api/events/${frontDoor}/clip.mp4`);
  const head = `GET ${uri} HTTP/1.1\r\nHost: gate.local\r\nCookie: postern_share=${cookie}\r\n\r\n`;
  const ask = () => {
    const socket = connect(behindFront().slice('unix:'.length)).on('error', () => undefined);
    socket.write(head.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n'));
    return once(socket.resume(), 'close');
  };
  const before = Array.from({ length: 20 }, ask);
  const ended = vera.send('DELETE', `/postern/api/shares/${share.id}`);
  const after = Array.from({ length: 20 }, ask);
  expect((await ended).status).toBe(204);
  await Promise.all([...before, ...after]);
});

describe('a share of a camera', () => {
  test('shows its time alone, and live pictures while that is', async () => {
    const at = (seconds: number) => noon / 1000 + seconds;
    const share = await make({
      kind: 'camera',
      id: undefined,
      camera: 'garage',
      from: at(-60),
      until: at(60),
    });
    const cookie = await opened(share);
    const vod = (from: number, until: number, camera = 'garage') =>
      `vod/${camera}/start/${at(from)}/end/${at(until)}/master.m3u8`;
    const seen = async (path: string) => (await see(share, cookie, path)).status;
    expect(await seen(vod(-60, 0))).toBe(200);
    expect(await seen('api/garage/latest.jpg?h=200')).toBe(200);
    reached = [];
    for (const path of [
      vod(-61, 0),
      vod(0, 61),
      vod(-60, 0, 'front_door'),
      'api/front_door/latest.jpg',
      'api/garage/latest.jpg?h=200&bbox=1',
      `api/garage/recordings/${at(-61)}/snapshot.jpg`,
      'api/garage/recordings/summary',
      `vod/clip/garage/start/${at(-60)}/end/${at(0)}/master.m3u8`,
    ])
      expect(await seen(path), path).toBe(403);
    now += 61_000;
    expect(await seen('api/garage/latest.jpg')).toBe(403);
    expect(reached).toEqual([]);
    expect(await seen(vod(-60, 60))).toBe(200);
    now = noon;
  });
});
