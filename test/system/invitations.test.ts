import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { adminOf, cookieOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { softwareAuthenticator } from '../support/software-authenticator.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let admin: Visitor;
const address = () => gateway.addresses.authenticated ?? '';
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      cameras: ['driveway', 'front_door', 'garage'],
      auth: { failed_login_rate_limit: '100/minute', roles: { family: ['front_door'] } },
    },
  });
  admin = await adminOf(gateway);
});
afterAll(() => gateway?.close());

interface Made {
  readonly id: string;
  readonly secret: string;
  readonly role: string;
  readonly own_access: object | null;
}
async function invite(wanted: object, by = admin): Promise<Made> {
  const answer = await by.send('POST', '/postern/api/invitations', wanted);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
  const { id, url, ...made } = JSON.parse(answer.body) as Omit<Made, 'secret'> & { readonly url: string };
  expect(url).toMatch(new RegExp(`/postern/invite/${id}#[\\w-]{43}$`));
  return { ...made, id, secret: url.split('#')[1] ?? '' };
}
const unknown = { id: 'A'.repeat(16), secret: 'never' };
const json = [['Content-Type', 'application/json']] as const;
const guest = () => visitor(address());
const accept = ({ id, secret }: Pick<Made, 'id' | 'secret'>, username: string, who = guest()) =>
  who.send('POST', `/postern/api/invitations/${id}/accept`, { secret, username, password: goodPassword });
const open = ({ id, secret }: Pick<Made, 'id' | 'secret'>) =>
  guest().send('POST', `/postern/api/invitations/${id}/open`, { secret });
const roles = async () =>
  (JSON.parse((await admin.send('GET', '/postern/api/roles')).body) as Array<{ name: string }>).map(
    ({ name }) => name,
  );
const matrix = async () =>
  (
    JSON.parse((await admin.send('GET', '/postern/api/access')).body) as { rows: Array<{ role: string }> }
  ).rows.map(({ role }) => role);
interface ListedUser {
  readonly username: string;
  readonly role: string;
  readonly own_access: object | null;
}
const listedUsers = async (search = 'nell') =>
  JSON.parse((await admin.send('GET', `/postern/api/users?search=${search}`)).body) as ListedUser[];
const roleOf = async (user: string) => {
  const [found] = await listedUsers(user);
  return [found?.role, found?.own_access];
};
const listed = async () =>
  (JSON.parse((await admin.send('GET', '/postern/api/invitations')).body) as Array<{ id: string }>).map(
    ({ id }) => id,
  );

describe('an invitation', () => {
  test('with a role gives an account, once', async () => {
    const made = await invite({ role: 'family', name: 'lea' });
    expect(JSON.parse((await open(made)).body)).toMatchObject({
      name: 'lea',
      made_by: 'admin',
      cameras: ['front_door'],
      passkeys: false,
    });
    const lea = guest();
    const answer = await accept(made, 'lea', lea);
    expect([answer.status, JSON.parse(answer.body)]).toEqual([
      201,
      { username: 'lea', role: 'family', allowed_cameras: ['front_door'] },
    ]);
    expect(cookieOf(answer)).toMatch(/\./);
    const profile = { username: 'lea', invited_by: 'admin' };
    expect(JSON.parse((await lea.send('GET', '/api/profile')).body)).toMatchObject(profile);
    expect((await admin.send('GET', '/api/profile')).body).not.toContain('invited_by');
    expect((await accept(made, 'lea2')).status).toBe(404);
    expect((await open(made)).status).toBe(404);
    expect(await listed()).not.toContain(made.id);
  });

  test('with cameras makes a role that no list has, and that stays with its user', async () => {
    const made = await invite({
      name: 'nell',
      cameras: ['driveway', 'front_door'],
      may: ['live', 'history'],
      schedule: { until: '2099-01-01' },
      expires_in: 3_600,
    });
    expect(made.role).toMatch(/^guest_[0-9a-f]{12}$/);
    const own = {
      cameras: ['driveway', 'front_door'],
      may: ['live', 'history'],
      schedule: { until: '2099-01-01' },
    };
    expect(made.own_access).toEqual(own);
    expect(await roles()).not.toContain(made.role);
    expect(await matrix()).not.toContain(made.role);
    expect(JSON.parse((await accept(made, 'nell')).body)).toMatchObject({
      allowed_cameras: ['driveway', 'front_door'],
    });
    expect(await listedUsers()).toMatchObject([{ username: 'nell', role: made.role, own_access: own }]);
    expect((await invite({ name: 'nell', cameras: ['garage'] })).role).not.toBe(made.role);
  });

  test('made at the same moment as others has a role of its own', async () => {
    const cameras = ['driveway', 'front_door', 'garage', 'driveway', 'front_door', 'garage'];
    const made = await Promise.all(cameras.map((camera) => invite({ cameras: [camera] })));
    expect(new Set(made.map(({ role }) => role)).size).toBe(made.length);
    const seen = await Promise.all(made.map(async (one) => JSON.parse((await open(one)).body) as object));
    expect(seen).toMatchObject(cameras.map((camera) => ({ cameras: [camera] })));
    const [first, ...others] = made as [Made, ...Made[]];
    await admin.send('DELETE', `/postern/api/invitations/${first.id}`);
    for (const other of others) expect((await open(other)).status).toBe(200);
  });

  test('has a role that no one else gets, until it has a name', async () => {
    const made = await invite({ name: 'nora', cameras: ['garage'] });
    expect((await admin.send('POST', '/postern/api/invitations', { role: made.role })).status).toBe(404);
    await userOf(admin, address(), 'otto', 'viewer');
    await accept(made, 'nora');
    const give = () => admin.send('PUT', '/api/users/otto/role', { role: made.role });
    expect((await give()).status).toBe(404);
    const name = (user: string, as: string) =>
      admin.send('PUT', `/postern/api/people/${user}/role`, { name: as });
    expect((await name('otto', 'cellar')).status).toBe(404);
    expect((await name('nora', 'family')).status).toBe(409);
    expect((await name('nora', 'admin')).status).toBe(422);
    expect((await name('nora', 'guest_ffffffffffff')).status).toBe(422);
    expect((await name('nora', 'cellar')).status).toBe(204);
    expect(await roles()).toContain('cellar');
    expect(await roleOf('nora')).toEqual(['cellar', null]);
    expect((await admin.send('GET', `/postern/api/roles/${made.role}`)).status).toBe(404);
    expect((await admin.send('PUT', '/api/users/otto/role', { role: 'cellar' })).status).toBe(200);
  });

  test('leaves out no role that an operator wrote', async () => {
    const access = { cameras: ['garage'] };
    expect((await admin.send('PUT', '/postern/api/roles/guest.nell', access)).status).toBe(200);
    expect(await roles()).toContain('guest.nell');
  });

  test('makes a role that those who change named ones do not know', async () => {
    const { role } = await invite({ name: 'rosa', cameras: ['driveway'] });
    const access = { cameras: ['driveway'], access: { may: ['live'] } };
    // The other name is one that an invitation could make.
    for (const name of [role, 'guest_0123456789ab'])
      for (const [method, query, body] of [
        ['PUT', '', access],
        ['PUT', '?preview', access],
        ['DELETE', '', undefined],
      ] as const)
        expect((await admin.send(method, `/postern/api/roles/${name}${query}`, body)).status).toBe(404);
  });

  test('that is revoked takes its role with it', async () => {
    const made = await invite({ name: 'rob', cameras: ['driveway'] });
    expect((await admin.send('GET', `/postern/api/roles/${made.role}`)).status).toBe(200);
    expect((await admin.send('DELETE', `/postern/api/invitations/${made.id}`)).status).toBe(204);
    expect((await admin.send('GET', `/postern/api/roles/${made.role}`)).status).toBe(404);
    expect((await accept(made, 'rob')).status).toBe(404);
    expect((await admin.send('DELETE', `/postern/api/invitations/${made.id}`)).status).toBe(404);
  });

  test.each<[string, () => Promise<{ status: number }>, number]>([
    ['a wrong secret', async () => open({ ...(await invite({ role: 'viewer' })), secret: 'x' }), 404],
    ['no such invitation', () => open(unknown), 404],
    ['an id that is none', () => open({ id: 'x', secret: 'x' }), 404],
    ['a viewer', async () => inviteAs('viewer'), 403],
    ['a role that is not defined', () => wanted({ role: 'nobody' }), 422],
    ['a role and cameras', () => wanted({ role: 'viewer', cameras: ['driveway'] }), 422],
    ['neither', () => wanted({}), 422],
    ['an unknown camera', () => wanted({ cameras: ['elsewhere'] }), 422],
    ['a name with markup', () => wanted({ role: 'viewer', name: '<img src=x>' }), 422],
    [
      'a schedule that ends before it begins',
      () => wanted({ cameras: ['driveway'], schedule: backwards }),
      422,
    ],
    ['an unknown field', () => wanted({ role: 'viewer', is_admin: true }), 422],
    ['a week too long', () => wanted({ role: 'viewer', expires_in: 2_592_001 }), 422],
  ])('is refused: %s', async (_, ask, status) => {
    expect((await ask()).status).toBe(status);
  });
});

const steps = ['open', 'passkey', 'accept'] as const;
const bodyOf = (step: (typeof steps)[number], secret: string) =>
  ({
    open: { secret },
    passkey: { secret, username: 'nell' },
    accept: { secret, username: 'nell', password: goodPassword },
  })[step];

test('guesses are limited by address', async () => {
  const limited = await startGateway({ config: { auth: { failed_login_rate_limit: '5/hour' } } });
  onTestFinished(() => limited.close());
  const at = limited.addresses.authenticated ?? '';
  const boss = await adminOf(limited);
  const links = [await invite({ role: 'viewer' }, boss), await invite({ role: 'viewer' }, boss), unknown];
  const take = (id = '', step: (typeof steps)[number] = 'accept', secret = '', from?: string) => {
    const uri = `/postern/api/invitations/${id}/${step}`;
    const body = JSON.stringify(bodyOf(step, secret));
    return sendRaw(at, { method: 'POST', uri, headers: json, body }, true, from);
  };
  // Over all steps, invitations and ids together.
  const answers = await Promise.all(
    Array.from({ length: 60 }, (_, i) => take(links[i % 3]?.id, steps[Math.floor(i / 3) % 3], `guess-${i}`)),
  );
  const counts = [404, 429].map((wanted) => answers.filter(({ status }) => status === wanted).length);
  expect(counts).toEqual([5, 55]);
  const { id, secret } = links[0] ?? unknown;
  expect((await take(id, 'accept', secret)).status).toBe(429);
  expect((await take(id, 'accept', secret, '127.0.0.2')).status).toBe(201);
});

test('one that was used looks as if it had never been', async () => {
  const made = await invite({ role: 'viewer' });
  expect((await accept(made, 'first')).status).toBe(201);
  for (const ask of [open, (link: typeof unknown) => accept(link, 'late')]) {
    const [used, never] = [await ask(made), await ask(unknown)];
    expect([used.status, used.body, cookieOf(used)]).toEqual([404, never.body, undefined]);
  }
  expect(await listedUsers('late')).toEqual([]);
});

describe('the name that is asked for', () => {
  test.each([
    ['Admin', 409],
    ['..', 422],
    ['аdmin', 422],
  ])('%j is refused, and the invitation stays', async (name, status) => {
    const made = await invite({ role: 'viewer' });
    const answer = await accept(made, name);
    expect([answer.status, cookieOf(answer)]).toEqual([status, undefined]);
    expect((await open(made)).status).toBe(200);
  });

  test('comes with nothing more than the invitation gives', async () => {
    const { id, secret } = await invite({ role: 'viewer' });
    for (const more of [{ role: 'admin' }, { username: ['x'] }, { __proto__: null, is_admin: true }]) {
      const body = { ...bodyOf('accept', secret), ...more };
      expect((await guest().send('POST', `/postern/api/invitations/${id}/accept`, body)).status).toBe(422);
    }
  });

  test('is that of one person, who came first', async () => {
    const [one, other] = [await invite({ role: 'viewer' }), await invite({ role: 'viewer' })];
    const answers = await Promise.all([accept(one, 'same'), accept(other, 'SAME')]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409]);
  });
});

const backwards = { from: '2026-12-20', until: '2026-12-19' };
const wanted = (body: object) => admin.send('POST', '/postern/api/invitations', body);

async function inviteAs(role: string) {
  const user = await userOf(admin, address(), `as.${role}`, role);
  return user.send('POST', '/postern/api/invitations', { role: 'viewer' });
}

test('with a passkey, the account has no password, and signs in by the passkey', async () => {
  await using started = new AsyncDisposableStack();
  const site = 'https://cameras.example.org';
  const gate = started.adopt(await startGateway({ config: { public_url: site } }), (one) => one.close());
  const at = gate.addresses.authenticated ?? '';
  const boss = await adminOf(gate);
  const made = await boss.send('POST', '/postern/api/invitations', { role: 'viewer', name: 'nell' });
  const { id, url } = JSON.parse(made.body) as { id: string; url: string };
  expect(url.startsWith(`${site}/postern/invite/${id}#`)).toBe(true);
  const secret = url.split('#')[1];
  const nell = visitor(at);
  const post = (path: string, body: object) =>
    nell.send('POST', `/postern/api/invitations/${id}/${path}`, body);
  const begun = await post('passkey', { secret, username: 'nell' });
  type Ceremony = {
    options: Parameters<ReturnType<typeof softwareAuthenticator>['create']>[0];
    state: string;
  };
  const { options, state } = JSON.parse(begun.body) as Ceremony;
  const authenticator = softwareAuthenticator(site);
  const passkey = { state, response: authenticator.create(options).response };
  // Made for this name alone.
  expect((await post('accept', { secret, username: 'other', passkey })).status).toBe(403);
  expect((await post('accept', { secret, username: 'nell', passkey, password: goodPassword })).status).toBe(
    422,
  );
  const accepted = await post('accept', { secret, username: 'nell', passkey });
  expect([accepted.status, accepted.body]).toEqual([201, expect.stringContaining('"nell"')]);
  expect((await visitor(at).logIn('nell', '')).status).toBe(401);
  const methods = await nell.send('GET', '/postern/api/sign-in-methods');
  expect(JSON.parse(methods.body)).toMatchObject({ passkeys: [{ name: 'Passkey' }] });
});
