import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { stringify } from 'yaml';
import { leaveSession, sendLogin } from '../support/browse.ts';
import { adminOf, goodPassword, userOf, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { openStream, streamsOf, type OpenStream } from '../support/open-stream.ts';
import { addPasskeyDevice } from '../support/passkey-device.ts';
import { freePort } from '../support/ports.ts';
import { accountMenu, startTab, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const directory = mkdtempSync(join(tmpdir(), 'postern-landing-'));
let recorder: LiveRecorder;
let gateway: RunningGateway;
let origin: string;
let admin: Visitor;
let vera: Visitor;
let configure: (landing?: string) => void;
beforeAll(async () => {
  recorder = await startLiveRecorder({ cameras: ['driveway', 'garage'], roles: {} });
  const port = await freePort();
  // Browsers have passkeys only at a name.
  origin = `https://localhost:${port}`;
  const off = { authenticated: 'off', internal: 'off' };
  configure = (landing) =>
    writeFileSync(
      join(directory, 'config.yml'),
      stringify({
        public_url: origin,
        upstream: `http://${recorder.address}`,
        networking: {
          listen: { authenticated: `127.0.0.1:${port}`, internal: 'off' },
          forward_auth: off,
          relay: off,
        },
        ...(landing !== undefined && { ui: { landing } }),
      }),
    );
  configure();
  gateway = await startGateway({ directory, keepConfig: true });
  admin = await adminOf(gateway);
  await userOf(admin, gateway.addresses.authenticated ?? '', 'olaf', 'viewer');
  vera = await userOf(admin, gateway.addresses.authenticated ?? '', 'vera', 'viewer');
});
afterAll(async () => {
  await gateway?.close();
  await recorder?.close();
  rmSync(directory, { recursive: true, force: true });
});

const lands = async (page: Page, path = '/postern/') => {
  await page.waitForURL(path);
  await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor({ state: 'attached' });
};

// One visit, step by step.
describe('without a deep link, people land on Home', () => {
  const tab = startTab(() => origin);
  const logIn = async (target: string) => {
    const { page, expectInConsole } = tab();
    // A password leads to the second step by a 401; the recorder has no start page.
    expectInConsole(/40[14]|WebSocket/);
    await leaveSession(page);
    await page.goto(target);
    await sendLogin(page, 'olaf', goodPassword);
    return page;
  };

  test('by password, from the login page and from where a front sends them', async () => {
    for (const target of ['/login', '/login?next=%2F', '/']) await lands(await logIn(target));
  });

  test('by passkey, and by passkey as second factor', async () => {
    const { page } = tab();
    const device = await addPasskeyDevice(tab());
    await page.goto('/postern/account');
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
    await device.press(true);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    await device.press(false);
    await logIn('/login');
    const confirm = page.getByRole('button', { name: 'Use a passkey' });
    await confirm.waitFor();
    await device.press(true);
    await confirm.click();
    await lands(page);
    await device.press(false);
    await leaveSession(page);
    // Leaves out what the browser offers by itself.
    await page.route('**/passkey-options', () => undefined, { times: 1 });
    const offer = page.waitForRequest('**/passkey-options');
    await page.goto('/login?next=/');
    await offer;
    await device.press(true);
    await page.getByRole('button', { name: 'Sign in with a passkey' }).click();
    await lands(page);
    await device.press(false);
  });

  test('by an invitation that they accept', async () => {
    const made = await admin.send('POST', '/postern/api/invitations', { name: 'nell', role: 'viewer' });
    const { url } = JSON.parse(made.body) as { readonly url: string };
    const { page } = tab();
    await leaveSession(page);
    await page.goto(url);
    await page.getByRole('button', { name: 'Use a password instead' }).click();
    await page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await page.getByLabel('Repeat the password').fill(goodPassword);
    await page.getByRole('button', { name: 'Join' }).click();
    await lands(page);
  });

  test('from where the recorder opens in a tab of its own', async () => {
    const { page, context, expectInConsole } = tab();
    expectInConsole(/404|WebSocket/);
    const main = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await expect.poll(() => main.allTextContents()).toEqual(['Home', 'Explore']);
    const opens = async () => {
      const opened = context.waitForEvent('page');
      await page.getByRole('link', { name: 'Open Frigate' }).click();
      const other = await opened;
      await other.waitForURL('/');
      await other.close();
      expect(new URL(page.url()).pathname).toBe('/postern/');
    };
    await opens();
    await accountMenu(page).click();
    await page.getByText('Close it to come back here').waitFor();
    await page.getByRole('link', { name: 'Open Frigate Opens' }).click();
    await expect.poll(() => context.pages().length).toBe(2);
    await context.pages().at(-1)?.close();
  });

  test('unless ui.landing names the recorder, as of a reload', async () => {
    configure('recorder');
    await gateway.reloading.reload('test');
    const { page } = tab();
    await leaveSession(page);
    await page.goto('/login');
    await page.getByRole('link', { name: 'To Postern’s own pages' }).waitFor();
    await sendLogin(page, 'nell', goodPassword);
    tab().expectInConsole(/404/);
    await page.waitForURL('/');
    configure();
    await gateway.reloading.reload('test');
  });
});

test('Home lists others who watch, and not even a heading where no one does', async ({ open }) => {
  const { page, expectInConsole } = await open(origin, { as: admin });
  expectInConsole(/404|WebSocket/);
  const watching = page.getByRole('heading', { name: 'Watching now' });
  const watch = ({ token }: Visitor): Promise<OpenStream> =>
    openStream({ address: gateway.addresses.authenticated ?? '', tls: true }, streamsOf('driveway').picture, [
      ['Cookie', `session_token=${token}`],
    ]);
  await page.clock.install();
  await page.goto('/postern/');
  const own = await watch(admin);
  await page.getByRole('heading', { name: /^(?:Today|Latest)/ }).waitFor();
  expect(await watching.count()).toBe(0);
  const others = await watch(vera);
  await page.clock.fastForward(10_000);
  await watching.waitFor();
  await expect.poll(() => page.locator('.watching li').allTextContents()).toHaveLength(1);
  others.close();
  await others.ended;
  await page.clock.fastForward(10_000);
  await watching.waitFor({ state: 'detached' });
  own.close();
});
