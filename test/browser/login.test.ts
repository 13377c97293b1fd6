import { describe, expect } from 'vitest';
import { leaveSession, logInBy, sendLogin } from '../support/browse.ts';
import { goodPassword, printedPassword } from '../support/log-in.ts';
import { askForNews, eventsOf, newSession, pathOf, startSite, test, ways } from '../support/site.ts';
import { startGateway } from '../support/start-gateway.ts';
import { patience } from '../support/patience.ts';

const site = startSite();

const [way] = ways;

describe('the page', () => {
  test('a visitor is sent to the login, and back where they wanted to go', async ({ open }) => {
    const { page } = await open(way);
    await page.goto('/postern/explore?camera=garage&label=dog');
    expect(pathOf(page)).toMatch(/^\/login\?next=/);
    await logInBy(page, 'admin', site().adminPassword);
    await page.waitForURL('/postern/explore?camera=garage&label=dog');
    await expect.poll(() => eventsOf(page).getByRole('heading').allTextContents()).toEqual(['Dog']);
    const chosen = page.getByRole('list', { name: 'Chosen filters' }).getByRole('button');
    await expect.poll(() => chosen.allTextContents()).toEqual(['Garage ✕', 'Dog ✕', 'Show all events']);
  });

  test('a wrong password is said, and the form stays usable', async ({ open }) => {
    const { page, expectInConsole } = await open(way);
    expectInConsole(/401/);
    await page.goto('/login');
    await sendLogin(page, 'olaf', 'not the password');
    await page.getByRole('alert').getByText('user name and password don’t match').waitFor();
    // Another language reloads the page.
    await page.reload();
    await expect.poll(() => page.getByLabel('User name').inputValue()).toBe('olaf');
    await logInBy(page, 'olaf', goodPassword);
    expect(pathOf(page)).toBe('/postern/');
  });

  test('password managers find what they look for', async ({ open }) => {
    const { page } = await open(way);
    await page.goto('/login');
    const name = page.getByLabel('User name');
    await name.waitFor();
    await expect.poll(() => name.getAttribute('autocomplete')).toBe('username webauthn');
    await expect.poll(() => name.evaluate('document.activeElement.name')).toBe('user');
    const password = page.getByLabel('Password', { exact: true });
    await expect.poll(() => password.getAttribute('type')).toBe('password');
    await expect.poll(() => password.getAttribute('autocomplete')).toBe('current-password');
    // One form with both: managers save what was sent when the page is left.
    await expect.poll(() => page.locator('form').getByRole('textbox').count()).toBe(2);
    const left = page.waitForRequest((request) => request.isNavigationRequest());
    await sendLogin(page, 'olaf', goodPassword);
    expect(new URL((await left).url()).pathname).toBe('/postern/');
  });

  test('a password can be pasted', async ({ open }) => {
    const { page } = await open(way);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/login');
    const password = page.getByLabel('Password', { exact: true });
    await password.click();
    await page.evaluate(`navigator.clipboard.writeText(${JSON.stringify(goodPassword)})`);
    await password.press('ControlOrMeta+v');
    await expect.poll(() => password.inputValue()).toBe(goodPassword);
  });

  test('next leads to no other site', async ({ open }) => {
    const { page } = await open(way);
    // Only where a successful login leads matters here, not the pages.
    await page.route('**/api/login', (route) =>
      route.fulfill({
        json:
          route.request().method() === 'GET'
            ? { enabled: true, generated_password_unused: false, return_domains: [], contact: null }
            : {},
      }),
    );
    const after = (url: URL) =>
      (url.pathname === '/postern/' || !url.pathname.startsWith('/postern/')) &&
      !/^\/(?:api\/)?login$/.test(url.pathname);
    await page.route(after, (route) =>
      route.fulfill({ contentType: 'text/html', body: '<title>left</title>' }),
    );
    for (const next of [
      '//evil.test/x',
      '/%5Cevil.test',
      '%5C%5Cevil.test',
      'https://evil.test',
      '%2F%2Fevil.test',
      '/\t/evil.test',
      'javascript:alert(1)',
    ]) {
      await page.goto(`/login?next=${next}`, { waitUntil: 'domcontentloaded' });
      const left = page.waitForRequest((request) => request.isNavigationRequest());
      await Promise.all([left, sendLogin(page, 'olaf', goodPassword)]);
      expect(new URL((await left).url()).origin).toBe(site().origin(way.front));
      await page.waitForURL(after);
    }
  });
});

describe('a session that ends in an open tab', () => {
  test('by a logout elsewhere: the login shows it, and leads back with the filters', async ({ open }) => {
    const session = await newSession(site().gateway, 'anna');
    const { page, expectInConsole } = await open(way, { as: session });
    expectInConsole(/401/);
    await page.goto('/postern/explore?camera=driveway&label=car');
    await eventsOf(page).first().waitFor();
    await session.send('POST', '/api/logout');
    await askForNews(page);
    await page.getByText('Your session has ended.').waitFor();
    expect(new URL(page.url()).pathname).toBe('/login');
    await logInBy(page, 'anna', goodPassword);
    await page.waitForURL('/postern/explore?camera=driveway&label=car');
    await expect.poll(() => eventsOf(page).getByRole('heading').allTextContents()).toEqual(['Car']);
  });

  test('by a new password that the admin gave', async ({ open }) => {
    const name = 'ended';
    const session = await site().addUser(name, 'viewer');
    const { page, expectInConsole } = await open(way, { as: session });
    expectInConsole(/401/);
    await page.goto('/postern/account?from=a-mail');
    await page.getByLabel('Old password').fill(goodPassword);
    await page.getByLabel('New password').fill(`${goodPassword}2`);
    await page.getByLabel('Repeat the password').fill(`${goodPassword}2`);
    const password = `${goodPassword}-of-admin`;
    const changed = await site().admin.send('PUT', `/api/users/${name}/password`, { password });
    expect(changed.status).toBeLessThan(300);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await logInBy(page, name, password);
    await page.waitForURL('/postern/account?from=a-mail');
  });

  test('is noticed when you come back to the tab', async ({ open }) => {
    const session = await newSession(site().gateway, 'olaf');
    const { page, expectInConsole } = await open(way, { as: session });
    expectInConsole(/401/);
    await page.clock.install();
    // A list of the past asks for nothing by itself.
    const list = '/postern/explore?cameras=driveway&before=2026-11-02';
    await page.goto(list);
    await eventsOf(page).first().waitFor();
    await session.send('POST', '/api/logout');
    const comeBack = () => page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await comeBack();
    expect(pathOf(page)).toBe(list);
    await page.clock.fastForward(61_000);
    // It may leave for the login before it has answered.
    await comeBack().catch(() => undefined);
    await page.getByText('Your session has ended.').waitFor();
  });
});

describe('on a gateway of its own', () => {
  test('the first-start hint is there until the generated password was used', async ({ open }) => {
    const fresh = await startGateway({ config: { contact: 'mailto:olaf@home.example' } });
    try {
      const { page } = await open(`https://${fresh.addresses.authenticated}`);
      await page.goto('/login');
      const hint = page.getByText('The generated password of');
      await hint.waitFor();
      await expect.poll(() => hint.locator('..').textContent()).toMatch(/admin.*log/s);
      const ask = page.getByText('No account? Ask').getByRole('link', { name: 'olaf@home.example' });
      await expect.poll(() => ask.getAttribute('href')).toBe('mailto:olaf@home.example');
      await sendLogin(page, 'admin', printedPassword(fresh));
      await page.getByRole('navigation', { name: 'Step 1 of 4' }).waitFor();
      await leaveSession(page);
      const answered = page.waitForResponse('**/api/login');
      await page.goto('/login');
      expect(await (await answered).json()).toEqual({
        enabled: true,
        generated_password_unused: false,
        return_domains: [],
        contact: 'mailto:olaf@home.example',
        provider: null,
        local_login: true,
        passkeys: false,
      });
      await page.getByLabel('User name').waitFor();
      await expect.poll(() => hint.count()).toBe(0);
    } finally {
      await fresh.close();
    }
  });

  test('too many failures: a countdown, and at its end the form works again', async ({ open }) => {
    const limited = await startGateway({ config: { auth: { failed_login_rate_limit: '1/minute' } } });
    try {
      const { page, expectInConsole } = await open(`https://${limited.addresses.authenticated}`);
      expectInConsole(/401|429/);
      await page.clock.install();
      await page.goto('/login');
      await sendLogin(page, 'admin', 'one');
      await page.getByRole('alert').getByText('password don’t match').waitFor();
      const refused = page.waitForResponse((answer) => answer.status() === 429);
      await sendLogin(page, 'admin', 'two');
      const seconds = Number((await refused).headers()['retry-after']);
      expect(seconds).toBeGreaterThan(30);
      await page.getByRole('alert').getByText('Too many tries').waitFor();
      const button = page.locator('form button[type=submit]');
      const [, minutes, left] =
        /^Try again in (?:(\d+) min )?(\d+) s$/.exec((await button.textContent()) ?? '') ?? [];
      expect(seconds - Number(minutes ?? 0) * 60 - Number(left)).toBeLessThan(5);
      await expect.poll(() => button.isDisabled()).toBe(true);
      await expect
        .poll(
          async () => {
            await page.clock.runFor(1_000);
            return button.textContent();
          },
          { interval: 1, timeout: patience },
        )
        .toBe('Sign in');
      await expect.poll(() => button.isEnabled()).toBe(true);
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
      // The page's minute went by faster than the gateway's, which would refuse once more.
      await page.route('**/api/login', (route) => route.fulfill({ json: {} }));
      await sendLogin(page, 'admin', printedPassword(limited));
      await page.waitForURL(/login\?next=/);
    } finally {
      await limited.close();
    }
  });
});
