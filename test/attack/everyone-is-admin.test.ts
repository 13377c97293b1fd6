import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { listenToMessages } from '../support/listen-to-messages.ts';
import { sendRaw, type RawRequest } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';
import { attackConfig, from } from './row.ts';

/*
 * On its port 5000 a recorder takes everyone for an admin and looks at no header. The gate is the only guard then, also before it has
 * found out.
 */

const cameras = Object.keys(attackConfig.cameras);
const viewer = from('vera', 'group_viewer');
const operator = from('olaf', 'group_operator');
const admin = from('ada', 'group_admin');

let recorder: Recorder;
let gateway: RunningGateway;
beforeAll(async () => {
  recorder = await startRecorder(cameras, attackConfig.auth.roles);
  recorder.define({ unauthenticated: true });
  gateway = await startGateway({
    config: {
      ...attackConfig,
      networking: {
        listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' },
        forward_auth: { authenticated: '127.0.0.1:0' },
        relay: { authenticated: '127.0.0.1:0' },
      },
      upstream: `http://${recorder.address}`,
    },
  });
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});
beforeEach(() => {
  recorder.takeHeard();
  recorder.takeReached();
});

const ways = {
  'the embedded front': () => ({ address: gateway.addresses.authenticated ?? '', tls: true }),
  'the relay': () => ({ address: gateway.addresses.relayAuthenticated ?? '', tls: false }),
} as const;

describe.each(Object.entries(ways))('through %s', (_, at) => {
  const send = async (headers: typeof viewer, request: Partial<RawRequest>) => {
    const { address, tls } = at();
    const { status } = await sendRaw(
      address,
      { ...request, uri: request.uri ?? '/', headers: [...headers, ...(request.headers ?? [])] },
      tls,
    );
    return { status, reached: recorder.takeReached().map(({ method, uri }) => `${method} ${uri}`) };
  };

  test.each([
    ['viewer', viewer],
    ['operator', operator],
  ] as const)('no command of a %s for admins reaches it by /ws', async (_role, headers) => {
    const client = await listenToMessages(at(), headers);
    if ('refused' in client) throw new Error(`refused: ${client.refused}`);
    onTestFinished(() => client.socket.terminate());
    for (const topic of [
      'restart',
      'garage/detect/set',
      'garage/recordings/set',
      'notifications/set',
      'garage/notifications/suspend',
      'profile/set',
    ])
      client.socket.send(JSON.stringify({ topic, payload: 'OFF', retain: true }));
    client.socket.send('{"topic":"onConnect","payload":""}');
    await expect.poll(() => recorder.takeHeard()).toEqual(['{"topic":"onConnect","payload":""}']);
  });

  test.each([
    ['viewer', viewer],
    ['operator', operator],
  ] as const)('no arguments of ffmpeg of a %s reach it', async (_role, headers) => {
    const uri = '/api/export/custom/garage/start/1/end/2';
    const json = [['Content-Type', 'application/json']] as const;
    for (const body of [
      { ffmpeg_input_args: '-f concat -i /config/config.yml' },
      { ffmpeg_output_args: '-y /config/config.yml' },
      { ffmpeg_input_args: null },
      { source: 'recordings', name: 'Fox', ffmpeg_output_args: '' },
    ])
      expect(
        await send(headers, { method: 'POST', uri, headers: json, body: JSON.stringify(body) }),
        JSON.stringify(body),
      ).toEqual({ status: 400, reached: [] });
    expect(await send(headers, { method: 'POST', uri, headers: json, body: '{"name":"Fox"}' })).toEqual({
      status: 200,
      reached: [`POST ${uri}`],
    });
    // A form, a coding or no type: another server may read it otherwise.
    expect(
      await send(headers, { method: 'POST', uri, headers: [['Content-Type', 'text/plain']], body: '{}' }),
    ).toEqual({ status: 400, reached: [] });
  });

  test('a custom role gets no list that the gate does not narrow', async () => {
    expect((await send(operator, { uri: '/api/events?limit=1' })).reached).toEqual([
      'GET /api/events?limit=1&cameras=garage,driveway',
    ]);
    expect(await send(operator, { uri: '/api/exports' })).toEqual({ status: 403, reached: [] });
  });

  test('an admin may do all of it', async () => {
    const client = await listenToMessages(at(), admin);
    if ('refused' in client) throw new Error(`refused: ${client.refused}`);
    onTestFinished(() => client.socket.terminate());
    client.socket.send('{"topic":"restart","payload":""}');
    await expect.poll(() => recorder.takeHeard()).toEqual(['{"topic":"restart","payload":""}']);
  });
});

test('where a front only asks, only an admin reaches what it does not show the gate', async () => {
  const asked = async (headers: typeof viewer, method: string, uri: string) => {
    const { status, headers: answered } = await sendRaw(gateway.addresses.forwardAuthAuthenticated ?? '', {
      uri: '/auth',
      headers: [...headers, ['X-Original-Method', method], ['X-Original-URL', uri]],
    });
    return [status, ...(answered.get('x-postern-reason') ?? [])];
  };
  for (const headers of [viewer, operator]) {
    // The recorder is asked once the gate has started.
    await expect.poll(() => asked(headers, 'GET', '/ws')).toEqual([403, 'messages_unfiltered']);
    for (const uri of [
      '/api/export/custom/garage/start/1/end/2',
      '/api/export/garage/start/1/end/2',
      '/api/exports/batch',
    ])
      expect(await asked(headers, 'POST', uri)).toEqual([403, 'body_unread']);
  }
  expect(await asked(admin, 'GET', '/ws')).toEqual([200]);
});

test('the log warns once, and the configuration page warns admins', async () => {
  const warnings = () =>
    gateway.log.filter(({ level, msg }) => level === 'warn' && String(msg).startsWith('everybody_is_admin'));
  await expect.poll(() => warnings().length).toBe(1);
  const { body } = await sendRaw(gateway.addresses.internal ?? '', { uri: '/postern/api/configuration' });
  expect(JSON.parse(body)).toMatchObject({ recorder: { everybody_is_admin: true } });
  const doctor = await sendRaw(gateway.addresses.internal ?? '', { uri: '/postern/api/doctor' });
  expect(JSON.parse(doctor.body)).toMatchObject({
    checks: expect.arrayContaining([
      expect.objectContaining({ name: 'recorder', result: 'hint', seen: ['everybody_is_admin'] }),
    ]) as object,
  });
});
