import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { adminOf, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { postern } from '../support/postern-here.ts';
import { patience } from '../support/patience.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';

const roles = { family: ['porch', 'yard'] };
const groups = { street: ['porch'] };

async function recorderWith(cameras: readonly string[], at?: string): Promise<Recorder> {
  const recorder = await startRecorder(cameras, roles, Number(at?.split(':')[1] ?? 0));
  onTestFinished(() => recorder.close().catch(() => undefined));
  return recorder;
}

/** A house whose admin and olaf are signed in, and whose recorder has answered. */
async function houseOf(recorder: Recorder) {
  const directory = mkdtempSync(join(tmpdir(), 'postern-renamed-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  const gateway = await startGateway({
    directory,
    config: { auth: { roles, camera_groups: groups }, upstream: `http://${recorder.address}` },
  });
  onTestFinished(gateway.close);
  const admin = await adminOf(gateway);
  const olaf = await userOf(admin, gateway.addresses.authenticated ?? '', 'olaf', 'family');
  await expect.poll(() => read(admin, 'cameras'), { timeout: patience }).toEqual(['porch', 'yard']);
  return { gateway, admin, olaf };
}

const read = async (who: Visitor, path: string): Promise<unknown> =>
  JSON.parse((await who.send('GET', `/postern/api/${path}`)).body);

const kinds = async (admin: Visitor) =>
  ((await read(admin, 'attention')) as ReadonlyArray<{ readonly kind: string }>).map(({ kind }) => kind);

/** The recorder restarts with other cameras, and the gate sees that it was away. */
async function restartWith(
  cameras: readonly string[],
  { admin, recorder }: { admin: Visitor; recorder: Recorder },
) {
  await recorder.close();
  expect((await admin.send('GET', '/api/version')).status).toBe(502);
  await expect.poll(() => kinds(admin), { timeout: patience }).toContain('recorder_away');
  expect(await kinds(admin)).not.toContain('camera_lost');
  const next = await recorderWith(cameras, recorder.address);
  await expect.poll(() => kinds(admin), { timeout: patience }).not.toContain('recorder_away');
  return next;
}

const linesOf = ({ log }: RunningGateway) => log.filter(({ event }) => event === 'camera_lost');

test('Home and the log name a camera that the recorder renames, who loses it, and its new name', async () => {
  const recorder = await recorderWith(['porch', 'yard']);
  const { gateway, admin, olaf } = await houseOf(recorder);
  await restartWith(['front_porch', 'yard'], { admin, recorder });
  const lost = { camera: 'porch', likely: 'front_porch', users: 'olaf', people: 1, count: 1 };
  await expect
    .poll(() => read(admin, 'attention'), { timeout: patience })
    .toContainEqual({ kind: 'camera_lost', level: 'problem', page: null, detail: lost });
  expect(linesOf(gateway)).toEqual([
    expect.objectContaining({ camera: 'porch', likely: 'front_porch', roles: ['family'], people: ['olaf'] }),
  ]);
  expect(await kinds(olaf)).not.toContain('camera_lost');
});

const outcome = ({ status, body }: { readonly status: number; readonly body: string }) =>
  `${status} ${(JSON.parse(body || '{}') as { readonly code?: string }).code ?? ''}`.trim();

test('one request moves roles, groups and what a user has given out to the new name', async () => {
  const recorder = await recorderWith(['porch', 'yard']);
  const { gateway, admin, olaf } = await houseOf(recorder);
  const move = (camera: string, to: string, who = admin) =>
    who.send('POST', `/postern/api/cameras/${camera}/rename`, { to });
  expect(outcome(await move('porch', 'yard'))).toBe('409 camera_not_gone');
  const token = await olaf.send('POST', '/postern/api/tokens', {
    name: 'script',
    role: 'family',
    cameras: ['porch'],
  });
  expect(token.status).toBe(201);
  const { token: secret } = JSON.parse(token.body) as { readonly token: string };
  const invited = await admin.send('POST', '/postern/api/invitations', { name: 'vie', cameras: ['porch'] });
  expect(invited.status).toBe(201);
  const next = await restartWith(['front_porch', 'yard'], { admin, recorder });
  await expect.poll(() => kinds(admin), { timeout: patience }).toContain('camera_lost');
  const { lost, cameras } = (await read(admin, 'lost-cameras')) as {
    readonly lost: ReadonlyArray<Readonly<Record<string, unknown>>>;
    readonly cameras: readonly string[];
  };
  expect(cameras).toEqual(['front_porch', 'yard']);
  expect(lost).toEqual([
    expect.objectContaining({
      camera: 'porch',
      likely: 'front_porch',
      roles: ['family'],
      groups: ['street'],
      people: ['olaf'],
      invitations: 1,
      tokens: [{ name: 'script', user: 'olaf' }],
      places: [],
    }),
  ]);

  expect(outcome(await move('porch', 'shed'))).toBe('422');
  expect(outcome(await move('porch', 'front_porch', olaf))).toBe('403 forbidden');
  const seen = () => read(olaf, 'cameras');
  expect(await seen()).toEqual(['yard']);
  expect(outcome(await move('porch', 'front_porch'))).toBe('200');
  expect(await seen()).toEqual(['front_porch', 'yard']);
  const bearer = [['Authorization', `Bearer ${secret}`]] as const;
  const ofToken = await visitor(gateway.addresses.authenticated ?? '').send(
    'GET',
    '/postern/api/cameras',
    undefined,
    bearer,
  );
  expect(JSON.parse(ofToken.body)).toEqual(['front_porch']);
  expect(readFileSync(join(gateway.directory, 'config.yml'), 'utf8')).not.toMatch(/\bporch\b/);
  expect(await kinds(admin)).not.toContain('camera_lost');
  expect(await read(admin, 'lost-cameras')).toEqual({ lost: [], cameras: ['front_porch', 'yard'] });
  const { records } = (await read(admin, 'audit?event=camera_renamed')) as {
    readonly records: ReadonlyArray<Readonly<Record<string, unknown>>>;
  };
  expect(records).toEqual([expect.objectContaining({ object: 'porch', user: 'admin' })]);

  await next.close();
  await expect
    .poll(async () => outcome(await move('yard', 'front_porch')), { timeout: patience })
    .toMatch(/^(?:409 camera_not_gone|502 upstream_unavailable)$/);
});

test('a camera that is gone for good is taken off the list, and its role stays', async () => {
  const recorder = await recorderWith(['porch', 'yard']);
  const { gateway, admin } = await houseOf(recorder);
  await restartWith(['yard'], { admin, recorder });
  await expect.poll(() => kinds(admin), { timeout: patience }).toContain('camera_lost');
  const forget = (camera: string) => admin.send('DELETE', `/postern/api/lost-cameras/${camera}`);
  expect(outcome(await forget('yard'))).toBe('404 camera_unknown');
  expect(outcome(await forget('porch'))).toBe('204');
  expect(await kinds(admin)).not.toContain('camera_lost');
  expect(readFileSync(join(gateway.directory, 'config.yml'), 'utf8')).toMatch(/\bporch\b/);
});

test('the command lists cameras that are gone, and moves them', async () => {
  const recorder = await recorderWith(['porch', 'yard']);
  const { gateway, admin, olaf } = await houseOf(recorder);
  await restartWith(['front_porch', 'yard'], { admin, recorder });
  await expect.poll(() => kinds(admin), { timeout: patience }).toContain('camera_lost');
  const run = (...args: string[]) => postern(gateway.directory, ['cameras', ...args]);
  expect(await run('list')).toMatchObject({ status: 0, output: 'porch\tfront_porch\tolaf\n' });
  expect(await run('rename', 'yard', 'front_porch')).toMatchObject({ status: 1 });
  expect((await run('rename', 'porch', 'front_poch')).errors).toContain('did you mean front_porch?');
  const { output } = await run('rename', 'porch', 'front_porch', '--json');
  expect(JSON.parse(output)).toMatchObject({
    camera: 'porch',
    to: 'front_porch',
    people: ['olaf'],
    places: [],
  });
  expect(await run('list')).toMatchObject({ status: 0, output: '' });
  await gateway.reloading.reload('SIGHUP');
  expect(await read(olaf, 'cameras')).toEqual(['front_porch', 'yard']);
});
