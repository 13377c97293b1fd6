import { afterAll, beforeAll, expect } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  gateway = await startGateway({ sample: true });
  admin = await adminOf(gateway);
});
afterAll(() => gateway.close());

test('Home adds a person, a screen and a link', async ({ open }) => {
  const { page } = await open(`https://${gateway.addresses.authenticated}`, { as: admin });
  await page.goto('/postern/');
  const add = page.getByRole('button', { name: 'Add', exact: true });
  await add.click();
  await page.getByRole('link', { name: /^A screen/ }).waitFor();
  await lookAt(page, 'what can be added', [looks[0], looks[3]]);
  await page.keyboard.press('Escape');
  await expect.poll(() => page.getByRole('link', { name: /^A screen/ }).isVisible()).toBe(false);
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add');

  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^A person/ }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('nell');
  await dialog.getByRole('checkbox', { name: 'Driveway' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await page.getByRole('heading', { name: 'The invitation for nell is ready' }).waitFor();
  // The browser is at 127.0.0.1.
  await dialog
    .getByText(/^Others can’t open this link: 127\.0\.0\.1:\d+ works only on this computer/)
    .waitFor();
  await expect.poll(() => dialog.getByRole('img', { name: 'QR code of the link' }).count()).toBe(0);
  await lookAt(page, 'a link that only this computer opens', looks);
  await dialog.getByRole('button', { name: 'Done' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Add');

  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^A link/ }).click();
  await dialog.getByLabel('Camera').selectOption('driveway');
  await dialog.getByRole('button', { name: 'Create link' }).click();
  await expect.poll(() => dialog.getByLabel('Link').inputValue()).toMatch(/\/postern\/share\//);
  await dialog.getByRole('button', { name: 'Done' }).click();

  await add.click();
  await page.getByRole('link', { name: /^A screen/ }).click();
  await page.waitForURL('/postern/pair');
  await expect.poll(() => add.count()).toBe(0);
});

test('an invitation shows cameras without pictures, and says nothing of cameras once it gives a role', async ({
  open,
}) => {
  const { page, expectInConsole } = await open(`https://${gateway.addresses.authenticated}`, { as: admin });
  expectInConsole(/ERR_FAILED/);
  await page.route('**/latest.jpg*', (route) => route.abort());
  await page.goto('/postern/');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('button', { name: /^A person/ }).click();
  const dialog = page.getByRole('dialog');
  await expect.poll(() => dialog.locator('.pick img').count()).toBe(0);
  const widths = await dialog
    .locator('.pick')
    .evaluateAll((picks) =>
      picks.map((pick) => [pick.clientWidth, pick.querySelector('.shot')?.clientWidth]),
    );
  expect(widths).toEqual(widths.map(([width]) => [width, width]));

  await dialog.getByLabel('Name').fill('vera');
  await dialog.getByText('Choose at least one camera.').waitFor();
  await dialog.getByRole('button', { name: 'Use a role instead' }).click();
  await expect.poll(() => dialog.getByText('Choose at least one camera.').count()).toBe(0);
});

test('only admins add someone', async ({ open }) => {
  const olaf = await userOf(admin, gateway.addresses.authenticated ?? '', 'olaf', 'viewer');
  const { page } = await open(`https://${gateway.addresses.authenticated}`, { as: olaf });
  await page.goto('/postern/');
  await page.getByRole('list', { name: 'Cameras' }).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Add', exact: true }).count()).toBe(0);
});
