import { describe, expect } from 'vitest';
import { unconditional } from '../../src/store/permit.ts';
import { openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { expectRefusal } from '../support/expect-refusal.ts';
import { goodPassword, visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, newSession, startSite, startTab, test, ways } from '../support/site.ts';
import { addPerson } from '../support/add-person.ts';
import { choose, openRowMenu } from '../support/choose.ts';

const site = startSite();
const [way] = ways;
const bothWidths = [looks[3], looks[0]];

// One after the other, since each depends on who is the last admin.
describe('People', () => {
  const tab = startTab(() => way, { as: 'admin' });

  test('lists people with what they may see and when they last signed in', async () => {
    const { page } = tab();
    await page.goto('/');
    await page.getByRole('link', { name: 'People' }).click();
    await page.waitForURL('/postern/people');
    await page.getByRole('button', { name: 'Add user' }).waitFor();
    const rows = await page.locator('table.users tbody tr').allTextContents();
    const login = '(?:just now|\\d+ \\w+ ago)';
    expect(rows.map((text) => text.replaceAll(/\s+/g, ' ').trim())).toEqual(
      [
        `A ?admin ?You ?Looks after Postern ?password ?${login}`,
        `A ?anna ?\\d cameras?, always ?password ?${login}`,
        `O ?olaf ?All cameras, always ?password ?${login}`,
      ].map((form) => expect.stringMatching(new RegExp(`^${form}$`)) as string),
    );
  });

  test('adds a user; the password is asked for twice', async () => {
    const { page } = tab();
    await page.goto('/postern/people');
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
    await dialog.getByRole('alert').getByText('The two passwords don’t match.').waitFor();
    await dialog.getByLabel('Repeat the password').fill(goodPassword);
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Actions for new.user', exact: true }).waitFor();
    const answer = await (await newSession(site().gateway, 'new.user')).send('GET', '/api/profile');
    expect(JSON.parse(answer.body)).toMatchObject({ username: 'new.user', role: 'family' });
  });

  test('refuses a name that is taken', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/409/);
    await page.goto('/postern/people');
    await page.getByRole('button', { name: 'Add user' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('User name').fill('olaf');
    await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
    await dialog.getByLabel('Repeat the password').fill(goodPassword);
    await dialog.getByRole('button', { name: 'Add user' }).click();
    await dialog.getByRole('alert').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(() => page.getByRole('button', { name: 'Actions for olaf', exact: true }).count())
      .toBe(1);
  });

  test('protects the last admin with a reason, until there is another one', async () => {
    const { page } = tab();
    await page.goto('/postern/people');
    await openRowMenu(page, 'admin');
    const reason = page.getByText('The last admin has to stay an admin and can’t be blocked or deleted');
    await reason.waitFor();
    for (const name of ['Delete admin', 'Change role of admin']) {
      const item = page.getByRole('menuitem', { name });
      await expect.poll(() => item.getAttribute('aria-disabled')).toBe('true');
      await expect.poll(() => item.getAttribute('aria-describedby')).toBe(await reason.getAttribute('id'));
      // A click waits until it is enabled.
      await item.press('Enter');
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
    }
    await expect.poll(() => page.getByRole('menuitem', { name: 'Block admin' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await choose(page, 'new.user', 'Change role of new.user');
    const dialog = page.getByRole('dialog', { name: 'Role of new.user' });
    await expect.poll(() => dialog.getByLabel('Role').inputValue()).toBe('family');
    await dialog.getByLabel('Role').selectOption('admin');
    const counted = Promise.withResolvers<void>();
    await page.route('**/users/count', (route) => counted.promise.then(() => route.continue()), { times: 1 });
    await dialog.getByRole('button', { name: 'Change role' }).click();
    await dialog.waitFor({ state: 'detached' });
    // Two rows are more than one admin, whatever was counted before.
    await openRowMenu(page, 'admin');
    await page.getByRole('menuitem', { name: 'Delete admin', disabled: false }).waitFor();
    await expect.poll(() => reason.count()).toBe(0);
    await page.keyboard.press('Escape');
    counted.resolve();
  });

  test('changes a password, which ends the sessions of that user', async ({ open }) => {
    const session = await newSession(site().gateway, 'new.user');
    const { page } = await open(way, { as: 'admin' });
    await page.goto('/postern/people');
    await choose(page, 'new.user', 'Change password of new.user');
    const dialog = page.getByRole('dialog', { name: 'Password of new.user' });
    await dialog.getByText('This ends every session of new.user.').waitFor();
    await expect
      .poll(() => dialog.getByLabel('New password').getAttribute('autocomplete'))
      .toBe('new-password');
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
    await page.goto('/postern/people');
    await choose(page, 'admin', 'Change password of admin');
    const dialog = page.getByRole('dialog', { name: 'Password of admin' });
    await expect
      .poll(() => dialog.getByLabel('Old password').getAttribute('autocomplete'))
      .toBe('current-password');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  test('blocks a user, who is logged out at once, and unblocks them', async ({ open }) => {
    const session = await site().addUser('bea', 'viewer');
    const { page } = await open(way, { as: 'admin' });
    await page.goto('/postern/people');
    await choose(page, 'bea', 'Block bea');
    const dialog = page.getByRole('dialog', { name: 'Block bea?' });
    await dialog.getByText('Every session of bea ends at once').waitFor();
    await lookAt(page, 'what a block means', bothWidths);
    await dialog.getByRole('button', { name: 'Block user' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.locator('[data-row=bea]');
    await row.getByText('blocked', { exact: true }).waitFor();
    expect((await session.send('GET', '/api/profile')).status).toBe(401);
    const blocked = await page.context().newPage();
    await blocked.goto('/postern/people?blocked=true');
    await expect.poll(() => blocked.locator('tbody .named strong').allTextContents()).toEqual(['bea']);
    await blocked.close();

    await page.getByRole('status').getByText('bea is blocked.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('bea isn’t blocked anymore.').waitFor();
    await page.getByRole('button', { name: 'Actions for bea', exact: true }).waitFor();
    expect((await session.logIn('bea', goodPassword)).status).toBe(200);

    await site().admin.send('DELETE', '/api/users/bea');
  });

  test('keeps a filter that is chosen while a change is under way', async ({ open }) => {
    await site().addUser('cora', 'viewer');
    const { page } = await open(way, { as: 'admin' });
    const released = Promise.withResolvers<void>();
    await page.route('**/api/users/cora/blocked', async (route) => {
      await released.promise;
      await route.continue();
    });
    await page.goto('/postern/people?search=cora');
    await choose(page, 'cora', 'Block cora');
    await page.getByRole('dialog').getByRole('button', { name: 'Block user' }).click();
    await page.getByLabel('Role').selectOption('admin');
    await page.getByText('Nothing matches').waitFor();
    released.resolve();
    await page.getByRole('status').getByText('cora is blocked.').waitFor();
    await page.waitForLoadState('networkidle');
    await page.getByText('Nothing matches').waitFor();
    expect(new URL(page.url()).searchParams.get('role')).toBe('admin');
    await site().admin.send('DELETE', '/api/users/cora');
  });

  test('shows people of a provider, and offers what can be done to them', async ({ open }) => {
    const store = await openStore(storePath(site().gateway.directory), 5_000);
    const name = 'petra';
    await addPerson(store, name, { role: 'family', role_reason: 'group nvr-family', blocked: 'admin' });
    await store.destroy();
    const { page } = await open(way, { as: 'admin' });
    await page.goto(`/postern/people?search=${name}`);
    const row = page.locator(`[data-row=${name}]`);
    await row.getByText('from group nvr-family').waitFor();
    await row.getByText('Can’t sign in').waitFor();
    await openRowMenu(page, name);
    await expect.poll(() => page.getByRole('menuitem').allTextContents()).toEqual(['Unblock', 'Delete']);
    await lookAt(page, 'a person of a provider', bothWidths);
    await page.keyboard.press('Escape');
    await choose(page, name, `Unblock ${name}`);
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock user' }).click();
    // Exactly: the name of the button before has it in it.
    await page.getByRole('button', { name: `Actions for ${name}`, exact: true }).waitFor();
    await page.getByLabel('Signs in').selectOption('none');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('button', { name: 'Show all' }).click();
    await choose(page, name, `Delete ${name}`);
    const dialog = page.getByRole('dialog', { name: `Delete ${name}?` });
    await dialog.getByText(`The next sign-in at id.example.org adds ${name} again.`).waitFor();
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
    await page.goto('/postern/people');
    const row = page.locator('[data-row="new.user"]');
    // A phone shows them in the menu alone.
    await row.getByText('one-time codes').waitFor({ state: 'attached' });
    await choose(page, 'new.user', 'Reset the second factors of new.user');
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click();
    await page.getByText('new.user has no second factor now.').waitFor();
    await row.getByText('one-time codes').waitFor({ state: 'detached' });
  });

  test('shows when the list cannot be read, and tries again', async ({ open }) => {
    const { page, expectInConsole } = await open(way, { as: 'admin' });
    expectInConsole(/50\d/);
    await page.route('**/postern/api/users?*', (route) => route.fulfill({ status: 503, body: '{}' }));
    await page.goto('/postern/people');
    await page.getByRole('alert').waitFor();
    await page.unroute('**/postern/api/users?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Actions for olaf', exact: true }).waitFor();
  });

  test('sorts by a column, the whole list', async () => {
    const { page } = tab();
    await page.goto('/postern/people');
    const names = () => page.locator('tbody .named strong').allTextContents();
    const heading = (title: string) => page.getByRole('columnheader', { name: title });
    await page.getByRole('button', { name: 'Actions for olaf' }).waitFor();
    const byName = await names();
    expect(await heading('Name').getAttribute('aria-sort')).toBe('ascending');
    await heading('Name').getByRole('button').press('Enter');
    await expect.poll(names).toEqual(byName.toReversed());
    expect(await heading('Name').getAttribute('aria-sort')).toBe('descending');
    await page.reload();
    await expect.poll(names).toEqual(byName.toReversed());
  });

  test('does the same to several at once, and keeps what failed', async ({ open }) => {
    // The page sorts by numbers, the API by letters.
    const names = ['some.2', 'some.3', 'some.10'];
    for (const name of names) await site().addUser(name, 'viewer');
    const { page, expectInConsole } = await open(way, { as: 'admin' });
    expectInConsole(/50\d/);
    await page.goto('/postern/people?search=some.');
    await page.getByRole('checkbox', { name: 'Select some.2' }).check();
    await page.getByRole('checkbox', { name: 'Select some.10' }).click({ modifiers: ['Shift'] });
    await page.getByRole('status').getByText('3 selected').waitFor();
    await lookAt(page, 'several users', bothWidths);
    await page.getByRole('group', { name: '3 selected' }).getByRole('button', { name: 'Delete' }).click();
    await page.route('**/api/users/some.3', (route) => route.fulfill({ status: 503, body: '{}' }), {
      times: 1,
    });
    await page
      .getByRole('dialog', { name: 'Delete 3 users?' })
      .getByRole('button', { name: 'Delete' })
      .click();
    const left = page.getByRole('dialog', { name: 'Delete 1 user?' });
    await left.getByRole('alert').getByText('2 done, 1 didn’t work. some.3:').waitFor();
    await left.getByRole('button', { name: 'Delete' }).click();
    await left.waitFor({ state: 'detached' });
    expect((await site().admin.send('GET', '/api/users')).body).not.toContain('some.');
  });

  test('asks before it deletes a user', async () => {
    const { page } = tab();
    await page.goto('/postern/people');
    const remove = () => choose(page, 'new.user', 'Delete new.user');
    await remove();
    const dialog = page.getByRole('dialog', { name: 'Delete new.user?' });
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await remove();
    await dialog.getByRole('button', { name: 'Delete user' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator('[data-row="new.user"]').waitFor({ state: 'detached' });
    const { body } = await site().admin.send('GET', '/api/users');
    expect(body).not.toContain('new.user');
  });

  test('a user who is no admin gets a page that says so, with a code and the way back', async ({ open }) => {
    const { page, expectInConsole } = await open(way, { as: 'olaf' });
    expectInConsole(/403/);
    await expectRefusal(page, await page.goto('/postern/people'));
    // The header leads to Home and the account too.
    const ways = page.getByRole('main').getByRole('link');
    await expect.poll(() => ways.allTextContents()).toEqual(['Go to Home']);
    await ways.click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Settings' }).count()).toBe(0);
  });
});
