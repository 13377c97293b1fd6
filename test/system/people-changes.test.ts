import { readFileSync, renameSync, rmSync, writeFileSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { openStream, streamsOf } from '../support/open-stream.ts';
import { pair, screenAt } from '../support/screen.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const cameras = ['driveway', 'garage'];
let recorder: LiveRecorder;
let gateway: RunningGateway;
let admin: Visitor;
const address = () => gateway.addresses.authenticated ?? '';
beforeAll(async () => {
  recorder = await startLiveRecorder({ cameras, roles: { family: cameras } });
  gateway = await startGateway({
    config: {
      cameras,
      audit: { viewing: true },
      tls: { enabled: false },
      upstream: `http://${recorder.address}`,
      auth: { roles: { family: cameras }, failed_login_rate_limit: '1000/minute' },
    },
  });
  admin = await adminOf(gateway, gateway.addresses.forwardAuthAuthenticated ?? '');
});
afterAll(async () => {
  await gateway?.close();
  await recorder?.close();
});

const withoutTls = (name: string, role = 'family') =>
  userOf(admin, gateway.addresses.forwardAuthAuthenticated ?? '', name, role);
const change = (name: string, who: 'role' | 'person', to: readonly string[]) =>
  admin.send('PUT', `/postern/api/people/${name}/access`, { cameras: to, may: ['live'], for: who });
const shown = async (name: string) =>
  JSON.parse((await admin.send('GET', `/postern/api/people/${name}`)).body) as {
    readonly role: string;
    readonly displays: ReadonlyArray<{ readonly name: string; readonly state: string }>;
    readonly stops: ReadonlyArray<{ readonly id: string }>;
    readonly watched: {
      readonly now: ReadonlyArray<{ readonly stream: string; readonly cameras: readonly string[] }>;
      readonly last: object | null;
    };
  };
const open = (camera: string, cookie: string) =>
  openStream({ address: address(), tls: false }, streamsOf(camera).video, [['Cookie', cookie]]);
/** Roles of one person that have a definition. */
const made = () => {
  const file = new DatabaseSync(join(gateway.directory, 'postern.db'), { readOnly: true });
  const rows = file.prepare('SELECT name FROM custom_roles').all();
  file.close();
  return rows.map(({ name }) => String(name));
};

test('what is open ends with the access, and the screen of the person goes on within it', async () => {
  const [nell, olaf] = [await withoutTls('nell'), await withoutTls('olaf')];
  const screen = screenAt(address(), false);
  await pair(screen, nell, { name: 'Kitchen' });
  const ofNell = await open('garage', `session_token=${nell.token}`);
  const ofOlaf = await open('garage', `session_token=${olaf.token}`);
  const onScreen = await open('driveway', `postern_display=${screen.credential}`);
  const onScreenToo = await open('garage', `postern_display=${screen.credential}`);
  for (const { status } of [ofNell, ofOlaf, onScreen, onScreenToo]) expect(status).toBe(101);
  expect((await shown('nell')).watched.now).toMatchObject([{ cameras: ['garage'] }]);

  expect((await change('nell', 'person', ['driveway'])).status).toBe(200);
  await Promise.all([ofNell.ended, onScreenToo.ended]);
  expect((await open('driveway', `postern_display=${screen.credential}`)).status).toBe(101);
  expect((await open('garage', `postern_display=${screen.credential}`)).status).toBe(403);
  expect((await open('garage', `session_token=${olaf.token}`)).status).toBe(101);
  expect(await shown('nell')).toMatchObject({
    displays: [{ name: 'Kitchen', state: 'good' }],
    watched: { now: [] },
  });

  expect((await change('olaf', 'role', ['driveway'])).status).toBe(200);
  await ofOlaf.ended;
  expect((await open('driveway', `session_token=${olaf.token}`)).status).toBe(101);
  await change('olaf', 'role', cameras);
  expect((await shown('nell')).role).toMatch(/^guest_/);
});

test('of two changes at once, what is left is one role', async () => {
  await withoutTls('gina');
  const changes = Array.from({ length: 4 }, () =>
    cameras.map((camera) => change('gina', 'person', [camera])),
  );
  const answers = await Promise.all(changes.flat());
  expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThan(0);
  for (const { status, body } of answers) expect([200, 404], body).toContain(status);
  const roles = [(await shown('gina')).role, (await shown('nell')).role];
  expect(new Set(made())).toEqual(new Set(roles));
});

test('an admin becomes someone with a role of their own, and their sessions end', async () => {
  const boss = await withoutTls('boss', 'admin');
  expect((await change('boss', 'person', ['garage'])).status).toBe(200);
  expect((await boss.send('GET', '/postern/api/people')).status).toBe(401);
  expect((await change('admin', 'person', ['garage'])).status).toBe(409);
});

test('a configuration that cannot be written leaves everything as it was, and is not needed for one person', async () => {
  await withoutTls('lea');
  const file = join(gateway.directory, 'config.yml');
  const text = readFileSync(file, 'utf8');
  renameSync(file, `${file}.kept`);
  mkdirSync(file);
  try {
    const answer = await change('lea', 'role', ['garage']);
    expect([answer.status, answer.body]).toEqual([409, expect.stringContaining('configuration_read_only')]);
    expect(await shown('lea')).toMatchObject({ role: 'family' });
    expect((await change('lea', 'person', ['garage'])).status).toBe(200);
  } finally {
    rmSync(file, { recursive: true });
    writeFileSync(file, text);
    rmSync(`${file}.kept`);
  }
  expect(await shown('lea')).toMatchObject({ role: expect.stringMatching(/^guest_/) as string });
});

test('an entry says what is stopped, and what was watched last', async () => {
  const vera = await withoutTls('vera');
  const stream = await open('garage', `session_token=${vera.token}`);
  const watching = (await shown('vera')).watched.now;
  expect(watching).toMatchObject([{ page: 'live', cameras: ['garage'], agent: null }]);
  expect((await admin.send('DELETE', `/postern/api/streams/${watching[0]?.stream}?for=hour`)).status).toBe(
    200,
  );
  await stream.ended;
  const stopped = await shown('vera');
  expect(stopped).toMatchObject({
    state: 'stopped',
    stops: [{ cameras: null, session: null }],
    watched: { now: [] },
  });
  await expect
    .poll(async () => (await shown('vera')).watched.last)
    .toMatchObject({ camera: 'garage', kind: 'live' });
  const [stop] = stopped.stops;
  expect((await admin.send('DELETE', `/postern/api/stops/${stop?.id}`)).status).toBe(204);
  expect(await shown('vera')).toMatchObject({ state: 'active', stops: [] });
});
