import type { Page } from 'playwright-core';
import { openStore, storePath } from '../src/store/sqlite/open-store.ts';
import { addPerson, issuer } from '../test/support/add-person.ts';
import { openTab, sendLogin, startChromium } from '../test/support/browse.ts';
import { choose } from '../test/support/choose.ts';
import { adminOf, goodPassword, userOf, type Visitor } from '../test/support/log-in.ts';
import { startLiveRecorder } from '../test/support/live-recorder.ts';
import { startGateway } from '../test/support/start-gateway.ts';
import { takeFirstMinutes } from './moving-picture.ts';
import { attempt, inEachLook, samplePicture, useSession } from './pictures.ts';
import { takeReadme } from './readme-screenshots.ts';
import { takeShares } from './share-screenshots.ts';
import { takeSignIn } from './sign-in-screenshots.ts';

const gateway = await startGateway({
  sample: true,
  config: {
    public_url: 'https://cameras.example.org',
    auth: {
      roles: { family: ['driveway', 'front_door'], neighbour: ['driveway'] },
      camera_groups: { outside: ['back_yard', 'side_gate'] },
      role_access: {
        neighbour: {
          groups: ['outside'],
          may: ['live'],
          from: '2026-12-20',
          until: '2027-01-05',
          hours: '07:00-19:00',
          history: 'from',
        },
      },
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
  ['first-run', '/postern/first-run?step=recorder', (page) => page.locator('#step').waitFor()],
  [
    'first-run-ready',
    '/postern/first-run?step=check',
    (page) => page.getByRole('link', { name: 'Go to Home' }).waitFor(),
  ],
  ['people', '/postern/people', hasButton('Add user')],
  ['person', '/postern/people/olaf', hasButton('Change access')],
  ['change-access', '/postern/people/olaf', dialogOf('Change access')],
  ['add-user', '/postern/people', dialogOf('Add user')],
  [
    'half-filled',
    '/postern/people',
    async (page) => {
      await dialogOf('Add user')(page);
      await page.getByLabel('User name').fill('nell');
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Keep editing' }).waitFor();
    },
  ],
  [
    'undo',
    '/postern/people?search=olaf',
    async (page) => {
      await choose(page, 'olaf', 'Change role of olaf');
      const role = page.getByRole('dialog').getByLabel('Role');
      await role.selectOption((await role.inputValue()) === 'viewer' ? 'family' : 'viewer');
      await page.getByRole('button', { name: 'Change role', exact: true }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
    },
  ],
  ['no-match', '/postern/people?search=zoe', shows('Nothing matches')],
  ['delete-user', '/postern/people', (page) => choose(page, 'petra', 'Delete petra')],
  ['block-user', '/postern/people', (page) => choose(page, 'olaf', 'Block olaf')],
  [
    'add-role',
    '/postern/settings/access',
    async (page) => {
      await dialogOf('Add role')(page);
      await page.getByText('Limit access to certain times').click();
      await page.getByRole('group', { name: 'First day' }).getByLabel('Day').fill('2026-12-20');
      await page.getByRole('dialog').locator('.chip', { hasText: 'outside' }).click();
    },
  ],
  ['edit-role', '/postern/settings/access/neighbour', dialogOf('Edit role')],
  ['edit-viewer', '/postern/settings/access/viewer', dialogOf('Edit role')],
  [
    'camera-groups',
    '/postern/settings/access',
    (page) => page.getByText('Used by neighbour').scrollIntoViewIfNeeded(),
  ],
  [
    'group-changes',
    '/postern/settings/access',
    async (page) => {
      await dialogOf('Edit group outside')(page);
      await page.getByRole('switch', { name: 'Garage' }).check();
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByRole('dialog', { name: 'What changes with outside' }).waitFor();
    },
  ],
  ['role', '/postern/settings/access/family', hasButton('Edit role')],
  [
    'sessions',
    '/postern/settings/sessions',
    (page) => page.getByRole('list', { name: 'Sessions' }).locator('> li').nth(2).waitFor(),
  ],
  ['audit', '/postern/settings/audit', (page) => page.locator('table.audit tbody tr').first().waitFor()],
  [
    'why-refused',
    '/postern/settings/audit?event=refused',
    async (page) => {
      await page.getByRole('link', { name: 'Why?' }).first().click();
      await page.getByRole('heading', { level: 1 }).waitFor();
    },
  ],
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
  [
    'menu',
    '/postern/people',
    async (page) => {
      await hasButton('Add user')(page);
      await page.locator('details.account summary').click();
    },
  ],
];

try {
  let admin: Visitor | undefined;
  await attempt('README.md', () => takeReadme(browser));
  await attempt('the first minutes', () => takeFirstMinutes(browser));
  await inEachLook(browser, url, async (tab, take, [look]) => {
    const { page } = tab;
    await page.goto('/login');
    await page.getByLabel('User name').waitFor();
    if (look === '') await page.getByText('generated password').waitFor();
    await take('first-login');
    if (look === '') {
      admin = await adminOf(gateway);
      const olaf = await userOf(admin, address, 'olaf', 'viewer');
      const cameras = ['front_door', 'garage'];
      await admin.send('POST', '/postern/api/tokens', { name: 'Backup', role: 'admin', expires_in_days: 30 });
      await olaf.send('POST', '/postern/api/tokens', { name: 'Home Assistant', role: 'viewer', cameras });
      await userOf(admin, address, 'anna', 'family');
      await addPeople();
      await admin.send('PUT', '/postern/api/users/quinn/blocked', { blocked: true });
    }
    await page.goto('/postern/settings/access');
    await sendLogin(page, 'anna', goodPassword);
    await page.getByText('You’re signed in as anna').waitFor();
    await take('no-settings');
    await page.goto('/api/garage/latest.jpg');
    await page.getByText('You’re signed in as anna').waitFor();
    await take('refused');
    await useSession(tab, url, admin ?? {});
    for (const [name, path, ready] of pages) {
      await attempt(name + look, async () => {
        await page.goto(path);
        await ready(page);
        await take(name);
      });
    }
    await page.route('**/api/events**', (route) =>
      route.fulfill({ status: 503, json: { message: "The event database can't be read" } }),
    );
    await page.goto('/postern/explore');
    await page.getByText('Couldn’t load').waitFor();
    await take('error');
  });
  await attempt('sign-in', () => takeSignIn(browser));
  await attempt('shares', () => takeShares(browser));
  await attempt('live', takeLive);
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

/** A camera that plays, with a recorder, and what admins see of it. */
async function takeLive(): Promise<void> {
  const recorder = await startLiveRecorder({ cameras: ['driveway', 'garage'], roles: {} }, samplePicture);
  recorder.offer('mjpeg', 'pictures');
  const before = await startGateway({ config: { upstream: `http://${recorder.address}` } });
  const admin = await adminOf(before);
  const olaf = await userOf(admin, before.addresses.authenticated ?? '', 'olaf', 'viewer');
  const origin = `https://${before.addresses.authenticated}`;
  await inEachLook(browser, origin, async (tab, take, [, options]) => {
    const { page } = tab;
    await useSession(tab, origin, olaf);
    await page.goto('/postern/cameras/driveway');
    await page.locator('.live.playing').waitFor();
    await take('live');
    const watching = await openTab(browser, origin, options);
    await useSession(watching, origin, admin);
    await watching.page.goto('/postern/settings/sessions');
    await watching.page.getByText('watching Driveway').first().waitFor();
    await take('sessions-watching', watching.page);
    await watching.close();
  });
  await before.close();
  await recorder.close();
}
