import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { adminOf, guestOf, userOf, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { lookAt } from '../support/look-at.ts';
import { browserKeys, startPushService } from '../support/push-service.ts';
import { startHttpReceiver, startMailServer } from '../support/receivers.ts';
import { looks, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let recorder: LiveRecorder;
let hook: Awaited<ReturnType<typeof startHttpReceiver>>;
let smtp: Awaited<ReturnType<typeof startMailServer>>;
let service: Awaited<ReturnType<typeof startPushService>>;
let origin: string;
let admin: Visitor;
let anna: Visitor;
beforeAll(async () => {
  const roles = { family: ['front_door'] };
  [recorder, hook, smtp, service] = await Promise.all([
    startLiveRecorder({ cameras: ['driveway', 'front_door'], roles }),
    startHttpReceiver(),
    startMailServer(),
    startPushService(),
  ]);
  gateway = await startGateway({
    config: {
      upstream: `http://${recorder.address}`,
      cameras: ['driveway', 'front_door'],
      // Chromium runs no service worker behind a certificate that it does not trust.
      tls: { enabled: false },
      auth: { failed_login_rate_limit: null, roles },
      audit: { viewing: true },
      notifications: {
        push_services: [service.origin],
        targets: [
          { type: 'webhook', url: hook.url, secret: 'a secret of the webhook' },
          { type: 'mail', url: smtp.url, from: 'gate@home.example', to: ['olaf@home.example'] },
        ],
      },
    },
  });
  const address = gateway.addresses.authenticated ?? '';
  origin = `http://${address}`;
  admin = await adminOf(gateway, address, false);
  anna = await userOf(admin, address, 'anna', 'family', false);
});
afterAll(async () => {
  await gateway?.close();
  await Promise.all([recorder, hook, smtp, service].map((server) => server?.close()));
});
test('a user enters an address for alerts, and removes it', async ({ open }) => {
  const { page } = await open(origin, { as: anna });
  await page.goto('/postern/account');
  const field = page.getByLabel('Email address');
  await field.fill('anna@home.example');
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByText('Alerts of your account go there from now on.').waitFor();
  await lookAt(page, 'an address for alerts');
  await page.reload();
  await expect.poll(() => field.inputValue()).toBe('anna@home.example');
  await field.fill('');
  await page.getByRole('button', { name: 'Save address' }).click();
  await page.getByText('You get no mail from now on.').waitFor();
});

test('a browser switches pushes on, shows one, and switches them off', async ({ open }) => {
  const browser = browserKeys();
  const { page, context } = await open(origin, { as: anna });
  await context.grantPermissions(['notifications'], { origin });
  // Its own push service is on the internet: the browser subscribes at that of the test.
  await page.addInitScript(
    ({ endpoint, keys }) => {
      const made = { endpoint, toJSON: () => ({ endpoint, keys }), unsubscribe: async () => true };
      const kept = () => (localStorage.getItem('subscribed') === null ? null : (made as never));
      PushManager.prototype.subscribe = async () => {
        localStorage.setItem('subscribed', 'yes');
        return made as never;
      };
      PushManager.prototype.getSubscription = async () => kept();
    },
    { endpoint: `${service.origin}/anna`, keys: browser.keys },
  );
  await page.goto('/postern/account');
  await page.getByRole('button', { name: 'Switch on' }).click();
  await page.getByText('This browser gets a notification').waitFor();
  await lookAt(page, 'pushes that are on');

  const session = await context.newCDPSession(page);
  const registered = new Promise<string>((resolve) =>
    session.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      for (const { registrationId, isDeleted } of registrations) if (!isDeleted) resolve(registrationId);
    }),
  );
  await session.send('ServiceWorker.enable');
  // The headless browser shows no notifications: what the worker asks for counts.
  const [worker = await context.waitForEvent('serviceworker')] = context.serviceWorkers();
  await worker.evaluate(
    `self.asked = []; self.registration.showNotification = async (...all) => self.asked.push(all)`,
  );
  await session.send('ServiceWorker.deliverPushMessage', {
    origin,
    registrationId: await registered,
    // The browser is in Berlin.
    data: JSON.stringify({
      title: 'Front door',
      body: 'Person',
      at: Date.parse('2026-11-23T13:05Z') / 1_000,
      language: 'de',
      tag: 'r1',
      page: 'events/e1',
    }),
  });
  await expect
    .poll(() => worker.evaluate('self.asked'))
    .toEqual([['Front door', { body: 'Person, 14:05', tag: 'r1', data: { page: 'events/e1' } }]]);

  await page.reload();
  await page.getByRole('button', { name: 'Switch off' }).click();
  await page.getByRole('button', { name: 'Switch on' }).waitFor();
});

describe('the alerts of each person', () => {
  const rowOf = (page: Page, name: string) =>
    page.getByRole('table', { name: 'For each person' }).getByRole('row').filter({ hasText: name });

  test('are shown to admins, who can’t turn them off', async ({ open }) => {
    await anna.send('PUT', '/postern/api/account/email', { email: 'anna@home.example' });
    const subscription = { endpoint: `${service.origin}/anna`, keys: browserKeys().keys };
    const { id } = JSON.parse((await anna.send('POST', '/postern/api/push', subscription)).body) as {
      id: string;
    };
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/settings/notifications');
    await rowOf(page, 'anna').getByText('anna@home.example').waitFor();
    expect(await rowOf(page, 'anna').textContent()).not.toContain('No notifications');
    expect(await rowOf(page, 'admin').textContent()).toMatch(/No address yet.*No notifications/);
    expect(await page.getByRole('region', { name: 'For each person' }).getByRole('switch').count()).toBe(0);
    await lookAt(page, 'the alerts of each person');
    await page.getByRole('link', { name: 'anna' }).press('Enter');
    await page.waitForURL('/postern/people/anna');

    await anna.send('PUT', '/postern/api/account/email', { email: null });
    await anna.send('DELETE', `/postern/api/push/${id}`);
    const { page: german } = await open(origin, { as: admin, locale: 'de' });
    await german.goto('/postern/settings/notifications');
    const row = german.getByRole('row').filter({ hasText: 'anna' });
    await expect.poll(() => row.textContent()).toMatch(/Noch keine Adresse.*Keine Mitteilungen/);
    await lookAt(german, 'the alerts of each person, in German', [looks[0], looks[3]]);
  });

  test('are searched by name and address, and a house of 300 shows some first', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    await page.route('**/postern/api/people', async (route) => {
      const answer = await route.fetch();
      const [first] = (await answer.json()) as Array<{ account: object }>;
      const people = Array.from({ length: 300 }, (_, number) => ({
        ...first,
        name: `person${number}`,
        account: { ...first?.account, email: number % 2 === 0 ? `${number}@home.example` : null },
      }));
      await route.fulfill({ json: [...people, { ...first, name: 'late', account: null }] });
    });
    await page.goto('/postern/settings/notifications');
    const rows = page.getByRole('table', { name: 'For each person' }).locator('tbody').getByRole('row');
    await expect.poll(() => rows.count()).toBe(25);
    await page.getByRole('button', { name: 'Load more' }).click();
    await expect.poll(() => rows.count()).toBe(300);
    await page.getByPlaceholder('Name or address').fill('298@');
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('person298')]);
    await page.getByPlaceholder('Name or address').fill('nobody');
    await page.getByRole('button', { name: 'Show all' }).click();
    await expect.poll(() => rows.count()).toBe(300);
  });
});

test('someone who was invited asks who invited them, by one press', async ({ open }) => {
  const address = gateway.addresses.authenticated ?? '';
  const lea = await guestOf(admin, address, 'lea', { role: 'family' }, false);
  const { page, expectInConsole } = await open(origin, { as: lea });
  expectInConsole(/status of 403/);
  await page.goto('/live/jsmpeg/driveway');
  await page.getByText('You can see Front door. If you need Driveway too, ask admin.').waitFor();
  await lookAt(page, 'a refusal that names an admin');
  expect(await page.locator('.do > a').allInnerTexts()).toEqual(['Ask admin', 'Go to Home']);
  await page.getByRole('link', { name: 'Ask admin' }).click();
  await page.getByRole('heading', { name: 'admin has your request' }).waitFor();
  await page.getByText(/^You asked for Driveway .* once a day\.$/).waitFor();
  await lookAt(page, 'a request that an admin has');
  await page.goto('/live/jsmpeg/driveway');
  await page.getByRole('link', { name: 'admin has your request' }).click();
  await page.getByRole('heading', { name: 'admin has your request' }).waitFor();
  const { body } = await admin.send('GET', '/postern/api/access-requests');
  expect(JSON.parse(body)).toMatchObject([{ user: 'lea', camera: 'driveway' }]);

  const { page: german, expectInConsole: expectThere } = await open(origin, { as: lea, locale: 'de' });
  expectThere(/status of 403/);
  await german.goto('/postern/ask?camera=driveway');
  await german.getByRole('heading', { name: 'admin hat Ihre Bitte' }).waitFor();
  await german.goto('/live/jsmpeg/garage');
  await german.getByText('Wenn Sie auch Garage brauchen, fragen Sie admin.').waitFor();
  await lookAt(german, 'a refusal in German that names an admin', [looks[0], looks[3]]);
  await admin.send('DELETE', '/api/users/lea');
});

test('a refused user asks for a camera, and an admin gives it', async ({ open }) => {
  const { page, expectInConsole } = await open(origin, { as: anna });
  expectInConsole(/status of 403/);
  const sent: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/postern/api/access-requests'))
      sent.push(request.postData() ?? '');
  });
  // Longer than a second press takes.
  await page.route('**/postern/api/access-requests', async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    await route.continue();
  });
  await page.goto('/live/jsmpeg/driveway');
  await page.getByRole('link', { name: 'Ask for access' }).dblclick();
  const asked = page.getByRole('heading', { name: 'An admin has your request' });
  await asked.waitFor();
  const offered = page.getByRole('button', { name: 'Ask for access' });
  expect(await offered.count()).toBe(0);
  await page.reload();
  await asked.waitFor();
  expect(await offered.count()).toBe(0);
  await page.goto('/live/jsmpeg/driveway');
  await page.getByRole('link', { name: 'You asked for access' }).waitFor();
  await page.goto('/live/jsmpeg/garage');
  await page.getByRole('link', { name: 'Ask for access' }).waitFor();
  await page.goto('/postern/ask?camera=garage');
  await page.getByRole('heading', { name: 'Ask for Garage' }).waitFor();
  await lookAt(page, 'a camera to ask for');
  await page.getByRole('button', { name: 'Ask for access' }).dblclick();
  await page.getByRole('heading', { name: 'An admin has your request' }).waitFor();
  expect(sent).toEqual(['{"camera":"driveway"}', '{"camera":"garage"}']);

  const { page: boss } = await open(origin, { as: admin });
  await boss.goto('/postern/');
  await boss.getByText('anna wants to see driveway.').waitFor();
  await lookAt(boss, 'a request for a camera');
  await boss.getByRole('link', { name: 'Give access' }).click();
  const dialog = boss.getByRole('dialog');
  await dialog.getByText('Saving gives it to everyone with this role: 1 user.').waitFor();
  await expect.poll(() => dialog.getByLabel('driveway', { exact: false }).isChecked()).toBe(true);
});

test('an admin declines', async ({ open }) => {
  const nell = await userOf(admin, gateway.addresses.authenticated ?? '', 'nell', 'family', false);
  await nell.send('POST', '/postern/api/access-requests', { camera: 'driveway' });
  const { page } = await open(origin, { as: admin });
  await page.goto('/postern/');
  await page.getByText(/^nell wants to see Driveway\. One more request is waiting\.$/).waitFor();
  await page.getByRole('button', { name: 'Decline' }).click();
  await expect.poll(() => page.getByText('nell wants to see').count()).toBe(0);
});

test('Settings > Audit lists who watched what', async ({ open }) => {
  // One visit.
  await anna.send('GET', '/api/front_door/latest.jpg');
  await anna.send('GET', '/vod/front_door/start/1800000000/end/1800000060/seg-1.m4s');
  const { page } = await open(origin, { as: admin });
  await page.goto('/postern/settings/audit');
  await page.getByRole('link', { name: 'Who watched what' }).click();
  await page.getByRole('heading', { name: 'Watched' }).waitFor();
  const row = page.getByRole('listitem').filter({ hasText: 'anna watched front door' });
  await expect.poll(() => row.count()).toBe(1);
  await expect.poll(() => row.textContent()).toMatch(/Live and recordings.*signed in.*127\.0\.0\.1/);
  await row.getByText('Each camera').click();
  await row.getByRole('listitem').nth(1).waitFor();
  await page.getByRole('combobox', { name: 'Person' }).selectOption('anna');
  await expect.poll(() => row.count()).toBe(1);
  await page.getByRole('combobox', { name: 'Camera' }).selectOption('driveway');
  await page.getByText('No one watched then').waitFor();
  await page.getByRole('combobox', { name: 'Camera' }).selectOption('');
  await lookAt(page, 'who watched');
  await page.getByRole('button', { name: 'Previous day' }).click();
  await page.getByText('No one watched then').waitFor();
  await page.getByRole('button', { name: 'Next day' }).click();
  await expect.poll(() => row.count()).toBe(1);
  await expect.poll(() => page.getByRole('button', { name: 'Next day' }).isDisabled()).toBe(true);
  // Their own page leads to what they watched, on the day on which they did.
  await page.goto('/postern/people/anna');
  await page.getByRole('link', { name: 'All that anna watched' }).click();
  await expect.poll(() => row.count()).toBe(1);
  expect(await page.getByRole('combobox', { name: 'Person' }).inputValue()).toBe('anna');
  expect(page.url()).toMatch(/\/watched\?day=[-\d]{10}&person=anna$/);
});
