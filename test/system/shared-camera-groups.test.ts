import { afterAll, beforeAll, expect, test } from 'vitest';
import { emptyDatabase } from '../support/postgres.ts';
import { visitor } from '../support/log-in.ts';
import { postern } from '../support/postern-here.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let one: RunningGateway;
let other: RunningGateway;
beforeAll(async () => {
  const database = await emptyDatabase();
  const start = () =>
    startGateway({
      config: {
        store: { url: database.url },
        tls: { enabled: false },
        cameras: ['front', 'garage', 'yard'],
        auth: { camera_groups: { declared: ['yard'] } },
      },
      environment: { SERVICE_JWT_SECRET: 's'.repeat(64) },
    });
  one = await start();
  other = await start();
});
afterAll(() => Promise.all([one.close(), other.close()]));

const send = async (gate: RunningGateway, method: string, uri: string, body?: object) => {
  const answer = await visitor(gate.addresses.internal ?? '', false).send(method, uri, body);
  return { status: answer.status, body: JSON.parse(answer.body || 'null') as unknown };
};
const groups = '/postern/api/camera-groups';
const put = (name: string, cameras: readonly string[], query = '') =>
  send(one, 'PUT', `${groups}/${name}${query}`, { cameras });
const declared = { name: 'declared', cameras: ['yard'], roles: [], declared: true };

test('groups of one gate are those of the others, with the cameras of their roles', async () => {
  expect((await put('outside', ['front'])).status).toBe(200);
  const access = { groups: ['outside', 'declared'] };
  expect((await send(one, 'PUT', '/postern/api/roles/neighbour', { access })).status).toBe(200);
  const roles = ['neighbour'];
  await expect
    .poll(() => send(other, 'GET', groups))
    .toEqual({
      status: 200,
      body: [
        { ...declared, roles },
        { name: 'outside', cameras: ['front'], roles },
      ],
    });
  const change = { changes: [{ role: 'neighbour', users: 0, gains: ['garage'], loses: ['front'] }] };
  expect((await put('outside', ['garage', 'yard'], '?preview')).body).toMatchObject(change);
  expect((await put('outside', ['garage', 'yard'])).body).toMatchObject(change);
  const seen = async () => (await send(other, 'GET', '/postern/api/roles/neighbour')).body;
  await expect.poll(seen).toMatchObject({ allowed_cameras: ['garage', 'yard'] });
});

test.each(['', '?preview'])('a declared group stays as it is%s', async (query) => {
  const refused = { status: 409, body: { code: 'camera_group_declared' } };
  expect(await put('declared', ['front'], query)).toMatchObject(refused);
  expect(await send(one, 'DELETE', `${groups}/declared`)).toMatchObject(refused);
});

test('the command changes them for the gates that run', async () => {
  const run = (line: string) => postern(one.directory, line.split(' '), { input: '' });
  expect((await run('camera-groups set garden front')).output).toBe('defined the group garden: front\n');
  expect((await run('camera-groups set declared front')).errors).toContain('config.yml defines this group');
  expect((await run('roles set gardener --groups garden --may live')).status).toBe(0);
  const seen = async () => (await send(other, 'GET', '/postern/api/roles/gardener')).body;
  await expect
    .poll(seen)
    .toMatchObject({ access: { groups: ['garden'], may: ['live'] }, allowed_cameras: ['front'] });
});
