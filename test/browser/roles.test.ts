import { describe, expect } from 'vitest';
import { startSite, startTab, test, ways } from '../support/site.ts';

const site = startSite();

describe.each(ways)('Settings > Roles, $way', (way) => {
  const tab = startTab(() => way, { as: 'admin' });

  const role = `guests.${way.front.slice(0, 5)}`;
  const camerasOf = async (name: string) => {
    const { body } = await site().admin.send('GET', '/postern/api/roles');
    const roles = JSON.parse(body) as ReadonlyArray<{ name: string; cameras: string[] }>;
    return roles.find((found) => found.name === name)?.cameras;
  };

  test('lists the built-in roles, and the custom ones with cameras and users', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/users');
    await page.getByRole('link', { name: 'Roles' }).click();
    await page.waitForURL('/postern/settings/roles');
    // The rows of the former page may stand there until this one is loaded.
    await page.getByRole('button', { name: 'Add role' }).waitFor();
    const rows = page.locator('.rows > li');
    await rows.first().waitFor();
    expect(await rows.nth(0).textContent()).toMatch(/^admin 1 user.*built in$/);
    expect(await rows.nth(1).textContent()).toMatch(/^viewer .*built in$/);
    const family = rows.filter({ has: page.getByText('family', { exact: true }) });
    expect(await family.locator('.row-name').textContent()).toContain('1 user');
    expect(await family.locator('.badges .badge').allTextContents()).toEqual(['front_door', 'driveway']);
  });

  test('says of a role that its lists are closed, and why', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/roles');
    const family = page.locator('.rows > li').filter({ has: page.getByText('family', { exact: true }) });
    // Fronts ask this gate, and nobody has told it what they pass requests on to.
    expect(await family.locator('.role-lists').textContent()).toMatch(/^Lists closed .*set upstream/);
  });

  test('adds a role, edits its cameras by switches, and deletes it with its users in mind', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/roles');
    await page.getByRole('button', { name: 'Add role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(role);
    expect(await dialog.getByRole('switch').count()).toBe(5);
    await dialog.getByRole('switch', { name: 'garage' }).check();
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText(role, { exact: true }).waitFor();
    expect(await camerasOf(role)).toEqual(['garage']);

    await page.getByRole('button', { name: `Edit cameras of ${role}` }).click();
    expect(await dialog.getByRole('switch', { name: 'garage' }).isChecked()).toBe(true);
    expect(await dialog.getByRole('switch', { name: 'driveway' }).isChecked()).toBe(false);
    await dialog.getByRole('switch', { name: 'side_yard' }).check();
    await dialog.getByRole('switch', { name: 'garage' }).uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await camerasOf(role)).toEqual(['side_yard']);

    const names = [`one-${way.front.slice(0, 5)}`, `two-${way.front.slice(0, 5)}`];
    await Promise.all(names.map((name) => site().addUser(name, role)));
    await page.reload();
    const remove = page.getByRole('button', { name: `Delete ${role}` });
    await remove.click();
    await dialog.getByText('2 users will become viewer and see all cameras.').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await camerasOf(role)).toEqual(['side_yard']);
    await remove.click();
    await dialog.getByRole('button', { name: 'Delete role' }).click();
    await dialog.waitFor({ state: 'detached' });
    await remove.waitFor({ state: 'detached' });
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
    await page.getByRole('status').getByText(`The role ${role} is there again.`).waitFor();
    expect(await camerasOf(role)).toEqual(['side_yard']);
    expect(await rolesOfBoth()).toEqual([role, role]);
  });

  test('a role of that name there is already', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/roles');
    await page.getByRole('button', { name: 'Add role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('family');
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await dialog.getByRole('alert').getByText('There is a role of this name.').waitFor();
    expect(await camerasOf('family')).toEqual(['front_door', 'driveway']);
  });
});
