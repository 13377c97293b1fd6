import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { goodPassword } from '../support/log-in.ts';
import { eventsOf, startSite, startTab, test, ways } from '../support/site.ts';

const site = startSite();

const focused = `(() => {
  const element = document.activeElement;
  const label = element.ariaLabel ?? element.labels?.[0]?.innerText ?? element.textContent;
  return label.trim().replace(/\\s+/g, ' ');
})()`;

/** Moves with the Tab key, or back with Shift and it, until the focus is on what begins with the name. */
async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  const passed: string[] = [];
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press(key);
    const label = await page.evaluate<string>(focused);
    if (label.startsWith(name)) return;
    passed.push(label.slice(0, 20));
  }
  throw new Error(`${name} is not reached, but ${passed.join(' | ')}`);
}

/** Goes there and presses a key. */
async function pressAt(page: Page, name: string, key = 'Enter'): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.press(key);
}

/** Chooses what is in the menu of a row. */
async function chooseAt(page: Page, row: string, action: string): Promise<void> {
  await pressAt(page, `Actions for ${row}`);
  await expect
    .poll(async () => {
      const label = await page.evaluate<string>(focused);
      if (label !== action) await page.keyboard.press('ArrowDown');
      return label;
    })
    .toBe(action);
  await page.keyboard.press('Enter');
}

async function typeInto(page: Page, name: string, text: string): Promise<void> {
  await tabTo(page, name);
  await page.keyboard.type(text);
}

describe.each(ways)('by keyboard alone, $way', (way) => {
  const tab = startTab(() => way, { as: 'admin' });
  const name = `keys-${way.front.slice(0, 5)}`;
  const role = `keys.${way.front.slice(0, 5)}`;

  test('to log in, to move about and to log out', async ({ open }) => {
    const { page } = await open(way);
    await page.goto('/postern/people');
    await page.getByLabel('User name').waitFor();
    await page.keyboard.type('admin');
    await page.keyboard.press('Tab');
    await page.keyboard.type(site().adminPassword);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Add user' }).waitFor();
    await pressAt(page, 'Skip to content');
    await page.waitForURL(/#main$/);
    await chooseAt(page, 'anna', 'Change role of anna');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate(focused)).toBe('Actions for anna');
    await page.reload();
    await page.getByRole('button', { name: 'Add user' }).waitFor();
    await pressAt(page, 'Explore');
    await page.getByRole('heading', { name: 'Explore' }).waitFor();
    await eventsOf(page).first().waitFor();
    // The focus went to the content of the new page.
    await tabTo(page, 'Account menu', 'Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByText('Role: admin').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('Role: admin').waitFor({ state: 'hidden' });
    await expect.poll(() => page.evaluate(focused)).toMatch(/^Account menu/);
    await page.keyboard.press('Enter');
    await pressAt(page, 'Sign out');
    await page.waitForURL('/login');
  });

  test('to filter events and to read the details of one', async () => {
    const { page } = tab();
    await page.goto('/postern/explore');
    await eventsOf(page).first().waitFor();
    await pressAt(page, 'Labels');
    await typeInto(page, 'Another label', 'dog');
    await page.keyboard.press('Enter');
    await page.waitForURL('/postern/explore?labels=dog');
    await expect.poll(() => eventsOf(page).count()).toBe(1);
    await expect.poll(() => page.evaluate(focused)).toMatch(/^Another label/);
    await page.keyboard.press('Escape');
    await pressAt(page, 'Cameras');
    await pressAt(page, 'Garage', 'Space');
    await page.waitForURL('/postern/explore?cameras=garage&labels=dog');
    // The list was reloaded; keyboard users continue where they were.
    await expect.poll(() => page.evaluate(focused)).toBe('Garage');
    await page.keyboard.press('Escape');
    await expect.poll(() => page.evaluate(focused)).toMatch(/^Cameras/);
    await pressAt(page, 'Dog');
    await page.getByRole('dialog').waitFor();
    await pressAt(page, 'Close');
    await expect.poll(() => page.evaluate(focused)).toBe('Dog');
  });

  test('to add a user, change the role, block and delete the user', async () => {
    const { page } = tab();
    await page.goto('/postern/people');
    await page.getByRole('button', { name: 'Add user' }).waitFor();
    const dialog = page.getByRole('dialog');
    await pressAt(page, 'Add user');
    await dialog.waitFor();
    await page.keyboard.type(name);
    await tabTo(page, 'Role');
    await page.keyboard.type('fam');
    await typeInto(page, 'Password', goodPassword);
    await typeInto(page, 'Repeat the password', goodPassword);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Actions for ${name}` }).waitFor();
    await chooseAt(page, name, `Change role of ${name}`);
    await dialog.waitFor();
    await tabTo(page, 'Role');
    await page.keyboard.type('view');
    await page.keyboard.press('Tab');
    await pressAt(page, 'Change role');
    await dialog.waitFor({ state: 'detached' });
    await page.locator('tbody tr').filter({ hasText: name }).getByText('All cameras').waitFor();
    await chooseAt(page, name, `Block ${name}`);
    await dialog.waitFor();
    await pressAt(page, 'Block user');
    await page.getByText(`${name} is blocked.`).waitFor();
    await page.keyboard.press('Control+z');
    await page.getByText(`${name} isn’t blocked anymore.`).waitFor();
    await chooseAt(page, name, `Delete ${name}`);
    await dialog.waitFor();
    await pressAt(page, 'Delete user');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: `Actions for ${name}` }).waitFor({ state: 'detached' });
  });

  test('to make a role, and to give it a camera by its cell', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/access');
    await page.getByRole('button', { name: 'Add role' }).waitFor();
    const dialog = page.getByRole('dialog');
    await pressAt(page, 'Add role');
    await dialog.waitFor();
    await page.keyboard.type(role);
    await pressAt(page, 'Garage', 'Space');
    await pressAt(page, 'Add role');
    await dialog.waitFor({ state: 'detached' });
    // A phone has a list for each role in place of the grid.
    const isPhone = way.viewport.width < 768;
    const cell = (state: string) =>
      isPhone
        ? page.getByRole('button', { name: `Driveway ${state}` })
        : page.getByRole('gridcell', { name: `${role}, Driveway: ${state}` });
    if (isPhone) await page.getByRole('button', { name: role }).press('Enter');
    await cell('No access').focus();
    if (!isPhone) {
      await page.keyboard.press('ArrowLeft');
      await page.keyboard.press('ArrowRight');
    }
    await page.keyboard.press('Enter');
    await dialog.getByText('Nothing is saved yet').waitFor();
    await page.keyboard.press('Space');
    await dialog.getByText(`The role ${role} gains Driveway: live, recordings and export.`).waitFor();
    await pressAt(page, 'Save');
    await dialog.waitFor({ state: 'detached' });
    await cell('live, recordings and export').waitFor();
    await page.goto(`/postern/settings/access/${role}`);
    await page.getByRole('button', { name: 'Delete role' }).waitFor();
    await pressAt(page, 'Delete role');
    await dialog.waitFor();
    await pressAt(page, 'Delete role');
    await page.waitForURL('/postern/settings/access');
    await page.getByText(`The role ${role} was deleted.`).waitFor();
  });

  test('to change your own password', async ({ open }) => {
    const { page } = await open(way, { as: await site().addUser(`mine-${way.front.slice(0, 5)}`, 'viewer') });
    await page.goto('/postern/explore');
    await eventsOf(page).first().waitFor();
    await pressAt(page, 'Account menu');
    await pressAt(page, 'Account');
    await page.waitForURL('/postern/account');
    await page.getByLabel('Old password').waitFor();
    await typeInto(page, 'Old password', goodPassword);
    await typeInto(page, 'New password', `${goodPassword}2`);
    await typeInto(page, 'Repeat the password', `${goodPassword}2`);
    await pressAt(page, 'Change password');
    await page.getByText('Your password is changed.').waitFor();
  });
});
