import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { adminOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { startHttpReceiver } from '../support/receivers.ts';
import { test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { countTaps } from '../support/taps.ts';

/* Settings > Alerts: a household sets up where alerts go, without a file. */

let topic: Awaited<ReturnType<typeof startHttpReceiver>>;
let gateway: RunningGateway;
let admin: Visitor;
let status = 200;
beforeAll(async () => {
  topic = await startHttpReceiver(() => ({ status }));
  gateway = await startGateway({ sample: true, config: { ui: { name: 'Willow Lane' } } });
  admin = await adminOf(gateway);
});
afterAll(() => Promise.all([gateway?.close(), topic?.close()]));
const config = () => readFileSync(join(gateway.directory, 'config.yml'), 'utf8');
const origin = () => `https://${gateway.addresses.authenticated}`;

test('alerts go to ntfy in four taps and one field, and a test answers in its card', async ({ open }) => {
  const { page } = await open(origin(), { as: admin });
  const taps = await countTaps(page);
  await page.goto('/postern/');
  await page.getByRole('navigation').getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'Alerts' }).click();
  await page.getByRole('button', { name: 'Set up ntfy' }).click();
  const field = page.getByLabel('Topic');
  expect(await field.inputValue()).toMatch(/^https:\/\/ntfy\.sh\/willow-lane-[a-z2-9]{12}$/);
  await field.fill(`${topic.url}/willow-lane`);
  await page.getByRole('button', { name: 'Save' }).click();

  await page.getByText('Alerts go there now.').waitFor();
  expect(await taps()).toBe(4);
  expect(config()).toContain(`url: ${topic.url}/willow-lane`);
  status = 403;
  const button = page.getByRole('button', { name: /^Send a test/ });
  await button.click();
  await page.getByText('It refused the access token.').waitFor();
  status = 200;
  await button.click();
  await page.getByText(/^Sent at .*Check your phone\.$/).waitFor();
  expect(topic.received.at(-1)?.body).toContain('admin sent this test');

  await page.getByRole('switch', { name: 'Someone asks for access' }).click();
  await expect.poll(config).toContain('- recorder_away');
  expect(config()).not.toContain('access_asked');
  await page.getByRole('switch', { name: 'Someone asks for access' }).click();
  await expect.poll(config).not.toContain('events:');
  await lookAt(page, 'alerts that are set up');

  await page.getByRole('button', { name: /^Edit / }).click();
  expect(await page.getByLabel('Topic').inputValue()).toBe('');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Alerts go there now.').waitFor();
  expect(config()).toContain(`url: ${topic.url}/willow-lane`);
  await page.getByRole('button', { name: /^Edit / }).click();
  await page.getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  await page.getByRole('button', { name: 'Set up ntfy' }).waitFor();
  expect(config()).toContain('targets: []');
});

test('a file that cannot be written gives the lines to add; what is typed is tested anyway', async ({
  open,
}) => {
  const shared = await open(origin(), { as: admin });
  const { page, expectInConsole } = shared;
  expectInConsole(/status of 409/);
  await page.route('**/postern/api/settings/notifications', async (route) => {
    if (route.request().method() === 'GET') return route.fulfill({ json: { value: null, writable: false } });
    const lines = 'notifications:\n  targets: []\n';
    return route.fulfill({
      status: 409,
      json: { code: 'configuration_read_only', message: 'Read-only', lines },
    });
  });
  await page.goto('/postern/settings/notifications');
  await page.getByText('you get the lines to add').waitFor();
  await page.getByRole('button', { name: 'Set up Email' }).click();
  await page.getByLabel('Mail server').fill('mail.home.example');
  await page.getByLabel('User name').fill('anna@home.example');
  expect(await page.getByLabel('From').inputValue()).toBe('anna@home.example');
  await page.getByRole('button', { name: 'Send a test' }).click();
  await page.getByText('Enter an address under To first.').waitFor();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.getByLabel('config.yml').inputValue()).toBe('notifications:\n  targets: []\n');
  await page.getByRole('button', { name: 'Copy' }).waitFor();
  await lookAt(page, 'lines to add');
});
