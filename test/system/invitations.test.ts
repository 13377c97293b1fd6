import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adminOf, cookieOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { softwareAuthenticator } from '../support/software-authenticator.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let now = Date.now();
let gateway: RunningGateway;
let admin: Visitor;
const address = () => gateway.addresses.authenticated ?? '';
beforeAll(async () => {
  gateway = await startGateway({
    config: {
      cameras: ['driveway', 'front_door', 'garage'],
      auth: { failed_login_rate_limit: '100/minute', roles: { family: ['front_door'] } },
    },
    clock: { now: () => now },
  });
});
beforeEach(async () => {
  admin = await adminOf(gateway);
});
afterAll(() => gateway?.close());

interface Made {
  readonly id: string;
  readonly secret: string;
  readonly role: string;
}
async function invite(wanted: object, by = admin): Promise<Made> {
  const answer = await by.send('POST', '/postern/api/invitations', wanted);
  if (answer.status !== 201) throw new Error(`${answer.status} ${answer.body}`);
  const { id, url, role } = JSON.parse(answer.body) as { id: string; url: string; role: string };
  expect(url).toMatch(new RegExp(`/postern/invite/${id}#[\\w-]{43}$`));
  return { id, role, secret: url.split('#')[1] ?? '' };
}
const guest = () => visitor(address());
const accept = ({ id, secret }: Pick<Made, 'id' | 'secret'>, username: string, who = guest()) =>
  who.send('POST', `/postern/api/invitations/${id}/accept`, { secret, username, password: goodPassword });
const open = ({ id, secret }: Pick<Made, 'id' | 'secret'>) =>
  guest().send('POST', `/postern/api/invitations/${id}/open`, { secret });
const roles = async () =>
  (JSON.parse((await admin.send('GET', '/postern/api/roles')).body) as Array<{ name: string }>).map(
    ({ name }) => name,
  );
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
    expect(JSON.parse((await lea.send('GET', '/api/profile')).body)).toMatchObject({ username: 'lea' });
    expect((await accept(made, 'lea2')).status).toBe(404);
    expect((await open(made)).status).toBe(404);
    expect(await listed()).not.toContain(made.id);
  });

  test('with cameras makes a role, which stays with its user', async () => {
    const made = await invite({
      name: 'nell',
      cameras: ['driveway', 'front_door'],
      may: ['live', 'history'],
      schedule: { until: '2099-01-01' },
      expires_in: 3_600,
    });
    expect(made.role).toBe('guest.nell');
    expect(await roles()).toContain('guest.nell');
    expect(JSON.parse((await accept(made, 'nell')).body)).toMatchObject({
      allowed_cameras: ['driveway', 'front_door'],
    });
    expect((await invite({ name: 'nell', cameras: ['garage'] })).role).toBe('guest.nell.2');
  });

  test('that is revoked takes its role with it', async () => {
    const made = await invite({ name: 'rob', cameras: ['driveway'] });
    expect(await roles()).toContain('guest.rob');
    expect((await admin.send('DELETE', `/postern/api/invitations/${made.id}`)).status).toBe(204);
    expect(await roles()).not.toContain('guest.rob');
    expect((await accept(made, 'rob')).status).toBe(404);
    expect((await admin.send('DELETE', `/postern/api/invitations/${made.id}`)).status).toBe(404);
  });

  test('used twice at once makes one account', async () => {
    const made = await invite({ role: 'viewer' });
    const answers = await Promise.all(['one', 'two', 'three'].map((name) => accept(made, `at.once.${name}`)));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 404, 404]);
  });

  test('stays when the user name is taken', async () => {
    const made = await invite({ role: 'viewer' });
    expect((await accept(made, 'ADMIN')).status).toBe(409);
    expect((await accept(made, 'free.name')).status).toBe(201);
  });

  test('expires', async () => {
    const made = await invite({ role: 'viewer', expires_in: 60 });
    now += 61_000;
    expect((await accept(made, 'late')).status).toBe(404);
    expect(await listed()).not.toContain(made.id);
  });

  test.each<[what: string, change: (maker: string) => Promise<unknown>]>([
    ['is no admin any more', (maker) => admin.send('PUT', `/api/users/${maker}/role`, { role: 'viewer' })],
    ['is blocked', (maker) => admin.send('PUT', `/postern/api/users/${maker}/blocked`, { blocked: true })],
    ['is removed', (maker) => admin.send('DELETE', `/api/users/${maker}`)],
    [
      'has a new password',
      (maker) => admin.send('PUT', `/api/users/${maker}/password`, { password: 'another-good-password' }),
    ],
  ])('is over when its maker %s', async (what, change) => {
    const name = `maker.${what.replaceAll(' ', '.')}`;
    const maker = await userOf(admin, address(), name, 'admin');
    const made = await invite({ role: 'viewer' }, maker);
    await change(name);
    expect((await accept(made, `for.${name}`)).status).toBe(404);
  });

  test.each<[string, () => Promise<{ status: number }>, number]>([
    ['a wrong secret', async () => open({ ...(await invite({ role: 'viewer' })), secret: 'x' }), 404],
    ['no such invitation', () => open({ id: 'AAAAAAAAAAAAAAAA', secret: 'x' }), 404],
    ['an id that is none', () => open({ id: 'x', secret: 'x' }), 404],
    ['an admin by an admin who proved it long ago', inviteLate, 403],
    ['a page of another site', inviteFromElsewhere, 403],
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

const backwards = { from: '2026-12-20', until: '2026-12-19' };
const wanted = (body: object) => admin.send('POST', '/postern/api/invitations', body);

async function inviteLate() {
  const late = visitor(address());
  late.token = admin.token;
  now += 601_000;
  return late.send('POST', '/postern/api/invitations', { role: 'admin' });
}

function inviteFromElsewhere() {
  return admin.send('POST', '/postern/api/invitations', { role: 'viewer' }, [
    ['Sec-Fetch-Site', 'cross-site'],
  ]);
}

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
