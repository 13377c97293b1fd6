import { describe, expect } from 'vitest';
import { goodPassword, visitor } from '../support/log-in.ts';
import { newSession, startSite, startTab, test, ways } from '../support/site.ts';

const site = startSite();

// One after the other: the tests tell each other's last admin.
describe.each(ways)('Settings > Users, $way', (way) => {
  const tab = startTab(() => way, { as: 'admin' });

  test('lists users with their roles', async () => {
    const { page } = tab();
    await page.goto('/');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('/postern/settings/users');
    await page.getByRole('button', { name: 'Add user' }).waitFor();
    const names = await page.locator('.row-name').allTextContents();
    expect(names.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual([
      'admin (you)admin',
      'anna family',
      'olaf viewer',
    ]);
  });

  test('adds a user; the password is asked for twice', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/users');
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Add user' });
    await dialog.getByLabel('User name').fill('new.user');
    await expect
      .poll(() => dialog.getByLabel('Role').locator('option').allTextContents())
      .toEqual(['admin', 'viewer', 'family', 'quiet']);
    await dialog.getByLabel('Role').selectOption('family');
    await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
    await dialog.getByLabel('Repeat the password').fill('another password');
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByRole('alert').getByText('The two passwords differ.').waitFor();
    await dialog.getByLabel('Repeat the password').fill(goodPassword);
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Delete new.user' }).waitFor();
    const answer = await (await newSession(site().gateway, 'new.user')).send('GET', '/api/profile');
    expect(JSON.parse(answer.body)).toMatchObject({ username: 'new.user', role: 'family' });
  });

  test('refuses a name that is taken, and says so', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/409/);
    await page.goto('/postern/settings/users');
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill('olaf');
    await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
    await dialog.getByLabel('Repeat the password').fill(goodPassword);
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Delete olaf' }).count()).toBe(1);
  });

  test('protects the last admin and says why, until there is another one', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/users');
    const reason = page.getByText('The last admin must stay an admin and cannot be deleted');
    await reason.waitFor();
    const remove = page.getByRole('button', { name: 'Delete admin' });
    for (const button of [remove, page.getByRole('button', { name: 'Change role of admin' })]) {
      expect(await button.isDisabled()).toBe(true);
      expect(await button.getAttribute('aria-describedby')).toBe(await reason.getAttribute('id'));
    }
    await page.getByRole('button', { name: 'Change role of new.user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Role of new.user' });
    expect(await dialog.getByLabel('Role').inputValue()).toBe('family');
    await dialog.getByLabel('Role').selectOption('admin');
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await reason.waitFor({ state: 'detached' });
    expect(await remove.isEnabled()).toBe(true);
  });

  test('changes a password, which ends the sessions of that user', async ({ open }) => {
    const session = await newSession(site().gateway, 'new.user');
    const { page } = await open(way, { as: 'admin' });
    await page.goto('/postern/settings/users');
    await page.getByRole('button', { name: 'Change password of new.user' }).click();
    const dialog = page.getByRole('dialog', { name: 'Password of new.user' });
    await dialog.getByText('This ends every session of new.user.').waitFor();
    expect(await dialog.getByLabel('New password').getAttribute('autocomplete')).toBe('new-password');
    await dialog.getByLabel('New password').fill(`${goodPassword}2`);
    await dialog.getByLabel('Repeat the password').fill(`${goodPassword}2`);
    await dialog.getByRole('button', { name: 'Change password' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect((await session.send('GET', '/api/profile')).status).toBe(401);
    const again = visitor(site().gateway.addresses.authenticated ?? '');
    expect((await again.logIn('new.user', `${goodPassword}2`)).status).toBe(200);
  });

  test('deletes a user, but not without asking', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/users');
    const remove = page.getByRole('button', { name: 'Delete new.user' });
    await remove.click();
    const dialog = page.getByRole('dialog', { name: 'Delete new.user?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await remove.click();
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await dialog.waitFor({ state: 'detached' });
    await remove.waitFor({ state: 'detached' });
    const { body } = await site().admin.send('GET', '/api/users');
    expect(body).not.toContain('new.user');
  });

  test.for(['olaf', 'anna'] as const)(
    '%s, who is no admin, gets a page that says so',
    async (as, { open }) => {
      const { page } = await open(way, { as });
      for (const path of ['/postern/settings', '/postern/settings/users', '/postern/settings/roles']) {
        await page.goto(path);
        await page.getByText('Settings are for admins').waitFor();
        expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
        expect(await page.getByRole('button', { name: 'Add' }).count()).toBe(0);
      }
      await page.getByRole('link', { name: 'Go to the start page' }).click();
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      expect(await page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
    },
  );
});
