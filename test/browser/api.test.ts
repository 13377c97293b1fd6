import { describe, expect } from 'vitest';
import { startSite, test, ways } from '../support/site.ts';

const site = startSite();

describe.each(ways)('the page of the API $way', (way) => {
  test('lists every operation, and opens one by the keyboard', async ({ open }) => {
    const { page } = await open(way, { as: 'olaf' });
    await page.goto('/postern/account');
    await page.getByRole('link', { name: 'How programs can use this site' }).click();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
    const described = JSON.parse((await site().admin.send('GET', '/postern/api/openapi.json')).body) as {
      paths: Record<string, Record<string, unknown>>;
    };
    const operations = Object.values(described.paths).flatMap((methods) => Object.keys(methods));
    await expect.poll(() => page.locator('details.operation').count()).toBe(operations.length);
    await page.locator('details.operation summary', { hasText: 'Add a user' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('There is a user with this name.').waitFor();
    await page.getByText('"username": "olaf"').waitFor();
  });

  test('shows an error when it cannot be read, and tries again', async ({ open }) => {
    const { page, expectInConsole } = await open(way, { as: 'olaf' });
    expectInConsole(/503/);
    await page.route('**/api/openapi.json', (route) =>
      route.fulfill({ status: 503, json: { message: 'Gone' } }),
    );
    await page.goto('/postern/account/api');
    await page.getByRole('alert').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('heading', { name: 'Users' }).waitFor();
  });
});
