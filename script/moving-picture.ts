import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { openTab, sendLogin } from '../test/support/browse.ts';
import { goodPassword, printedPassword } from '../test/support/log-in.ts';
import { startGateway } from '../test/support/start-gateway.ts';
import { animatedWebp, type Frame } from './animated-webp.ts';

const size = { width: 960, height: 600 };
const path = join(import.meta.dirname, '..', 'docs', 'images', 'first-minutes.webp');

/** The moving picture of README.md: the first two minutes with Postern, by its sample. */
export async function takeFirstMinutes(browser: Browser): Promise<void> {
  const gateway = await startGateway({
    sample: true,
    config: { auth: { roles: { neighbour: ['driveway'] }, role_access: { neighbour: { may: ['live'] } } } },
  });
  const url = `https://${gateway.addresses.authenticated}`;
  const { page, context, close } = await openTab(browser, url, { viewport: size, colorScheme: 'light' });
  const devTools = await context.newCDPSession(page);
  const frames: Frame[] = [];
  const show = async (milliseconds: number) => {
    await page.evaluate('Promise.allSettled(document.getAnimations().map(({ finished }) => finished))');
    const { data } = await devTools.send('Page.captureScreenshot', { format: 'webp', quality: 82 });
    frames.push({ picture: Buffer.from(data, 'base64'), milliseconds });
  };

  await page.goto('/login');
  await page.getByLabel('User name').waitFor();
  await show(1_200);
  await sendLogin(page, 'admin', printedPassword(gateway));
  await page.getByLabel('Old password').fill(printedPassword(gateway));
  await page.getByLabel('New password').fill(goodPassword);
  await page.getByLabel('Repeat the password').fill(goodPassword);
  await show(1_400);
  await page.getByRole('button', { name: 'Save password' }).click();
  await page.getByLabel('Address').fill('192.168.1.20:8971');
  await show(1_400);
  await page.getByRole('button', { name: 'Skip' }).click();
  await page.getByLabel('Name of the house').fill('Willow Lane');
  await show(1_200);
  await page.getByLabel('Harbour').focus();
  await page.keyboard.press('Space');
  await show(1_400);
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.getByRole('button', { name: 'Invite your family' }).waitFor();
  await show(1_400);
  await inviteNell(page, () => show(1_600));

  await page.goto('/postern/');
  await page.locator('.event-text').nth(3).waitFor();
  for (const hint of await page.getByRole('button', { name: /^Dismiss/ }).all()) await hint.click();
  await page.mouse.move(0, 0);
  // The sample moves: each of its pictures is shown for a quarter of a second.
  for (let i = 0; i < 4; i += 1) {
    await page.waitForTimeout(1_000);
    await show(500);
  }

  await page.goto('/postern/settings/access');
  await page.getByRole('button', { name: 'Add role' }).waitFor();
  await page.locator('.matrix-picture > img').nth(4).waitFor();
  await show(1_600);
  await page.getByRole('gridcell', { name: /^neighbour, Front door/ }).click();
  await show(1_000);
  await page.getByRole('switch', { name: 'Sees Front door' }).click();
  await page.getByText(/gains/).first().scrollIntoViewIfNeeded();
  await show(2_000);
  await page.goto('/postern/settings/as?user=nell');
  await page.getByText('What nell can do').waitFor();
  await show(2_000);
  await page.goto('/postern/settings/why?user=nell&camera=garage&to=live');
  await page.getByText('How Postern decided').waitFor();
  await show(3_000);

  writeFileSync(path, animatedWebp(frames, size));
  process.stdout.write(`${path}\n`);
  await close();
  await gateway.close();
}

/** Invites her as a person would, and lets her in without a second browser. */
async function inviteNell(page: Page, show: () => Promise<void>): Promise<void> {
  await page.getByRole('button', { name: 'Invite your family' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('nell');
  await dialog.getByLabel('Driveway').check();
  await show();
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const user = { username: 'nell', password: goodPassword, role: 'neighbour' };
  await page.evaluate(
    `fetch('/api/users', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: ${JSON.stringify(JSON.stringify(user))},
    })`,
  );
}
