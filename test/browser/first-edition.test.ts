import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { logInBy, sendLogin } from '../support/browse.ts';
import { visitor } from '../support/log-in.ts';
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
    // Nor one for shares.
    expect(await page.locator('a[href*=shares]').count()).toBe(0);
    await page.getByRole('link', { name: 'Explore' }).click();
    await page.waitForURL('/explore');
    await page.goto('/');
    expect(pathOf(page)).toBe('/');
  });

  test('say of a second step that the front does not know it', async ({ open }) => {
    // Past the front.
    const admin = visitor(site.gateway.addresses.forwardAuthAuthenticated ?? '');
    await admin.logIn('admin', site.store.generatedPassword);
    const setup = await admin.send('POST', '/postern/api/one-time-code/setup', {});
    const { secret, state } = JSON.parse(setup.body) as { readonly secret: string; readonly state: string };
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate({
      timestamp: site.store.gatewayOptions.clock?.now(),
    });
    expect((await admin.send('POST', '/postern/api/one-time-code', { state, code })).status).toBe(201);

    const { page, expectInConsole } = await open(`https://${site.address}`);
    expectInConsole(/401/);
    await page.goto('/login');
    await sendLogin(page, 'admin', site.store.generatedPassword);
    await page.getByLabel('Code of your authenticator app').fill('123456');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').getByText('its configuration is an older one').waitFor();
  });
});
