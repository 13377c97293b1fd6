import type { Page, Route } from 'playwright-core';
import { describe, expect } from 'vitest';
import { accountMenu, pathOf, startSite, test, ways } from '../support/site.ts';

startSite();

// Milliseconds of a slow network.
const latency = 800;
const late = async (route: Route) => {
  await new Promise((resolve) => setTimeout(resolve, latency));
  await route.continue();
};

const toAccount = async (page: Page) => {
  await accountMenu(page).click();
  await page.getByRole('link', { name: 'Account' }).click();
};
const toPeople = (page: Page) => page.getByRole('link', { name: 'People' }).click();

const [way] = ways;

describe('a page', () => {
  test.for([
    ['the code of a page', toAccount, '**/assets/account-page-*.js', '.page-loading'],
    ['the API tokens of the account', toAccount, '**/postern/api/tokens*', '.loading'],
    ['the list of people', toPeople, '**/postern/api/users?*', '.loading'],
  ] as const)('%s, when slow, has a sign in its place', async ([, go, slow, sign], { open }) => {
    const { page } = await open(way, { as: 'admin' });
    await page.goto('/postern/');
    await page.route(slow, late);
    await go(page);
    await page.locator(sign).first().waitFor();
    await expect.poll(() => page.locator(sign).count()).toBe(0);
    await page.unrouteAll();
  });

  test('a page begins at its top, and Back returns to where one was', async ({ open }) => {
    const { page } = await open(way, { as: 'admin' });
    await page.goto('/postern/account');
    await page.getByRole('heading', { name: 'Sessions' }).waitFor();
    await page.evaluate('scrollTo(0, 300)');
    await expect.poll(() => page.evaluate('scrollY')).toBe(300);
    await toPeople(page);
    await page.getByRole('button', { name: 'Add user' }).waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    await page.goBack();
    await expect.poll(() => pathOf(page)).toBe('/postern/account');
    await expect.poll(() => page.evaluate('scrollY')).toBe(300);
  });
});
