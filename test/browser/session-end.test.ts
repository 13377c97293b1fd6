import { describe, expect } from 'vitest';
import { logInBy } from '../support/browse.ts';
import { goodPassword } from '../support/log-in.ts';
import { askForNews, eventsOf, newSession, pathOf, startSite, test, ways } from '../support/site.ts';

const site = startSite();

describe.each(ways)('a session that ends in an open tab, $way', (way) => {
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
    const name = `ended-${way.front.slice(0, 5)}`;
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
