import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { headerValues } from '../../src/policy/raw-headers.ts';
import { sendRaw, type RawAnswer } from '../support/raw-http.ts';
import { startRecordingUpstream } from '../support/recording-upstream.ts';
import { postern } from '../support/postern-command.ts';
import { printedPassword, visitor } from '../support/log-in.ts';
import { errorAnswer, htmlAnswer } from '../support/provider-answers.ts';
import { signOnBrowser } from '../support/sign-on-browser.ts';
import { startNginxFor } from '../support/start-nginx.ts';
import { startProcess } from '../support/start-process.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startProvider, type RunningProvider } from '../support/start-provider.ts';

const publicUrl = 'https://cameras.example';
let provider: RunningProvider;
let gateway: RunningGateway;

beforeAll(async () => {
  provider = await startProvider({ publicUrl, people: {} });
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.people.clear();
  provider.people.set('1', { preferred_username: 'olaf', groups: ['nvr-admins'] });
  provider.people.set('2', { preferred_username: 'rosa', groups: ['family'] });
});
afterEach(async () => {
  for (const endpoint of ['discovery', 'token'] as const) provider.answer(endpoint, undefined);
  await gateway?.close();
});

const start = async (
  oidc: Record<string, unknown> = {},
  config: Record<string, unknown> = {},
  environment: Readonly<Record<string, string>> = {},
) => {
  const { auth = {}, ...rest } = config as { auth?: object };
  gateway = await startGateway({
    environment,
    config: {
      public_url: publicUrl,
      tls: { enabled: false },
      cameras: ['front', 'yard'],
      auth: {
        roles: { family: ['front'] },
        oidc: { ...provider.settings, role_map: { admin: ['nvr-admins'], family: ['family'] }, ...oidc },
        ...auth,
      },
      ...rest,
    },
  });
};
const address = () => gateway.addresses.authenticated ?? '';
const browser = () => signOnBrowser(address(), provider);
const admin = () => adminLogIn(visitor(address(), false));
const adminLogIn = async (self: ReturnType<typeof visitor>) => {
  await self.logIn('admin', printedPassword(gateway));
  return self;
};
const location = ({ headers }: RawAnswer) => headers.get('location')?.[0];
const titleOf = ({ body }: RawAnswer) =>
  /<title>([^<]*) · Postern</.exec(body)?.[1]?.replaceAll('&#39;', "'");
const profileOf = async (who: ReturnType<typeof signOnBrowser>) =>
  JSON.parse((await who.open('/api/profile', [['Accept', 'application/json']])).body) as object;
const events = (event: string) => gateway.log.filter((line) => line['event'] === event);

describe('a login', () => {
  test('leads to the provider and back, and begins a session with the role that the groups give', async () => {
    await start();
    const rosa = browser();
    const answer = await rosa.logIn('2');
    expect(answer.status).toBe(303);
    expect(location(answer)).toBe('/postern/');
    expect(await profileOf(rosa)).toMatchObject({
      username: 'rosa',
      role: 'family',
      allowed_cameras: ['front'],
    });
    expect([...rosa.cookies.keys()]).toEqual(['session_token']);
    const lines = answer.headers.get('set-cookie') ?? [];
    expect(lines.find((line) => line.startsWith('session_token='))).toMatch(/; HttpOnly; SameSite=Lax$/);
    expect(events('provider_user_added')).toMatchObject([
      { user: 'rosa', role: 'family', why: 'group family' },
    ]);
    expect(events('login')).toMatchObject([{ user: 'rosa', source: 'oidc' }]);
  });

  test('leads on to a page of this site, which is none of a login', async () => {
    await start();
    for (const [query, expected] of [
      ['?next=/postern/explore?label=car%26x', '/postern/explore?label=car%26x'],
      ['', '/postern/'],
      ['?next=%2F', '/postern/'],
      ['?next=//evil.test', '/postern/'],
      ['?next=/login?next=/x', '/postern/'],
      ['?next=/logout', '/postern/'],
      ['?next=/x/../postern/oidc/login', '/postern/'],
      ['?next=/review', '/review'],
      ['?next=/loginpage', '/loginpage'],
    ] as const)
      expect([query, location(await browser().logIn('2', query))]).toEqual([query, expected]);
  });

  test('leads to the recorder where ui.landing says so', async () => {
    await start({}, { ui: { landing: 'recorder' } });
    for (const [query, expected] of [
      ['', '/'],
      ['?next=%2F', '/'],
      ['?next=%2Fpostern%2F', '/postern/'],
      ['?next=/review', '/review'],
    ] as const)
      expect([query, location(await browser().logIn('2', query))]).toEqual([query, expected]);
  });

  test('of several tabs at once ends in each', async () => {
    await start();
    const rosa = browser();
    const first = await rosa.begin('?next=/first');
    const second = await rosa.begin('?next=/second');
    const back = [await rosa.signIn(first, '2'), await rosa.signIn(second, '2')];
    expect(location(await rosa.open(back[1] ?? ''))).toBe('/second');
    expect(location(await rosa.open(back[0] ?? ''))).toBe('/first');
  });

  test('has no more than eight attempts of one browser at once', async () => {
    await start();
    const rosa = browser();
    for (let i = 0; i < 12; i += 1) await rosa.begin();
    expect(rosa.cookies.size).toBe(8);
  });

  test('works below a path prefix', async () => {
    provider.register(`${publicUrl}/nvr`);
    await start({}, { base_path: '/nvr' });
    const rosa = browser();
    const answer = await rosa.open('/nvr/postern/oidc/login?next=/postern/explore');
    expect(answer.headers.get('set-cookie')?.[0]).toContain('; Path=/nvr/postern/oidc/;');
    const back = await rosa.signIn(location(answer) ?? '', '2');
    expect(back).toMatch(/^\/nvr\/postern\/oidc\/callback\?/);
    expect(location(await rosa.open(back))).toBe('/nvr/postern/explore');
    const toRoot = location(await rosa.open('/nvr/postern/oidc/login?next=%2Fnvr'));
    expect(location(await rosa.open(await rosa.signIn(toRoot ?? '', '2')))).toBe('/nvr/postern/');
    provider.register(publicUrl);
  });
});

test('a login begun at one machine is finished at another with the same secret', async () => {
  const environment = { SERVICE_JWT_SECRET: 'the same on each of the machines, and long enough' };
  await start({}, {}, environment);
  const other = gateway;
  await start({}, {}, environment);
  const rosa = browser();
  const back = await rosa.signIn(await rosa.begin('?next=/x'), '2');
  const there = signOnBrowser(other.addresses.authenticated ?? '', provider);
  for (const [name, value] of rosa.cookies) there.cookies.set(name, value);
  expect(location(await there.open(back))).toBe('/x');
  await other.close();
});

test('behind nginx the cookies are those of the address that people see', async () => {
  await start();
  const nginx = await startNginxFor(gateway);
  const rosa = signOnBrowser(nginx.authenticated, provider, true);
  const begun = await rosa.open('/postern/oidc/login?next=/postern/explore');
  expect(begun.headers.get('set-cookie')?.[0]).toMatch(
    /; Path=\/postern\/oidc\/; HttpOnly; SameSite=Lax; Secure$/,
  );
  const answer = await rosa.open(await rosa.signIn(location(begun) ?? '', '2'));
  expect(location(answer)).toBe('/postern/explore');
  expect(answer.headers.get('set-cookie')).toHaveLength(2);
  expect(await profileOf(rosa)).toMatchObject({ username: 'rosa' });
  expect((await rosa.open('/postern/oidc/callback?state=x')).status).toBe(400);
  await nginx.close();
});

test('the program as it is built loads the client of the provider on first use', async () => {
  const { addresses, output } = await startProcess({
    public_url: publicUrl,
    tls: { enabled: false },
    auth: { oidc: { ...provider.settings, role_map: { viewer: ['family'] } } },
  });
  const rosa = signOnBrowser(addresses.authenticated, provider);
  expect((await rosa.logIn('2')).status, output()).toBe(303);
  expect(await profileOf(rosa)).toMatchObject({ username: 'rosa', role: 'viewer' });
});

describe('the same user', () => {
  test('keeps the account when the provider gives another name', async () => {
    await start();
    const rosa = browser();
    await rosa.logIn('2');
    const users = await admin();
    provider.people.set('2', { preferred_username: 'rosalie', groups: ['family'] });
    await rosa.logIn('2');
    expect(await profileOf(rosa)).toMatchObject({ username: 'rosalie' });
    const { body } = await users.send('GET', '/api/users');
    expect(body).not.toContain('"rosa"');
    expect(events('user_renamed')).toMatchObject([{ user: 'rosalie', former: 'rosa' }]);
  });

  test('keeps the name when the new one looks like another user’s', async () => {
    await start();
    const rosa = browser();
    await rosa.logIn('2');
    provider.people.set('2', { preferred_username: 'ɑdmin', groups: ['family'] });
    await rosa.logIn('2');
    expect(await profileOf(rosa)).toMatchObject({ username: 'rosa' });
    expect(events('user_renamed')).toEqual([]);
  });

  test('gets another role with other groups', async () => {
    await start();
    const rosa = browser();
    await rosa.logIn('2');
    provider.people.set('2', { preferred_username: 'rosa', groups: ['family', 'nvr-admins'] });
    await rosa.logIn('2');
    expect(await profileOf(rosa)).toMatchObject({ role: 'admin' });
    expect(events('user_role_changed')).toMatchObject([
      { user: 'rosa', former: 'family', role: 'admin', why: 'group nvr-admins' },
    ]);
  });

  test('a user without a group loses all sessions, and can log in again with one', async () => {
    await start();
    const [desk, phone] = [browser(), browser()];
    await desk.logIn('2');
    provider.people.set('2', { preferred_username: 'rosa', groups: [] });
    expect((await phone.logIn('2')).status).toBe(403);
    expect((await desk.open('/api/profile')).status).toBe(303);
    provider.people.set('2', { preferred_username: 'rosa', groups: ['family'] });
    expect((await phone.logIn('2')).status).toBe(303);
    expect(events('session_ended_by_provider')).toMatchObject([{ user: 'rosa', reason: 'oidc_no_role' }]);
    expect(events('user_unblocked')).toMatchObject([{ user: 'rosa' }]);
    expect((await desk.open('/api/profile')).status).toBe(303);
    expect(await profileOf(phone)).toMatchObject({ username: 'rosa' });
  });
});

describe('a failed login shows the user what to do, and the operator the reason', () => {
  const refusedAs = async (answer: RawAnswer, reason: string) => {
    expect(events('login_failed').at(-1) ?? events('refused').at(-1)).toMatchObject({ reason });
    const id = answer.headers.get('x-postern-decision')?.[0] ?? '';
    expect(answer.body).toContain(id);
    expect(answer.body).not.toContain(reason);
    const explained = await (await admin()).send('POST', '/postern/api/explain', { decision: id });
    expect(explained.body).toContain(reason);
  };

  test.each([
    ['oidc_no_role', { groups: ['others'] }, 'This account has no access'],
    ['oidc_name_invalid', { preferred_username: 'Rosa/Müller' }, 'That user name doesn’t work here'],
    ['oidc_name_taken', { preferred_username: 'admin' }, 'That user name doesn’t work here'],
    ['oidc_name_taken', { preferred_username: 'аdmin' }, 'That user name doesn’t work here'],
    ['oidc_name_taken', { preferred_username: 'ɑdmin' }, 'That user name doesn’t work here'],
  ])('%s: %j', async (reason, change, title) => {
    await start();
    provider.people.set('2', { preferred_username: 'rosa', groups: ['family'], ...change });
    const rosa = browser();
    const answer = await rosa.logIn('2');
    expect(answer.status).toBe(403);
    expect(titleOf(answer)).toBe(title);
    expect(answer.body).toContain('href="/postern/oidc/login?next=%2F"');
    expect(rosa.cookies.size).toBe(0);
    // The user who is signed in there would be the same again.
    const other = /href="([^"]*another[^"]*)"/.exec(answer.body)?.[1]?.replace('&amp;', '&') ?? '';
    expect(location(await rosa.open(other))).toContain('&prompt=login');
    await refusedAs(answer, reason);
  });

  test('claims that give no role: log, audit and doctor name their types', async () => {
    await start({ groups_claim: 'realm_access.roles' });
    const secret = 'a value that no one may read';
    provider.people.set('2', { preferred_username: 'rosa', groups: 7, realm_access: { [secret]: 1 } });
    expect((await browser().logIn('2')).status).toBe(403);
    const [record] = events('login_failed');
    expect(record).toMatchObject({
      reason: 'oidc_no_role',
      claims: expect.arrayContaining(['preferred_username (text)', 'groups (number)']),
      looked_for: expect.arrayContaining(['auth.oidc.groups_claim: realm_access.roles (missing)']),
    });
    expect(JSON.stringify(gateway.log)).not.toContain(secret);
    const doctor = await postern(gateway.directory, ['doctor', '--oidc']);
    expect(doctor.output, doctor.errors).toMatch(
      /oidc-sign-ins .*oidc_no_role: looked for .*groups_claim: realm_access\.roles \(missing\).*groups \(number\)/,
    );
  });

  test('a claim that can’t be read is named, with a default role too', async () => {
    await start({ groups_claim: 'groups', default_role: 'viewer' });
    provider.people.set('2', { preferred_username: 'rosa', groups: 7 });
    expect((await browser().logIn('2')).status).toBe(303);
    expect(events('login').at(-1)).toMatchObject({ unreadable: 'groups (number)' });
    expect(
      gateway.log.filter(({ level, unreadable }) => level === 'warn' && unreadable === 'groups (number)'),
    ).toHaveLength(1);
  });

  test('oidc_email_refused', async () => {
    await start({ allowed_emails: ['@example.com'], default_role: 'viewer' });
    const tries = async (email: object) => {
      provider.people.set('2', { preferred_username: 'rosa', groups: [], ...email });
      return (await browser().logIn('2')).status;
    };
    expect(await tries({ email: 'rosa@example.com' })).toBe(303);
    expect(await tries({ email: 'rosa@example.com.evil.test' })).toBe(403);
    expect(events('login_failed').at(-1)).toMatchObject({ reason: 'oidc_email_refused' });
  });

  test('oidc_refused: the user cancels at the provider', async () => {
    await start();
    const rosa = browser();
    const { searchParams } = new URL(await rosa.begin('?next=/postern/explore'));
    const query = new URLSearchParams({
      error: 'access_denied',
      state: searchParams.get('state') ?? '',
      iss: provider.issuer,
    });
    const answer = await rosa.open(`/postern/oidc/callback?${query}`);
    expect(titleOf(answer)).toBe('You’re not signed in');
    expect(answer.body).toContain('href="/postern/oidc/login?next=%2Fpostern%2Fexplore"');
    await refusedAs(answer, 'oidc_refused');
  });
});

describe('a provider that is of no help', () => {
  test('unreachable at the start stops nothing, and the page leads to local accounts', async () => {
    await provider.leave();
    await start();
    const rosa = browser();
    const answer = await rosa.open('/postern/oidc/login?next=/postern/explore');
    await provider.comeBack();
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toEqual(['10']);
    expect(titleOf(answer)).toBe('The provider doesn’t answer');
    expect(answer.body).toContain('href="/login?local&amp;next=%2Fpostern%2Fexplore"');
    expect(rosa.cookies.size).toBe(0);
    expect((await (await admin()).send('GET', '/api/profile')).status).toBe(200);
  });

  test('unreachable at the end of a login: the same URL finishes it once the provider is back', async () => {
    await start();
    const rosa = browser();
    const back = await rosa.signIn(await rosa.begin(), '2');
    provider.answer('token', htmlAnswer(503));
    const answer = await rosa.open(back);
    expect(answer.status).toBe(503);
    expect(answer.body).toContain('<a class="first" href="">');
    provider.answer('token', undefined);
    expect((await rosa.open(back)).status).toBe(303);
    expect(await profileOf(rosa)).toMatchObject({ username: 'rosa' });
  });

  test('an invalid answer: the log has the reason', async () => {
    await start();
    provider.answer('token', htmlAnswer());
    const answer = await browser().logIn('2');
    expect(titleOf(answer)).toBe('Signing in didn’t work');
    expect(events('login_failed')).toMatchObject([
      { reason: 'oidc_protocol_error', cause: expect.stringContaining('content-type') as string },
    ]);
  });

  test('that refuses the client is logged', async () => {
    await start();
    provider.answer('token', errorAnswer('invalid_client', 401));
    await browser().logIn('2');
    expect(events('login_failed')).toMatchObject([
      { reason: 'oidc_refused', cause: expect.stringContaining('invalid_client') as string },
    ]);
  });
});

describe('the login page', () => {
  test('leads straight there when it is automatic, unless another method is asked for', async () => {
    await start({ automatic: true });
    const open = async (uri: string) => location(await browser().open(uri));
    expect(await open('/login')).toBe('/postern/oidc/login');
    expect(await open('/login?next=/postern/explore?x=1')).toBe(
      '/postern/oidc/login?next=/postern/explore?x=1',
    );
    expect(await open('/login?next=/x?local')).toBe('/postern/oidc/login?next=/x?local');
    expect(await open('/login?local')).toBeUndefined();
    expect(await open('/login?logged-out')).toBeUndefined();
    expect(await open('/login?logged-out&next=/x')).toBeUndefined();
    expect(await open('/login?local&next=/x')).toBeUndefined();
  });

  test('gets the provider, and whether to show the form', async () => {
    await start({ label: 'the house', local_login: false });
    const { body } = await browser().open('/api/login');
    expect(JSON.parse(body)).toMatchObject({
      provider: { label: 'the house', automatic: false },
      local_login: false,
    });
    // The way back in, when the provider is lost.
    expect((await (await admin()).send('GET', '/api/profile')).status).toBe(200);
  });
});

test('without accounts, or without a provider, there is nothing', async () => {
  await start({}, { auth: { enabled: false } });
  expect((await browser().open('/postern/oidc/login')).status).toBe(404);
  expect((await browser().open('/postern/oidc/callback?state=x')).status).toBe(404);
  await gateway.close();
  gateway = await startGateway({ config: { tls: { enabled: false } } });
  expect((await browser().open('/postern/oidc/login')).status).toBe(404);
});

describe('a name with letters beyond ASCII', () => {
  test('reaches the recorder in UTF-8, through nginx too, and admins can do everything to its user', async () => {
    const upstream = await startRecordingUpstream();
    await start({}, { upstream: `http://${upstream.address}` });
    const nginx = await startNginxFor(gateway, { recorder: upstream.address, tls: false });
    provider.people.set('2', { preferred_username: 'Jo\u0308rg Müller #1', groups: ['family'] });
    const joerg = browser();
    expect((await joerg.logIn('2')).status).toBe(303);
    expect(await profileOf(joerg)).toMatchObject({ username: 'Jörg Müller #1' });
    for (const at of [address(), nginx.authenticated]) {
      upstream.takeReached();
      const cookie = ['Cookie', `session_token=${joerg.token()}`] as const;
      expect((await sendRaw(at, { uri: '/api/version', headers: [cookie] })).status).toBe(200);
      const [reached] = upstream.takeReached();
      const [user = ''] = headerValues(reached?.rawHeaders ?? [], 'remote-user');
      expect(Buffer.from(user, 'latin1').toString('utf8')).toBe('Jörg Müller #1');
    }

    const root = await admin();
    const path = encodeURIComponent('Jörg Müller #1');
    const { body } = await root.send('GET', '/api/users');
    expect(JSON.parse(body)).toContainEqual({ username: 'Jörg Müller #1', role: 'family' });
    const block = await root.send('PUT', `/postern/api/users/${path}/blocked`, { blocked: true });
    expect(block.status).toBe(200);
    expect(events('user_blocked').at(-1)).toMatchObject({ user: 'Jörg Müller #1' });
    const self = Object.assign(visitor(address(), false), { token: joerg.token() });
    expect((await self.send('GET', '/api/profile')).status).toBe(401);
    expect((await root.send('DELETE', `/api/users/${path}`)).status).toBe(200);
    await nginx.close();
    await upstream.close();
  });

  test('signs programs in by Basic', async () => {
    await start();
    provider.people.set('2', { preferred_username: 'Jörg', groups: ['family'] });
    const joerg = browser();
    await joerg.logIn('2');
    const self = Object.assign(visitor(address(), false), { token: joerg.token() });
    const made = await self.send('POST', '/postern/api/tokens', { name: 'player', role: 'family' });
    const { token } = JSON.parse(made.body) as { token: string };
    const ask = async (user: string) => {
      const basic = Buffer.from(`${user}:${token}`).toString('base64');
      const headers = [['Authorization', `Basic ${basic}`]] as const;
      return (await sendRaw(address(), { uri: '/api/profile', headers })).status;
    };
    expect([await ask('Jörg'), await ask('JÖRG'), await ask('token'), await ask('Jorg')]).toEqual([
      200, 200, 200, 401,
    ]);
  });
});

test('an issuer with the slash of an empty path, and without it, is the same provider', async () => {
  const directory = mkdtempSync(join(tmpdir(), 'postern-test-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const startWith = async (issuer: string) => {
    const oidc = { ...provider.settings, issuer, role_map: { family: ['family'] } };
    const auth = { roles: { family: ['front'] }, oidc };
    const config = { public_url: publicUrl, tls: { enabled: false }, cameras: ['front'], auth };
    gateway = await startGateway({ directory, config });
  };
  await startWith(provider.issuer);
  const rosa = browser();
  await rosa.logIn('2');
  await gateway.close();
  // As an earlier version has written it.
  const database = new DatabaseSync(join(directory, 'postern.db'));
  database.exec("UPDATE users SET issuer = issuer || '/' WHERE issuer IS NOT NULL");
  database.close();
  for (const slash of ['', '/']) {
    await startWith(provider.issuer + slash);
    const again = Object.assign(visitor(address(), false), { token: rosa.token() });
    expect((await again.send('GET', '/api/profile')).status).toBe(200);
    expect((await browser().logIn('2')).status).toBe(303);
    expect(events('provider_user_added')).toEqual([]);
    await gateway.close();
  }
});
