import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, goodPassword as password, type Visitor } from '../support/log-in.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/*
 * Names that nothing could address anymore, that look like another, or that stand for something else. Every user in the list can
 * be removed by the API.
 */

let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  gateway = await startGateway({ config: { cameras: ['front'], auth: { roles: { family: ['front'] } } } });
  admin = await adminOf(gateway);
  await admin.send('POST', '/api/users', { username: 'boss', password, role: 'admin' });
});
afterAll(() => gateway.close());

const names = async (path: string, key: string) =>
  (JSON.parse((await admin.send('GET', path)).body) as Array<Record<string, string>>).map((one) => one[key]);
const users = () => names('/api/users', 'username');
const roles = () => names('/postern/api/roles', 'name');

describe.each([
  ['.', 422],
  ['..', 422],
  ['anonymous', 422],
  ['Anonymous', 422],
  ['POSTERN', 422],
  ['boss\u200b', 422],
  ['b\u043ess', 422],
  ['\u202eboss', 422],
  ['BOSS', 409],
  ['Boss', 409],
])('the user %j', (username, status) => {
  test('is not made', async () => {
    const before = await users();
    const made = await admin.send('POST', '/api/users', { username, password, role: 'viewer' });
    expect(made.status).toBe(status);
    expect(await users()).toEqual(before);
  });
});

test.each(['...', '.a', 'a.', '-', '@', '_', 'x@y', 'none'])(
  'the user %j can be removed by the API',
  async (username) => {
    const before = await users();
    const made = await admin.send('POST', '/api/users', { username, password, role: 'viewer' });
    expect(made.status).toBe(201);
    const removed = await admin.send('DELETE', `/api/users/${encodeURIComponent(username)}`);
    expect([removed.status, removed.body]).toEqual([200, '{}']);
    expect(await users()).toEqual(before);
  },
);

test.each(['.', '..', '%2e', '%2e%2e', 'none', 'None', 'ADMIN', 'viewer', 'Family', 'FAMILY', '__proto__'])(
  'the role %j is not made',
  async (name) => {
    const before = await roles();
    const { status } = await admin.send('PUT', `/postern/api/roles/${name}`, { cameras: ['front'] });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(await roles()).toEqual(before);
  },
);

test.each(['none', 'None', 'Family', 'ADMIN'])('no user and no token gets the role %j', async (role) => {
  const before = await users();
  const made = await admin.send('POST', '/api/users', { username: 'ghost', password, role });
  expect(made.status).toBe(422);
  expect((await admin.send('PUT', '/api/users/boss/role', { role })).status).toBe(422);
  const reassigned = await admin.send('DELETE', `/postern/api/roles/family?reassign_to=${role}`);
  expect(reassigned.status).toBe(422);
  expect((await admin.send('POST', '/postern/api/tokens', { name: 'x', role })).status).toBe(422);
  expect([await users(), await roles()]).toEqual([before, ['family']]);
});
