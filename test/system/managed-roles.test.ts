import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, onTestFinished, test } from 'vitest';
import { parse, stringify } from 'yaml';
import { emptyDatabase } from '../support/postgres.ts';
import { sendRaw } from '../support/raw-http.ts';
import { scrape } from '../support/scrape.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';
import { rolesAreVerified, rolesAtRecorder } from '../support/verified-roles.ts';

const cameras = ['front', 'yard', 'garage'];
// One that is not narrowed: the recorder filters it by the role.
const list = '/api/events/explore?limit=10';

let recorder: Recorder;
let gateway: RunningGateway;
beforeEach(async () => {
  recorder = await startRecorder(cameras, { theirs: ['garage'] });
  gateway = await startGateway({
    config: {
      cameras,
      upstream: `http://${recorder.address}`,
      recorder: { manage_roles: true, check_interval: 1 },
      auth: { enabled: false, roles: { guest: ['front'] } },
      proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
    },
  });
  await rolesAreVerified(gateway);
});
afterEach(async () => {
  await gateway.close();
  await recorder.close();
});

const call = async (method: string, uri: string, body?: object) => {
  const headers = [['Content-Type', 'application/json']] as const;
  const text = body && { headers, body: JSON.stringify(body) };
  const answer = await sendRaw(gateway.addresses.internal ?? '', { method, uri, ...text });
  return { status: answer.status, body: JSON.parse(answer.body) as unknown };
};
const atRecorder = () => expect.poll(() => recorder.known().roles);
const statusOfList = async (role: string) => {
  const headers = [
    ['Remote-User', 'gus'],
    ['Remote-Groups', role],
  ] as const;
  return (await sendRaw(gateway.addresses.authenticated ?? '', { uri: list, headers }, true)).status;
};

test('roles changed by the API are changed at the recorder, whose own ones stay', async () => {
  const theirs = ['garage'];
  expect(recorder.known().roles).toEqual({ guest: ['front'], theirs });
  expect((await call('PUT', '/postern/api/roles/family', { cameras: ['front', 'yard'] })).status).toBe(200);
  await atRecorder().toEqual({ guest: ['front'], family: ['front', 'yard'], theirs });
  await expect.poll(() => statusOfList('family')).toBe(200);
  expect((await call('PUT', '/postern/api/roles/family', { cameras: ['yard'] })).status).toBe(200);
  await atRecorder().toEqual({ guest: ['front'], family: ['yard'], theirs });
  await expect.poll(() => statusOfList('family')).toBe(200);
  expect((await call('DELETE', '/postern/api/roles/family')).status).toBe(200);
  await atRecorder().toEqual({ guest: ['front'], theirs });
  // Leaves out the gate's own requests.
  expect(recorder.takeReached().map(({ uri }) => uri)).toEqual([list, list]);
});

test('an edited config.yml is the recorder’s too', async () => {
  const path = join(gateway.directory, 'config.yml');
  const file = parse(readFileSync(path, 'utf8')) as { auth: { roles: object } };
  file.auth.roles = { street: ['front', 'garage'] };
  writeFileSync(path, stringify(file));
  await gateway.reloading.reload('a file changed');
  await atRecorder().toEqual({ street: ['front', 'garage'], theirs: ['garage'] });
});

test('each change is recorded, logged in one line, and counted', async () => {
  const about = () => gateway.log.filter(({ event }) => String(event).startsWith('recorder_role_'));
  expect(about()).toMatchObject([{ event: 'recorder_role_written', role: 'guest' }]);
  recorder.define({ isReadOnly: true });
  await call('PUT', '/postern/api/roles/guest', { cameras: ['yard'] });
  await expect.poll(about).toHaveLength(2);
  expect(await statusOfList('guest')).toBe(403);
  const refusals = async () => {
    const samples = await scrape(gateway.addresses.internal ?? '');
    return samples.get('postern_recorder_role_changes_total{result="refused"}') ?? 0;
  };
  await expect.poll(refusals).toBeGreaterThan(1);
  expect(await rolesAtRecorder(gateway)).toMatchObject([
    { name: 'guest', cameras: ['yard'], recorder: 'unverified', recorder_reason: 'change_refused' },
  ]);
  recorder.define({ isReadOnly: false });
  await atRecorder().toEqual({ guest: ['yard'], theirs: ['garage'] });
  await call('DELETE', '/postern/api/roles/guest');
  await atRecorder().toEqual({ theirs: ['garage'] });
  // The recorder has it a moment before the gate has noted its answer.
  const logged = () =>
    about().map(({ event, cameras: granted, recorder_says: says }) => [event, granted, says]);
  await expect.poll(logged).toEqual([
    ['recorder_role_written', ['front'], undefined],
    ['recorder_role_refused', ['yard'], '500: Error updating config'],
    ['recorder_role_written', ['yard'], undefined],
    ['recorder_role_removed', undefined, undefined],
  ]);
  const { body } = await call('GET', '/postern/api/audit?event=recorder_role_refused');
  expect(body).toMatchObject({ records: [{ object: 'guest', source: 'system', result: 'failure' }] });
});

test('an admin reads what the recorder has, and asks it again now', async () => {
  const uri = '/postern/api/recorder/roles';
  const nothing = {
    asked: true,
    managed: true,
    unread_reason: null,
    unverified_guests: [],
    refusals: [],
    unknown_cameras: [],
  };
  const theirs = { name: 'theirs', cameras: ['garage'] };
  expect((await call('GET', uri)).body).toEqual({ ...nothing, only_at_recorder: [theirs] });
  recorder.define({ cameras: ['yard', 'garage'], roles: { guest: ['front'] }, isReadOnly: true });
  await call('PUT', '/postern/api/roles/guest', { cameras: ['front', 'yard'] });
  expect(await call('POST', uri)).toEqual({
    status: 200,
    body: {
      ...nothing,
      only_at_recorder: [],
      refusals: [{ name: 'guest', recorder_says: '500: Error updating config' }],
      unknown_cameras: [{ name: 'guest', cameras: ['front'] }],
    },
  });
  recorder.define({ isReadOnly: false, configuration: { cameras: {} } });
  expect((await call('POST', uri)).body).toMatchObject({ unread_reason: 'no_configuration' });
  const headers = [
    ['Remote-User', 'gus'],
    ['Remote-Groups', 'guest'],
  ] as const;
  const refused = await sendRaw(gateway.addresses.authenticated ?? '', { uri, headers }, true);
  expect(refused.status).toBe(403);
});

test('one of several gates writes to the recorder, and another takes over when it stops', async () => {
  const shared = await startRecorder(cameras, { theirs: ['garage'] });
  onTestFinished(shared.close);
  const config = {
    store: { url: (await emptyDatabase()).url },
    cameras,
    upstream: `http://${shared.address}`,
    recorder: { manage_roles: true, check_interval: 1 },
    auth: { enabled: false },
    proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
  };
  const start = () => startGateway({ config, environment: { SERVICE_JWT_SECRET: 's'.repeat(64) } });
  const gates = await Promise.all([start(), start()]);
  onTestFinished(() => Promise.all(gates.map(({ close }) => close())).then(() => undefined));
  const written = ({ log }: RunningGateway) =>
    log.filter(({ event }) => event === 'recorder_role_written' || event === 'recorder_role_removed').length;
  const askedOf = ({ addresses }: RunningGateway, method: string, body?: object) =>
    sendRaw(addresses.internal ?? '', {
      method,
      uri: '/postern/api/roles/family',
      headers: [['Content-Type', 'application/json']],
      ...(body && { body: JSON.stringify(body) }),
    });
  const sharedRoles = () => expect.poll(() => shared.known().roles);

  for (const [gate, granted] of [
    [gates[0], ['front']],
    [gates[1], ['yard']],
  ] as const) {
    await askedOf(gate, 'PUT', { cameras: granted });
    await sharedRoles().toEqual({ family: granted, theirs: ['garage'] });
  }
  await expect.poll(() => gates.map(written).toSorted((a, b) => a - b)).toEqual([0, 2]);
  const [writer, waiting] = written(gates[0]) > 0 ? gates : [gates[1], gates[0]];
  await writer.close();
  await askedOf(waiting, 'DELETE');
  await sharedRoles().toEqual({ theirs: ['garage'] });
  await expect.poll(() => written(waiting)).toBe(1);
});
