import { expect, onTestFinished, test } from 'vitest';
import { adminOf, goodPassword, printedPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { startGateway } from '../support/start-gateway.ts';
import { startRecorder } from '../support/start-recorder.ts';

interface FirstRunState {
  readonly shown: boolean;
  readonly generated_password_of: string | null;
  readonly steps: ReadonlyArray<{ readonly name: string; readonly done: boolean }>;
}

const path = '/postern/api/first-run';
const read = async (who: Visitor, uri: string) => JSON.parse((await who.send('GET', uri)).body) as unknown;
const stateOf = async (who: Visitor) => (await read(who, path)) as FirstRunState;
const openSteps = async (who: Visitor) =>
  (await stateOf(who)).steps.filter(({ done }) => !done).map(({ name }) => name);

test('a step is done when its subject is, no matter who did it or where', async () => {
  const recorder = await startRecorder(['front', 'garage'], {});
  const gateway = await startGateway();
  onTestFinished(async () => {
    await gateway.close();
    await recorder.close();
  });
  const admin = await adminOf(gateway);
  expect(await stateOf(admin)).toMatchObject({ shown: false, generated_password_of: 'admin' });
  expect(await openSteps(admin)).toEqual(['password', 'recorder', 'face', 'check']);

  await admin.send('PUT', '/api/users/admin/password', {
    password: goodPassword,
    old_password: printedPassword(gateway),
  });
  expect(await openSteps(admin)).toEqual(['recorder', 'face', 'check']);

  const vera = await userOf(admin, gateway.addresses.authenticated ?? '', 'vera', 'viewer');
  for (const method of ['GET', 'POST'])
    expect((await vera.send(method, path, method === 'POST' ? { fact: 'shown' } : undefined)).status).toBe(
      403,
    );

  await admin.send('PUT', '/postern/api/recorder/address', { address: `http://${recorder.address}` });
  await expect.poll(() => openSteps(admin)).toEqual(['face', 'check']);

  await admin.send('PUT', '/postern/api/appearance', { house: 'Willow Lane', accent: null });
  await expect.poll(() => openSteps(admin)).toEqual(['check']);
  await admin.send('PUT', '/postern/api/appearance', { house: null, accent: null });
  await expect.poll(() => openSteps(admin)).toEqual(['face', 'check']);
  expect((await admin.send('POST', path, { fact: 'face' })).status).toBe(204);
  expect(await openSteps(admin)).toEqual(['check']);

  expect((await admin.send('POST', path, { fact: 'checked' })).status).toBe(204);
  expect((await admin.send('POST', path, { fact: 'shown' })).status).toBe(204);
  expect(await stateOf(admin)).toMatchObject({ shown: true, generated_password_of: null });
  expect(await openSteps(admin)).toEqual([]);
  expect(await read(admin, '/postern/api/attention')).toEqual([]);

  // The last page invites people, which is no step.
  await admin.send('DELETE', '/api/users/vera');
  expect(await openSteps(admin)).toEqual([]);
});

test('behind a single sign-on, and on the internal entry point, the steps make sense too', async () => {
  const gateway = await startGateway({
    config: {
      auth: { enabled: false },
      proxy: {
        auth_secret: 'a secret between proxy and gate',
        header_map: { user: 'remote-user', role: 'remote-groups', role_map: { admin: ['admins'] } },
      },
    },
  });
  onTestFinished(() => gateway.close());
  const fromProxy = [
    ['X-Proxy-Secret', 'a secret between proxy and gate'],
    ['Remote-User', 'boss'],
    ['Remote-Groups', 'admins'],
  ] as const;
  const boss = visitor(gateway.addresses.authenticated ?? '');
  const { body } = await boss.send('GET', path, undefined, fromProxy);
  const steps = [
    { name: 'recorder', done: false },
    { name: 'face', done: false },
    { name: 'check', done: false },
  ];
  expect(JSON.parse(body)).toEqual({ shown: false, generated_password_of: null, steps });
  const internal = visitor(gateway.addresses.internal ?? '', false);
  expect(await stateOf(internal)).toEqual({ shown: false, generated_password_of: null, steps });
});

test('the doctor reports the gate’s own checks, and how the request came', async () => {
  const gateway = await startGateway({
    config: { auth: { roles: { family: ['front'] } }, upstream: 'http://127.0.0.1:9' },
  });
  onTestFinished(() => gateway.close());
  const admin = await adminOf(gateway);
  await expect
    .poll(() => read(admin, '/postern/api/doctor'))
    .toMatchObject({
      checks: [
        { name: 'configuration', result: 'ok' },
        { name: 'clock', result: 'ok' },
        { name: 'certificate', result: 'ok' },
        { name: 'recorder', result: 'fault', seen: ['no_answer'] },
        { name: 'roles', result: 'fault', seen: ['family'] },
      ],
      request: { entry_point: 'authenticated', address: '127.0.0.1', secure: true, host: 'gate.local' },
    });
  await admin.send('POST', path, { fact: 'checked' });
  expect(await openSteps(admin)).toContain('check');
});
