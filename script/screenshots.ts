import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { openStore, storePath } from '../src/store/sqlite/open-store.ts';
import { addPerson, issuer } from '../test/support/add-person.ts';
import { logInBy, openTab, startChromium } from '../test/support/browse.ts';
import { adminOf, goodPassword, printedPassword, userOf } from '../test/support/log-in.ts';
import { startLiveRecorder } from '../test/support/live-recorder.ts';
import { startGateway } from '../test/support/start-gateway.ts';
import { cameraPictures } from './camera-pictures.ts';
import { inEachLook, useSession } from './pictures.ts';
import { takeShares } from './share-screenshots.ts';
import { takeSignIn } from './sign-in-screenshots.ts';

const gateway = await startGateway({
  config: {
    public_url: 'https://cameras.example.org',
    auth: {
      roles: { family: ['driveway', 'front_door'], neighbour: ['driveway'] },
      role_windows: { neighbour: { from: '2026-12-20', until: '2027-01-05', hours: '07:00-19:00' } },
      oidc: { issuer, client_id: 'cameras', client_secret: 'never asked for', label: 'Pocket ID' },
    },
  },
});
const address = gateway.addresses.authenticated ?? '';
const url = `https://${address}`;
const browser = await startChromium();

const shows = (text: string) => (page: Page) => page.getByText(text).waitFor();
const hasButton = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).waitFor();
const dialogOf = (button: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click();
  await page.getByRole('dialog').waitFor();
};
const pages: ReadonlyArray<readonly [name: string, path: string, ready: (page: Page) => Promise<void>]> = [
  ['home-sample', '/postern/', (page) => page.locator('.event-text').nth(7).waitFor()],
  ['explore', '/postern/explore', (page) => page.locator('.event-text').nth(11).waitFor()],
  [
    'event',
    '/postern/explore',
    async (page) => {
      await page.locator('.event-open').nth(2).click();
      await page.getByRole('dialog').waitFor();
    },
  ],
  [
    'event-page',
    '/postern/explore',
    async (page) => {
      await page.locator('.event-open').nth(2).click();
      await page.waitForURL(/events/);
      // As it looks to a user who was sent the URL.
      const sent = page.url();
      await page.goto('about:blank');
      await page.goto(sent);
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  ],
  [
    'explore-filters',
    '/postern/explore?cameras=garage,front_door&labels=person,dog',
    async (page) => {
      await page.locator('.event').first().waitFor();
      await page.locator('.choice > summary').first().click();
    },
  ],
  ['first-run', '/postern/first-run?step=recorder', shows('Address of the recorder')],
  ['users', '/postern/settings/users', hasButton('Add user')],
  ['add-user', '/postern/settings/users', dialogOf('Add user')],
  [
    'half-filled',
    '/postern/settings/users',
    async (page) => {
      await dialogOf('Add user')(page);
      await page.getByLabel('User name').fill('nell');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Keep editing' }).waitFor();
    },
  ],
  [
    'undo',
    '/postern/settings/users?search=olaf',
    async (page) => {
      await dialogOf('Change role of olaf')(page);
      const role = page.getByRole('dialog').getByLabel('Role');
      await role.selectOption((await role.inputValue()) === 'viewer' ? 'family' : 'viewer');
      await page.getByRole('button', { name: 'Change role', exact: true }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  ],
  ['no-match', '/postern/settings/users?search=zoe', shows('Nothing matches')],
  ['delete-user', '/postern/settings/users', dialogOf('Delete petra')],
  ['block-user', '/postern/settings/users', dialogOf('Block olaf')],
  ['roles', '/postern/settings/roles', hasButton('Add role')],
  ['edit-role', '/postern/settings/roles', dialogOf('Edit neighbour')],
  [
    'role',
    '/postern/settings/roles/family',
    async (page) => {
      await page.getByRole('button', { name: /which it does not have/ }).click();
      await page.getByText('Refused: ').waitFor();
    },
  ],
  [
    'sessions',
    '/postern/settings/sessions',
    (page) => page.getByRole('list', { name: 'Sessions' }).locator('> li').nth(2).waitFor(),
  ],
  [
    'configuration',
    '/postern/settings/configuration',
    async (page) => {
      writeFileSync(
        join(gateway.directory, 'config.yml'),
        'auth:\n  enabled: maybe\nproxy:\n  separator: "::"\n',
      );
      await gateway.reloading.reload('a file changed');
      await page.getByRole('button', { name: 'Refresh' }).click();
      await page.getByText('could not be applied').waitFor();
    },
  ],
  ['audit', '/postern/settings/audit', (page) => page.locator('table.audit tbody tr').first().waitFor()],
  ['why', '/postern/settings/audit?event=refused', dialogOf('Why?')],
  ['account', '/postern/account', hasButton('Change password')],
  ['tokens', '/postern/settings/tokens', shows('Home Assistant')],
  [
    'add-token',
    '/postern/account',
    async (page) => {
      await dialogOf('Add API token')(page);
      await page.getByRole('textbox', { name: 'Name' }).fill('Garage door');
      await page.getByLabel('Only some of the cameras').check();
    },
  ],
  ['api', '/postern/account/api', (page) => page.getByText('Add a user').click()],
  [
    'menu',
    '/postern/settings/users',
    async (page) => {
      await hasButton('Add user')(page);
      await page.locator('details.account summary').click();
    },
  ],
];

try {
  await inEachLook(browser, url, async ({ page }, take, [look]) => {
    await page.goto('/login');
    await page.getByLabel('User name').waitFor();
    if (look === '') await page.getByText('generated password').waitFor();
    await take('login');
    if (look === '') {
      const admin = await adminOf(gateway);
      const olaf = await userOf(admin, address, 'olaf', 'viewer');
      const cameras = ['front_door', 'garage'];
      await admin.send('POST', '/postern/api/tokens', { name: 'Backup', role: 'admin', expires_in_days: 30 });
      await olaf.send('POST', '/postern/api/tokens', { name: 'Home Assistant', role: 'viewer', cameras });
      await userOf(admin, address, 'anna', 'family');
      await addPeople();
      await admin.send('PUT', '/postern/api/users/quinn/blocked', { blocked: true });
    }
    await page.goto('/postern/settings/roles');
    await logInBy(page, 'anna', goodPassword);
    await page.getByText('Settings are for admins').waitFor();
    await take('no-settings');
    await page.goto('/api/garage/latest.jpg');
    await page.getByText('You are logged in as anna').waitFor();
    await take('refused');
    await page.context().clearCookies();
    await page.goto('/');
    await logInBy(page, 'admin', printedPassword(gateway));
    for (const [name, path, ready] of pages) {
      await page.goto(path);
      await ready(page);
      await take(name);
    }
    await page.route('**/api/events**', (route) =>
      route.fulfill({ status: 503, json: { message: 'The event database cannot be read' } }),
    );
    await page.goto('/postern/explore');
    await page.getByText('could not be loaded').waitFor();
    await take('error');
  });
  await takeSignIn(browser);
  await takeShares(browser);
  await takeWithRecorder();
} finally {
  await browser.close();
  await gateway.close();
}

/** Adds two federated users. */
async function addPeople(): Promise<void> {
  const store = await openStore(storePath(gateway.directory), 5_000);
  const seconds = Math.floor(Date.now() / 1000);
  const person = { role: 'family', role_reason: 'group nvr-family', last_login_at: seconds - 7_200 };
  for (const name of ['petra', 'quinn']) await addPerson(store, name, person);
  await store.destroy();
}

/** Home and a camera's page, with a recorder that has pictures of the sample's cameras. */
async function takeWithRecorder(): Promise<void> {
  const sample = await adminOf(gateway);
  const cameras = JSON.parse((await sample.send('GET', '/postern/api/cameras')).body) as string[];
  const listed = JSON.parse((await sample.send('GET', '/api/events?limit=8')).body) as Array<{
    readonly camera: string;
  }>;
  const pictures = await cameraPictures(browser, cameras);
  const events = listed.map((event) =>
    Object.assign(event, { thumbnail: pictures.get(event.camera)?.toString('base64') }),
  );
  const [noPicture = Buffer.alloc(0)] = pictures.values();
  const recorder = await startLiveRecorder(
    { cameras, roles: {} },
    (camera) => pictures.get(camera) ?? noPicture,
    events,
  );
  recorder.offer('mjpeg', 'pictures');
  const before = await startGateway({ config: { upstream: `http://${recorder.address}` } });
  const admin = await adminOf(before);
  const olaf = await userOf(admin, before.addresses.authenticated ?? '', 'olaf', 'viewer');
  const origin = `https://${before.addresses.authenticated}`;
  await inEachLook(browser, origin, async (tab, take, [, options]) => {
    const { page } = tab;
    await useSession(tab, origin, olaf);
    await page.goto('/postern/');
    await page.locator('.tile .on-air').nth(1).waitFor();
    await page.locator('.event-text').nth(7).waitFor();
    await take('home');
    await page.goto('/postern/live/driveway');
    await page.locator('.live.playing').waitFor();
    await take('live');
    const watching = await openTab(browser, origin, options);
    await useSession(watching, origin, admin);
    await watching.page.goto('/postern/settings/sessions');
    await watching.page.getByText('watching Driveway').waitFor();
    await take('watching', watching.page);
    await watching.close();
  });
  await before.close();
  await recorder.close();
}
