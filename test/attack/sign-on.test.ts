import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createSealing } from '../../src/accounts/sealing.ts';
import { systemClock } from '../../src/clock.ts';
import { printedPassword, visitor } from '../support/log-in.ts';
import type { Forgery } from '../support/provider-keys.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { signOnBrowser } from '../support/sign-on-browser.ts';
import { startDelayedGate } from '../support/start-delayed-gate.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startProvider, type RunningProvider } from '../support/start-provider.ts';

const publicUrl = 'https://cameras.example';
const secret = 'a secret that the attacker does not have, of some length';
let provider: RunningProvider;
let gateway: RunningGateway;

beforeAll(async () => {
  provider = await startProvider({ publicUrl, people: {} });
});
afterAll(() => provider.close());
beforeEach(() => {
  provider.people.set('1', { preferred_username: 'rosa', groups: ['family'] });
  provider.people.set('2', { preferred_username: 'mallory', groups: ['family'] });
});
afterEach(() => {
  for (const name of ['idToken', 'codesWorkAgain'] as const) provider.wrong[name] = undefined;
  for (const endpoint of ['token', 'discovery'] as const) provider.answer(endpoint, undefined);
});

const configuration = (auth: Record<string, unknown> = {}) => ({
  public_url: publicUrl,
  tls: { enabled: false },
  auth: {
    failed_login_rate_limit: '',
    oidc: { ...provider.settings, role_map: { viewer: ['family'], admin: ['nvr-admins'] } },
    ...auth,
  },
});
const start = (auth?: Record<string, unknown>) =>
  startGateway({ environment: { SERVICE_JWT_SECRET: secret }, config: configuration(auth) });
const browser = () => signOnBrowser(gateway.addresses.authenticated ?? '', provider);
const reasons = () =>
  gateway.log
    .filter(({ event }) => event === 'login_failed' || event === 'refused')
    .map(({ reason }) => reason);
/** No one was signed in, no session cookie was set, and the log has the reason. */
const expectRefused = (answer: RawAnswer, reason: string) => {
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.headers.get('set-cookie')?.join() ?? '').not.toContain('session_token=');
  expect(reasons().at(-1)).toBe(reason);
};

describe('an answer of the provider', () => {
  beforeAll(async () => {
    gateway = await start();
  });
  afterAll(() => gateway.close());

  const wholly = (change: Readonly<Record<string, unknown>>): Forgery => ({
    claims: (good) => ({ ...good, ...change }),
  });
  test.each<[string, Forgery]>([
    ['of another client', wholly({ aud: 'another' })],
    ['of another issuer', wholly({ iss: 'https://evil.example' })],
    ['with the nonce of another attempt', wholly({ nonce: 'another' })],
  ])('rejects an id token %s', async (_, forgery) => {
    provider.wrong.idToken = forgery;
    expectRefused(await browser().logIn('1'), 'oidc_protocol_error');
  });

  test('from another issuer is for another issuer (RFC 9207)', async () => {
    const rosa = browser();
    const back = await rosa.signIn(await rosa.begin(), '1');
    const other = back.replace(/([?&]iss=)[^&]*/, '$1https%3A%2F%2Fevil.example');
    const before = provider.asked('token');
    expectRefused(await rosa.open(other), 'oidc_protocol_error');
    // The code went to no one.
    expect(provider.asked('token')).toBe(before);
    const another = await rosa.signIn(await rosa.begin(), '1');
    expectRefused(await rosa.open(another.replace(/[?&]iss=[^&]*/, '')), 'oidc_protocol_error');
  });

  test('from another browser finds no attempt: a code works only in its own browser', async () => {
    const mallory = browser();
    const back = await mallory.signIn(await mallory.begin(), '2');
    const before = provider.asked('token');
    expectRefused(await browser().open(back), 'oidc_attempt_unknown');
    expect(provider.asked('token')).toBe(before);
  });

  test('with the code of another attempt of the same browser is refused', async () => {
    const rosa = browser();
    const [one, other] = [await rosa.begin(), await rosa.begin()];
    const [first, second] = [await rosa.signIn(one, '1'), await rosa.signIn(other, '1')];
    const codeOf = (target: string) => /[?&]code=([^&]*)/.exec(target)?.[1] ?? '';
    expectRefused(await rosa.open(first.replace(codeOf(first), codeOf(second))), 'oidc_refused');
  });

  test('is accepted once', async () => {
    const rosa = browser();
    const back = await rosa.signIn(await rosa.begin(), '1');
    const kept = new Map(rosa.cookies);
    expect((await rosa.open(back)).status).toBe(303);
    expectRefused(await rosa.open(back), 'oidc_attempt_unknown');
    // With the cookie of the attempt put back, and a provider that takes codes again.
    provider.wrong.codesWorkAgain = true;
    const thief = browser();
    for (const [name, value] of kept) thief.cookies.set(name, value);
    expectRefused(await thief.open(back), 'oidc_refused');
  });

  test('is accepted once, even if the provider accepts its codes repeatedly', async () => {
    provider.wrong.codesWorkAgain = true;
    const rosa = browser();
    const back = await rosa.signIn(await rosa.begin(), '1');
    const thief = browser();
    for (const [name, value] of rosa.cookies) thief.cookies.set(name, value);
    expect((await rosa.open(back)).status).toBe(303);
    expectRefused(await thief.open(back), 'oidc_attempt_unknown');
  });

  test('sent twice at once is exchanged once', async () => {
    const rosa = browser();
    const back = await rosa.signIn(await rosa.begin(), '1');
    const before = provider.asked('token');
    const held = provider.hold('token');
    const first = rosa.open(back);
    await held.arrived;
    expectRefused(await rosa.open(back), 'oidc_attempt_unknown');
    held.release();
    expect((await first).status).toBe(303);
    expect(provider.asked('token')).toBe(before + 1);
  });

  test('with the name of a local account opens nothing of it', async () => {
    provider.people.set('2', { preferred_username: 'admin', groups: ['nvr-admins'] });
    expectRefused(await browser().logIn('2'), 'oidc_name_taken');
    const admin = visitor(gateway.addresses.authenticated ?? '', false);
    expect((await admin.logIn('admin', printedPassword(gateway))).status).toBe(200);
  });

  test('has no secret that is in the log, or in a page', async () => {
    provider.wrong.idToken = { algorithm: 'none' };
    const rosa = browser();
    const begun = await rosa.begin('?next=/secret-place');
    const back = await rosa.signIn(begun, '1');
    const { body } = await rosa.open(back);
    const log = JSON.stringify(gateway.log);
    const values = [...back.matchAll(/[?&](?:code|state)=([^&]+)/g)].map(([, value = '']) => value);
    expect(values).toHaveLength(2);
    for (const value of values) {
      expect(log).not.toContain(value);
      expect(body).not.toContain(value);
    }
    expect(log).not.toContain(provider.settings.client_secret);
  });
});

describe('a sign-in', () => {
  beforeAll(async () => {
    gateway = await start();
  });
  afterAll(() => gateway.close());

  const sentBy = (site: string, mode: string, dest: string) =>
    [
      ['Sec-Fetch-Site', site],
      ['Sec-Fetch-Mode', mode],
      ['Sec-Fetch-Dest', dest],
    ] as const;

  test.each([
    ['a frame', 'cross-site', 'navigate', 'iframe'],
    ['a picture', 'cross-site', 'no-cors', 'image'],
  ])('is not begun by %s of another site', async (_, ...as) => {
    const rosa = browser();
    const back = await rosa.signIn(await rosa.begin(), '1');
    const before = new Map(rosa.cookies);
    expectRefused(await rosa.open('/postern/oidc/login', sentBy(...as)), 'cross_site');
    expect(rosa.cookies).toEqual(before);
    expect((await rosa.open(back)).status).toBe(303);
  });

  test.each([
    ['a link of another site', 'cross-site', 'navigate', 'document'],
    ['the login page', 'same-origin', 'navigate', 'document'],
  ])('is begun by %s', async (_, ...as) => {
    const answer = await browser().open('/postern/oidc/login', sentBy(...as));
    expect([answer.status, answer.headers.get('location')?.[0]]).toEqual([
      303,
      expect.stringContaining(provider.issuer),
    ]);
  });
});

describe('the cookie of an attempt', () => {
  beforeAll(async () => {
    gateway = await start();
  });
  afterAll(() => gateway.close());

  const { issuer } = { issuer: () => provider.issuer };
  /** The state and the cookie as the gate makes them, by someone with everything but the secret. */
  const forge = async (sealedWith: string, purpose: string, seconds = 600) => {
    const state = 's'.repeat(43);
    const claims = { state, nonce: 'n'.repeat(43), verifier: 'v'.repeat(43), next: '/' };
    const cookie = await createSealing(sealedWith, systemClock).issue(purpose, claims, seconds);
    const self = browser();
    self.cookies.set(`postern_oidc_${state.slice(0, 16)}`, cookie);
    return self.open(
      `/postern/oidc/callback?code=c&state=${state}&iss=${encodeURIComponent(provider.issuer)}`,
    );
  };

  test('is one that the gate made, for this provider, and lately', async () => {
    // As the gate makes it: the provider is asked, and rejects the code.
    expectRefused(await forge(secret, `login at ${issuer()}`), 'oidc_refused');
    expectRefused(
      await forge('another secret of the same length as that one ....', `login at ${issuer()}`),
      'oidc_attempt_unknown',
    );
    expectRefused(await forge(secret, 'login at https://other.example'), 'oidc_attempt_unknown');
    expectRefused(await forge(secret, `login at ${issuer()}`, -1), 'oidc_attempt_unknown');
  });

  test('of another state is rejected', async () => {
    const rosa = browser();
    const back = await rosa.signIn(await rosa.begin(), '1');
    const state = /[?&]state=([^&]*)/.exec(back)?.[1] ?? '';
    const other = state.slice(0, 16) + 'x'.repeat(27);
    expectRefused(await rosa.open(back.replace(state, other)), 'oidc_attempt_unknown');
    expectRefused(await rosa.open(back.replace(state, '')), 'oidc_attempt_unknown');
    expectRefused(await rosa.open(`${back}&state=${state}`), 'oidc_protocol_error');
  });

  test('that stands there twice, and differs, was planted', async () => {
    const rosa = browser();
    const back = await rosa.signIn(await rosa.begin(), '1');
    const [[name] = ['']] = [...rosa.cookies];
    expectRefused(await rosa.open(back, [['Cookie', `${name}=another`]]), 'oidc_attempt_unknown');
  });

  test('is small enough for a browser, wherever the login leads', async () => {
    const rosa = browser();
    const answer = await rosa.open(`/postern/oidc/login?next=/${'x'.repeat(1_023)}`);
    expect(answer.headers.get('set-cookie')?.[0]?.length).toBeLessThan(4_096);
    await rosa.begin(`?next=/${'x'.repeat(4_000)}`);
    expect(Math.max(...[...rosa.cookies.values()].map(({ length }) => length))).toBeLessThan(4_000);
  });
});

test('a group of none is refused, beside the role admin and a default role', async () => {
  gateway = await start({ oidc: { ...provider.settings, groups_claim: 'groups', default_role: 'viewer' } });
  onTestFinished(() => gateway.close());
  for (const groups of ['none', ['None', 'admin']]) {
    provider.people.set('2', { preferred_username: 'mallory', groups });
    expectRefused(await browser().logIn('2'), 'oidc_no_role');
  }
});

test('a failed login writes nothing to the store, which would void all caches', async () => {
  gateway = await start();
  const database = new DatabaseSync(join(gateway.directory, 'postern.db'), { readOnly: true });
  const version = () => database.prepare('PRAGMA data_version').get()?.['data_version'];
  // The gate notes its first pruning a second after the start.
  const prunings = () => database.prepare('SELECT count(*) AS count FROM last_pruning').get()?.['count'];
  await expect.poll(prunings).toBe(1);
  const before = version();
  const mallory = browser();
  await mallory.open('/postern/oidc/callback?code=x&state=y');
  await mallory.begin();
  for (const change of [{ groups: [] }, { preferred_username: 'admin' }, { preferred_username: 'a/b' }]) {
    provider.people.set('2', { preferred_username: 'mallory', groups: ['family'], ...change });
    expect((await mallory.logIn('2')).status).toBe(403);
  }
  provider.wrong.idToken = { byForeignKey: true };
  expect((await browser().logIn('1')).status).toBe(502);
  expect(version()).toBe(before);
  provider.wrong.idToken = undefined;
  expect((await browser().logIn('1')).status).toBe(303);
  expect(version()).not.toBe(before);
  database.close();
  await gateway.close();
});

test('failures count with those of passwords, and a limited client does not reach the provider', async () => {
  gateway = await start({ failed_login_rate_limit: '3/minute' });
  const password = visitor(gateway.addresses.authenticated ?? '', false);
  expect((await password.logIn('admin', 'wrong')).status).toBe(401);
  provider.people.set('2', { preferred_username: 'mallory', groups: [] });
  const mallory = browser();
  expect((await mallory.logIn('2')).status).toBe(403);
  expect((await mallory.logIn('2')).status).toBe(403);
  const before = provider.asked('token');
  const answer = await mallory.logIn('2');
  expect(answer.status).toBe(429);
  expect(Number(answer.headers.get('retry-after')?.[0])).toBeGreaterThan(0);
  expect(provider.asked('token')).toBe(before);
  expect((await password.logIn('admin', printedPassword(gateway))).status).toBe(429);
  await gateway.close();
});

test('a login that had to wait is decided by the configuration that there is when it ends', async () => {
  gateway = await start();
  provider.people.set('2', { preferred_username: 'mallory', groups: ['nvr-admins'] });
  const mallory = browser();
  const back = await mallory.signIn(await mallory.begin('?next=/x'), '2');
  const held = provider.hold('token');
  const waiting = mallory.open(back);
  await held.arrived;
  const file = join(gateway.directory, 'config.yml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('nvr-admins', 'others'));
  await gateway.reloading.reload('signal');
  held.release();
  const answer = await waiting;
  expect(answer.status).toBe(303);
  expect(answer.headers.get('location')).toEqual(['/postern/oidc/login?next=%2Fx']);
  expect(mallory.token()).toBeUndefined();
  expect((await mallory.logIn('2')).status).toBe(403);
  await gateway.close();
});

test('nor does it end the sessions of a user whom the earlier configuration would keep out', async () => {
  gateway = await start();
  const rosa = browser();
  await rosa.logIn('1');
  const elsewhere = browser();
  provider.people.set('1', { preferred_username: 'rosa', groups: ['kin'] });
  const back = await elsewhere.signIn(await elsewhere.begin(), '1');
  const held = provider.hold('token');
  const waiting = elsewhere.open(back);
  await held.arrived;
  const file = join(gateway.directory, 'config.yml');
  writeFileSync(file, readFileSync(file, 'utf8').replace('family', 'kin'));
  await gateway.reloading.reload('signal');
  held.release();
  expect((await waiting).status).toBe(303);
  expect((await rosa.open('/api/profile')).status).toBe(200);
  await gateway.close();
});

test('a user who logs in again and again has to wait, since each login is written', async () => {
  const gate = await startDelayedGate(configuration());
  const { changeLimit } = gate.services;
  const mallory = signOnBrowser(gate.address, provider);
  expect((await mallory.logIn('2')).status).toBe(303);
  const subject = createHash('sha256').update('2').digest('hex');
  for (let i = 1; i < 120; i += 1) await changeLimit.take('provider_login', subject);
  const before = await gate.kept();
  expect((await mallory.logIn('2')).status).toBe(429);
  expect(await gate.kept()).toEqual(before);
  expect((await signOnBrowser(gate.address, provider).logIn('1')).status).toBe(303);
});
