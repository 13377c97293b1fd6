import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { logInBy, openTab, startChromium, type Tab } from '../support/browse.ts';
import { adminOf, goodPassword, printedPassword, userOf, visitor } from '../support/log-in.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginx, type RunningNginx } from '../support/start-nginx.ts';

let browser: Browser;
let gateway: RunningGateway;
let nginx: RunningNginx;
const origins: Record<string, string> = {};

beforeAll(async () => {
  [browser, gateway] = await Promise.all([
    startChromium(),
    startGateway({ config: { auth: { roles: { family: ['front_door', 'driveway'] } } } }),
  ]);
  const {
    authenticated = '',
    internal = '',
    forwardAuthAuthenticated,
    forwardAuthInternal,
    events,
  } = gateway.addresses;
  nginx = await startNginx({
    gateway: { authenticated: forwardAuthAuthenticated ?? '', internal: forwardAuthInternal ?? '' },
    recorder: events ?? '',
    frontPages: true,
  });
  origins['embedded front'] = `https://${authenticated}`;
  origins['nginx'] = `https://${nginx.authenticated}`;
  origins['internal'] = `http://${internal}`;
  const admin = await adminOf(gateway);
  await userOf(admin, authenticated, 'olaf', 'viewer');
  await userOf(admin, authenticated, 'anna', 'family');
});
afterAll(async () => {
  await browser?.close();
  await nginx?.close();
  await gateway?.close();
});

let tab: Tab;
let page: Page;
const open = async (origin: string, options = {}) => {
  tab = await openTab(browser, origins[origin] ?? origin, options);
  page = tab.page;
};
const accountMenu = () => page.locator('details.account summary');
const logInAsAdmin = () => logInBy(page, 'admin', printedPassword(gateway));
/** Chromium writes every answer past 399 to its console. */
const expectSilence = (...expected: RegExp[]) => {
  expect(tab.complaints().filter((text) => !expected.some((pattern) => pattern.test(text)))).toEqual([]);
  expect(tab.foreign()).toEqual([]);
};
beforeEach((context) => {
  context.onTestFailed(async () => {
    process.stderr.write(
      `${page?.url()}\n${await page
        ?.locator('body')
        .ariaSnapshot()
        .catch(() => '')}\n`,
    );
  });
});
afterEach(async () => tab?.close());

describe.each(['embedded front', 'nginx'])('by %s', (origin) => {
  test('a visitor is sent to the login, and back where they wanted to go', async () => {
    await open(origin);
    await page.goto('/explore?camera=garage&label=speech');
    expect(new URL(page.url()).pathname).toBe('/login');
    await logInAsAdmin();
    await page.waitForURL('/explore?camera=garage&label=speech');
    await page.getByRole('list', { name: 'Events' }).getByRole('listitem').first().waitFor();
    expect(await page.getByRole('combobox', { name: 'Camera', exact: true }).inputValue()).toBe('garage');
    expectSilence();
  });

  test('a wrong password is said, and the page stays usable', async () => {
    await open(origin);
    await page.goto('/login');
    await page.getByLabel('User name').fill('olaf');
    await page.getByLabel('Password').fill('not the password');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.getByText('the user name or the password is wrong').waitFor();
    await logInBy(page, 'olaf', goodPassword);
    expectSilence(/401/);
  });

  test('the account menu has name and role, and logs out', async () => {
    await open(origin);
    await page.goto('/');
    await logInBy(page, 'olaf', goodPassword);
    expect(await accountMenu().textContent()).toContain('olaf viewer');
    await accountMenu().click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL('/login');
    await page.goto('/account');
    expect(new URL(page.url()).pathname).toBe('/login');
    expectSilence();
  });

  test('events: more of them, details, filters, look-up', async () => {
    await open(origin);
    await page.goto('/');
    await logInAsAdmin();
    const events = page.getByRole('list', { name: 'Events' }).locator('> li');
    await events.nth(23).waitFor();
    await page.getByText('still running').first().waitFor();
    await events.nth(23).scrollIntoViewIfNeeded();
    await events.nth(30).waitFor();

    await events.nth(2).getByRole('button').click();
    const details = page.getByRole('dialog');
    const id = (await details.locator('dd').last().textContent()) ?? '';
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });

    await page.getByRole('combobox', { name: 'Camera', exact: true }).selectOption('front_door');
    await page.waitForURL('/?camera=front_door');
    await events.first().waitFor();
    expect(await page.getByText('Front door', { exact: true }).count()).toBeGreaterThan(1);

    await page.getByLabel('Event ids').fill(`${id}, no-such-event`);
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('1 of 2 found.').waitFor();
    expect(await events.count()).toBe(1);

    await page.getByLabel('Event ids').fill('no-such-event');
    await page.getByRole('button', { name: 'Look up' }).click();
    await page.getByText('Nothing fits what you look for.').waitFor();
    expectSilence();
  });

  test('a custom role sees its cameras, and no settings', async () => {
    await open(origin);
    await page.goto('/settings/users');
    await logInBy(page, 'anna', goodPassword);
    await page.getByText('Settings are for admins').waitFor();
    expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    await page.goto('/');
    await page.getByRole('combobox', { name: 'Camera', exact: true }).waitFor();
    expect(
      await page.getByRole('combobox', { name: 'Camera', exact: true }).locator('option').allTextContents(),
    ).toEqual(['All cameras', 'Driveway', 'Front door']);
    await page.getByRole('list', { name: 'Events' }).locator('> li').first().waitFor();
    expect(await page.getByText('Garage', { exact: true }).count()).toBe(0);
    expectSilence();
  });

  test('users: add, change, delete; the last admin is protected', async () => {
    await open(origin);
    await page.goto('/settings/users');
    await logInAsAdmin();
    expect(await page.getByRole('button', { name: 'Delete admin' }).isDisabled()).toBe(true);
    await page.getByText('The last admin must stay').waitFor();
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill('new.user');
    await dialog.getByLabel('Role').selectOption('family');
    await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
    await dialog.getByLabel('Repeat the password').fill('another password');
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByText('The two passwords differ.').waitFor();
    await dialog.getByLabel('Repeat the password').fill(goodPassword);
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Change role of new.user' }).click();
    await dialog.getByLabel('Role').selectOption('admin');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('The last admin must stay').waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Change password of new.user' }).click();
    await dialog.getByLabel('New password').fill(`${goodPassword}2`);
    await dialog.getByLabel('Repeat the password').fill(`${goodPassword}2`);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(
      (await visitor(gateway.addresses.authenticated ?? '').logIn('new.user', `${goodPassword}2`)).status,
    ).toBe(200);

    await page.getByRole('button', { name: 'Delete new.user' }).click();
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete new.user' }).waitFor({ state: 'detached' });
    expectSilence();
  });

  test('roles: add, edit by switches, delete with the number of users that become viewer', async () => {
    await open(origin);
    await page.goto('/settings/roles');
    await logInAsAdmin();
    await page.getByRole('button', { name: 'Add role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('guests');
    await dialog.getByRole('switch', { name: 'garage' }).check();
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Edit cameras of guests' }).click();
    expect(await dialog.getByRole('switch', { name: 'garage' }).isChecked()).toBe(true);
    await dialog.getByRole('switch', { name: 'side_yard' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    const admin = visitor(gateway.addresses.authenticated ?? '');
    await admin.logIn('admin', printedPassword(gateway));
    await admin.send('POST', '/api/users', { username: 'guest', password: goodPassword, role: 'guests' });
    expect((await admin.send('GET', '/api/roles')).body).toContain(
      '"guests","cameras":["garage","side_yard"]',
    );

    await page.reload();
    await page.getByRole('button', { name: 'Delete guests' }).click();
    await dialog.getByText('1 user').waitFor();
    await dialog.getByRole('button', { name: 'Delete role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete guests' }).waitFor({ state: 'detached' });
    await admin.send('DELETE', '/api/users/guest');
    expectSilence();
  });

  test("one's own password: with the old one, and the session goes on", async () => {
    await open(origin);
    await page.goto('/account');
    await logInBy(page, 'anna', goodPassword);
    await page.getByLabel('Old password').fill(goodPassword);
    await page.getByLabel('New password').fill(goodPassword);
    await page.getByLabel('Repeat the password').fill(goodPassword);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    await page.goto('/');
    await page.getByRole('heading', { name: 'Explore' }).waitFor();
    expectSilence();
  });

  test('a session that ends in an open tab: the login says so, and leads back', async () => {
    await open(origin);
    await page.goto('/explore?camera=driveway');
    await logInBy(page, 'anna', goodPassword);
    await page.getByRole('list', { name: 'Events' }).locator('> li').first().waitFor();
    await tab.context.clearCookies();
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await logInBy(page, 'anna', goodPassword);
    await page.waitForURL('/explore?camera=driveway');
    expectSilence(/401/);
  });
});

describe('redirects of a proxy in front', () => {
  test('401 with Location: there', async () => {
    await open('internal');
    await page.goto('/');
    await page.getByRole('heading', { name: 'Explore' }).waitFor();
    await page.route('**/api/events**', (route) =>
      route.fulfill({ status: 401, headers: { location: `${origins['internal']}/login?sso=1` }, body: '{}' }),
    );
    await page.route('**/api/profile', (route) =>
      route.fulfill({
        status: 401,
        headers: { location: `${origins['internal']}/settings/roles?sso=1` },
        body: '{}',
      }),
    );
    await page.goto('/account');
    await page.waitForURL('**/settings/roles?sso=1');
    // Sent away again at once: an end to it, and a way out.
    await page.getByText('keeps sending you away').waitFor();
    await page.unroute('**/api/profile');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Roles', exact: true }).waitFor();
    expectSilence(/401/);
  });

  test.each(['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd'])(
    'never to %s',
    async (target) => {
      await open('internal');
      await page.route('**/api/profile', (route) =>
        route.fulfill({
          status: 401,
          headers: { location: target },
          body: '{"message":"Authentication required"}',
        }),
      );
      await page.goto('/account');
      await page.getByText('Authentication required').waitFor();
      expect(page.url()).toBe(`${origins['internal']}/account`);
      expectSilence(/401/);
    },
  );

  test.each([302, 307])(
    '%i, which is hidden from scripts: the page is loaded again, once',
    async (status) => {
      await open('internal');
      let loaded = 0;
      page.on('request', (request) => (loaded += request.isNavigationRequest() ? 1 : 0));
      await page.route('**/api/profile', (route) =>
        route.fulfill({ status, headers: { location: 'https://sso.test/' }, body: '' }),
      );
      await page.goto('/account');
      await page.getByText('keeps sending you away').waitFor();
      expect(loaded).toBe(2);
      await page.unroute('**/api/profile');
      await page.getByRole('button', { name: 'Try again' }).click();
      await page.getByRole('heading', { name: 'Account' }).waitFor();
    },
  );
});

test('next leads nowhere else', async () => {
  await open('embedded front');
  for (const next of [
    '//evil.test/x',
    '/\\evil.test',
    'https://evil.test',
    '/%09/evil.test',
    '%2F%2Fevil.test',
    '/\t/evil.test',
  ]) {
    await page.goto(`/login?next=${next}`);
    await page.getByLabel('User name').fill('olaf');
    await page.getByLabel('Password').fill(goodPassword);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL((url) => url.pathname !== '/login');
    expect(new URL(page.url()).host).toBe(new URL(origins['embedded front'] ?? '').host);
    await tab.context.clearCookies();
  }
  expect(tab.foreign()).toEqual([]);
});

test('too many failures: a countdown', async () => {
  const limited = await startGateway({ config: { auth: { failed_login_rate_limit: '1/minute' } } });
  try {
    await open(`https://${limited.addresses.authenticated}`);
    await page.goto('/login');
    await page.getByText('First start?').waitFor();
    for (const password of ['one', 'two']) {
      await page.getByLabel('User name').fill('admin');
      await page.getByLabel('Password').fill(password);
      await page.getByRole('button', { name: 'Log in' }).click();
      await page.getByRole('alert').waitFor();
    }
    const button = page.getByRole('button', { name: /Try again in \d+ s/ });
    await button.waitFor();
    expect(await button.isDisabled()).toBe(true);
    expectSilence(/401|429/);
  } finally {
    await tab.close();
    await limited.close();
  }
});

test('the first-start hint goes away with the first login', async () => {
  const fresh = await startGateway();
  try {
    await open(`https://${fresh.addresses.authenticated}`);
    await page.goto('/login');
    await page.getByText('First start?').waitFor();
    await logInBy(page, 'admin', printedPassword(fresh));
    await tab.context.clearCookies();
    const answered = page.waitForResponse('**/api/login');
    await page.goto('/login');
    expect(await (await answered).json()).toEqual({ enabled: true, first_start: false });
    expect(await page.getByText('First start?').count()).toBe(0);
    expectSilence();
  } finally {
    await tab.close();
    await fresh.close();
  }
});

test('Logout goes where logout_url says', async () => {
  const elsewhere = await startGateway({ config: { logout_url: `${origins['internal']}/account` } });
  try {
    await open(`https://${elsewhere.addresses.authenticated}`);
    await page.goto('/');
    await logInBy(page, 'admin', printedPassword(elsewhere));
    await accountMenu().click();
    await page.getByRole('button', { name: 'Logout' }).click();
    await page.waitForURL(`${origins['internal']}/account`);
    expect(tab.complaints()).toEqual([]);
  } finally {
    await tab.close();
    await elsewhere.close();
  }
});

test('the internal edge shows anonymous and admin', async () => {
  await open('internal');
  await page.goto('/');
  await accountMenu().waitFor();
  expect(await accountMenu().textContent()).toContain('anonymous admin');
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Add user' }).waitFor();
  expectSilence();
});

test('by keyboard alone', async () => {
  await open('embedded front');
  await page.goto('/settings/users');
  await page.keyboard.type('admin');
  await page.keyboard.press('Tab');
  await page.keyboard.type(printedPassword(gateway));
  await page.keyboard.press('Enter');
  const add = page.getByRole('button', { name: 'Add user' });
  await add.waitFor();
  const tabTo = async (name: string) => {
    for (let step = 0; step < 40; step += 1) {
      await page.keyboard.press('Tab');
      const label = String(
        await page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent'),
      );
      if (label.trim().startsWith(name)) return;
    }
    throw new Error(`${name} is not reached`);
  };
  await tabTo('Add user');
  await page.keyboard.press('Enter');
  const dialog = page.getByRole('dialog');
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(await page.locator(':focus').textContent()).toBe('Add user');
  await tabTo('Skip to content');
  await tabTo('Explore');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Explore' }).waitFor();
  await tabTo('Account menu');
  await page.keyboard.press('Enter');
  await tabTo('Logout');
  await page.keyboard.press('Enter');
  await page.waitForURL('/login');
  expectSilence();
});

describe.each([
  ['desktop', { viewport: { width: 1280, height: 800 } }],
  ['phone', { viewport: { width: 390, height: 844 } }],
])('on a %s', (_, size) => {
  test.each(['light', 'dark'] as const)(
    '%s: axe finds nothing serious, nothing is wider than the screen',
    async (colorScheme) => {
      await open('embedded front', { ...size, colorScheme });
      const look = async () => {
        const { violations } = await new AxeBuilder({ page }).analyze();
        const serious = violations.filter(({ impact }) => impact === 'serious' || impact === 'critical');
        expect(
          serious.map(
            ({ id, nodes }) =>
              `${page.url()} ${id}: ${nodes.map(({ html, failureSummary }) => html + failureSummary).join()}`,
          ),
        ).toEqual([]);
        expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);
      };
      await page.goto('/login');
      await look();
      await page.goto('/');
      await logInAsAdmin();
      await page.getByRole('list', { name: 'Events' }).locator('> li').first().waitFor();
      await look();
      await page.getByRole('list', { name: 'Events' }).locator('> li button').first().click();
      await page.getByRole('dialog').waitFor();
      await look();
      for (const [path, button] of [
        ['/settings/users', 'Add user'],
        ['/settings/roles', 'Edit cameras of family'],
      ] as const) {
        await page.goto(path);
        await page.getByRole('button', { name: button }).waitFor();
        await look();
        await page.getByRole('button', { name: button }).click();
        await page.getByRole('dialog').waitFor();
        await look();
      }
      await page.goto('/account');
      await page.getByRole('button', { name: 'Change password' }).waitFor();
      await accountMenu().click();
      await look();
      expectSilence();
    },
  );
});
