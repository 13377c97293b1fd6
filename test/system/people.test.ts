import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { browserKeys } from '../support/push-service.ts';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let admin: Visitor;
const address = () => gateway.addresses.authenticated ?? '';
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      timezone: 'Europe/London',
      audit: { viewing: true },
      cameras: ['driveway', 'front_door', 'garage'],
      auth: {
        failed_login_rate_limit: '100/minute',
        roles: { helper: ['garage'], family: ['front_door'] },
        camera_groups: { outside: ['driveway', 'front_door'] },
        role_access: { helper: { may: ['live'], hours: '08:00-17:00' } },
      },
      proxy: { header_map: { user: 'remote-user' }, user_map: { paula: 'viewer' } },
    },
  });
  admin = await adminOf(gateway);
  for (const name of ['gardener', 'cleaner']) await userOf(admin, address(), name, 'helper');
  await userOf(admin, address(), 'olaf', 'viewer');
});
afterAll(() => gateway?.close());

interface Grant {
  readonly cameras: readonly string[] | null;
  readonly allowed_cameras: readonly string[];
}
interface Entry {
  readonly name: string | null;
  readonly state: string;
  readonly role: string;
  readonly own_role: boolean;
  readonly grant: Grant;
  readonly same_role: object;
  readonly tokens: ReadonlyArray<{ readonly state: string }>;
  readonly devices: ReadonlyArray<{ readonly pushes: boolean }> | null;
}
const bodyOf = ({ body }: RawAnswer) => JSON.parse(body) as unknown;
const entryOf = (answer: RawAnswer) => bodyOf(answer) as Entry;
const shown = async (name: string) => entryOf(await admin.send('GET', `/postern/api/people/${name}`));
const people = async () => bodyOf(await admin.send('GET', '/postern/api/people')) as Entry[];
const change = (name: string, body: object, by = admin, query = '') =>
  by.send('PUT', `/postern/api/people/${name}/access${query}`, { may: ['live'], ...body });
const hidden = /^guest_[0-9a-f]{12}$/;
const listedRoles = async () =>
  (bodyOf(await admin.send('GET', '/postern/api/roles')) as Array<{ name: string }>).map(({ name }) => name);
const invite = async (wanted: object) =>
  bodyOf(await admin.send('POST', '/postern/api/invitations', wanted)) as {
    id: string;
    role: string;
    url: string;
  };
const accept = ({ id, url }: { id: string; url: string }, username: string) =>
  visitor(address()).send('POST', `/postern/api/invitations/${id}/accept`, {
    secret: url.split('#')[1],
    username,
    password: goodPassword,
  });
const recorded = async (event: string, object: string) =>
  (
    bodyOf(await admin.send('GET', `/postern/api/audit?event=${event}`)) as { records: object[] }
  ).records.filter((one) => Object.values(one).includes(object));

describe('an entry', () => {
  test('has what the person may see and do, and everything they have', async () => {
    expect(await shown('gardener')).toMatchObject({
      name: 'gardener',
      state: 'active',
      role: 'helper',
      own_role: false,
      role_in_words: 'garage: live, at 08:00-17:00',
      same_role: { others: 1, names: ['cleaner'] },
      grant: { cameras: ['garage'], groups: [], may: ['live'], allowed_cameras: ['garage'] },
      schedule: { hours: '08:00-17:00' },
      schedule_now: { is_open: expect.any(Boolean), turns: expect.any(Number) },
      zone: 'Europe/London',
      account: {
        provider: null,
        blocked: null,
        second_factors: [],
        last_login: expect.any(Number),
        email: null,
      },
      invited: null,
      stops: [],
      devices: [{ agent: null, current: false, pushes: false }],
      displays: [],
      shares: [],
      tokens: [],
      watched: { now: [], last: null },
    });
    expect(await shown('olaf')).toMatchObject({
      grant: { cameras: null, allowed_cameras: ['driveway', 'front_door', 'garage'] },
      schedule: null,
      schedule_now: null,
    });
    expect(await shown('admin')).toMatchObject({ devices: [{ current: true }] });
  });

  test('shows admins where the person is told something: an address, and browsers with pushes', async () => {
    const iris = await userOf(admin, address(), 'iris', 'viewer');
    const set = await iris.send('PUT', '/postern/api/account/email', { email: 'iris@home.example' });
    expect(set.status).toBe(204);
    const { keys } = browserKeys();
    const push = await iris.send('POST', '/postern/api/push', { endpoint: 'https://push.example/a', keys });
    expect(push.status).toBe(201);
    await iris.logIn('iris', goodPassword);
    const entry = await shown('iris');
    expect(entry).toMatchObject({ account: { email: 'iris@home.example' } });
    expect(entry.devices?.map(({ pushes }) => pushes).toSorted()).toEqual([false, true]);
    expect((await iris.send('GET', '/postern/api/people/iris')).status).toBe(403);
    await admin.send('DELETE', '/api/users/iris');
  });

  test('is there for each account and each open invitation', async () => {
    const unnamed = await invite({ role: 'viewer' });
    const sitter = await invite({ name: 'sitter', cameras: ['garage'] });
    const all = await people();
    expect(all.map(({ name }) => name)).toEqual(['admin', 'cleaner', 'gardener', 'olaf', 'sitter', null]);
    expect(all.slice(4)).toMatchObject([
      { state: 'invited', role: sitter.role, own_role: true, account: null, invited: { id: sitter.id } },
      { state: 'invited', invited: { id: unnamed.id, made_by: 'admin' }, devices: [] },
    ]);
    expect(await shown('sitter')).toEqual(all[4]);
    expect((await admin.send('GET', '/postern/api/people/nobody')).status).toBe(404);
    for (const { id } of [unnamed, sitter]) await admin.send('DELETE', `/postern/api/invitations/${id}`);
  });

  test('says who is blocked', async () => {
    await userOf(admin, address(), 'bert', 'viewer');
    await admin.send('PUT', '/postern/api/users/bert/blocked', { blocked: true });
    expect(await shown('bert')).toMatchObject({ state: 'blocked', account: { blocked: 'admin' } });
  });
});

describe('access', () => {
  test('for the role changes everyone who has it', async () => {
    const body = { cameras: ['driveway'], groups: ['outside'], schedule: null, for: 'role' };
    const preview = bodyOf(await change('gardener', body, admin, '?preview'));
    expect(preview).toMatchObject({
      role: 'helper',
      own_role: false,
      schedule: null,
      change: {
        users: 2,
        usernames: ['cleaner', 'gardener'],
        gains: ['driveway', 'front_door'],
        loses: ['garage'],
      },
    });
    expect(await shown('cleaner')).toMatchObject({ grant: { cameras: ['garage'] } });
    expect((await change('gardener', body)).status).toBe(200);
    expect(await shown('cleaner')).toMatchObject({
      role: 'helper',
      schedule: null,
      grant: { cameras: ['driveway'], groups: ['outside'], allowed_cameras: ['driveway', 'front_door'] },
    });
  });

  test('for a person makes a role of their own, which no list has', async () => {
    const anna = await userOf(admin, address(), 'anna', 'family');
    await userOf(admin, address(), 'ben', 'family');
    const token = { name: 'ha', role: 'family' };
    await anna.send('POST', '/postern/api/step-up', { password: goodPassword });
    expect((await anna.send('POST', '/postern/api/tokens', token)).status).toBe(201);

    const body = { cameras: ['garage'], schedule: { until: '2099-01-01' }, for: 'person' };
    expect(bodyOf(await change('anna', body, admin, '?preview'))).toMatchObject({
      role: null,
      own_role: true,
      change: { users: 1, usernames: ['anna'], gains: ['garage'], loses: ['front_door'] },
    });
    expect(await shown('anna')).toMatchObject({ role: 'family' });

    const { role } = entryOf(await change('anna', body));
    expect(role).toMatch(hidden);
    expect(await shown('anna')).toMatchObject({
      role,
      own_role: true,
      role_in_words: 'garage: live, until 2099-01-01',
      same_role: { others: 0, names: [] },
      tokens: [{ role, state: 'good' }],
      devices: [{ current: false }],
    });
    expect(await shown('ben')).toMatchObject({ role: 'family', grant: { cameras: ['front_door'] } });
    expect(await listedRoles()).not.toContain(role);
    expect(JSON.parse((await anna.send('GET', '/api/profile')).body)).toMatchObject({ role });
    expect(await recorded('user_role_changed', 'anna')).toHaveLength(1);
    expect(await recorded('role_defined', role)).toHaveLength(1);

    // Now theirs: both ways change it in place, and the schedule stays.
    for (const who of ['person', 'role'])
      expect(bodyOf(await change('anna', { cameras: ['driveway'], for: who }))).toMatchObject({
        role,
        own_role: true,
        schedule: { until: '2099-01-01' },
      });
    expect((await admin.send('PUT', '/postern/api/people/anna/role', { name: 'uncle' })).status).toBe(204);
    expect(await listedRoles()).toContain('uncle');
    expect(await shown('anna')).toMatchObject({ role: 'uncle', own_role: false });
  });

  test('of an invited person is changed before they come', async () => {
    const made = await invite({ name: 'nell', cameras: ['garage'] });
    const { role } = entryOf(await change('nell', { cameras: ['driveway'], for: 'person' }));
    expect(role).toBe(made.role);
    expect(bodyOf(await accept(made, 'nell'))).toMatchObject({ allowed_cameras: ['driveway'] });

    const named = await invite({ name: 'otto', role: 'family' });
    const own = entryOf(await change('otto', { cameras: ['driveway'], for: 'person' }));
    expect(own.role).toMatch(hidden);
    expect(await shown('otto')).toMatchObject({ state: 'invited', role: own.role });
    expect(await shown('ben')).toMatchObject({ role: 'family' });
    expect((await admin.send('DELETE', `/postern/api/invitations/${named.id}`)).status).toBe(204);
    expect((await admin.send('GET', `/postern/api/roles/${own.role}`)).status).toBe(404);
  });

  test.each([
    ['of a built-in role', 'olaf', { cameras: ['garage'], for: 'role' }, 422, 'built-in'],
    ['of the last admin', 'admin', { cameras: ['garage'], for: 'person' }, 409, 'last_admin'],
    ['of a user of a proxy', 'paula', { cameras: ['garage'], for: 'person' }, 409, 'user_of_proxy'],
    ['of no one', 'nobody', { cameras: ['garage'], for: 'person' }, 404, 'user_unknown'],
    ['without a camera', 'cleaner', { cameras: [], for: 'person' }, 422, 'at least one camera'],
    ['to an unknown group', 'cleaner', { cameras: [], groups: ['x'], for: 'person' }, 422, 'groups'],
    ['to an unknown camera', 'cleaner', { cameras: ['x'], for: 'person' }, 422, 'cameras'],
    ['without a word', 'cleaner', { cameras: ['garage'], may: [], for: 'person' }, 422, 'at least one word'],
    ['for neither', 'cleaner', { cameras: ['garage'] }, 422, 'for'],
    ['with an until before its from', 'cleaner', closed(), 422, 'schedule'],
  ])('%s stays as it is', async (_, name, body, status, words) => {
    const before = await people();
    for (const query of ['?preview', '']) {
      const answer = await change(name, body, admin, query);
      expect([answer.status, answer.body]).toEqual([status, expect.stringContaining(words)]);
      expect(answer.body).not.toContain('guest_');
    }
    expect(await people()).toEqual(before);
  });
});

function closed() {
  return { cameras: ['garage'], schedule: { from: '2030-01-02', until: '2030-01-01' }, for: 'person' };
}

describe('neither people nor access is for', () => {
  const asks: ReadonlyArray<readonly [string, string, object?]> = [
    ['GET', '/postern/api/people'],
    ['GET', '/postern/api/people/olaf'],
    ['PUT', '/postern/api/people/olaf/access', { cameras: ['garage'], may: ['live'], for: 'person' }],
    ['PUT', '/postern/api/people/olaf/access?preview', { cameras: ['garage'], may: ['live'], for: 'person' }],
  ];

  test('a viewer, a guest, an API token of an admin, another site or a stranger', async () => {
    const made = await invite({ name: 'gina', cameras: ['garage'], may: ['live', 'share'] });
    await accept(made, 'gina');
    const viewer = await userOf(admin, address(), 'vera', 'viewer');
    const guest = visitor(address());
    await guest.logIn('gina', goodPassword);
    const { token } = bodyOf(
      await admin.send('POST', '/postern/api/tokens', { name: 'script', role: 'admin' }),
    ) as { token: string };
    const before = await people();
    for (const [method, uri, body] of asks) {
      const statuses = [
        (await viewer.send(method, uri, body)).status,
        (await guest.send(method, uri, body)).status,
        (await visitor(address()).send(method, uri, body)).status,
        (await visitor(address()).send(method, uri, body, [['Authorization', `Bearer ${token}`]])).status,
      ];
      expect(statuses, uri).toEqual([403, 403, 401, 403]);
    }
    const [, , put] = asks as [unknown, unknown, readonly [string, string, object]];
    const foreign = await admin.send(...put, [
      ['Origin', 'https://elsewhere.example'],
      ['Sec-Fetch-Site', 'cross-site'],
    ]);
    expect(foreign.status).toBe(403);
    const withState = (all: Entry[]) => all.map(({ name, role, grant }) => ({ name, role, grant }));
    expect(withState(await people())).toEqual(withState(before));
  });
});

test('parts of features that are off are absent', async () => {
  const off = await startGateway({
    config: {
      cameras: ['driveway'],
      features: { shares: false, displays: false, api_tokens: false, invitations: false },
      audit: { viewing: false },
    },
  });
  try {
    const answer = await (await adminOf(off)).send('GET', '/postern/api/people/admin');
    const entry = bodyOf(answer) as Entry & { watched: object };
    for (const part of ['shares', 'displays', 'tokens', 'invited']) expect(entry).not.toHaveProperty(part);
    expect(entry.watched).toEqual({ now: [] });
  } finally {
    await off.close();
  }
});
