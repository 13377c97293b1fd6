import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect } from 'vitest';
import { adminOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { emptyDatabase } from '../support/postgres.ts';
import { test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  gateway = await startGateway({ sample: true, config: { timezone: 'Europe/Berlin' } });
  admin = await adminOf(gateway);
});
afterAll(() => gateway?.close());
const config = () => readFileSync(join(gateway.directory, 'config.yml'), 'utf8');

test('Settings > General writes what a household needs', async ({ open }) => {
  const { page } = await open(`https://${gateway.addresses.authenticated}`, { as: admin });
  await page.goto('/postern/settings/general');
  const zone = page.getByLabel('Time zone');
  const save = page.getByRole('button', { name: 'Save' });
  await zone.fill('Europe/Berlim');
  await page.getByText('Type a city or a region.').waitFor();
  await save.first().click();
  await page.getByText('There’s no such time zone.').waitFor();
  await zone.fill('Asia/Tokyo');
  await page.getByText(/^It’s \d\d:\d\d there now/).waitFor();
  await save.first().click();
  await expect.poll(config).toContain('timezone: Asia/Tokyo');

  const address = page.getByLabel('Address of this site');
  await address.fill('cameras.example.org/postern');
  await save.last().click();
  await page.getByText('Enter an address such as').waitFor();
  await address.fill('cameras.example.org');
  await save.last().click();
  await expect.poll(config).toContain('public_url: https://cameras.example.org');

  const factor = page.getByRole('switch', { name: 'Admins need a second factor' });
  expect(await factor.isDisabled()).toBe(true);
  await page.getByRole('link', { name: 'Add yours first' }).waitFor();

  await page.getByText('you must tell people').waitFor();
  await page.getByRole('switch', { name: 'Record who watches what' }).click();
  await expect.poll(config).toContain('viewing: true');
  await lookAt(page, 'general settings');
});

test('an admin with a second factor requires it of all of them; other roles stay', async ({ open }) => {
  const { page } = await open(`https://${gateway.addresses.authenticated}`, { as: admin });
  await page.route('**/postern/api/sign-in-methods', async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), one_time_code: { created_at: 1 } } });
  });
  await admin.send('PUT', '/postern/api/settings/auth.second_factor', {
    value: { required_for: ['viewer'] },
  });
  await page.goto('/postern/settings/general');
  await page.getByRole('switch', { name: 'Admins need a second factor' }).click();
  await expect.poll(config).toMatch(/required_for:\n\s+- viewer\n\s+- admin/);
});

test.for<[what: string, start: () => Promise<RunningGateway>, isKnown: boolean]>([
  [
    'a file that cannot be written',
    async () => {
      const started = await startGateway({ sample: true });
      // In the way of the new file, also for root.
      mkdirSync(join(started.directory, 'config.yml.new'));
      return started;
    },
    false,
  ],
  [
    'a shared store',
    async () =>
      startGateway({
        sample: true,
        config: { store: { url: (await emptyDatabase()).url } },
        environment: { SERVICE_JWT_SECRET: 's'.repeat(64) },
      }),
    true,
  ],
])('with %s, each setting gives the lines to paste', async ([, start, isKnown], { open }) => {
  const shared = await start();
  try {
    const before = readFileSync(join(shared.directory, 'config.yml'), 'utf8');
    const tab = await open(`https://${shared.addresses.authenticated}`, { as: await adminOf(shared) });
    tab.expectInConsole(/status of 409/);
    const { page } = tab;
    await page.goto('/postern/settings/general');
    const zone = page.getByLabel('Time zone');
    await zone.waitFor();
    expect(await page.getByText('you get the lines to add').count()).toBe(isKnown ? 1 : 0);
    const pasted = page.getByLabel('config.yml');
    const values = () =>
      pasted.evaluateAll((fields) => fields.map((field) => (field as HTMLInputElement).value));
    await zone.fill('Asia/Tokyo');
    await page.getByRole('button', { name: 'Save' }).first().click();
    await expect.poll(values).toEqual(['timezone: Asia/Tokyo\n']);
    await page.getByLabel('Address of this site').fill('cameras.example.org');
    await page.getByRole('button', { name: 'Save' }).last().click();
    await expect.poll(values).toContainEqual('public_url: https://cameras.example.org\n');
    await page.getByRole('switch', { name: 'Record who watches what' }).click();
    await expect.poll(values).toContainEqual('audit:\n  viewing: true\n');
    expect(await page.getByRole('button', { name: 'Copy' }).count()).toBe(3);
    await lookAt(page, 'lines to paste');
    expect(readFileSync(join(shared.directory, 'config.yml'), 'utf8')).toBe(before);
  } finally {
    await shared.close();
  }
});
