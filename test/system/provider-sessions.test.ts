import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { printedPassword, visitor } from '../support/log-in.ts';
import { errorAnswer } from '../support/provider-answers.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { signOnBrowser, type SignOnBrowser } from '../support/sign-on-browser.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startProvider, type RunningProvider } from '../support/start-provider.ts';

const publicUrl = 'https://cameras.example';
let provider: RunningProvider;
let gateway: RunningGateway;
let directory: string;
let adminPassword: string;
/** Of all starts. */
const logs: unknown[] = [];
/** Lines of the log that a test found. */
let former: number;

const time = { ahead: 0 };

beforeAll(async () => {
  provider = await startProvider({ publicUrl, people: {} });
  directory = mkdtempSync(join(tmpdir(), 'postern-test-'));
  await start();
  adminPassword = printedPassword(gateway);
});
afterAll(async () => {
  await gateway.close();
  await provider.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  provider.people.set('1', { preferred_username: 'anna', groups: ['viewer'] });
  former = gateway.log.length;
});

const start = async (auth?: object) => {
  gateway = await startGateway({
    directory,
    clock: { now: () => Date.now() + time.ahead },
    config: configuration(auth),
  });
  provider.reachGateAt(gateway.addresses.authenticated ?? '');
  logs.push(gateway.log);
  former = 0;
};

const configuration = (auth: object = { oidc: { ...provider.settings, label: 'Acme' } }) => ({
  public_url: publicUrl,
  tls: { enabled: false },
  auth: { session_length: 600, refresh_time: 300, ...auth },
});

const address = () => gateway.addresses.authenticated ?? '';
const anna = async () => {
  const browser = signOnBrowser(address(), provider);
  await browser.logIn('1');
  return browser;
};
/** Her session is due: by the clock of the gate, which the provider does not have. */
const dueAnna = async () => {
  const browser = await anna();
  time.ahead += 301_000;
  return browser;
};
const isIn = async (browser: SignOnBrowser) => (await browser.open('/api/profile')).status === 200;
/** After a restart, at the port of now. */
const same = ({ cookies }: SignOnBrowser) => {
  const browser = signOnBrowser(address(), provider);
  for (const [name, value] of cookies) browser.cookies.set(name, value);
  return browser;
};
const json = async <T>(browser: SignOnBrowser, uri: string) =>
  JSON.parse((await browser.open(uri)).body) as T;
const location = ({ headers }: RawAnswer) => headers.get('location')?.[0] ?? '';
/** Where an empty page continues by itself. */
const next = ({ headers }: RawAnswer) => headers.get('refresh')?.[0]?.replace(/^0; url=/, '') ?? '';
const records = (event: string) => gateway.log.slice(former).filter((line) => line['event'] === event);
const admin = async () => {
  const found = visitor(address(), false);
  await found.logIn('admin', adminPassword);
  return found;
};

/** Asks until the answer is as expected, since work in the background shows no other sign. */
async function until<T>(ask: () => Promise<T>, isIt: (found: T) => boolean): Promise<T> {
  for (;;) {
    const found = await ask();
    if (isIt(found)) return found;
    time.ahead += 1_000;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

describe('a logout', () => {
  test('leads to the provider, which leads back', async () => {
    const browser = await anna();
    const url = new URL(next(await browser.open('/logout')));
    expect(url.origin + url.pathname).toBe(`${provider.issuer}/session/end`);
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      client_id: 'postern',
      post_logout_redirect_uri: `${publicUrl}/postern/oidc/logged-out`,
      id_token_hint: expect.stringMatching(/^eyJ/) as unknown,
      state: expect.stringMatching(/^eyJ/) as unknown,
    });
    const back = await provider.signOut(browser.atProvider, url.href);
    expect(location(await browser.open(`${back?.pathname}${back?.search}`))).toBe('/login?logged-out');
    expect(await isIn(browser)).toBe(false);
    // No one is signed in there anymore.
    expect(browser.atProvider.has('_session')).toBe(false);
  });

  test("to which a foreign page has led needs the user's confirmation at the provider", async () => {
    const browser = await anna();
    const left = await browser.open('/logout', [['Sec-Fetch-Site', 'cross-site']]);
    const { searchParams } = new URL(next(left));
    expect(searchParams.get('client_id')).toBe('postern');
    expect(searchParams.has('id_token_hint')).toBe(false);
    expect(await isIn(browser)).toBe(false);
  });

  test.each(['GET', 'POST'])(
    'by %s of a page ends that page before the provider is asked',
    async (method) => {
      const browser = await anna();
      const { status, headers, body } = await browser.open('/logout', [], method);
      expect([status, body]).toEqual([200, '']);
      expect(headers.get('refresh')?.[0]).toMatch(new RegExp(`^0; url=${provider.issuer}/session/end\\?`));
    },
  );

  test('by a script is a redirect', async () => {
    const browser = await anna();
    const answer = await browser.open('/logout', [['Sec-Fetch-Mode', 'cors']]);
    expect(new URL(location(answer)).pathname).toBe('/session/end');
  });

  test('keeps another user logged in', async () => {
    const browser = await anna();
    const url = new URL(next(await browser.open('/logout?next=%2Fpostern%2Fexplore')));
    const back = await provider.signOut(browser.atProvider, url.href);
    expect(location(await browser.open(`${back?.pathname}${back?.search}`))).toBe(
      '/login?logged-out&next=%2Fpostern%2Fexplore',
    );
  });

  test.each(['?state=forged', '', '?state=//evil.test'])('comes back with %j to the login', async (query) => {
    const browser = signOnBrowser(address(), provider);
    expect(location(await browser.open(`/postern/oidc/logged-out${query}`))).toBe('/login?logged-out');
  });

  test('works while the provider is unreachable and was not asked since the start', async () => {
    const browser = await anna();
    await provider.leave();
    await gateway.close();
    await start();
    const [left, other] = [same(browser), same(browser)];
    expect(location(await left.open('/logout'))).toBe('/login?logged-out');
    expect(left.token()).toBeUndefined();
    expect(await isIn(other)).toBe(false);
    await provider.comeBack();
    // The gate asks again.
    time.ahead += 11_000;
  });

  test('at the provider ends the session here, at once', async () => {
    const browser = await anna();
    const other = await anna();
    await provider.signOut(browser.atProvider);
    expect(provider.backChannelAnswers.at(-1)).toBe(200);
    expect(await isIn(browser)).toBe(false);
    expect(await isIn(other)).toBe(true);
    expect(records('session_ended_by_provider')).toMatchObject([{ reason: 'backchannel_logout' }]);
  });
});

describe('a session that is due', () => {
  test('gets another cookie once the provider has said yes, with the role of that moment', async () => {
    const browser = await dueAnna();
    const first = browser.token();
    provider.people.set('1', { preferred_username: 'anna', groups: ['admin'] });
    const { arrived, release } = provider.hold('token');
    expect(await isIn(browser)).toBe(true);
    await arrived;
    expect(browser.token()).toBe(first);
    release();
    await until(
      () => isIn(browser),
      () => browser.token() !== first,
    );
    expect(await json(browser, '/api/profile')).toMatchObject({ role: 'admin' });
    expect(records('user_role_changed')).toMatchObject([{ user: 'anna', role: 'admin' }]);
  });

  test('ends when the provider refuses', async () => {
    const browser = await dueAnna();
    provider.people.delete('1');
    await until(
      () => isIn(browser),
      (found) => !found,
    );
    expect(records('session_ended_by_provider')).toMatchObject([{ user: 'anna', reason: 'invalid_grant' }]);
  });

  test('is not made longer by the end of all others', async () => {
    const browser = await anna();
    provider.people.delete('1');
    for (let i = 0; i < 3; i += 1) {
      time.ahead += 250_000;
      await browser.open('/postern/api/sessions', [], 'DELETE');
    }
    expect(await isIn(browser)).toBe(false);
  });

  test('continues while the provider is unreachable, and reports it', async () => {
    const browser = await dueAnna();
    provider.answer('token', errorAnswer('server_error', 503));
    type Methods = { readonly provider: { readonly fault: string | null } };
    const methods = () => json<Methods>(browser, '/postern/api/sign-in-methods');
    await until(methods, (found) => found.provider.fault !== null);
    provider.answer('token', undefined);
    expect(await methods()).toMatchObject({ provider: { label: 'Acme', fault: 'away' } });
    expect(await json(browser, '/postern/api/attention')).toContainEqual(
      expect.objectContaining({ kind: 'session_not_refreshed', page: '/account' }),
    );
    const { body } = await (await admin()).send('GET', '/postern/api/attention');
    expect(JSON.parse(body)).toContainEqual(
      expect.objectContaining({ kind: 'provider_fault', detail: { provider: 'Acme', sessions: 1 } }),
    );
    expect(gateway.log).toContainEqual(
      expect.objectContaining({ user: 'anna', fault: 'away', level: 'warn' }),
    );
    expect(await isIn(browser)).toBe(true);
  });

  test('ends when the provider is no longer configured', async () => {
    const browser = await dueAnna();
    await gateway.close();
    await start({});
    expect(await isIn(same(browser))).toBe(false);
  });
});

test('no token of a provider or of the gate is in the log', () => {
  expect(JSON.stringify(logs)).not.toMatch(/eyJ[\w-]+\./);
});
