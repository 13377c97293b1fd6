import { describe, expect } from 'vitest';
import { startSite, startTab, test, ways } from '../support/site.ts';

const site = startSite();

describe('Settings > Access', () => {
  const tab = startTab(() => ways[1], { as: 'admin' });

  const role = 'guests';
  const roleNamed = async (name: string) => {
    const { body } = await site().admin.send('GET', '/postern/api/roles');
    const roles = JSON.parse(body) as ReadonlyArray<{ name: string; cameras: string[]; access: unknown }>;
    return roles.find((found) => found.name === name);
  };
  const camerasOf = async (name: string) => (await roleNamed(name))?.cameras;

  test('lists the built-in roles, and the custom ones with cameras and users', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/access');
    const family = page.locator('[data-row=family]');
    await family.waitFor({ state: 'attached' });
    expect(
      await page.locator('[data-row]').evaluateAll((rows) => rows.map((row) => row.dataset['row'])),
    ).toEqual(expect.arrayContaining(['admin', 'viewer', 'family', 'quiet']));
    await expect
      .poll(() => family.getByRole('rowheader', { includeHidden: true }).textContent())
      .toBe('family1 user');
    expect(
      await family
        .getByRole('gridcell', { includeHidden: true })
        .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label'))),
    ).toEqual(
      expect.arrayContaining([
        'family, Front door: live, recordings and export',
        'family, Garage: No access',
      ]),
    );
  });

  test('shows that the lists of a role are closed, and why', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/access');
    await page.getByText('Lists are blocked for').getByRole('link', { name: 'family' }).click();
    // Fronts ask this gate, and the configuration does not name what they pass requests on to.
    await expect
      .poll(() => page.locator('.role-lists').textContent())
      .toMatch(/^Lists blocked .*set upstream/);
  });

  test('adds a role, edits its cameras by switches, and deletes it with its users in mind', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/access');
    await page.getByRole('button', { name: 'Add role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(role);
    await expect
      .poll(() => dialog.getByRole('group', { name: 'Cameras' }).getByRole('switch').count())
      .toBe(5);
    await dialog.getByRole('switch', { name: 'garage' }).check();
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.locator(`[data-row="${role}"]`).waitFor({ state: 'attached' });
    expect(await camerasOf(role)).toEqual(['garage']);

    await page.goto(`/postern/settings/access/${role}`);
    await page.getByRole('button', { name: 'Edit role' }).click();
    await expect.poll(() => dialog.getByRole('switch', { name: 'garage' }).isChecked()).toBe(true);
    await expect.poll(() => dialog.getByRole('switch', { name: 'driveway' }).isChecked()).toBe(false);
    await dialog.getByRole('switch', { name: 'Side yard' }).check();
    await dialog.getByRole('switch', { name: 'garage' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await camerasOf(role)).toEqual(['side_yard']);

    const names = ['one', 'two'];
    await Promise.all(names.map((name) => site().addUser(name, role)));
    await page.reload();
    const remove = page.getByRole('button', { name: 'Delete role' }).first();
    await remove.click();
    await dialog.getByText('2 users will become viewer and see all cameras.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await camerasOf(role)).toEqual(['side_yard']);
    await remove.click();
    await dialog.getByRole('button', { name: 'Delete role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.waitForURL('/postern/settings/access');
    expect(await camerasOf(role)).toBeUndefined();
    const rolesOfBoth = async () => {
      const users = JSON.parse((await site().admin.send('GET', '/api/users')).body) as ReadonlyArray<{
        username: string;
        role: string;
      }>;
      return users.filter(({ username }) => names.includes(username)).map(({ role: found }) => found);
    };
    expect(await rolesOfBoth()).toEqual(['viewer', 'viewer']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText(`The role ${role} is back.`).waitFor();
    expect(await camerasOf(role)).toEqual(['side_yard']);
    expect(await rolesOfBoth()).toEqual([role, role]);
  });

  test('gives a role a schedule, shows it, and removes it', async () => {
    const { page } = tab();
    const name = 'times';
    const accessOf = async () => (await roleNamed(name))?.access;
    await page.goto('/postern/settings/access');
    await page.getByRole('button', { name: 'Add role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('switch', { name: 'garage' }).check();
    await dialog.getByText('Limit access to certain times').click();
    const last = dialog.getByRole('group', { name: 'Last day' });
    await dialog.getByRole('group', { name: 'First day' }).getByLabel('Day').fill('2126-12-20');
    await last.getByLabel('Day').fill('2126-12-19');
    const hours = dialog.getByRole('group', { name: 'Each day between' });
    await hours.getByLabel('From').fill('07:00');
    await hours.getByLabel('To').fill('19:00');
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await dialog.getByRole('alert').getByText('The last day is before the first.').waitFor();
    await last.getByLabel('Day').fill('2127-01-05');
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await dialog.waitFor({ state: 'detached' });
    const access = { from: '2126-12-20', until: '2127-01-05', hours: '07:00-19:00', history: 'from' };
    expect(await accessOf()).toEqual(access);
    await page.goto(`/postern/settings/access/${name}`);
    const row = page.locator('.role-fact');
    await row.getByText('from 20 December 2126, until 5 January 2127, 07:00 to 19:00').waitFor();

    await page.getByRole('button', { name: 'Edit role' }).click();
    await expect.poll(() => last.getByLabel('Day').inputValue()).toBe('2127-01-05');
    await dialog.getByRole('switch', { name: 'driveway' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await roleNamed(name)).toMatchObject({ cameras: ['driveway', 'garage'], access });
    // The message about the changes covers a phone.
    await page.reload();
    await page.getByRole('button', { name: 'Edit role' }).click();
    await last.waitFor();
    for (const input of await dialog.locator('input[type=date], input[type=time]').all())
      await input.fill('');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await row.getByText('07:00 to 19:00').waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Undo' }).click();
    await row.getByText('07:00 to 19:00').waitFor();
    expect(await accessOf()).toEqual(access);
  });

  test('a role of that name there is already', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/access');
    await page.getByRole('button', { name: 'Add role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('family');
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await dialog.getByRole('alert').getByText('There is already a role with this name.').waitFor();
    expect(await camerasOf('family')).toEqual(['front_door', 'driveway']);
  });
});
