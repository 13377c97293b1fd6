import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { adminOf, type Visitor } from '../support/log-in.ts';
import { startWithProfile, type OwnBrowser } from '../support/own-profile.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/* What a browser keeps on its disk decides which cookie a screen has after a power cut. */

const cameras = 5;
const minute = 60_000;
const day = 86_400_000;
let now = Date.now();
let gateway: RunningGateway;
let admin: Visitor;
let origin: string;
let directory: string;
beforeAll(async () => {
  gateway = await startGateway({
    sample: true,
    config: { auth: { failed_login_rate_limit: '100/minute' } },
    clock: { now: () => now },
  });
  origin = `https://${gateway.addresses.authenticated}`;
});
afterAll(() => gateway?.close());
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'postern-screen-'));
  admin = await adminOf(gateway);
  return () => rmSync(directory, { recursive: true, force: true });
});

const profile = (name: string) => join(directory, name);
const copyProfile = (from: string, to: string) => {
  rmSync(profile(to), { recursive: true, force: true });
  cpSync(profile(from), profile(to), { recursive: true, verbatimSymlinks: true });
};
const start = async (name: string) => {
  // Chromium takes a profile that it did not leave itself as used elsewhere.
  for (const lock of ['SingletonLock', 'SingletonCookie', 'SingletonSocket'])
    rmSync(join(profile(name), lock), { force: true });
  const browser = await startWithProfile(profile(name));
  onTestFinished(() => browser.cutPower());
  return browser;
};

/** A profile with the cookie of a new display, and nothing running. */
async function pairedProfile(name: string): Promise<void> {
  const browser = await start('screen');
  const { page } = browser;
  await page.goto(`${origin}/postern/pair`);
  const post = (path: string, body: object): Promise<Record<string, string>> =>
    page.evaluate(
      `fetch('${path}', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '${JSON.stringify(body)}' }).then((answer) => answer.json())`,
    );
  const codes = await post('/postern/api/displays/code', {});
  const approved = await admin.send('POST', '/postern/api/displays', { user_code: codes['user_code'], name });
  expect(approved.status).toBe(201);
  await post('/postern/api/displays/token', { device_code: codes['device_code'] });
  await watching(browser);
  await browser.close();
}

const generation = async ({ context }: OwnBrowser) => {
  const cookies = await context.cookies(origin);
  return Number(/\.(\d+)\./.exec(cookies.find(({ name }) => name === 'postern_display')?.value ?? '')?.[1]);
};
const pictures = (page: Page) => page.locator('.tile:not(.waits):not(.gone)').count();
const watching = async ({ page }: OwnBrowser) => {
  await page.goto(`${origin}/postern/wall`);
  await expect.poll(() => pictures(page)).toBe(cameras);
};
/** As after each minute, or when the network is back. */
const askWall = ({ page }: OwnBrowser) => page.evaluate("dispatchEvent(new Event('online'))");
const copies = async () => {
  admin = await adminOf(gateway);
  const { body } = await admin.send('GET', '/postern/api/audit?event=display_copied');
  return (JSON.parse(body) as { records: Array<{ object: string }> }).records.map(({ object }) => object);
};

test('a screen whose power fails just after its cookie was replaced stays signed in', async () => {
  await pairedProfile('Power');
  copyProfile('screen', 'written');
  let screen = await start('screen');
  await watching(screen);
  now += day;
  await askWall(screen);
  await expect.poll(() => generation(screen)).toBe(2);
  // The gate has seen the new one.
  const answered = screen.page.waitForResponse('**/postern/api/wall');
  await askWall(screen);
  await answered;
  await screen.cutPower();

  // Chromium writes cookies twice a minute, sometimes just in time.
  copyProfile('written', 'screen');
  now += 20_000;
  screen = await start('screen');
  expect(await generation(screen)).toBe(1);
  await watching(screen);
  await expect.poll(() => generation(screen)).toBe(2);
  now += minute;
  await askWall(screen);
  now += day;
  await askWall(screen);
  await expect.poll(() => generation(screen)).toBe(3);
  expect(await pictures(screen.page)).toBe(cameras);
  expect(await copies()).not.toContain('Power');
});
