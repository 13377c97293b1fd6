import { afterAll, beforeAll, describe, expect } from 'vitest';
import { logInBy } from '../support/browse.ts';
import { pathOf, test } from '../support/site.ts';
import { startFirstEdition, type FirstEdition } from '../support/start-first-edition.ts';

let site: FirstEdition;
beforeAll(async () => {
  site = await startFirstEdition();
});
afterAll(() => site?.close());

describe("the pages behind the first edition's nginx", () => {
  test('stand where they stood, and lead to each other', async ({ open }) => {
    const { page } = await open(`https://${site.address}`);
    await page.goto('/account');
    await logInBy(page, 'admin', site.store.generatedPassword);
    await page.waitForURL('/account');
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    await page.getByRole('link', { name: 'Settings' }).click();
    await page.waitForURL('/settings/users');
    await page.getByRole('button', { name: 'Add user' }).waitFor();
    for (const [name, path, shown] of [
      ['Roles', '/settings/roles', 'Add role'],
      ['Configuration', '/settings/configuration', undefined],
      ['Users', '/settings/users', 'Add user'],
    ] as const) {
      await page.getByRole('link', { name, exact: true }).click();
      await page.waitForURL(path);
      if (shown !== undefined) await page.getByRole('button', { name: shown }).waitFor();
    }
    // There is no endpoint that counts.
    await page
      .getByRole('combobox', { name: 'Role' })
      .getByText('admin (1 user)')
      .waitFor({ state: 'attached' });
    await page.getByRole('link', { name: 'Explore' }).click();
    await page.waitForURL('/explore');
    await page.goto('/');
    expect(pathOf(page)).toBe('/');
  });
});
