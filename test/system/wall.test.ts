import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminOf, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      cameras: ['driveway', 'garage'],
      auth: {
        roles: { family: ['driveway'], past: ['driveway'], gone: ['driveway'] },
        role_access: { past: { may: ['history'] }, gone: { until: '2020-01-05' } },
      },
    },
  });
  admin = await adminOf(gateway);
});
afterAll(() => gateway?.close());

const driveway = { name: 'driveway', title: null, stream: 'driveway' };
const garage = { name: 'garage', title: null, stream: 'garage' };

test.each<[role: string, shown: object]>([
  ['viewer', { cameras: [driveway, garage], is_open: true, opens_at: null }],
  ['family', { cameras: [driveway], may: ['live', 'history', 'export'], is_open: true }],
  ['past', { cameras: [], may: ['history'], is_open: true }],
  ['gone', { cameras: [], is_open: false, opens_at: null }],
])('the wall of a %s shows live cameras alone, while they are open', async (role, shown) => {
  const user = await userOf(admin, gateway.addresses.authenticated ?? '', `wall-${role}`, role);
  const { status, body } = await user.send('POST', '/postern/api/wall', {});
  expect([status, JSON.parse(body)]).toMatchObject([200, shown]);
});

test('the wall shows nothing without a session', async () => {
  const anyone = visitor(gateway.addresses.authenticated ?? '');
  expect((await anyone.send('POST', '/postern/api/wall', {})).status).toBe(401);
});

test.each<[what: string, body: unknown, status: number]>([
  ['nothing', undefined, 200],
  ['an empty object', {}, 200],
  ['whether it is framed', { framed: false }, 200],
  ['an unknown field', { frame: true }, 422],
  ['what is no JSON', '{', 415],
])('a wall that sends %s gets %i', async (_, body, status) => {
  expect((await admin.send('POST', '/postern/api/wall', body)).status).toBe(status);
});
