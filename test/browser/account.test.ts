import { createServer } from 'node:http';
import { describe, expect } from 'vitest';
import { cookiesBut, sendLogin } from '../support/browse.ts';
import { goodPassword, printedPassword, visitor } from '../support/log-in.ts';
import { listenOnLoopback } from '../support/reverse-proxy.ts';
import { accountMenu, newSession, startSite, startTab, test, ways } from '../support/site.ts';
import { pair, screenAt } from '../support/screen.ts';
import { startGateway } from '../support/start-gateway.ts';

const site = startSite();

const [, way] = ways;

describe('the account', () => {
  const tab = startTab(() => way, { as: 'olaf' });

  test('the menu has name and role, and signs out', async ({ open }) => {
    const session = await newSession(site().gateway, 'olaf');
    const { page, context } = await open(way, { as: session });
    await page.goto('/');
    await accountMenu(page).waitFor();
    await expect.poll(() => accountMenu(page).textContent()).toContain('olaf viewer');
    await accountMenu(page).click();
    await page.getByText('Role: viewer').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL('/login');
    expect(await cookiesBut(context, 'postern_device')).toEqual([]);
    await page.goto('/postern/account');
    expect(new URL(page.url()).pathname).toBe('/login');
    expect((await session.send('GET', '/api/profile')).status).toBe(401);
  });

  test('a page that still asks while it signs out does not say that the session has ended', async ({
    open,
  }) => {
    const session = await newSession(site().gateway, 'olaf');
    const { page, expectInConsole } = await open(way, { as: session });
    expectInConsole(/401/);
    await page.goto('/postern/account');
    await accountMenu(page).click();
    await page.evaluate(`addEventListener('submit', () => setInterval(() => {
      history.pushState({}, '', location.pathname === '/postern/' ? '/postern/account' : '/postern/');
      dispatchEvent(new PopStateEvent('popstate'));
    }, 200))`);
    await page.route('**/logout', async (route) => {
      const refused = page.waitForResponse((response) => response.status() === 401);
      await session.send('POST', '/logout');
      await refused;
      await route.continue();
    });
    await page.getByRole('button', { name: 'Sign out' }).click({ noWaitAfter: true });
    await page.waitForURL('/login');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(page.url()).not.toContain('ended');
  });

  test('your shares have a page, which shows that there is no recorder', async () => {
    const { page } = tab();
    await page.goto('/postern/account');
    await page.getByRole('link', { name: 'What you share by link' }).click();
    await page.waitForURL('/postern/account/shares');
    await page.getByText('You don’t share anything yet.').waitFor();
    await page.getByRole('button', { name: 'Share an export' }).click();
    await page.getByRole('dialog').getByText('No recorder is connected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Share an export');
  });

  test('a user who may share nothing has no such page', async ({ open }) => {
    const { page } = await open(way, { as: 'anna' });
    await page.goto('/postern/account');
    await page.getByRole('heading', { name: 'API tokens' }).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Shares' }).count()).toBe(0);
    await accountMenu(page).click();
    await expect.poll(() => page.getByRole('link', { name: 'Shares' }).count()).toBe(0);
  });

  test('your own password: with the old one, and the session continues', async ({ open }) => {
    const name = 'own';
    const elsewhere = await site().addUser(name, 'family');
    const { page } = await open(way, { as: await newSession(site().gateway, name) });
    await page.goto('/postern/account');
    await page.getByText('Driveway, Front door').waitFor();
    await page.getByLabel('Old password').fill(goodPassword);
    await page.getByLabel('New password').fill(`${goodPassword}2`);
    await page.getByLabel('Repeat the password').fill(`${goodPassword}3`);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').getByText('The two passwords don’t match.').waitFor();
    await page.getByLabel('Repeat the password').fill(`${goodPassword}2`);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('Your password is changed.').waitFor();
    await expect.poll(() => page.getByLabel('New password').inputValue()).toBe('');
    await page.goto('/postern/explore');
    await page.getByRole('heading', { name: 'Explore' }).waitFor();
    expect((await elsewhere.send('GET', '/api/profile')).status).toBe(401);
    const again = visitor(site().gateway.addresses.authenticated ?? '');
    expect((await again.logIn(name, `${goodPassword}2`)).status).toBe(200);
  });

  test('a new password leaves the screens and what else was given out, unless that is ticked', async ({
    open,
  }) => {
    const name = 'tablet';
    const owner = await site().addUser(name, 'family');
    const tablet = screenAt(site().gateway.addresses.authenticated ?? '');
    await pair(tablet, owner, { name: 'Kitchen' });
    const isOn = async () => (await tablet.send('POST', '/postern/api/wall', {})).status === 200;
    const { page } = await open(way, { as: await newSession(site().gateway, name) });
    const change = async (from: string, to: string) => {
      await page.goto('/postern/account');
      await page.getByLabel('Old password').fill(from);
      await page.getByLabel('New password').fill(to);
      await page.getByLabel('Repeat the password').fill(to);
      const boxes = page.locator('input[type=checkbox]:checked');
      expect(await boxes.count()).toBe(0);
    };
    const send = () => page.getByRole('button', { name: 'Change password' }).click();
    await change(goodPassword, `${goodPassword}2`);
    await send();
    await page.getByText('Your password is changed.').waitFor();
    expect(await isOn()).toBe(true);
    await change(`${goodPassword}2`, `${goodPassword}3`);
    await page.getByRole('checkbox', { name: 'End my screens too' }).check();
    await send();
    await page.getByText('One screen has ended.').waitFor();
    expect(await isOn()).toBe(false);
  });

  test('a wrong old password is said', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/40[013]|422/);
    await page.goto('/postern/account');
    await page.getByLabel('Old password').fill('not the password');
    await page.getByLabel('New password').fill(`${goodPassword}2`);
    await page.getByLabel('Repeat the password').fill(`${goodPassword}2`);
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByRole('alert').waitFor();
    expect(new URL(page.url()).pathname).toBe('/postern/account');
    await expect.poll(() => page.getByText('Your password is changed.').count()).toBe(0);
  });

  test('password managers find whose passwords these are', async () => {
    const { page } = tab();
    await page.goto('/postern/account');
    const completing = async (label: string) =>
      page.getByLabel(label, { exact: true }).getAttribute('autocomplete');
    expect(await completing('Old password')).toBe('current-password');
    expect(await completing('New password')).toBe('new-password');
    expect(await completing('Repeat the password')).toBe('new-password');
    const name = page.locator('form:has([autocomplete=new-password]) input[autocomplete=username]');
    await expect.poll(() => name.inputValue()).toBe('olaf');
    expect(await name.isHidden()).toBe(true);
  });

  test('on the internal entry point everyone is anonymous and admin, and there is no logout', async ({
    open,
  }) => {
    const { page } = await open(site().internalOrigin(way.front), { viewport: way.viewport });
    await page.goto('/');
    await accountMenu(page).waitFor();
    await expect.poll(() => accountMenu(page).textContent()).toContain('anonymous admin');
    await accountMenu(page).click();
    await page.getByText('Role: admin').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Sign out' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.getByText('There’s no password here.').waitFor();
    await expect.poll(() => page.locator('input[type=password]').count()).toBe(0);
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.getByRole('heading', { name: 'Access', level: 1 }).waitFor();
  });
});

test('Logout goes to logout_url, on another origin too', async ({ open }) => {
  const elsewhere = await listenOnLoopback(
    createServer((_, response) => {
      response.setHeader('content-type', 'text/html');
      response.end('<link rel="icon" href="data:,"><h1>Signed out</h1>');
    }),
  );
  const gateway = await startGateway({ config: { logout_url: `${elsewhere.origin}/bye?from=postern` } });
  try {
    const { page, context, mayVisit } = await open(`https://${gateway.addresses.authenticated}`);
    mayVisit(elsewhere.origin);
    await page.goto('/');
    await sendLogin(page, 'admin', printedPassword(gateway));
    await page.waitForURL('**/postern/first-run');
    await page.goto('/postern/account');
    await accountMenu(page).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${elsewhere.origin}/bye?from=postern`);
    await page.getByRole('heading', { name: 'Signed out' }).waitFor();
    expect(await cookiesBut(context, 'postern_device')).toEqual([]);
  } finally {
    await gateway.close();
    await elsewhere.close();
  }
});
