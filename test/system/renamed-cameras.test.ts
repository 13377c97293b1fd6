import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { patience } from '../support/patience.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';

const roles = { family: ['porch', 'yard'] };

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
    config: { auth: { roles }, upstream: `http://${recorder.address}` },
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
