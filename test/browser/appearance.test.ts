import { expect } from 'vitest';
import { sendLogin } from '../support/browse.ts';
import { printedPassword } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { test } from '../support/site.ts';
import { startGateway } from '../support/start-gateway.ts';

test('an admin gives the house a name and a colour, which guests see before they sign in', async ({
  open,
}) => {
  const gate = await startGateway({ config: { ui: { name: '</title><b>Old $& lane' } } });
  try {
    const { page } = await open(`https://${gate.addresses.authenticated}`);
    await page.goto('/login');
    await page.getByRole('heading', { name: '</title><b>Old $& lane', level: 1 }).waitFor();
    await sendLogin(page, 'admin', printedPassword(gate));
    await page.waitForURL('**/postern/first-run');

    await page.goto('/postern/settings/appearance');
    const name = page.getByLabel('Name of the house');
    await name.fill('Willow Lane');
    await page.getByLabel('Plum').focus();
    await page.keyboard.press('Space');
    await lookAt(page, 'appearance');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('banner').getByText('Willow Lane').waitFor();
    await expect.poll(() => page.title()).toBe('Appearance · Willow Lane');
    await expect.poll(() => page.getByLabel('Plum').isChecked()).toBe(true);

    await page.context().clearCookies();
    await page.emulateMedia({ colorScheme: 'light' });
    await page.goto('/login');
    await page.getByRole('heading', { name: 'Willow Lane', level: 1 }).waitFor();
    const fill = await page
      .getByRole('button', { name: 'Sign in', exact: true })
      .evaluate('getComputedStyle(document.querySelector("form [type=submit]")).backgroundColor');
    expect(fill).toBe('rgb(122, 63, 124)');
    await lookAt(page, 'sign-in of a house');
  } finally {
    await gate.close();
  }
});
