import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { headerValues } from '../../../src/policy/raw-headers.ts';
import { attackConfig, from } from '../../attack/row.ts';
import { everyFront, networking, startEveryFront, type AnyFront } from '../../support/every-front.ts';
import { listenToMessages } from '../../support/listen-to-messages.ts';
import { sendRaw } from '../../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../../support/start-recorder.ts';
import { recorderFile } from '../../unit/events/recorder-file.ts';

const cameras = Object.keys(attackConfig.cameras);
const operator = from('olaf', 'group_operator');
const viewer = from('vera', 'group_viewer');

let recorder: Recorder;
let gateway: RunningGateway;
let fronts: AnyFront[];
const file = recorderFile();
file.recorder.exec(`INSERT INTO reviewsegment VALUES
  ('1.g', 'garage', 1, 2, 'alert', '/t.webp', '{}'), ('3.f', 'front_door', 1, 2, 'alert', '/t.webp', '{}')`);

beforeAll(async () => {
  recorder = await startRecorder(cameras, attackConfig.auth.roles);
  gateway = await startGateway({
    config: {
      ...attackConfig,
      networking,
      events: { database: file.path },
      upstream: `http://${recorder.address}`,
    },
  });
  fronts = await startEveryFront(gateway, recorder.address);
});
afterAll(async () => {
  await Promise.all(fronts.map((front) => front.close()));
  await gateway.close();
  await recorder.close();
  file.remove();
});
beforeEach(() => void recorder.takeReached());

describe.each(everyFront)('%s', (name) => {
  const at = () => fronts.find((front) => front.name === name) as AnyFront;
  const send = async (method: string, uri: string, headers: typeof operator, body?: object) => {
    const { address, tls } = at();
    const { status } = await sendRaw(
      address,
      {
        method,
        uri,
        headers: body === undefined ? headers : [...headers, ['Content-Type', 'application/json']],
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      },
      tls,
    );
    return { status, reached: recorder.takeReached() };
  };

  test("a role that is limited to cameras gets its cameras' messages, and no others", async () => {
    const client = await listenToMessages(at(), operator);
    if ('refused' in client) throw new Error(`refused: ${client.refused}`);
    onTestFinished(() => client.socket.terminate());
    for (const camera of cameras) recorder.tell(`${camera}/person`, '1');
    recorder.tell('model_state', {});
    expect(await client.until('model_state')).toEqual(['garage/person', 'driveway/person', 'model_state']);
    recorder.takeHeard();
    client.socket.send('{"topic":"garage/ptz","payload":"UP"}');
    client.socket.send('{"topic":"onConnect","payload":""}');
    await expect.poll(() => recorder.takeHeard()).toEqual(['{"topic":"onConnect","payload":""}']);
  });

  test('a viewer gets all', async () => {
    const client = await listenToMessages(at(), viewer);
    if ('refused' in client) throw new Error(`refused: ${client.refused}`);
    onTestFinished(() => client.socket.terminate());
    for (const camera of cameras) recorder.tell(`${camera}/person`, '1');
    recorder.tell('model_state', {});
    expect(await client.until('model_state')).toHaveLength(cameras.length + 1);
  });

  test('the figures of the recorder are of its cameras alone', async () => {
    const { address, tls } = at();
    const figures = async (headers: typeof operator) =>
      JSON.parse((await sendRaw(address, { uri: '/api/stats', headers }, tls)).body) as { cameras: object };
    expect(Object.keys((await figures(operator)).cameras).sort()).toEqual(['driveway', 'garage']);
    expect(JSON.stringify(await figures(operator))).not.toMatch(/front_door|hunter2/);
    expect(Object.keys((await figures(viewer)).cameras).sort()).toEqual(cameras.toSorted());
  });

  test('an export of several at once is of its own cameras', async () => {
    const item = { camera: 'garage', start_time: 1, end_time: 2 };
    const passed = await send('POST', '/api/exports/batch', operator, { items: [item] });
    expect([passed.status, passed.reached.length]).toEqual([200, 1]);
    const others = { items: [item, { ...item, camera: 'front_door' }] };
    expect(await send('POST', '/api/exports/batch', operator, others)).toEqual({ status: 403, reached: [] });
  });

  test('and so are reviews', async () => {
    expect((await send('POST', '/api/reviews/viewed', operator, { ids: ['1.g'] })).status).toBe(200);
    expect(await send('POST', '/api/reviews/viewed', operator, { ids: ['1.g', '3.f'] })).toEqual({
      status: 403,
      reached: [],
    });
  });

  test('a live picture of its own camera, and who it is', async () => {
    const client = await listenToMessages(at(), operator, '/live/jsmpeg/garage');
    if (!('refused' in client)) client.socket.terminate();
    expect(client).not.toHaveProperty('refused');
    const [reached] = recorder.takeReached();
    const sent = (header: string) => headerValues(reached?.rawHeaders ?? [], header);
    expect([sent('remote-user'), sent('remote-role'), sent('x-forwarded-for')]).toEqual([
      ['olaf'],
      ['operator'],
      ['127.0.0.1'],
    ]);
    expect(await listenToMessages(at(), operator, '/live/jsmpeg/front_door')).toEqual({ refused: 403 });
  });

  test.each([
    [['X-Original-URL', '/live/jsmpeg/garage']],
    [['X-Original-URI', '/live/jsmpeg/garage']],
    [['X-Rewrite-URL', '/live/jsmpeg/garage']],
    [['X-Forwarded-Uri', '/live/jsmpeg/garage']],
    [['Remote-Role', 'admin']],
    [['Remote_Role', 'admin']],
    [['X-Forwarded-For', '127.0.0.1']],
    [['X-Front-Secret', 'x']],
  ] as const)('what a client says beside it opens nothing: %j', async (header) => {
    const { status, reached } = await send('GET', '/live/jsmpeg/front_door', [...operator, header]);
    expect([status >= 400 && status < 500, reached]).toEqual([true, []]);
  });

  test('no one gets in', async () => {
    for (const uri of ['/ws', '/live/jsmpeg/garage', '/api/config'])
      expect(await send('GET', uri, [])).toEqual({ status: 401, reached: [] });
    expect(await listenToMessages(at(), [])).toEqual({ refused: 401 });
  });
});
