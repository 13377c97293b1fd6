import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { endingFronts, startGated, type GatedRecorder } from '../support/gated-recorder.ts';
import { WebSocket, type ClientOptions } from 'ws';
import { userOf, type Visitor } from '../support/log-in.ts';
import { startGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';

const cameras = ['driveway', 'garage'];
const config = {
  auth: {
    roles: { family: cameras, guard: ['driveway'], guest: cameras },
    role_access: { family: { may: ['live', 'ptz'] }, guard: { may: ['live', 'ptz'] } },
    failed_login_rate_limit: '1000/minute',
  },
  cameras,
};
/** Longer than a message of a recorder for someone who is limited may be, so that the WebSocket to the recorder ends. */
const tooLong = 'x'.repeat(1_100_000);
const ptz = (camera: string, payload: string) => JSON.stringify({ topic: `${camera}/ptz`, payload });

describe.each(endingFronts)('through the %s', (front) => {
  let recorder: Recorder;
  let gated: GatedRecorder;
  let address: string;
  let admin: Visitor;
  let users = 0;

  beforeAll(async () => {
    recorder = await startRecorder(cameras, config.auth.roles);
    gated = await startGated(front, recorder, { config });
    ({ address, admin } = gated);
  });
  afterEach(() => void recorder.takeHeard());
  afterAll(() => gated.close());

  const userWith = async (role: string) => {
    const name = `user-${(users += 1)}`;
    return { name, user: await userOf(admin, address, name, role) };
  };
  const open = async ({ token }: Visitor, options: ClientOptions = {}) => {
    const socket = new WebSocket(`wss://${address}/ws`, {
      rejectUnauthorized: false,
      headers: { host: 'gate.local', cookie: `session_token=${token}` },
      ...options,
    });
    socket.on('error', () => undefined);
    onTestFinished(() => socket.terminate());
    await once(socket, 'open');
    return socket;
  };
  /** What the recorder hears until nothing is open there anymore. */
  const heardAtEnd = async () => {
    await expect.poll(() => recorder.open()).toBe(0);
    return recorder.takeHeard().filter((text) => text.startsWith('{'));
  };
  /** A viewer whose camera turns. */
  const turning = async (role = 'viewer', options?: ClientOptions) => {
    const { name, user } = role === 'admin' ? { name: 'admin', user: admin } : await userWith(role);
    const socket = await open(user, options);
    recorder.takeHeard();
    socket.send(ptz('driveway', 'MOVE_LEFT'));
    await expect.poll(() => recorder.takeHeard()).toEqual([ptz('driveway', 'MOVE_LEFT')]);
    return { name, user, socket };
  };

  test.each([
    ['closed', 'viewer', (socket: WebSocket) => socket.close()],
    ['reset', 'viewer', (socket: WebSocket) => socket.terminate()],
    ['reset', 'admin', (socket: WebSocket) => socket.terminate()],
  ] as const)('a camera that turns is stopped when the WebSocket is %s, of a %s', async (_, role, leave) => {
    const { socket } = await turning(role);
    leave(socket);
    expect(await heardAtEnd()).toEqual([ptz('driveway', 'STOP')]);
  });

  test('a camera is stopped when its client does not answer any more', async () => {
    await turning('viewer', { autoPong: false });
    expect(await heardAtEnd()).toEqual([ptz('driveway', 'STOP')]);
  });

  test('a camera is stopped by another WebSocket when that to the recorder ends first', async () => {
    const { socket } = await turning('family');
    const closed = once(socket, 'close');
    recorder.tell('driveway/motion', tooLong);
    await closed;
    await expect
      .poll(() => recorder.takeHeard().filter((text) => text.startsWith('{')))
      .toEqual([ptz('driveway', 'STOP')]);
    expect(await heardAtEnd()).toEqual([]);
  });

  test.each<readonly [name: string, end: (of: { name: string; user: Visitor }) => Promise<unknown>]>([
    ['the session ends', ({ user }) => user.send('POST', '/api/logout')],
    [
      'the user is blocked',
      ({ name }) => admin.send('PUT', `/postern/api/users/${name}/blocked`, { blocked: true }),
    ],
    ['the role changes', ({ name }) => admin.send('PUT', `/api/users/${name}/role`, { role: 'family' })],
    ['the user is removed', ({ name }) => admin.send('DELETE', `/api/users/${name}`)],
  ])('a camera is stopped when %s', async (_, end) => {
    const { name, user, socket } = await turning();
    const closed = once(socket, 'close');
    await end({ name, user });
    await closed;
    expect(await heardAtEnd()).toEqual([ptz('driveway', 'STOP')]);
  });

  test.each([
    ['ptz', ['driveway'], ['live']],
    ['its camera', ['garage'], ['live', 'ptz']],
  ] as const)('a role that loses %s while a camera turns stops it, and moves none', async (_, left, may) => {
    onTestFinished(async () => {
      const access = config.auth.role_access.guard;
      await admin.send('PUT', '/postern/api/roles/guard', { cameras: ['driveway'], access });
    });
    const { socket } = await turning('guard');
    await admin.send('PUT', '/postern/api/roles/guard', { cameras: left, access: { may } });
    await expect.poll(() => recorder.takeHeard()).toEqual([ptz('driveway', 'STOP')]);
    socket.send(ptz('driveway', 'MOVE_RIGHT'));
    socket.send(JSON.stringify({ topic: 'onConnect' }));
    // The WebSocket stays open, and passes what the role may still ask for.
    await expect
      .poll(() => recorder.takeHeard())
      .toEqual([JSON.stringify({ topic: 'onConnect', payload: '' })]);
    expect(socket.readyState).toBe(WebSocket.OPEN);
  });

  test.each([
    ['without ptz', 'guest', 'driveway', []],
    ['with ptz', 'guard', 'driveway', [ptz('driveway', 'MOVE_UP'), ptz('driveway', 'STOP')]],
    ['with ptz, of a camera that it does not have', 'guard', 'garage', []],
  ] as const)('a custom role %s', async (_, role, camera, passed) => {
    const { user } = await userWith(role);
    const socket = await open(user);
    recorder.takeHeard();
    socket.send(ptz(camera, 'MOVE_UP'));
    socket.close();
    expect(await heardAtEnd()).toEqual(passed);
  });

  test('what does not turn any more is not stopped', async () => {
    const { socket } = await turning();
    for (const [camera, command] of [
      ['driveway', 'STOP'],
      ['garage', 'preset_home'],
      ['garage', 'move_relative_0.1_0.1'],
    ] as const)
      socket.send(ptz(camera, command));
    socket.close();
    expect(await heardAtEnd()).toEqual([
      ptz('driveway', 'STOP'),
      ptz('garage', 'preset_home'),
      ptz('garage', 'move_relative_0.1_0.1'),
    ]);
  });

  test('more than ten commands at once do not pass, whatever the WebSocket, and STOP does', async () => {
    const { user } = await userWith('viewer');
    const sockets = [await open(user), await open(user)];
    recorder.takeHeard();
    const began = performance.now();
    for (let i = 0; i < 200; i += 1) for (const socket of sockets) socket.send(ptz('garage', 'preset_home'));
    for (const socket of sockets) socket.send(ptz('garage', 'STOP'));
    for (const socket of sockets) socket.close();
    const heard = await heardAtEnd();
    expect(heard.filter((text) => text.includes('STOP'))).toHaveLength(2);
    expect(heard.length - 2).toBeGreaterThanOrEqual(10);
    const seconds = Math.ceil((performance.now() - began) / 1_000);
    expect(heard.length - 2).toBeLessThanOrEqual(10 * seconds);
  });

  test('moving a camera is on record, once a minute', async () => {
    const { name, socket } = await turning();
    for (const command of ['STOP', 'MOVE_UP', 'STOP']) socket.send(ptz('driveway', command));
    socket.send(ptz('garage', 'preset_home'));
    socket.close();
    await heardAtEnd();
    const { body } = await admin.send('GET', `/postern/api/audit?user=${name}&event=camera_moved`);
    const { records } = JSON.parse(body) as {
      readonly records: ReadonlyArray<Readonly<Record<string, unknown>>>;
    };
    expect(records.map(({ user, role, object, address: from }) => [user, role, object, from])).toEqual(
      ['garage', 'driveway'].map((camera) => [name, 'viewer', camera, '127.0.0.1']),
    );
  });
});

test('a camera is stopped when the gate stops', async () => {
  const recorder = await startRecorder(cameras, config.auth.roles);
  onTestFinished(() => recorder.close());
  const gateway = await startGateway({ config: { ...config, upstream: `http://${recorder.address}` } });
  const socket = new WebSocket(`ws://${gateway.addresses.internal}/ws`, { headers: { host: 'localhost' } });
  socket.on('error', () => undefined);
  await once(socket, 'open');
  socket.send(ptz('driveway', 'ZOOM_IN'));
  await expect.poll(() => recorder.takeHeard()).toEqual([ptz('driveway', 'ZOOM_IN')]);
  await gateway.close();
  await expect.poll(() => recorder.takeHeard()[0]).toBe(ptz('driveway', 'STOP'));
});
