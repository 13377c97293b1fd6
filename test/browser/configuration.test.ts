import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, vi } from 'vitest';
import { stringify } from 'yaml';
import { watchFiles } from '../../src/config/watch.ts';
import { adminOf, userOf } from '../support/log-in.ts';
import { scrape } from '../support/scrape.ts';
import { expectSettingsRefused, goToSettings, test } from '../support/site.ts';
import { startGateway } from '../support/start-gateway.ts';

const waitOptions = { timeout: 60_000, interval: 50 };

/** A gateway whose config.yml is watched, as the process does. */
async function start() {
  const directory = mkdtempSync(join(tmpdir(), 'postern-configuration-'));
  const file = join(directory, 'config.yml');
  const networking = { listen: { authenticated: '127.0.0.1:0', internal: '127.0.0.1:0' } };
  const write = (config: Record<string, unknown>) =>
    writeFileSync(file, stringify({ networking, auth: { roles: { street: ['front'] } }, ...config }));
  write({});
  const gateway = await startGateway({ directory, keepConfig: true });
  const unwatch = watchFiles({
    files: () => [file],
    onChange: () => gateway.reloading.reload('a file changed'),
    interval: 50,
  });
  onTestFinished(async () => {
    unwatch();
    await gateway.close();
    rmSync(directory, { recursive: true, force: true });
  });
  return { gateway, write, file, admin: await adminOf(gateway) };
}

describe('the page of the configuration', () => {
  test('shows what became of a changed file, and of its mending', async ({ open }) => {
    const { gateway, write, file, admin } = await start();
    const { authenticated = '', internal = '' } = gateway.addresses;
    const isGood = async () => (await scrape(internal)).get('postern_config_last_reload_successful') === 1;
    const { page } = await open(`https://${authenticated}`, { as: admin });
    await page.goto('/postern/settings/configuration');
    await page.getByText('haven’t changed since').waitFor();
    const hash = gateway.reloading.report().hash;
    await page.getByText(hash).waitFor();
    await expect.poll(() => page.title()).toBe('Configuration · Postern');

    const good = readFileSync(file, 'utf8');
    write({ proxy: { auth_secret: 'not to be shown', separator: '::' }, auth: { enabled: 'maybe' } });
    await vi.waitFor(async () => expect(await isGood()).toBe(false), waitOptions);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('The files couldn’t be applied').waitFor();
    const problems = page.locator('.problems > li');
    await expect.poll(() => problems.count()).toBe(gateway.reloading.report().problems.length);
    await expect
      .poll(() => problems.filter({ hasText: 'proxy.separator' }).innerText())
      .toMatch(/Found: text\s+Allowed: exactly one character/);
    expect(await page.locator('main').innerText()).not.toContain('not to be shown');
    await page.getByText(hash).waitFor();

    writeFileSync(file, good.replace('front', 'garage'));
    await vi.waitFor(async () => expect(await isGood()).toBe(true), waitOptions);
    // A user who comes back from the editor sees it at once.
    await page.evaluate("window.dispatchEvent(new Event('focus'))");
    await page.getByText('again and applied').waitFor();
    await page.getByText(gateway.reloading.report().hash).waitFor();
    await expect.poll(() => page.getByText(hash).count()).toBe(0);
    await expect.poll(() => problems.count()).toBe(0);
  });

  test('shows what waits for a restart', async ({ open }) => {
    const { gateway, write, admin } = await start();
    const { page } = await open(`https://${gateway.addresses.authenticated}`, { as: admin });
    await page.goto('/postern/settings/users');
    await goToSettings(page, 'Configuration');
    await page.getByRole('heading', { name: 'Current' }).waitFor();
    await expect.poll(() => page.getByText('wait for a restart').count()).toBe(0);
    write({ tls: { enabled: false } });
    await vi.waitFor(() => expect(gateway.reloading.report().waiting).not.toEqual([]), waitOptions);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('These changes wait for a restart').waitFor();
    await page.getByText('tls.enabled', { exact: true }).waitFor();
  });

  test('shows what of the current configuration is worth a second look', async ({ open }) => {
    const { gateway, write, admin } = await start();
    const { page } = await open(`https://${gateway.addresses.authenticated}`, { as: admin });
    await page.goto('/postern/settings/configuration');
    await page.getByRole('heading', { name: 'Current' }).waitFor();
    await expect.poll(() => page.getByText('Worth a second look').count()).toBe(0);
    write({ auth: { failed_login_rate_limit: '' } });
    await vi.waitFor(() => expect(gateway.reloading.report().warnings).not.toEqual([]), waitOptions);
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByText('Worth a second look').waitFor();
    await page.getByText('passwords can be guessed without limit').waitFor();
  });

  test('shows that it could not be reloaded, and keeps what it has', async ({ open }) => {
    const { gateway, admin } = await start();
    const { page, expectInConsole } = await open(`https://${gateway.addresses.authenticated}`, { as: admin });
    expectInConsole(/503/);
    await page.goto('/postern/settings/configuration');
    await page.getByText(gateway.reloading.report().hash).waitFor();
    await page.route('**/api/configuration', (route) =>
      route.fulfill({ status: 503, json: { message: 'Away for a moment' } }),
    );
    await page.getByRole('button', { name: 'Refresh' }).click();
    await page.getByRole('alert').filter({ hasText: 'Away for a moment' }).waitFor();
    await page.getByText(gateway.reloading.report().hash).waitFor();
    await page.reload();
    await page.getByText('Couldn’t load configuration').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText(gateway.reloading.report().hash).waitFor();
  });

  test('is for admins', async ({ open }) => {
    const { gateway, admin } = await start();
    const { authenticated = '' } = gateway.addresses;
    const olaf = await userOf(admin, authenticated, 'olaf', 'viewer');
    const { page, expectInConsole } = await open(`https://${authenticated}`, { as: olaf });
    expectInConsole(/403/);
    await page.goto('/postern/settings/configuration');
    await expectSettingsRefused(page);
    await expect.poll(() => page.getByText(gateway.reloading.report().hash).count()).toBe(0);
  });
});
