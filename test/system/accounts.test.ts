import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { addPerson, issuer } from '../support/add-person.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

// Fronts may ask, and the configuration does not name what they pass requests on to.
const unknownRecorder = { access: null, recorder: 'unverified', recorder_reason: 'upstream_unset' };
const listed = (name: string, ...cameras: string[]) => ({
  name,
  cameras,
  allowed_cameras: cameras,
  ...unknownRecorder,
});

const config = {
  auth: {
    roles: { operator: ['garage', 'driveway'], porch: ['front_door'] },
    failed_login_rate_limit: '100/minute',
  },
  cameras: ['front_door', 'garage', 'driveway', 'back_yard'],
};

describe.each(['embedded front', 'nginx'] as const)('through the %s', (front) => {
  let gateway: RunningGateway;
  let nginx: RunningNginx | undefined;
  let address: string;
  let admin: Visitor;
  let viewer: Visitor;
  let operator: Visitor;

  beforeAll(async () => {
    gateway = await startGateway({ config });
    address = gateway.addresses.authenticated ?? '';
    if (front === 'nginx') {
      nginx = await startNginxFor(gateway);
      address = nginx.authenticated;
    }
    admin = await adminOf(gateway, address);
    viewer = await userOf(admin, address, 'vera', 'viewer');
    operator = await userOf(admin, address, 'olaf', 'operator');
  });
  afterAll(async () => {
    await nginx?.close();
    await gateway.close();
  });

  test('users are listed by name', async () => {
    const answer = await admin.send('GET', '/api/users');
    expect(JSON.parse(answer.body)).toEqual([
      { username: 'admin', role: 'admin' },
      { username: 'olaf', role: 'operator' },
      { username: 'vera', role: 'viewer' },
    ]);
  });

  test.each([
    ['a user that exists', { username: 'vera', password: goodPassword, role: 'viewer' }, 409],
    ['a name with a slash', { username: 'a/b', password: goodPassword, role: 'viewer' }, 422],
    ['anonymous', { username: 'anonymous', password: goodPassword, role: 'viewer' }, 422],
    ['a name of 65 characters', { username: 'x'.repeat(65), password: goodPassword, role: 'viewer' }, 422],
    ['a password of 11 characters', { username: 'new', password: 'x'.repeat(11), role: 'viewer' }, 422],
    [
      'a password of 11 characters in 44 bytes',
      { username: 'new', password: '🔑'.repeat(11), role: 'viewer' },
      422,
    ],
    ['a password of 1025 bytes', { username: 'new', password: 'x'.repeat(1_025), role: 'viewer' }, 422],
    ['an unknown role', { username: 'new', password: goodPassword, role: 'unknown' }, 422],
    ['no role', { username: 'new', password: goodPassword }, 422],
  ])('%s cannot be added', async (_, body, status) => {
    const answer = await admin.send('POST', '/api/users', body);
    expect(answer.status).toBe(status);
  });

  test('a password may have 12 characters of any kind, up to 1024 bytes', async () => {
    for (const password of ['🔑'.repeat(12), 'é'.repeat(512)]) {
      const added = await admin.send('POST', '/api/users', { username: 'long', password, role: 'viewer' });
      const login = await visitor(address).logIn('long', password);
      await admin.send('DELETE', '/api/users/long');
      expect([added.status, login.status]).toEqual([201, 200]);
    }
  });

  test.each([
    ['GET', '/api/users', undefined],
    ['POST', '/api/users', { username: 'mallory', password: goodPassword, role: 'admin' }],
    ['PUT', '/api/users/vera/role', { role: 'admin' }],
    ['PUT', '/api/users/admin/password', { password: goodPassword, old_password: goodPassword }],
    ['DELETE', '/api/users/admin', undefined],
    ['GET', '/postern/api/users', undefined],
    ['PUT', '/postern/api/users/vera/blocked', { blocked: true }],
    ['PUT', '/postern/api/roles/operator', { cameras: ['front_door'] }],
    ['DELETE', '/postern/api/roles/operator', undefined],
  ])('%s %s is for admins', async (method, uri, body) => {
    for (const who of [viewer, operator]) expect((await who.send(method, uri, body)).status).toBe(403);
    expect((await visitor(address).send(method, uri, body)).status).toBe(401);
  });

  test.each([
    ['PUT', '/api/users/no.such.user/role', { role: 'viewer' }],
    ['PUT', '/api/users/no.such.user/password', { password: goodPassword }],
    ['DELETE', '/api/users/no.such.user', undefined],
    ['DELETE', '/postern/api/roles/unknown', undefined],
  ])('%s %s: there is no such user or role', async (method, uri, body) => {
    expect((await admin.send(method, uri, body)).status).toBe(404);
  });

  test.each(['operator', 'admin'])(
    'users change their own password only with the old one: %s',
    async (role) => {
      const own = await userOf(admin, address, 'own', role);
      const change = (body: unknown) => own.send('PUT', '/api/users/own/password', body);
      const missing = await change({ password: 'a-new-password' });
      expect(missing.status).toBe(422);
      // The users page of a recorder has no field for it, and shows the message.
      expect(JSON.parse(missing.body)).toEqual({
        message: expect.stringContaining('/postern/account') as string,
        detail: [{ loc: ['body', 'old_password'], msg: 'Field required', type: 'value_error' }],
      });
      expect((await change({ password: 'a-new-password', old_password: 'wrong' })).status).toBe(403);
      expect((await change({ password: 'short', old_password: goodPassword })).status).toBe(422);
      expect((await change({ password: 'a-new-password', old_password: goodPassword })).status).toBe(200);
      expect((await own.send('GET', '/api/profile')).status).toBe(200);
      expect((await visitor(address).logIn('own', 'a-new-password')).status).toBe(200);
      expect((await visitor(address).logIn('own', goodPassword)).status).toBe(401);
      await admin.send('DELETE', '/api/users/own');
    },
  );

  test('an admin changes the password of another one without it; on the internal entry point anyone changes any', async () => {
    const other = await userOf(admin, address, 'other', 'admin');
    const change = (by: Visitor, password: string) =>
      by.send('PUT', '/api/users/other/password', { password });
    expect((await change(admin, 'given-by-an-admin')).status).toBe(200);
    expect((await other.logIn('other', 'given-by-an-admin')).status).toBe(200);
    const internal = nginx?.internal ?? gateway.addresses.internal ?? '';
    expect((await change(visitor(internal, false), 'given-inside')).status).toBe(200);
    expect((await other.logIn('other', 'given-inside')).status).toBe(200);
    await admin.send('DELETE', '/api/users/other');
  });

  describe('a blocked user', () => {
    const block = (name: string, blocked: boolean) =>
      admin.send('PUT', `/postern/api/users/${name}/blocked`, { blocked });
    const detailsOf = async (query: string) =>
      JSON.parse((await admin.send('GET', `/postern/api/users?${query}`)).body) as Array<
        Record<string, unknown>
      >;

    test('is logged out at once, from sessions and API tokens, and learns as little as a guesser', async () => {
      const nell = await userOf(admin, address, 'nell', 'operator');
      const made = await nell.send('POST', '/postern/api/tokens', { name: 'script', role: 'operator' });
      const { token } = JSON.parse(made.body) as { token: string };
      const byToken = async () => {
        const headers = [['Authorization', `Bearer ${token}`] as const];
        return (await visitor(address).send('GET', '/api/profile', undefined, headers)).status;
      };
      const ofSession = async () => (await nell.send('GET', '/api/profile')).status;
      expect([await ofSession(), await byToken()]).toEqual([200, 200]);
      const answer = await block('nell', true);
      expect([answer.status, JSON.parse(answer.body)]).toEqual([
        200,
        { username: 'nell', role: 'operator', blocked: true },
      ]);
      expect([await ofSession(), await byToken()]).toEqual([401, 401]);
      const [blocked, wrong] = [
        await visitor(address).logIn('nell', goodPassword),
        await visitor(address).logIn('nell', `${goodPassword}?`),
      ];
      expect([blocked.status, blocked.body]).toEqual([wrong.status, wrong.body]);
      expect([...blocked.headers.keys()]).toEqual([...wrong.headers.keys()]);
      expect(await detailsOf('blocked=true')).toMatchObject([
        { username: 'nell', blocked: 'admin', role: 'operator', provider: null, second_factors: [] },
      ]);

      expect((await block('nell', false)).status).toBe(200);
      expect([await ofSession(), await byToken()]).toEqual([401, 200]);
      expect((await nell.logIn('nell', goodPassword)).status).toBe(200);
      await admin.send('DELETE', '/api/users/nell');
    });

    test('is on record once, and so is the login that failed by it', async () => {
      await userOf(admin, address, 'nina', 'viewer');
      for (const blocked of [true, true]) await block('nina', blocked);
      await visitor(address).logIn('nina', goodPassword);
      for (const blocked of [false, false]) await block('nina', blocked);
      const { body } = await admin.send('GET', '/postern/api/audit?search=nina&limit=4');
      const { records } = JSON.parse(body) as { records: Array<Record<string, unknown>> };
      expect(records).toMatchObject([
        { event: 'user_unblocked', user: 'admin', object: 'nina' },
        { event: 'login_failed', user: 'nina', reason: 'user_blocked' },
        { event: 'user_blocked', user: 'admin', object: 'nina' },
        { event: 'login', user: 'nina' },
      ]);
      const [nina] = await detailsOf('search=nina');
      expect(nina?.['last_login']).toBeGreaterThan(Date.now() / 1000 - 60);
      await admin.send('DELETE', '/api/users/nina');
    });

    test('is never the last admin', async () => {
      expect((await block('admin', true)).status).toBe(409);
      await userOf(admin, address, 'second', 'admin');
      expect((await block('second', true)).status).toBe(200);
      for (const [method, uri, body] of [
        ['PUT', '/postern/api/users/admin/blocked', { blocked: true }],
        ['PUT', '/api/users/admin/role', { role: 'viewer' }],
        ['DELETE', '/api/users/admin', undefined],
      ] as const)
        expect(JSON.parse((await admin.send(method, uri, body)).body)).toMatchObject({ code: 'last_admin' });
      await admin.send('DELETE', '/api/users/second');
    });
  });

  test('a federated user has role and password at the provider, and an admin only removes or blocks them', async () => {
    const store = await openStore(storePath(gateway.directory), 5_000);
    await addPerson(store, 'petra');
    await store.destroy();
    for (const [path, body] of [
      ['role', { role: 'admin' }],
      ['password', { password: goodPassword }],
    ] as const) {
      const answer = await admin.send('PUT', `/api/users/petra/${path}`, body);
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([409, { code: 'user_of_provider' }]);
    }
    expect((await visitor(address).logIn('petra', goodPassword)).status).toBe(401);
    const { body } = await admin.send('GET', `/postern/api/users?provider=${encodeURIComponent(issuer)}`);
    expect(JSON.parse(body)).toEqual([
      {
        username: 'petra',
        role: 'viewer',
        own_access: null,
        provider: issuer,
        provider_label: null,
        role_reason: 'group family',
        last_login: 2_000,
        blocked: null,
        second_factors: [],
      },
    ]);
    expect(JSON.parse((await admin.send('GET', '/postern/api/users/count')).body)).toMatchObject({
      by_provider: [{ provider: issuer, provider_label: null, count: 1 }],
      blocked: 0,
      active_admins: 1,
    });
    expect((await admin.send('DELETE', '/api/users/petra')).status).toBe(200);
  });

  test('the last admin stays', async () => {
    expect((await admin.send('DELETE', '/api/users/admin')).status).toBe(409);
    expect((await admin.send('PUT', '/api/users/admin/role', { role: 'viewer' })).status).toBe(409);
    await userOf(admin, address, 'second', 'admin');
    const removed = await admin.send('DELETE', '/api/users/second');
    expect([removed.status, removed.body]).toEqual([200, '{}']);
  });

  test('roles: admin and viewer see all, others their own', async () => {
    const all = [listed('operator', 'garage', 'driveway'), listed('porch', 'front_door')];
    expect(JSON.parse((await admin.send('GET', '/postern/api/roles')).body)).toEqual(all);
    expect(JSON.parse((await viewer.send('GET', '/postern/api/roles')).body)).toEqual(all);
    expect(JSON.parse((await operator.send('GET', '/postern/api/roles')).body)).toEqual([all[0]]);
  });

  test('cameras are those of the identity', async () => {
    expect(JSON.parse((await viewer.send('GET', '/postern/api/cameras')).body)).toEqual(config.cameras);
    expect(JSON.parse((await operator.send('GET', '/postern/api/cameras')).body)).toEqual([
      'garage',
      'driveway',
    ]);
  });

  test('a role is defined, changed and deleted; its users become viewer, at once', async () => {
    expect((await admin.send('PUT', '/postern/api/roles/guests', { cameras: ['front_door'] })).status).toBe(
      200,
    );
    const guest = await userOf(admin, address, 'guest', 'guests');
    expect(JSON.parse((await guest.send('GET', '/api/profile')).body)).toMatchObject({
      allowed_cameras: ['front_door'],
    });
    await admin.send('PUT', '/postern/api/roles/guests', { cameras: ['front_door', 'garage'] });
    expect(JSON.parse((await guest.send('GET', '/postern/api/cameras')).body)).toEqual([
      'front_door',
      'garage',
    ]);
    expect(JSON.parse((await admin.send('DELETE', '/postern/api/roles/guests')).body)).toEqual({
      name: 'guests',
      reassigned_users: 1,
    });
    expect((await guest.send('GET', '/api/profile')).status).toBe(401);
    await guest.logIn('guest', goodPassword);
    expect(JSON.parse((await guest.send('GET', '/api/profile')).body)).toMatchObject({ role: 'viewer' });
    await admin.send('DELETE', '/api/users/guest');
  });

  test.each([
    ['admin', { cameras: ['garage'] }],
    ['viewer', { cameras: ['garage'] }],
    ['with-hyphen', { cameras: ['garage'] }],
    ['guests', { cameras: [] }],
    ['guests', { cameras: ['nowhere'] }],
    ['guests', { cameras: [''] }],
    ['guests', { cameras: 'garage' }],
  ])('role %s with %j is refused', async (name, body) => {
    const before = readFileSync(join(gateway.directory, 'config.yml'), 'utf8');
    expect((await admin.send('PUT', `/postern/api/roles/${name}`, body)).status).toBe(422);
    expect(readFileSync(join(gateway.directory, 'config.yml'), 'utf8')).toBe(before);
  });

  test('its own origin can', async () => {
    const headers = [
      ['Host', 'cameras.example:8971'],
      ['Origin', 'https://cameras.example:8971'],
      ['Sec-Fetch-Site', 'same-origin'],
    ] as const;
    const answer = await admin.send('PUT', '/api/users/vera/role', { role: 'viewer' }, headers);
    expect(answer.status).toBe(200);
  });
});

describe('config.yml', () => {
  test('keeps its comments, its mode and everything else', async () => {
    const gateway = await startGateway({ config });
    const file = join(gateway.directory, 'config.yml');
    const networking = readFileSync(file, 'utf8').match(/^networking:\n(?: .*\n)+/m)?.[0] ?? '';
    writeFileSync(
      file,
      `# our house\n${networking}mqtt: {host: broker} # the recorder's\nauth:\n  roles:\n    # the workshop\n    operator: [garage] # Olaf\n    porch: [front_door]\nproxy:\n  role_map:\n    porch: [group_porch]\n    operator: [group_operator]\n`,
    );
    chmodSync(file, 0o640);
    const admin = await adminOf(gateway);
    await admin.send('PUT', '/postern/api/roles/garden', { cameras: ['back_yard', 'front_door'] });
    await admin.send('DELETE', '/postern/api/roles/porch');
    const text = readFileSync(file, 'utf8');
    const { mode } = statSync(file);
    await gateway.close();
    for (const kept of [
      '# our house',
      "mqtt: {host: broker} # the recorder's",
      '# the workshop',
      'operator: [garage] # Olaf',
      'operator: [group_operator]',
    ]) {
      expect(text).toContain(kept);
    }
    expect(text).toContain('garden: [back_yard, front_door]');
    expect(text).not.toContain('porch');
    expect(mode & 0o777).toBe(0o640);
  });
});
