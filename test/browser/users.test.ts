import { describe, expect } from 'vitest';
import { unconditional } from '../../src/store/permit.ts';
import { openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { goodPassword, visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, newSession, startSite, startTab, test, ways, type Way } from '../support/site.ts';
import { addPerson } from '../support/add-person.ts';

const site = startSite();
const looksOf = ({ viewport, colorScheme }: Way) =>
  looks.filter((look) => look.viewport === viewport && look.colorScheme === colorScheme);

// One after the other, since each depends on who is the last admin.
describe.each(ways)('Settings > Users, $way', (way) => {
  const tab = startTab(() => way, { as: 'admin' });

  test('lists users with their roles and their last logins', async () => {
    const { page } = tab();
    await page.goto('/');
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('/postern/settings/users');
    await page.getByRole('button', { name: 'Add user' }).waitFor();
    const names = await page.locator('.row-name').allTextContents();
    const login = 'last login (just now|\\d+ \\w+ ago)';
    expect(names.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual(
      [`admin \\(you\\) ?admin ?${login}`, `anna ?family ?${login}`, `olaf ?viewer ?${login}`].map(
        (form) => expect.stringMatching(new RegExp(`^${form}$`)) as string,
      ),
    );
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

  test('refuses a name that is taken', async () => {
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

  test('protects the last admin with a reason, until there is another one', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/users');
    const reason = page.getByText('The last admin must stay an admin and cannot be blocked or deleted');
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
    const counted = Promise.withResolvers<void>();
    await page.route('**/users/count', (route) => counted.promise.then(() => route.continue()), { times: 1 });
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.waitFor({ state: 'detached' });
    // Two rows are more than one admin, whatever was counted before.
    await reason.waitFor({ state: 'detached' });
    expect(await remove.isEnabled()).toBe(true);
    counted.resolve();
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

  test('asks for the old password when users change their own', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/users');
    await page.getByRole('button', { name: 'Change password of admin' }).click();
    const dialog = page.getByRole('dialog', { name: 'Password of admin' });
    expect(await dialog.getByLabel('Old password').getAttribute('autocomplete')).toBe('current-password');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  test('blocks a user, who is logged out at once, and unblocks them', async ({ open }) => {
    const session = await site().addUser('bea', 'viewer');
    const { page } = await open(way, { as: 'admin' });
    await page.goto('/postern/settings/users');
    await page.getByRole('button', { name: 'Block bea' }).click();
    const dialog = page.getByRole('dialog', { name: 'Block bea?' });
    await dialog.getByText('Every session of bea ends at once').waitFor();
    await lookAt(page, 'what a block means', looksOf(way));
    await dialog.getByRole('button', { name: 'Block user' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.locator('[data-row=bea]');
    await row.getByText('blocked', { exact: true }).waitFor();
    expect((await session.send('GET', '/api/profile')).status).toBe(401);
    await page.getByLabel('Access').selectOption('true');
    await expect.poll(() => page.locator('.row-name strong').allTextContents()).toEqual(['bea']);

    await page.getByRole('status').getByText('bea is blocked.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('bea is not blocked any more.').waitFor();
    await row.getByRole('button', { name: 'Block bea' }).waitFor();
    expect((await session.logIn('bea', goodPassword)).status).toBe(200);

    expect(await page.getByRole('button', { name: 'Block admin' }).count()).toBe(0);
    await site().admin.send('DELETE', '/api/users/bea');
  });

  test('shows people of a provider, and offers what can be done to them', async ({ open }) => {
    const store = await openStore(storePath(site().gateway.directory), 5_000);
    const name = `petra-${way.front.slice(0, 5)}`;
    await addPerson(store, name, { role: 'family', role_reason: 'group nvr-family', blocked: 'admin' });
    await store.destroy();
    const { page } = await open(way, { as: 'admin' });
    await page.goto(`/postern/settings/users?search=${name}`);
    const row = page.locator(`[data-row=${name}]`);
    await row.getByText('from group nvr-family').waitFor();
    await row.getByText('id.example.org is not configured any more').waitFor();
    expect(await row.getByRole('button').allTextContents()).toEqual(['Unblock', 'Delete']);
    await lookAt(page, 'a person of a provider', looksOf(way));
    await row.getByRole('button', { name: `Unblock ${name}` }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock user' }).click();
    // Exactly: the name of the button before has it in it.
    await row.getByRole('button', { name: `Block ${name}`, exact: true }).waitFor();
    await page.getByLabel('Signs in').selectOption('none');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await row.getByRole('button', { name: `Delete ${name}` }).click();
    const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
    await dialog.getByText(`The next login at id.example.org makes ${name} anew.`).waitFor();
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await row.waitFor({ state: 'detached' });
  });

  test('resets second factors', async ({ open }) => {
    const store = await openStore(storePath(site().gateway.directory), 5_000);
    await store.change(unconditional, (on, { prove }) =>
      on
        .insertInto('one_time_codes')
        .values({ username: 'new.user', secret: prove(''), last_step: 0, created_at: 1 })
        .execute(),
    );
    await store.destroy();
    const { page } = await open(way, { as: 'admin' });
    await page.goto('/postern/settings/users');
    const row = page.locator('[data-row="new.user"]');
    await row.getByText('one-time codes').waitFor();
    await row.getByRole('button', { name: 'Reset the second factors of new.user' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('new.user has no second factor any more.').waitFor();
    await row.getByText('one-time codes').waitFor({ state: 'detached' });
  });

  test('shows when the list cannot be read, and tries again', async ({ open }) => {
    const { page, expectInConsole } = await open(way, { as: 'admin' });
    expectInConsole(/50\d/);
    await page.route('**/postern/api/users?*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.goto('/postern/settings/users');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/postern/api/users?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Delete olaf' }).waitFor();
  });

  test('asks before it deletes a user', async () => {
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
