import { afterEach, beforeEach, expect, test } from 'vitest';
import { sendRaw } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';
import { rolesAreVerified } from '../support/verified-roles.ts';

const cameras = ['front', 'yard', 'garage'];
const ofNeighbour = [
  ['Remote-User', 'gus'],
  ['Remote-Groups', 'neighbour'],
] as const;

let recorder: Recorder;
let gateway: RunningGateway;
beforeEach(async () => {
  recorder = await startRecorder(cameras, {});
  gateway = await startGateway({
    config: {
      cameras,
      upstream: `http://${recorder.address}`,
      recorder: { manage_roles: true, check_interval: 1 },
      auth: {
        enabled: false,
        camera_groups: { outside: ['front', 'yard'] },
        roles: { guard: ['garage'] },
        role_access: { guard: { groups: ['outside'] }, neighbour: { groups: ['outside'] } },
      },
      proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
    },
  });
  await rolesAreVerified(gateway);
});
afterEach(async () => {
  await gateway.close();
  await recorder.close();
});

const put = async (name: string, wanted: readonly string[]) => {
  const answer = await sendRaw(gateway.addresses.internal ?? '', {
    method: 'PUT',
    uri: `/postern/api/camera-groups/${name}`,
    headers: [['Content-Type', 'application/json']],
    body: JSON.stringify({ cameras: wanted }),
  });
  return { status: answer.status, body: JSON.parse(answer.body) as unknown };
};
const ask = (uri: string) =>
  sendRaw(gateway.addresses.authenticated ?? '', { uri, headers: ofNeighbour }, true);
const statusOf = async (uri: string) => (await ask(uri)).status;
/** The cameras in the target that the recorder gets of a list. */
const narrowedTo = async () => {
  recorder.takeReached();
  await ask('/api/events?limit=10');
  const [reached] = recorder.takeReached();
  return new URL(reached?.uri ?? '', 'http://recorder').searchParams.get('cameras')?.split(',');
};
// The recorder filters it by the role, which has to be verified.
const list = '/api/events/explore?limit=10';

test('the recorder gets the cameras of groups as plain cameras, and is verified by them', async () => {
  const known = () => recorder.known().roles;
  expect(known()).toEqual({ guard: ['front', 'garage', 'yard'], neighbour: ['front', 'yard'] });
  await expect.poll(() => statusOf(list)).toBe(200);
  expect(await narrowedTo()).toEqual(['front', 'yard']);
  expect(await put('outside', ['yard', 'garage'])).toMatchObject({
    status: 200,
    body: {
      changes: [
        { role: 'guard', users: 0, gains: [], loses: ['front'] },
        { role: 'neighbour', users: 0, gains: ['garage'], loses: ['front'] },
      ],
    },
  });
  await expect.poll(known).toEqual({ guard: ['garage', 'yard'], neighbour: ['garage', 'yard'] });
  await expect.poll(() => statusOf(list)).toBe(200);
  expect(await narrowedTo()).toEqual(['yard', 'garage']);
  const statuses = cameras.map((camera) => statusOf(`/api/${camera}/latest.jpg`));
  expect(await Promise.all(statuses)).toEqual([403, 200, 200]);
});
