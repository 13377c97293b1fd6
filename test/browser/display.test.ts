import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { accountMenu, startSite, test, ways } from '../support/site.ts';

startSite();

const choice = (page: Page, name: string) => page.getByRole('combobox', { name, exact: true });
const background = (page: Page) =>
  page.evaluate<string>('getComputedStyle(document.documentElement).backgroundColor');

/** Which colour the page has at the very start of its life, before any script ran. */
async function firstBackground(page: Page): Promise<string> {
  await page.route('**/*.js', (route) => route.abort());
  await page.reload();
  const seen = await background(page);
  await page.unroute('**/*.js');
  await page.reload();
  return seen;
}

describe.each(ways)('$way', (way) => {
  test('language and look are chosen in the account menu, and kept at the next sign-in', async ({ open }) => {
    const { page, context, expectInConsole } = await open(way, { as: 'olaf' });
    expectInConsole(/ERR_FAILED/);
    await page.goto('/postern/explore');
    await accountMenu(page).click();
    const bySystem = await background(page);
    const other = way.colorScheme === 'dark' ? 'light' : 'dark';
    await choice(page, 'Theme').selectOption(other);
    const chosen = await background(page);
    expect(chosen).not.toBe(bySystem);
    expect(await firstBackground(page)).toBe(chosen);
    await accountMenu(page).click();
    await choice(page, 'Language').selectOption({ label: 'Deutsch' });
    await page.getByRole('link', { name: 'Zum Inhalt' }).waitFor();
    await expect.poll(() => page.locator('html').getAttribute('lang')).toBe('de');
    await page.getByRole('list', { name: 'Ereignisse', exact: true }).getByRole('listitem').first().waitFor();
    const kept = (await context.cookies()).find(({ name }) => name === 'postern_look');
    expect(kept).toMatchObject({ value: `de.${other}`, path: '/', sameSite: 'Lax', secure: true });

    await page.goto('/login');
    await page.getByLabel('Benutzername').waitFor();
    expect(await page.getByRole('combobox').count()).toBe(0);
    await page.goto('/postern/explore');
    await accountMenu(page).click();
    await choice(page, 'Aussehen').selectOption('');
    expect(await background(page)).toBe(bySystem);
    await choice(page, 'Sprache').selectOption('');
    await page.getByRole('link', { name: 'Skip to content' }).waitFor();
  });

  test('a page in German shows nothing in English first, and a page loads the texts of its language only', async ({
    open,
  }) => {
    const { page, context } = await open(way, { as: 'olaf' });
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const ofTexts = () => asked.flatMap((path) => /\/assets\/(de|en)-[\w-]+\.js$/.exec(path)?.[1] ?? []);
    await page.goto('/postern/account');
    await page.getByRole('heading', { name: 'Account' }).waitFor();
    expect(ofTexts()).toEqual(['en']);

    const held = Promise.withResolvers<void>();
    await page.route(/\/assets\/de-[\w-]+\.js$/, async (route) => {
      await held.promise;
      await route.continue();
    });
    await context.addCookies([{ name: 'postern_look', value: 'de.auto', url: page.url() }]);
    const scriptsAreThere = page.waitForEvent('requestfinished', (request) =>
      request.url().includes('account-page'),
    );
    await page.goto('/postern/account', { waitUntil: 'commit' });
    await scriptsAreThere;
    await expect.poll(() => page.locator('body').innerText()).toBe('Postern');
    held.resolve();
    await page.getByRole('heading', { name: 'Konto' }).waitFor();
    expect(ofTexts()).toEqual(['en', 'de']);
  });
});
