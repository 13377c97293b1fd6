import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { endingFronts, startGated, type GatedRecorder } from '../support/gated-recorder.ts';
import { stringify } from 'yaml';
import { createUsers, type Users } from '../../src/accounts/users/users.ts';
import { systemClock } from '../../src/clock.ts';
import type { Reason } from '../../src/policy/reasons.ts';
import { unconditional } from '../../src/store/permit.ts';
import { openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { goodPassword, printedPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { openStream, streamsOf, type OpenStream } from '../support/open-stream.ts';
import { sendRaw } from '../support/raw-http.ts';
import type { RunningGateway } from '../support/start-gateway.ts';

const cameras = ['driveway', 'garage'];
const config = {
  auth: {
    roles: { family: cameras, guests: cameras },
    failed_login_rate_limit: '1000/minute',
    session_length: 600,
    refresh_time: 300,
  },
  cameras,
};

describe.each(endingFronts)('through the %s', (front) => {
  let recorder: LiveRecorder;
  let gated: GatedRecorder;
  let gateway: RunningGateway;
  let address: string;
  let admin: Visitor;
  const time = { ahead: 0 };
  let users = 0;
  const streams: OpenStream[] = [];

  beforeAll(async () => {
    recorder = await startLiveRecorder({ cameras, roles: config.auth.roles });
    gated = await startGated(front, recorder, {
      clock: { now: () => Date.now() + time.ahead },
      config,
    });
    ({ gateway, address, admin } = gated);
  });
  afterAll(() => gated.close());
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  const open = (who: Visitor, target: string) => openAs([['Cookie', `session_token=${who.token}`]], target);
  const openAs = async (headers: ReadonlyArray<readonly [string, string]>, target: string, body?: string) => {
    const stream = await openStream({ address, tls: true }, target, headers, body);
    streams.push(stream);
    return stream;
  };
  /** A user with a stream of each kind. */
  const watcher = async (role = 'family') => {
    const name = `user-${(users += 1)}`;
    const user = await userOf(admin, address, name, role);
    const { picture, video } = streamsOf('driveway');
    const watched = [await open(user, picture), await open(user, video)];
    expect(watched.map(({ status }) => status)).toEqual([200, 101]);
    return { name, user, watched };
  };
  type Listed = Readonly<Record<string, unknown>>;
  const listed = async (who: Visitor, query = '') =>
    JSON.parse((await who.send('GET', `/postern/api/streams${query}`)).body) as Listed[];
  const watching = (user: string) =>
    expect.objectContaining({
      user,
      kind: 'websocket',
      role: 'family',
      source: 'session',
      resource: { path: '/live/mse/api/ws', cameras: ['driveway'] },
    }) as Listed;
  const sessionsOf = async (who: Visitor) =>
    (
      JSON.parse((await who.send('GET', '/postern/api/sessions')).body) as {
        readonly sessions: ReadonlyArray<{ readonly id: string }>;
      }
    ).sessions;
  const ended = (watched: readonly OpenStream[]) => Promise.all(watched.map((stream) => stream.ended));

  type Watcher = Awaited<ReturnType<typeof watcher>>;
  const to = (uri: string, { name }: Watcher) => uri.replace(':name', name);
  const byCommand = async (change: (users: Users) => Promise<unknown>) => {
    const store = await openStore(storePath(gateway.directory), 5_000);
    onTestFinished(() => store.destroy());
    await change(createUsers(store, systemClock));
  };

  test('users recognise their own devices, and neither programs nor others', async () => {
    const { name, user } = await watcher();
    const elsewhere = visitor(address);
    await elsewhere.logIn(name, goodPassword);
    const ownIn = async (who: Visitor) =>
      (await listed(who)).filter((stream) => stream['user'] === name).map(({ own }) => own);
    expect(await ownIn(user)).toEqual([true, true]);
    expect(await ownIn(elsewhere)).toEqual([true, true]);
    expect(await ownIn(admin)).toEqual([false, false]);
    const added = await user.send('POST', '/postern/api/tokens', { name: 'a script', role: 'family' });
    const { token } = JSON.parse(added.body) as { readonly token: string };
    await openAs([['Authorization', `Bearer ${token}`]], streamsOf('driveway').picture);
    expect((await listed(user)).map(({ own }) => own)).toEqual([true, true, false]);
  });

  test.each<readonly [name: string, change: (of: Watcher) => Promise<unknown>, reason: Reason]>([
    ['a logout', ({ user }) => user.send('POST', '/api/logout'), 'token_revoked'],
    [
      'the end of the session',
      async ({ user }) => {
        const [session] = await sessionsOf(user);
        return admin.send('DELETE', `/postern/api/sessions/${session?.id}`);
      },
      'token_revoked',
    ],
    [
      'the end of all sessions',
      ({ name }) => admin.send('DELETE', `/postern/api/sessions?user=${name}`),
      'token_revoked',
    ],
    [
      'another password',
      (of) => admin.send('PUT', to('/api/users/:name/password', of), { password: `${goodPassword}-2` }),
      'token_revoked',
    ],
    [
      'another role',
      (of) => admin.send('PUT', to('/api/users/:name/role', of), { role: 'viewer' }),
      'token_revoked',
    ],
    [
      'a block',
      (of) => admin.send('PUT', to('/postern/api/users/:name/blocked', of), { blocked: true }),
      'token_revoked',
    ],
    ['the end of the user', (of) => admin.send('DELETE', to('/api/users/:name', of)), 'user_unknown'],
    [
      'a change by another process',
      ({ name }) => byCommand((users) => users.setRole(name, 'viewer', unconditional)),
      'token_revoked',
    ],
  ])('%s ends the streams of its user, and those of others stay', async (_, change, reason) => {
    const [one, other] = [await watcher(), await watcher()];
    await change(one);
    await ended(one.watched);
    expect(other.watched.every(({ isOpen }) => isOpen())).toBe(true);
    const { body } = await admin.send('GET', `/postern/api/audit?event=stream_ended&user=${one.name}`);
    const { records } = JSON.parse(body) as { readonly records: ReadonlyArray<Record<string, unknown>> };
    expect(records.map((record) => [record['reason'], record['object']]).toSorted(byText)).toEqual([
      [reason, '/api/driveway'],
      [reason, '/live/mse/api/ws'],
    ]);
    await expect.poll(() => recorder.open()).toBe(other.watched.length);
  });

  test.each([
    '/ws/',
    '/wsx',
    '/api/go2rtc/stream.mjpeg?src=driveway',
    '/api/go2rtc/api/stream.mjpeg?src=driveway',
    '/api/go2rtc/ws?src=driveway',
    '/api/go2rtc/api/ws?src=driveway',
  ])('whatever a recorder shows without an end is cut: %s', async (target) => {
    const user = await userOf(admin, address, `user-${(users += 1)}`, 'viewer');
    const stream = await open(user, target);
    expect([200, 101]).toContain(stream.status);
    await user.send('POST', '/api/logout');
    await stream.ended;
  });

  test('a role that is narrowed keeps the streams of the cameras that are left', async () => {
    const { user, watched } = await watcher('guests');
    const kept = [await open(user, streamsOf('garage').picture), await open(user, streamsOf('garage').video)];
    await admin.send('PUT', '/postern/api/roles/guests', { cameras: ['garage'] });
    await ended(watched);
    expect(kept.every(({ isOpen }) => isOpen())).toBe(true);
    await admin.send('PUT', '/postern/api/roles/guests', { cameras });
  });

  test('a stream requested with a body continues when something changes', async () => {
    const { user, watched } = await watcher();
    const withBody = await openAs(
      [['Cookie', `session_token=${user.token}`]],
      streamsOf('driveway').picture,
      '{}',
    );
    const other = await watcher();
    await admin.send('DELETE', `/api/users/${other.name}`);
    await ended(other.watched);
    expect([withBody, ...watched].map(({ isOpen }) => isOpen())).toEqual([true, true, true]);
  });

  test('a revoked API token ends its streams, and no others', async () => {
    const { user, watched } = await watcher();
    const made = await user.send('POST', '/postern/api/tokens', { name: 'a script', role: 'family' });
    const { token, id } = JSON.parse(made.body) as { readonly token: string; readonly id: string };
    const bearer = [['Authorization', `Bearer ${token}`]] as const;
    const byToken = [
      await openAs(bearer, streamsOf('garage').picture),
      await openAs(bearer, streamsOf('garage').video),
    ];
    expect(byToken.map(({ status }) => status)).toEqual([200, 101]);
    // It learns nothing of its owner's streams.
    const { body } = await sendRaw(address, { uri: '/postern/api/streams', headers: bearer }, true);
    expect((JSON.parse(body) as Listed[]).map(({ source }) => source)).toEqual(['api-token', 'api-token']);
    await user.send('DELETE', `/postern/api/tokens/${id}`);
    await ended(byToken);
    expect(watched.every(({ isOpen }) => isOpen())).toBe(true);
  });

  test('a rule of the configuration ends what it closes', async () => {
    const { watched } = await watcher();
    const file = join(gateway.directory, 'config.yml');
    const former = readFileSync(file, 'utf8');
    const rules = { access: { rules: [{ path: '/live/**', require: 'admin-only' }] } };
    writeFileSync(file, former + stringify(rules));
    await gateway.reloading.reload('signal');
    const [picture, video] = watched;
    await video?.ended;
    expect(picture?.isOpen()).toBe(true);
    // Without the key, it would count as a file that was cut off.
    writeFileSync(file, `${former}access: {}\n`);
    await gateway.reloading.reload('signal');
  });

  test('a session that ends by itself ends its streams; one that is refreshed keeps them', async () => {
    const [one, other] = [await watcher(), await watcher()];
    time.ahead += 301_000;
    const { token } = other.user;
    await other.user.send('GET', '/api/profile');
    expect(other.user.token).not.toBe(token);
    time.ahead += 300_000;
    await ended(one.watched);
    await admin.logIn('admin', printedPassword(gateway));
    const third = await watcher();
    await third.user.send('POST', '/api/logout');
    await ended(third.watched);
    expect(other.watched.every(({ isOpen }) => isOpen())).toBe(true);
    // By the current account, though the token of the stream has expired.
    await admin.send('PUT', to('/postern/api/users/:name/blocked', other), { blocked: true });
    await ended(other.watched);
  });

  test('admins see all streams, users their own', async () => {
    const [one, other] = [await watcher(), await watcher()];
    const byAdmin = await listed(admin);
    for (const { name } of [one, other]) expect(byAdmin).toContainEqual(watching(name));
    const own = await listed(other.user);
    expect(own.map(({ user, kind }) => [user, kind])).toEqual([
      [other.name, 'answer'],
      [other.name, 'websocket'],
    ]);
    expect(await listed(admin, '?own')).toEqual([]);
    const [session] = await sessionsOf(one.user);
    expect(byAdmin.find(({ user }) => user === one.name)?.['session']).toBe(session?.id);
  });

  test('only an admin stops one of them', async () => {
    const [one, other] = [await watcher(), await watcher()];
    const [picture, video] = one.watched;
    const garage = await open(one.user, streamsOf('garage').picture);
    const [, own] = await listed(one.user);
    const uri = `/postern/api/streams/${String(own?.['id'])}`;
    expect((await other.user.send('DELETE', uri)).status).toBe(403);
    expect((await admin.send('DELETE', uri)).status).toBe(200);
    await video?.ended;
    // Of the same session and camera: it would only be the same picture.
    await picture?.ended;
    expect([garage, ...other.watched].every((stream) => stream?.isOpen())).toBe(true);
    expect((await admin.send('DELETE', uri)).status).toBe(404);
    const { body } = await admin.send('GET', '/postern/api/audit?event=stream_stopped,stream_ended&limit=1');
    const { records } = JSON.parse(body) as { readonly records: unknown };
    expect(records).toEqual([
      expect.objectContaining({
        event: 'stream_stopped',
        user: 'admin',
        object: '/live/mse/api/ws',
        detail: expect.objectContaining({ of: one.name, cameras: ['driveway'] }) as unknown,
      }),
    ]);
  });
});

function byText(one: readonly unknown[], other: readonly unknown[]): number {
  return String(one).localeCompare(String(other));
}
