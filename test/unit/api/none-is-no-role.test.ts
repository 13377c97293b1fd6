import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiTokens } from '../../../src/features/api-tokens/api-tokens.ts';
import { createPasswordHasher } from '../../../src/accounts/users/password-hash.ts';
import { createUsers } from '../../../src/accounts/users/users.ts';
import { systemClock } from '../../../src/clock.ts';
import { unconditional } from '../../../src/store/permit.ts';
import { openStore, storePath } from '../../../src/store/sqlite/open-store.ts';
import { adminOf, goodPassword as password, visitor, type Visitor } from '../../support/log-in.ts';
import { startGateway, type RunningGateway } from '../../support/start-gateway.ts';

let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  gateway = await startGateway({ config: { cameras: ['front'], auth: { roles: { family: ['front'] } } } });
  admin = await adminOf(gateway);
  await admin.send('POST', '/api/users', { username: 'vera', password, role: 'family' });
});
afterAll(() => gateway.close());

const path = (name: string) => encodeURIComponent(name);
const get = { method: 'GET', uri: '/api/front/latest.jpg' };

type Call = [method: string, uri: (name: string) => string, body: (name: string) => object | undefined];
const roads: Record<string, Call> = {
  'a new user': ['POST', () => '/api/users', (role) => ({ username: 'ghost', password, role })],
  'the role of a user': ['PUT', () => '/api/users/vera/role', (role) => ({ role })],
  'a new role': ['PUT', (name) => `/postern/api/roles/${path(name)}`, () => ({ cameras: ['front'] })],
  'a role to delete': ['DELETE', (name) => `/postern/api/roles/${path(name)}`, () => undefined],
  'the next role of the users of a deleted one': [
    'DELETE',
    (name) => `/postern/api/roles/family?reassign_to=${path(name)}`,
    () => undefined,
  ],
  'the role of an API token': ['POST', () => '/postern/api/tokens', (role) => ({ name: 'x', role })],
  'a role to explain': ['POST', () => '/postern/api/explain', (role) => ({ ...get, role })],
};

// The rule and all its spellings: test/unit/policy/none-is-no-role.test.ts.
describe.each(Object.entries(roads))('%s', (_, [method, uri, body]) => {
  test.each(['None', 'n\u00f6ne'])('is not %j', async (name) => {
    const before = await everything();
    const answer = await admin.send(method, uri(name), body(name));
    expect([answer.status, answer.body]).toEqual([422, expect.any(String)]);
    expect(await everything()).toEqual(before);
  });
});

test.each(['none', 'NONE'])('the answer tells what a role %s means', async (name) => {
  const { body } = await admin.send('PUT', `/postern/api/roles/${name}`, { cameras: ['front'] });
  expect(JSON.parse(body)).toMatchObject({
    detail: [{ loc: ['path', 'name'], msg: 'none is no role: it stands for no access' }],
  });
});

/** Rows as an earlier version or another program may have left them. */
describe.each(['none', 'None'].map((role, i) => [role, `olaf${i}`] as const))(
  'a stored user of %s',
  (role, username) => {
    let bearer: string;
    beforeAll(async () => {
      const store = await openStore(storePath(gateway.directory), 5_000);
      const passwordHash = await createPasswordHasher().hash(password);
      await createUsers(store, systemClock).add({ username, role, passwordHash }, unconditional);
      const wanted = { name: 't', owner: username, role: 'family', cameras: undefined, expiresAt: undefined };
      bearer = (
        await createApiTokens(store, { clock: systemClock, storeVersion: () => 0 }).add(wanted, unconditional)
      ).token;
      await store.destroy();
    });

    const lastRefusal = () => gateway.log.findLast(({ msg }) => msg === 'refused')?.['reason'];

    test('gets nothing after a login', async () => {
      const user = visitor(gateway.addresses.authenticated ?? '');
      await user.logIn(username, password);
      for (const [method, uri, body] of [
        ['GET', '/api/profile'],
        ['GET', get.uri],
        ['GET', '/postern/api/roles'],
        ['GET', '/postern/api/tokens'],
        ['PUT', `/api/users/${username}/password`, { password: `${password}2`, old_password: password }],
      ] as const) {
        const { status } = await user.send(method, uri, body);
        expect([uri, status, lastRefusal()]).toEqual([uri, 403, 'no_role']);
      }
    });

    test('has an API token that is refused', async () => {
      const client = visitor(gateway.addresses.authenticated ?? '');
      const { status } = await client.send('GET', '/api/profile', undefined, [
        ['Authorization', `Bearer ${bearer}`],
      ]);
      expect([status, lastRefusal()]).toEqual([401, 'api_token_too_wide']);
    });

    test('is explained as no role, not as viewer', async () => {
      const { body } = await admin.send('POST', '/postern/api/explain', { ...get, user: username });
      expect(JSON.parse(body)).toMatchObject({ verdict: 'forbidden', reason: 'no_role', role });
    });

    test('can be given a role, and then has it', async () => {
      const { status } = await admin.send('PUT', `/api/users/${username}/role`, { role: 'family' });
      expect(status).toBe(200);
      const { body } = await admin.send('POST', '/postern/api/explain', { ...get, user: username });
      expect(JSON.parse(body)).toMatchObject({ verdict: 'allow', role: 'family' });
    });
  },
);

/** What the gate has of users, roles and API tokens. */
async function everything(): Promise<readonly unknown[]> {
  const lists = ['/api/users', '/postern/api/roles', '/postern/api/tokens'];
  return Promise.all(lists.map(async (uri) => JSON.parse((await admin.send('GET', uri)).body) as unknown));
}
