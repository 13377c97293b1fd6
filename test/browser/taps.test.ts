import { afterAll, beforeAll, expect } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { codesFor, screenAt } from '../support/screen.ts';
import { test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { countTaps } from '../support/taps.ts';

// How many taps a household needs from Home. Those of people and alerts are counted where their pages are tested.
let gateway: RunningGateway;
let address: string;
let origin: string;
let admin: Visitor;
beforeAll(async () => {
  gateway = await startGateway({ sample: true });
  address = gateway.addresses.authenticated ?? '';
  origin = `https://${address}`;
  admin = await adminOf(gateway);
});
afterAll(() => gateway.close());

const phone = { width: 390, height: 844 };

test('a clip is shared in four taps', async ({ open }) => {
  const { page, context } = await open(origin, { as: admin, viewport: phone });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const taps = await countTaps(page);
  await page.goto('/postern/');
  await page
    .getByRole('list', { name: /^(Today|Latest)$/ })
    .getByRole('link')
    .first()
    .click();
  await page.getByRole('button', { name: 'Share', exact: true }).click();
  await page.getByRole('button', { name: 'Create link' }).click();
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toContain('/postern/share/');
  expect(await taps()).toBe(4);
});

test('a screen is paired by its code in four taps', async ({ open }) => {
  const { page } = await open(origin, { as: admin, viewport: phone });
  const { user_code: code } = await codesFor(screenAt(address));
  const taps = await countTaps(page);
  await page.goto('/postern/');
  await page.getByRole('button', { name: 'Add', exact: true }).click();
  await page.getByRole('link', { name: /^A screen/ }).click();
  await page.getByRole('textbox', { name: 'Letter 1 of 8' }).waitFor();
  await page.keyboard.insertText(code);
  await page.getByLabel('Name').click();
  await page.keyboard.insertText('Kitchen tablet');
  await page.getByRole('button', { name: 'Pair this screen' }).click();
  await page.getByRole('heading', { name: 'Kitchen tablet is on' }).waitFor();
  expect(await taps()).toBe(4);
  expect((await admin.send('GET', '/postern/api/displays')).body).toContain('Kitchen tablet');
});

test('someone who watches is stopped in two taps', async ({ open }) => {
  const olaf = await userOf(admin, address, 'olaf', 'viewer');
  const { page: watching, expectInConsole } = await open(origin, { as: olaf });
  expectInConsole(/403|WebSocket|ERR_/);
  await watching.goto('/postern/cameras/driveway');
  const { page } = await open(origin, { as: admin, viewport: phone });
  const taps = await countTaps(page);
  await page.goto('/postern/');
  await page.getByRole('button', { name: 'Stop olaf' }).click();
  await page.getByRole('button', { name: 'Stop now' }).click();
  await page.getByText('Stopped for olaf').waitFor();
  expect(await taps()).toBe(2);
});
