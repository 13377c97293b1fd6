import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { openStream, streamsOf, type OpenStream } from '../support/open-stream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

const cameras = ['driveway', 'garage'];
const config = {
  auth: { roles: { family: cameras }, failed_login_rate_limit: '1000/minute' },
  cameras,
};

describe.each(['embedded front', 'nginx with the relay'] as const)('through the %s', (front) => {
  let recorder: LiveRecorder;
  let gateway: RunningGateway;
  let nginx: RunningNginx | undefined;
  let address: string;
  let admin: Visitor;
  let users = 0;
  const streams: OpenStream[] = [];

  beforeAll(async () => {
    recorder = await startLiveRecorder({ cameras, roles: { family: cameras } });
    gateway = await startGateway({ config: { ...config, upstream: `http://${recorder.address}` } });
    if (front !== 'embedded front') nginx = await startNginxFor(gateway, { recorder: recorder.address });
    address = nginx?.authenticated ?? gateway.addresses.authenticated ?? '';
    admin = await adminOf(gateway, address);
  });
  afterAll(async () => {
    await nginx?.close();
    await gateway.close();
    await recorder.close();
  });
  afterEach(() => {
    for (const stream of streams.splice(0)) stream.close();
  });

  const open = async (who: Visitor, target: string) => {
    const stream = await openStream({ address, tls: true }, target, [
      ['Cookie', `session_token=${who.token}`],
    ]);
    streams.push(stream);
    return stream;
  };
  /** A user with a stream of each kind. */
  const watcher = async (role = 'family') => {
    const name = `user-${(users += 1)}`;
    const user = await userOf(admin, address, name, role);
    const { video } = streamsOf('driveway');
    const watched = [await open(user, video)];
    expect(watched.map(({ status }) => status)).toEqual([101]);
    return { name, user, watched };
  };
  type Listed = Readonly<Record<string, unknown>>;
  const listed = async (who: Visitor, query = '') =>
    JSON.parse((await who.send('GET', `/postern/api/exchanges${query}`)).body) as Listed[];
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

  test('streams end when their user logs out, and those of others go on', async () => {
    const { user, watched } = await watcher();
    const other = await watcher();
    await user.send('POST', '/api/logout');
    await ended(watched);
    expect(other.watched.every(({ isOpen }) => isOpen())).toBe(true);
  });

  test('admins see what everybody watches, others what is their own', async () => {
    const [one, other] = [await watcher(), await watcher()];
    const byAdmin = await listed(admin);
    for (const { name } of [one, other]) expect(byAdmin).toContainEqual(watching(name));
    expect(await listed(other.user)).toEqual([watching(other.name)]);
    expect(await listed(admin, '?own')).toEqual([]);
    const [session] = await sessionsOf(one.user);
    expect(byAdmin.find(({ user }) => user === one.name)?.['session']).toBe(session?.id);
  });

  test('an admin cuts one of them, and nobody else does', async () => {
    const [one, other] = [await watcher(), await watcher()];
    const [own] = await listed(one.user);
    const uri = `/postern/api/exchanges/${String(own?.['id'])}`;
    expect((await other.user.send('DELETE', uri)).status).toBe(403);
    expect((await admin.send('DELETE', uri)).status).toBe(204);
    await ended(one.watched);
    expect(other.watched.every(({ isOpen }) => isOpen())).toBe(true);
    expect((await admin.send('DELETE', uri)).status).toBe(404);
    const { body } = await admin.send('GET', '/postern/api/audit?event=exchange_cut,exchange_ended&limit=1');
    const { records } = JSON.parse(body) as { readonly records: unknown };
    expect(records).toEqual([
      expect.objectContaining({
        event: 'exchange_cut',
        user: 'admin',
        object: '/live/mse/api/ws',
        detail: expect.objectContaining({ of: one.name, cameras: ['driveway'] }) as unknown,
      }),
    ]);
  });
});
