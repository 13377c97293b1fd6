import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unconditional } from '../../src/store/permit.ts';
import { adminOf, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';
import { house } from './delayed-rows.ts';

/*
 * An admin may have the gate ask an address, and send all requests there. Anyone else is refused, and
 * an admin learns of no address more than whether it is a recorder.
 */

const path = '/postern/api/recorder/address';
let recorder: Recorder;
let gateway: RunningGateway;
let admin: Visitor;
let viewer: Visitor;
beforeAll(async () => {
  recorder = await startRecorder(['front', 'garage'], {});
  gateway = await startGateway({ sample: true, config: { auth: { enabled: true } } });
  admin = await adminOf(gateway);
  viewer = await userOf(admin, gateway.addresses.authenticated ?? '', 'vera', 'viewer');
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const address = () => `http://${recorder.address}`;
const config = () => readFileSync(join(gateway.directory, 'config.yml'), 'utf8');

describe.each(['POST', 'PUT'])('%s', (method) => {
  test('refuses anonymous clients, viewers, other sites and scripts, and asks no address', async () => {
    recorder.takeReached();
    const before = config();
    const body = { address: address() };
    const anonymous = visitor(gateway.addresses.authenticated ?? '');
    expect((await anonymous.send(method, path, body)).status).toBe(401);
    expect((await viewer.send(method, path, body)).status).toBe(403);
    const made = await admin.send('POST', '/postern/api/tokens', { name: method, role: 'admin' });
    const { token } = JSON.parse(made.body) as { token: string };
    const script = await anonymous.send(method, path, body, [['Authorization', `Bearer ${token}`]]);
    expect(script.status).toBe(403);
    expect(recorder.takeReached()).toEqual([]);
    expect(config()).toBe(before);
  });

  test.each([
    'file:///etc/passwd',
    'ftp://recorder',
    'http://recorder/path',
    'http://recorder/?x',
    'http://name:password@recorder',
    'https://recorder@evil.test',
    'http://recorder#x',
    'gopher://recorder:25',
    'unix:relative.sock',
    '',
    `http://${'x'.repeat(300)}`,
    'http://recorder\r\nX: y',
  ])('%j is no address', async (wrong) => {
    expect((await admin.send(method, path, { address: wrong })).status).toBe(422);
  });
});

test.each(['recorder:5000', '192.168.1.5'])('only a try takes the bare address %s', async (bare) => {
  expect((await admin.send('PUT', path, { address: bare })).status).toBe(422);
});

test.each([
  '192.168.1.5/path',
  'name@recorder',
  'recorder#x',
  'recorder?x',
  'a b',
  'recorder:99999',
  '[fd00::5',
  'recorder,other',
])('%j is no bare address', async (wrong) => {
  expect((await admin.send('POST', path, { address: wrong })).status).toBe(422);
});

test('a bare address is tried with both schemes, and every attempt is in the audit', async () => {
  const { body } = await admin.send('POST', path, { address: recorder.address });
  expect(JSON.parse(body)).toMatchObject({ fault: null, address: address(), cameras: ['front', 'garage'] });
  const records = await admin.send('GET', '/postern/api/audit?event=recorder_tried&limit=2');
  const { records: found } = JSON.parse(records.body) as { records: Array<{ detail: { address: string } }> };
  expect(found.map(({ detail }) => detail.address).toSorted()).toEqual([
    address(),
    address().replace('http:', 'https:'),
  ]);
});

test('an answer is not repeated, and only a recorder is accepted', async () => {
  const before = config();
  const internal = `http://${gateway.addresses.internal}`;
  const tried = await admin.send('POST', path, { address: internal });
  expect(JSON.parse(tried.body)).toMatchObject({ fault: 'error_status', cameras: [], version: null });
  const taken = await admin.send('PUT', path, { address: internal });
  expect(taken.status).toBe(422);
  expect(config()).toBe(before);
});

test('one address is tried at a time', async () => {
  const slow = `http://${recorder.address}`;
  const answers = await Promise.all(
    Array.from({ length: 5 }, () => admin.send('POST', path, { address: slow })),
  );
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200, 429]));
});

test('writes nothing for an admin who lost the right while the permitted request waited', async () => {
  const all = await house();
  const { gate } = all;
  const before = await gate.kept();
  const { reached, release } = gate.delay('change');
  const answer = all.send('thief', 'PUT', path, { address: address() });
  await reached;
  await gate.services.users.setPassword('thief', 'new', unconditional);
  release();
  expect((await answer).status).toBe(401);
  expect(((await gate.kept()) as { config: string }).config).toBe((before as { config: string }).config);
});

describe('with recorder.auth_secret', () => {
  let guarded: RunningGateway;
  let own: Visitor;
  beforeAll(async () => {
    const secret = { recorder: { auth_secret: 'configured' }, upstream: 'http://127.0.0.1:9' };
    guarded = await startGateway({ config: { auth: { enabled: true }, ...secret } });
    own = await adminOf(guarded);
  });
  afterAll(() => guarded.close());

  // A fake recorder without a secret is easily made, and the next request would send it the secret.
  test('no other address is taken, since a server there would get the secret', async () => {
    const file = join(guarded.directory, 'config.yml');
    const before = readFileSync(file, 'utf8');
    const { status, body } = await own.send('PUT', path, { address: address() });
    expect([status, body]).toEqual([422, expect.stringContaining('recorder.auth_secret')]);
    expect(readFileSync(file, 'utf8')).toBe(before);
    expect(JSON.parse((await own.send('POST', path, { address: address() })).body)).toMatchObject({
      fault: null,
    });
  });
});

describe('a recorder that was found', () => {
  test('is not connected where the file cannot be written', async () => {
    const obstacle = join(gateway.directory, 'config.yml.new');
    mkdirSync(obstacle);
    const { status, body } = await admin.send('PUT', path, { address: address() });
    rmdirSync(obstacle);
    expect([status, JSON.parse(body)]).toMatchObject([409, { code: 'configuration_read_only' }]);
  });

  test('is written to the file, comments stay, and it is asked at once; the record has the user and the change', async () => {
    writeFileSync(join(gateway.directory, 'config.yml'), `# our house\n${config()}`);
    const database = join(gateway.directory, 'frigate.db');
    const made = new DatabaseSync(database);
    made.exec('CREATE TABLE event (id TEXT, camera TEXT)');
    made.close();
    const { status, body } = await admin.send('PUT', path, { address: `${address()}/` });
    expect(status).toBe(200);
    expect(JSON.parse(body)).toMatchObject({
      fault: null,
      cameras: ['front', 'garage'],
      version: '0.17.2-test',
    });
    expect(config()).toMatch(/^# our house\n/);
    expect(config()).toContain(`upstream: ${address()}\n`);
    const read = async (uri: string) => JSON.parse((await admin.send('GET', uri)).body) as object;
    // A restart opens it.
    expect(config()).toContain(`database: ${database}\n`);
    expect(await read(path)).toMatchObject({
      address: address(),
      front: 'embedded',
      sample_database: true,
      database: { path: database, written: true },
    });
    await expect
      .poll(() => read('/postern/api/configuration'))
      .toMatchObject({ recorder: { cameras: [{ name: 'front' }, { name: 'garage' }] } });
    const records = await read('/postern/api/audit?event=recorder_tried,recorder_connected&limit=2');
    expect(records).toMatchObject({
      records: [
        { event: 'recorder_connected', user: 'admin', detail: { address: `${address()}/` } },
        { event: 'recorder_tried', user: 'admin', detail: { result: 'found' } },
      ],
    });
  });
});
