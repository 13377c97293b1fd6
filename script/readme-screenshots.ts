import type { Browser, Page } from 'playwright-core';
import { openTab } from '../test/support/browse.ts';
import { adminOf, userOf } from '../test/support/log-in.ts';
import { startGateway } from '../test/support/start-gateway.ts';
import { inEachLook, useSession } from './pictures.ts';

/** The pictures of README.md: Postern as a first start shows it, with a household of three. */
export async function takeReadme(browser: Browser): Promise<void> {
  const gateway = await startGateway({
    sample: true,
    config: {
      public_url: 'https://cameras.example.org',
      auth: {
        camera_groups: { outside: ['back_yard', 'side_gate'] },
        roles: { family: ['front_door', 'driveway', 'back_yard', 'side_gate'], neighbour: ['driveway'] },
        role_access: {
          neighbour: { groups: ['outside'], may: ['live'], hours: '07:00-19:00' },
          family: { may: ['live', 'history'] },
        },
      },
    },
  });
  const address = gateway.addresses.authenticated ?? '';
  const url = `https://${address}`;
  const admin = await adminOf(gateway);
  const anna = await userOf(admin, address, 'anna', 'family');
  await userOf(admin, address, 'nell', 'neighbour');
  // Without the notices of a first start.
  const ada = await userOf(admin, address, 'ada', 'admin');
  const made = await admin.send('POST', '/postern/api/shares', {
    kind: 'event',
    id: 'sample-00-parcel',
    label: 'Your parcel is here',
    expires_in: 604_800,
  });
  const share = new URL((JSON.parse(made.body) as { url: string }).url);
  const watcher = await openTab(browser, url);
  await useSession(watcher, url, anna);
  await watcher.page.goto('/postern/');

  await inEachLook(browser, url, async (tab, take) => {
    const { page } = tab;
    await page.goto('/login');
    await page.getByLabel('User name').waitFor();
    await take('login');
    await page.goto('/postern/pair');
    await page.getByRole('button', { name: 'Show cameras on this device' }).click();
    await page.getByText('Waiting for you').waitFor();
    const code = await page.locator('.code').textContent();
    await take('pair-screen');
    await page.goto(share.pathname + share.hash);
    await page.getByText('You can watch it until').waitFor();
    await page.locator('video').waitFor();
    await page.evaluate(playToMiddle);
    await take('share');
    await useSession(tab, url, ada);
    await page.goto('/postern/');
    await page.locator('.event-text').nth(3).waitFor();
    await page.getByRole('region', { name: 'Watching now' }).waitFor();
    await page.locator('.watching img.still').first().waitFor();
    // Hints of a first start.
    for (const hint of await page.getByRole('button', { name: /^Dismiss/ }).all()) await hint.click();
    await settle(page);
    await take('home');
    const watching = page.getByRole('region', { name: 'Watching now' });
    await watching.scrollIntoViewIfNeeded();
    await watching.getByRole('button', { name: /^Stop/ }).first().click();
    await take('watching');
    await page.keyboard.press('Escape');
    for (const [name, path, ready] of [
      ['access', '/postern/settings/access', page.getByRole('button', { name: 'Add role' })],
      ['view-as', '/postern/settings/as?user=nell', page.getByText('What nell can do')],
      ['why', '/postern/settings/why?user=nell&camera=garage&to=live', page.getByText('How Postern decided')],
    ] as const) {
      await page.goto(path);
      await ready.first().waitFor();
      await page.evaluate(decodePictures);
      await take(name);
    }
    await page.goto(`/postern/pair?code=${code}`);
    await page.getByLabel('Name').fill('Kitchen tablet');
    for (const camera of ['Back yard', 'Garage']) await page.getByLabel(camera).uncheck();
    await page.evaluate(decodePictures);
    await take('pair');
    await page.goto('/postern/people');
    await page.getByRole('button', { name: 'Invite' }).click();
    await page.getByLabel('Name').fill('rob');
    for (const camera of ['Driveway', 'Front door']) await page.getByLabel(camera).check();
    await page.evaluate(decodePictures);
    await take('invite');
    await page.goto('/postern/wall');
    await page.locator('.tile:not(.waits)').nth(4).waitFor();
    await take('wall');
  });
  await watcher.close();
  await gateway.close();
}

/** Runs in the browser: the clip shows its middle, and no sign of loading. */
const playToMiddle = `(async () => {
  const video = document.querySelector('video');
  video.muted = true;
  await video.play();
  while (video.currentTime < 4) await new Promise((done) => setTimeout(done, 50));
  video.pause();
})()`;

/** Runs in the browser: what a list hides is never loaded. */
const decodePictures = `Promise.race([
  Promise.allSettled([...document.images].filter((image) => image.checkVisibility()).map((image) => image.decode())),
  new Promise((done) => setTimeout(done, 3000)),
])`;

/** Pictures of the cameras have come, as far as they do within a moment: live ones continue. */
async function settle(page: Page): Promise<void> {
  await page.waitForLoadState('networkidle', { timeout: 2_000 }).catch(() => undefined);
}
