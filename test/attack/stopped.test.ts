import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { capabilities } from '../../src/policy/capability.ts';
import { endingFronts, startGated, type GatedRecorder } from '../support/gated-recorder.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { openStream, streamsOf, type OpenStream } from '../support/open-stream.ts';
import { sendRaw } from '../support/raw-http.ts';
import { pair, screenAt } from '../support/screen.ts';
import { openShare, shareOf } from '../support/share.ts';

const cameras = ['driveway', 'garage'];
const config = {
  auth: {
    roles: { family: cameras },
    role_access: { family: { may: [...capabilities] } },
    failed_login_rate_limit: '1000/minute',
  },
  public_url: 'https://gate.local',
  cameras,
};
type Header = readonly [name: string, value: string];
type How = 'now' | 'hour' | 'good';

/** Whom an admin has stopped gets round it by no other road. */
describe.each(endingFronts)('through the %s', (front) => {
  let recorder: LiveRecorder;
  let gated: GatedRecorder;
  let address: string;
  let admin: Visitor;
  let users = 0;
  const time = { ahead: 0 };
  beforeAll(async () => {
    recorder = await startLiveRecorder({ cameras, roles: config.auth.roles });
    gated = await startGated(front, recorder, {
      clock: { now: () => Date.now() + time.ahead },
      config,
    });
    ({ address, admin } = gated);
  });
  afterAll(() => gated.close());

  const logIn = async (of: string) => {
    const found = visitor(address);
    await found.logIn(of, goodPassword);
    return found;
  };
  const cookieOf = ({ token }: Visitor): readonly Header[] => [['Cookie', `session_token=${token}`]];
  const open = (headers: readonly Header[], target: string) =>
    openStream({ address, tls: true }, target, headers);
  const statusOf = async (headers: readonly Header[], target: string) => {
    const stream = await open(headers, target);
    stream.close();
    return stream.status;
  };
  const listed = async (user: string) =>
    (
      JSON.parse((await admin.send('GET', '/postern/api/streams')).body) as ReadonlyArray<{
        readonly id: string;
        readonly user: string;
        readonly kind: string;
      }>
    ).filter((stream) => stream.user === user);
  const stop = async (user: string, how: How) => {
    const [found] = await listed(user);
    const { status, body } = await admin.send('DELETE', `/postern/api/streams/${found?.id}?for=${how}`);
    return {
      status,
      ...(JSON.parse(body) as { readonly stop: string | null; readonly until: number | null }),
    };
  };

  let name: string;
  let user: Visitor;
  let cookie: readonly Header[];
  let watched: OpenStream;
  beforeEach(async () => {
    name = `user-${(users += 1)}`;
    user = await userOf(admin, address, name, 'family');
    cookie = cookieOf(user);
    watched = await open(cookie, streamsOf('driveway').video);
    expect(watched.status).toBe(101);
  });

  const shown: readonly string[] = [
    streamsOf('driveway').picture,
    streamsOf('garage').video,
    '//api//driveway//latest.jpg',
    '/api/drive%77ay/latest.jpg',
    '/API/driveway/latest.jpg',
    '/api/driveway/latest.webp?height=90',
    '/live/mse/api/ws?src=driveway&src=garage',
    '/live/jsmpeg/driveway',
    '/api/go2rtc/stream.mjpeg?src=driveway',
    '/api/go2rtc/api/ws?src=driveway',
    '/vod/driveway/start/1/end/2/master.m3u8',
    '/vod/event/none/master.m3u8',
    '/recordings/2026-01/01/driveway/00.00.mp4',
    '/api/events?cameras=driveway',
    '/postern/cameras/driveway',
    '/postern/live/driveway',
    '/postern/api/live/driveway',
  ];

  test('for an hour: nothing is shown, by any spelling, session or API token', async () => {
    const other = await logIn(name);
    const made = await user.send('POST', '/postern/api/tokens', { name: 'a script', role: 'family' });
    const { token } = JSON.parse(made.body) as { readonly token: string };
    const roads = [cookie, cookieOf(other), [['Authorization', `Bearer ${token}`]] as const];
    for (const headers of roads) expect(await statusOf(headers, shown[0] ?? '')).toBe(200);

    const { status, until } = await stop(name, 'hour');
    expect(status).toBe(200);
    await watched.ended;
    for (const headers of roads) {
      const found = await Promise.all(shown.map(async (target) => [target, await statusOf(headers, target)]));
      expect(found).toEqual(shown.map((target) => [target, 403]));
    }
    const refused = await sendRaw(address, { uri: '/postern/api/live/driveway', headers: cookie }, true);
    expect(JSON.parse(refused.body)).toMatchObject({ code: 'stopped', opens: until });
    // A login in between changes nothing.
    const again = await logIn(name);
    expect(await statusOf(cookieOf(again), streamsOf('driveway').video)).toBe(403);
    // The account, and what shows no picture, stay open.
    expect(await statusOf(cookie, '/api/profile')).toBe(200);
    expect(await statusOf(cookie, '/postern/')).toBe(200);
    // It ends by itself.
    time.ahead += 3_601_000;
    await admin.send('GET', '/api/profile');
    expect(await statusOf(cookieOf(again), streamsOf('driveway').picture)).toBe(200);
  });

  test('for an hour: what the user shares shows nothing, and other users go on', async () => {
    const other = await userOf(admin, address, `${name}-other`, 'family');
    const others = await open(cookieOf(other), streamsOf('driveway').picture);
    const now = Math.floor((Date.now() + time.ahead) / 1000);
    const share = await shareOf(user, {
      kind: 'camera',
      camera: 'driveway',
      from: now - 60,
      until: now + 600,
      expires_in: 600,
    });
    const opened = await openShare(visitor(address), share);
    const media = `/postern/share/${share.id}/media/api/driveway/latest.jpg`;
    const byLink = [['Cookie', `postern_share=${opened.cookie}`]] as const;
    expect(await statusOf(byLink, media)).toBe(200);
    const { stop: stopped } = await stop(name, 'hour');
    // A visitor does not learn why.
    expect(await statusOf(byLink, media)).toBe(404);
    expect(others.isOpen()).toBe(true);
    others.close();
    // Allowed again.
    expect((await admin.send('DELETE', `/postern/api/stops/${stopped}`)).status).toBe(204);
    expect(await statusOf(byLink, media)).toBe(200);
    expect(await statusOf(cookie, streamsOf('driveway').picture)).toBe(200);
    expect((await admin.send('DELETE', `/postern/api/stops/${stopped}`)).status).toBe(404);
  });

  test('now: a player that comes back at once gets nothing of these cameras for ten seconds', async () => {
    const elsewhere = await logIn(name);
    const garage = await open(cookie, streamsOf('garage').picture);
    const found = (await listed(name)).find(({ kind }) => kind === 'websocket');
    expect((await admin.send('DELETE', `/postern/api/streams/${found?.id}`)).status).toBe(200);
    await watched.ended;
    for (const target of [streamsOf('driveway').video, '//api/driveway', '/postern/api/live/driveway'])
      expect([target, await statusOf(cookie, target)]).toEqual([target, 403]);
    expect(garage.isOpen()).toBe(true);
    garage.close();
    // Another session is not what was stopped.
    expect(await statusOf(cookieOf(elsewhere), streamsOf('driveway').picture)).toBe(200);
    time.ahead += 11_000;
    expect(await statusOf(cookie, streamsOf('driveway').video)).toBe(101);
  });

  test('for good: the session ends', async () => {
    expect(await stop(name, 'good')).toEqual({ status: 200, stop: null, until: null });
    await watched.ended;
    expect(await statusOf(cookie, streamsOf('driveway').picture)).toBe(401);
    const { body } = await admin.send(
      'GET',
      '/postern/api/audit?event=stream_stopped,stream_ended,session_ended&limit=2',
    );
    const { records } = JSON.parse(body) as { readonly records: ReadonlyArray<{ readonly event: string }> };
    expect(records.map(({ event }) => event)).toEqual(['stream_stopped', 'session_ended']);
  });

  /** Everything besides a session by which a stream is opened: its headers, the listed name and a target. */
  const lent: ReadonlyArray<
    readonly [what: string, make: () => Promise<{ headers: readonly Header[]; of: string; target: string }>]
  > = [
    [
      'an API token',
      async () => {
        const made = await user.send('POST', '/postern/api/tokens', { name: 'a script', role: 'family' });
        const { token } = JSON.parse(made.body) as { readonly token: string };
        const headers = [['Authorization', `Bearer ${token}`]] as const;
        return { headers, of: name, target: streamsOf('garage').picture };
      },
    ],
    [
      'a screen',
      async () => {
        const screen = screenAt(address, true);
        const id = await pair(screen, user, { name: 'hall' });
        const headers = [['Cookie', `postern_display=${screen.credential}`]] as const;
        return { headers, of: `display:${id}`, target: streamsOf('garage').picture };
      },
    ],
    [
      'a share',
      async () => {
        const now = Math.floor((Date.now() + time.ahead) / 1000);
        const times = { from: now - 60, until: now + 600, expires_in: 600 };
        const share = await shareOf(user, { kind: 'camera', camera: 'driveway', ...times });
        const { cookie: opened } = await openShare(visitor(address), share);
        const headers = [['Cookie', `postern_share=${opened}`]] as const;
        const target = `/postern/share/${share.id}/media/api/driveway/latest.jpg`;
        return { headers, of: `share:${share.id}`, target };
      },
    ],
  ];

  test.each(lent)('for good: %s ends, and nothing else of its owner', async (_, make) => {
    watched.close();
    const { headers, of, target } = await make();
    const isPicture = target.endsWith('.jpg');
    const before = new Set((await listed(of)).map(({ id }) => id));
    const stream = await open(headers, target);
    // Single pictures are listed once several were asked for.
    time.ahead += 3_000;
    if (isPicture) await statusOf(headers, target);
    const found = (await listed(of)).find(({ id }) => !before.has(id));
    const stopped = await admin.send('DELETE', `/postern/api/streams/${found?.id}?for=good`);
    expect(stopped.status).toBe(200);
    if (isPicture) stream.close();
    else await stream.ended;
    // It has ended, and is not only refused for now.
    time.ahead += 3_601_000;
    await admin.send('GET', '/api/profile');
    expect([401, 404]).toContain(await statusOf(headers, target));
    expect(await statusOf(cookieOf(await logIn(name)), streamsOf('driveway').picture)).toBe(200);
  });

  test('pictures asked for again and again are listed, and stop too', async () => {
    watched.close();
    const still = () => statusOf(cookie, '/api/garage/latest.jpg');
    await expect
      .poll(async () => ((await still()) === 200 ? (await listed(name)).map(({ kind }) => kind) : []), {
        interval: 500,
      })
      .toContainEqual('pictures');
    const pictures = (await listed(name)).find(({ kind }) => kind === 'pictures');
    expect((await admin.send('DELETE', `/postern/api/streams/${pictures?.id}?for=hour`)).status).toBe(200);
    expect(await still()).toBe(403);
    expect((await listed(name)).filter(({ kind }) => kind === 'pictures')).toEqual([]);
  });
});
