import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { logInBy } from '../support/browse.ts';
import { goodPassword } from '../support/log-in.ts';
import { leaveAndReturn, pathOf, startSite, startTab, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { choose } from '../support/choose.ts';

const site = startSite();
const origin = () => site().origin('embedded front');
const rowsOf = (page: Page) => page.locator('table.users tbody tr');
const toasts = (page: Page) => page.locator('.toast');
const search = (page: Page) => page.getByRole('searchbox', { name: 'Search' });
const waitForStatus = (page: Page, said: string) =>
  page.getByRole('status').getByText(said, { exact: true }).waitFor();

/** By the database: to hash so many passwords takes a while. */
function addUsers({ directory }: RunningGateway, count: number): void {
  const database = new DatabaseSync(join(directory, 'postern.db'), { timeout: 5_000 });
  const add = database.prepare(
    `INSERT INTO users (username, user_id, password_hash, role, session_generation, sessions_not_before, created_at)
      SELECT ?1, 'id of ' || ?1, password_hash, 'family', ?2, 0, 0 FROM users WHERE username = 'olaf'`,
  );
  for (let i = 100; i < 100 + count; i += 1) add.run(`many.${i}`, `generation ${i}`);
  database.close();
}

test.for([
  ['sessions', 'sessions'],
  ['tokens', 'tokens'],
  ['shares', 'shares'],
  ['audit', 'audit'],
  ['../watched', 'audit/watched'],
] as const)(
  'Settings > %s is read again when the user comes back to the tab',
  async ([path, list], { open }) => {
    const { page } = await open(origin(), { as: 'admin' });
    const isList = (url: URL) => url.pathname === `/postern/api/${list}`;
    await Promise.all([
      page.waitForResponse((response) => isList(new URL(response.url()))),
      page.goto(`/postern/settings/${path}`),
    ]);
    await page.waitForLoadState('networkidle');
    await Promise.all([
      page.waitForResponse((response) => isList(new URL(response.url()))),
      leaveAndReturn(page),
    ]);
  },
);

test.for(['../people', 'tokens', 'shares', 'sessions'])(
  'Settings > %s has no search while it is short',
  async (path, { open }) => {
    const { page } = await open(origin(), { as: 'admin' });
    await page.goto(`/postern/settings/${path}`);
    await page.waitForLoadState('networkidle');
    expect(await page.getByRole('search').count()).toBe(0);
    await page.goto(`/postern/settings/${path}?search=no.such.thing`);
    await page.getByRole('button', { name: 'Clear the search' }).waitFor();
    await page.getByRole('searchbox').fill('');
    await page.waitForURL((url) => url.search === '');
    expect(await search(page).evaluate((field) => field.matches(':focus'))).toBe(true);
  },
);

describe('a long list', () => {
  const tab = startTab(origin, { as: 'admin' });

  test('comes in pages, and is searched as you type; Back and a link show the same', async () => {
    addUsers(site().gateway, 120);
    const { page } = tab();
    await page.goto('/postern/people');
    await waitForStatus(page, '123 in all');
    await expect.poll(() => rowsOf(page).count()).toBe(50);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => rowsOf(page).count()).toBe(100);
    await search(page).pressSequentially('ANY.12');
    await waitForStatus(page, '10 found');
    expect(pathOf(page)).toBe('/postern/people?search=ANY.12');
    await page.getByRole('combobox', { name: 'Role' }).selectOption('viewer');
    await page.getByText('Nothing matches').waitFor();
    await page.reload();
    await waitForStatus(page, '0 found');
    await page.goBack();
    await waitForStatus(page, '10 found');
    await expect.poll(() => search(page).inputValue()).toBe('ANY.12');
    await page.getByRole('button', { name: 'Clear the search' }).click();
    await waitForStatus(page, '123 in all');
    expect(pathOf(page)).toBe('/postern/people');
    expect(await search(page).evaluate((field) => field.matches(':focus'))).toBe(true);
  });

  test('shows an added user in place, marks the row, and announces it', async () => {
    const { page } = tab();
    await page.goto('/postern/people?role=viewer');
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill('zz.new');
    await dialog.getByLabel('Role').selectOption('family');
    await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
    await dialog.getByLabel('Repeat the password').fill(goodPassword);
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await waitForStatus(page, 'zz.new was added.');
    await page.waitForURL('**/people?search=zz.new');
    await page.locator('tr.marked').filter({ hasText: 'zz.new' }).waitFor();
  });

  test('a role that was changed is given back by Undo', async () => {
    const { page } = tab();
    const roleOfMany = async () =>
      JSON.parse((await site().admin.send('GET', '/api/users?search=many.130')).body) as unknown;
    await page.goto('/postern/people?search=many.13');
    await choose(page, 'many.130', 'Change role of many.130');
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Role').selectOption('quiet');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await waitForStatus(page, 'many.130 has the role quiet now.');
    expect(await roleOfMany()).toEqual([{ username: 'many.130', role: 'quiet' }]);
    await page.keyboard.press('Control+z');
    await waitForStatus(page, 'many.130 has the role family again.');
    expect(await roleOfMany()).toEqual([{ username: 'many.130', role: 'family' }]);
    await toasts(page).first().getByRole('button', { name: 'Close' }).press('Escape');
    await expect.poll(() => toasts(page).count()).toBe(0);
  });

  test('keeps the focus near what was removed', async () => {
    const { page } = tab();
    await page.goto('/postern/people?search=many.14');
    const focused = () =>
      page.evaluate('document.activeElement.ariaLabel ?? document.activeElement.textContent');
    const remove = async (name: string) => {
      await page.getByRole('button', { name: `Actions for ${name}` }).press('Enter');
      await page.keyboard.press('End');
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'Delete user' }).press('Enter');
      await waitForStatus(page, `${name} was deleted.`);
      await page
        .getByRole('button', { name: `Actions for ${name}`, exact: true })
        .waitFor({ state: 'detached' });
    };
    await remove('many.143');
    await expect.poll(focused).toBe('Actions for many.144');
    await remove('many.149');
    await expect.poll(focused).toBe('Actions for many.148');
    await search(page).fill('many.148');
    await waitForStatus(page, '1 found');
    await remove('many.148');
    await expect.poll(focused).toBe('People');
  });
});

describe('a dialog', () => {
  test('asks before what was typed is lost; where nothing was, it closes', async ({ open }) => {
    const { page } = await open(origin(), { as: 'admin' });
    await page.goto('/postern/settings/sessions');
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add user' });
    const question = page.getByRole('dialog', { name: 'Discard what you typed?' });
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    await page.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByLabel('User name').fill('half');
    const losing: ReadonlyArray<() => Promise<unknown>> = [
      () => page.keyboard.press('Escape'),
      () => dialog.getByRole('button', { name: 'Close' }).click(),
      () => page.mouse.click(5, 5),
      () => page.evaluate('history.back()'),
    ];
    for (const lose of losing) {
      await dialog.getByLabel('User name').click();
      await lose();
      await question.waitFor();
      // The question is closed by its own Escape, and the next one asks again.
      await page.keyboard.press('Escape');
      await expect.poll(() => page.locator('dialog').count()).toBe(1);
      await page.keyboard.press('Escape');
      await question.getByRole('button', { name: 'Keep editing' }).click();
      await expect.poll(() => dialog.getByLabel('User name').inputValue()).toBe('half');
    }
    expect(pathOf(page)).toBe('/postern/people');
    await page.keyboard.press('Escape');
    await question.getByRole('button', { name: 'Discard' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add user');
  });

  test('whose session ends keeps what was typed for the same user, without passwords', async ({ open }) => {
    const session = await site().addUser('second', 'admin');
    const { page, expectInConsole } = await open(origin(), { as: session });
    expectInConsole(/401/);
    const dialog = page.getByRole('dialog', { name: 'Add user' });
    const endSession = async () => {
      await dialog.getByLabel('User name').fill('half');
      await dialog.getByLabel('Role').selectOption('family');
      await dialog.getByLabel('Show the password').check();
      await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
      await dialog.getByLabel('Repeat the password').fill(goodPassword);
      await site().admin.send('DELETE', '/postern/api/sessions?user=second');
      await dialog.getByRole('button', { name: 'Add user' }).click();
      await page.getByText('Your session has ended.').waitFor();
    };
    const kept = () => page.evaluate<string>('JSON.stringify(sessionStorage)');
    await page.goto('/postern/people?role=family');
    await page.getByRole('button', { name: 'Add user' }).click();
    await endSession();
    expect(await kept()).toContain('half');
    expect(await kept()).not.toContain(goodPassword);
    await logInBy(page, 'second', goodPassword);
    await dialog.waitFor();
    await expect.poll(() => dialog.getByLabel('User name').inputValue()).toBe('half');
    await expect.poll(() => dialog.getByLabel('Role').inputValue()).toBe('family');
    await expect.poll(() => dialog.getByLabel('Password', { exact: true }).inputValue()).toBe('');
    expect(await kept()).not.toContain('half');

    await endSession();
    await logInBy(page, 'admin', site().adminPassword);
    await page.waitForURL('**/people?role=family');
    await page.getByRole('status').getByText(/found/).waitFor();
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await kept()).not.toContain('half');
  });

  test('comes back after a login at the proxy in front', async ({ open }) => {
    const gateway = await startGateway({
      config: {
        auth: { enabled: false },
        proxy: { header_map: { user: 'Remote-User', role: 'Remote-Groups' } },
      },
    });
    try {
      const { page } = await open(`https://${gateway.addresses.authenticated}`, {
        extraHTTPHeaders: { 'Remote-User': 'nell', 'Remote-Groups': 'admin' },
      });
      await page.goto('/postern/settings/access');
      await page.getByRole('button', { name: 'Add role' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('guests');
      await dialog.getByRole('switch').first().check();
      await page.route('**/api/roles/guests', (route) =>
        route.fulfill({ status: 302, headers: { location: '/sign-on' } }),
      );
      await Promise.all([
        page.waitForEvent('load'),
        dialog.getByRole('button', { name: 'Add role' }).click(),
      ]);
      await page.unrouteAll();
      await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('guests');
      await expect.poll(() => dialog.getByRole('switch').first().isChecked()).toBe(true);
      await dialog.getByRole('button', { name: 'Add role' }).click();
      await waitForStatus(page, 'The role guests was added.');
    } finally {
      await gateway.close();
    }
  });
});
