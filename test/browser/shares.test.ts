import { readFileSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { eventsOf, looks, pathOf, test } from '../support/site.ts';
import { startPrefixProxy, type PrefixProxy } from '../support/reverse-proxy.ts';
import { recordedEvent } from '../support/recorded-event.ts';
import { startEventRecorder, type EventRecorder } from '../support/start-event-recorder.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { recorderFile } from '../unit/events/recorder-file.ts';

const started = Math.floor(Date.now() / 1000) - 7_200;
const recorded = [
  recordedEvent({ id: 'clip-1', label: 'car', camera: 'driveway', start_time: started }),
  recordedEvent({ id: 'still-1', label: 'fox', camera: 'garage', start_time: started, has_clip: false }),
];
const prefix = '/cameras';
const picture = readFileSync(new URL('../data/picture.jpg', import.meta.url));
const file = recorderFile();
let recorder: EventRecorder;
let gateway: RunningGateway;
let proxy: PrefixProxy;
let admin: Visitor;
let olaf: Visitor;
let origin: string;
beforeAll(async () => {
  recorder = await startEventRecorder(recorded, file);
  recorder.have(/^\/api\/[^/]+\/latest\.jpg$/, picture);
  recorder.have(/^\/api\/[^/]+\/start\/\d+\/end\/\d+\/clip\.mp4$/, 'clip');
  recorder.have(/^\/api\/[^/]+\/recordings\/\d+\/snapshot\.jpg$/, picture);
  recorder.have(/^\/exports\//, 'clip');
  recorder.have(/^\/clips\/export\//, picture);
  gateway = await startGateway({
    config: {
      upstream: recorder.url,
      events: { database: file.path },
      auth: {
        roles: { family: ['driveway'], yard: ['garage'] },
        trusted_proxies: ['127.0.0.1/32'],
      },
    },
  });
  const address = gateway.addresses.authenticated ?? '';
  proxy = await startPrefixProxy({ prefix, address, strips: true, says: true, tls: true });
  admin = await adminOf(gateway);
  olaf = await userOf(admin, address, 'olaf', 'viewer');
  origin = `https://${address}`;
});
afterAll(async () => {
  await proxy?.close();
  await gateway?.close();
  await recorder?.close();
  file.remove();
});

const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true });
const list = (page: Page) => page.getByRole('table', { name: 'Shares' });
const plays = (page: Page) =>
  expect
    .poll(async () => {
      await page.evaluate('document.querySelector("video")?.play()');
      return page.evaluate<number>('document.querySelector("video")?.currentTime ?? 0');
    })
    .toBeGreaterThan(0);

/** Makes a share as a script does. @returns its path with the secret */
async function share(wanted: object, by = olaf): Promise<string> {
  const { status, body } = await by.send('POST', '/postern/api/shares', { expires_in: 3_600, ...wanted });
  if (status !== 201) throw new Error(body);
  const url = new URL((JSON.parse(body) as { url: string }).url);
  return url.pathname + url.hash;
}

/** Reads the link that is shown, and closes what shows it. */
async function takeLink(page: Page): Promise<string> {
  const shown = dialog(page, 'The link');
  const url = await shown.getByLabel('Link', { exact: true }).inputValue();
  await shown.getByRole('button', { name: 'Done' }).click();
  await shown.waitFor({ state: 'detached' });
  return url;
}

async function endIn(row: Locator, page: Page): Promise<void> {
  await row.getByRole('button', { name: /^End/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'End now' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

describe('an event is shared', () => {
  test('by a link that is shown once, plays without an account, and can be ended', async ({ open }) => {
    const { page, context } = await open(origin, { as: olaf });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/postern/explore');
    await eventsOf(page).first().waitFor();
    await page.getByRole('link', { name: 'Car' }).click();
    const over = page.getByRole('dialog', { name: 'Car' });
    await over.getByRole('button', { name: 'Share', exact: true }).press('Enter');
    const form = dialog(page, 'Share this event');
    await form.waitFor();
    await expect.poll(() => form.getByLabel('Title').inputValue()).toBe('Car');
    await form.getByLabel('Title').fill('For the police');
    await form.getByLabel('The link works for').selectOption('7 days');
    await lookAt(page, 'how an event is shared', [looks[3]]);
    await page.setViewportSize(looks[0].viewport);
    await form.getByLabel('Title').press('Enter');

    const shown = dialog(page, 'The link');
    const field = shown.getByLabel('Link', { exact: true });
    const url = await field.inputValue();
    expect(url).toMatch(/^https:\/\/[^/]+\/postern\/share\/[\w-]{16,}#[\w-]{43}$/);
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe(url);
    await lookAt(page, 'the link', [looks[3]]);
    await shown.getByRole('button', { name: 'Copy' }).click();
    await shown.getByRole('status').getByText('Copied.').waitFor();
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(url);
    await shown.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('status').getByText('The link was made.').waitFor();
    // The event is still open, and the link is gone everywhere.
    await over.waitFor();
    expect(await page.content()).not.toContain(url.split('#')[1]);

    const visit = await open(origin, { viewport: looks[3].viewport, colorScheme: 'dark', hasTouch: true });
    const asked: string[] = [];
    visit.context.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await visit.page.goto(url.slice(origin.length));
    await visit.page.getByRole('heading', { name: 'For the police', level: 1 }).waitFor();
    await plays(visit.page);
    expect(visit.page.url()).toBe(url.split('#')[0]);
    await expect.poll(() => visit.page.title()).toBe('For the police · Postern');
    for (const said of ['Driveway', 'Recorded']) await visit.page.getByText(said, { exact: true }).waitFor();
    await visit.page.getByText('You can watch it until').waitFor();
    await visit.page.getByRole('link', { name: 'Download the video' }).waitFor();
    await expect.poll(() => visit.page.getByRole('navigation').count()).toBe(0);
    await lookAt(visit.page, 'what was shared', [looks[0], looks[3]]);

    const id = pathOf(visit.page).split('/').at(-1) ?? '';
    const mayAsk = new RegExp(
      `^/postern/(?:assets/[^/]+|share/${id}|share/${id}/media/.+|api/shares/${id}/open)$`,
    );
    expect(asked.filter((path) => !mayAsk.test(path))).toEqual([]);
    const cookies = await visit.context.cookies();
    expect(cookies.map(({ name, path, httpOnly, sameSite }) => [name, path, httpOnly, sameSite])).toEqual([
      ['postern_share', `/postern/share/${id}/`, true, 'Strict'],
    ]);

    await visit.page.reload();
    await visit.page.getByRole('heading', { name: 'For the police', level: 1 }).waitFor();
    await plays(visit.page);

    await page.goto('/postern/');
    await page.locator('details.account summary').click();
    await page.getByRole('link', { name: 'Shares' }).click();
    const row = list(page).locator('tbody tr').filter({ hasText: 'For the police' });
    await row.getByText('opened once').waitFor();
    await lookAt(page, 'own shares', [looks[3]]);
    await endIn(row, page);
    await page.getByRole('status').getByText('For the police isn’t shared anymore.').waitFor();
    await row.waitFor({ state: 'detached' });

    visit.expectInConsole(/404/);
    await visit.page.reload();
    await visit.page.getByRole('heading', { name: 'This link no longer works', level: 1 }).waitFor();
    await expect
      .poll(() => visit.page.getByRole('main').innerText())
      .toMatch(/^This link no longer works\n+Ask the person who sent it for a new one\.$/);
    await visit.page.goto('about:blank');
    await visit.page.goto(url.slice(origin.length));
    await visit.page.getByRole('heading', { name: 'This link no longer works', level: 1 }).waitFor();
    expect(pathOf(visit.page)).toBe(`/postern/share/${id}`);
  });

  test('without a clip by its snapshot', async ({ open }) => {
    const path = await share({ kind: 'event', id: 'still-1' });
    const { page } = await open(origin);
    await page.goto(path);
    await page.getByRole('heading', { name: 'Recording of an event', level: 1 }).waitFor();
    const picture = page.getByRole('img', { name: 'Picture: Recording of an event' });
    await expect
      .poll(() => page.evaluate<number>('document.querySelector(".shared-picture").naturalWidth'))
      .toBeGreaterThan(0);
    await expect.poll(() => picture.getAttribute('src')).toMatch(/snapshot\.jpg$/);
  });

  test('with a password, which is asked for until it is right', async ({ open }) => {
    const creator = await open(origin, { as: olaf });
    await creator.page.goto('/postern/events/clip-1');
    await creator.page.getByRole('button', { name: 'Share', exact: true }).click();
    const form = dialog(creator.page, 'Share this event');
    await form.getByLabel('Title').fill('');
    await form.getByLabel('Password', { exact: true }).fill('open sesame');
    await form.getByLabel('Show the password').check();
    await expect.poll(() => form.getByLabel('Password', { exact: true }).getAttribute('type')).toBe('text');
    await form.getByRole('button', { name: 'Create link' }).click();
    await creator.page.getByText('The password is asked for as well.').waitFor();
    const url = await takeLink(creator.page);

    const { page, expectInConsole } = await open(origin);
    expectInConsole(/401/);
    await page.goto(url.slice(origin.length));
    await page.getByRole('heading', { name: 'It has a password' }).waitFor();
    await expect.poll(() => page.locator('video').count()).toBe(0);
    await lookAt(page, 'a share with a password', [looks[3]]);
    // A locked share can be reloaded.
    await page.reload();
    const field = page.getByLabel('Password');
    const hasFocus = () => page.evaluate('document.activeElement.name');
    await expect.poll(hasFocus).toBe('password');
    await field.fill('wrong');
    await field.press('Enter');
    await page.getByRole('alert').waitFor();
    await expect.poll(hasFocus).toBe('password');
    await field.fill('open sesame');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('heading', { name: 'Recording of an event', level: 1 }).waitFor();
    await plays(page);
    expect(new URL(page.url()).hash).toBe('');
  });
});

test('what is shared plays below a path prefix', async ({ open }) => {
  const path = await share({ kind: 'event', id: 'clip-1', label: 'Below a prefix' });
  const { page, context } = await open(proxy.origin);
  await page.goto(prefix + path);
  await page.getByRole('heading', { name: 'Below a prefix' }).waitFor();
  await plays(page);
  await page.reload();
  await plays(page);
  expect((await context.cookies()).map(({ path: at }) => at)).toEqual([`${pathOf(page)}/`]);
  expect(pathOf(page)).toMatch(/^\/cameras\/postern\/share\/[^/]+$/);
  expect(proxy.outside).toEqual([]);
});
describe('a camera is shared', () => {
  test('from now on: live pictures, and what is recorded meanwhile', async ({ open }) => {
    const creator = await open(origin, { as: olaf });
    // This recorder has no streams.
    creator.expectInConsole(/502|404/);
    await creator.page.goto('/postern/cameras/driveway');
    await creator.page.getByRole('button', { name: 'Share this camera' }).click();
    await dialog(creator.page, 'Share this camera').getByRole('button', { name: 'Create link' }).click();
    const url = await takeLink(creator.page);

    const { page, expectInConsole } = await open(origin);
    await page.goto(url.slice(origin.length));
    await page.getByRole('heading', { name: 'Driveway', level: 1 }).waitFor();
    await page.getByRole('img', { name: 'Live picture: Driveway' }).waitFor();
    await page.getByText('A new picture each second').waitFor();
    const first = await page.getByRole('img').last().getAttribute('src');
    await expect.poll(() => page.getByRole('img').last().getAttribute('src')).not.toBe(first);
    await lookAt(page, 'a camera that is shared', [looks[0], looks[3]]);

    // A visitor who is watching sees that it has ended.
    expectInConsole(/404/);
    const id = pathOf(page).split('/').at(-1) ?? '';
    expect((await olaf.send('DELETE', `/postern/api/shares/${id}`)).status).toBe(204);
    await page.getByRole('heading', { name: 'This link no longer works', level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('img').count()).toBe(0);
  });

  test('for a period: what was recorded, in parts', async ({ open }) => {
    const creator = await open(origin, { as: olaf });
    // This recorder has no streams.
    creator.expectInConsole(/502|404/);
    await creator.page.goto('/postern/cameras/driveway');
    await creator.page.getByRole('button', { name: 'Share this camera' }).click();
    const form = dialog(creator.page, 'Share this camera');
    await form.getByLabel('What is shown').selectOption('A period of time');
    const [from, to] = [form.getByLabel('From', { exact: true }), form.getByLabel('To', { exact: true })];
    const end = await to.inputValue();
    await from.fill(end);
    await form.getByRole('button', { name: 'Create link' }).click();
    await form.getByRole('alert').getByText('The end must come after the start.').waitFor();
    await from.fill('2026-11-20T08:00');
    await to.fill('2026-11-20T10:30');
    await form.getByRole('button', { name: 'Create link' }).click();
    const url = await takeLink(creator.page);

    const { page } = await open(origin);
    await page.goto(url.slice(origin.length));
    await page.getByRole('heading', { name: 'Recording' }).waitFor();
    await expect.poll(() => page.getByRole('heading', { name: 'Live' }).count()).toBe(0);
    const part = page.getByLabel('Part');
    await expect
      .poll(() => part.locator('option').allTextContents())
      .toEqual(['20 Nov 2026, 08:00', '20 Nov 2026, 09:00', '20 Nov 2026, 10:00']);
    await plays(page);
    await part.selectOption('20 Nov 2026, 10:00');
    await plays(page);
    const start = Date.UTC(2026, 10, 20, 9) / 1000;
    await expect
      .poll(() => page.locator('video source').first().getAttribute('src'))
      .toContain(`/start/${start}/end/${start + 1_800}/clip.mp4`);
  });
});

describe('an export is shared', () => {
  test('which is chosen of those that the recorder has', async ({ open }) => {
    const { page, expectInConsole } = await open(origin, { as: olaf });
    await page.goto('/postern/account/shares');
    expectInConsole(/404/);
    const openDialog = () => page.getByRole('button', { name: 'Share an export' }).click();
    await openDialog();
    const form = dialog(page, 'Share an export');
    // This recorder has none.
    await form.getByRole('alert').getByText('Couldn’t load exports').waitFor();
    recorder.have(/^\/api\/exports$/, []);
    await form.getByRole('button', { name: 'Try again' }).click();
    await form.getByText('The recorder has no exports.').waitFor();
    await page.keyboard.press('Escape');

    const row = { id: 'driveway_x1', camera: 'driveway', name: 'Parcel thief', date: started };
    const [video, thumbnail] = ['/media/frigate/exports/x1.mp4', '/media/frigate/clips/export/x1.webp'];
    file.recorder
      .prepare('INSERT INTO export VALUES (?, ?, ?, ?, ?, ?, 0, NULL)')
      .run(row.id, row.camera, row.name, row.date, video, thumbnail);
    recorder.have(/^\/api\/exports$/, [row, { ...row, id: 'new', name: 'Not done', in_progress: true }]);
    await openDialog();
    await expect
      .poll(() => form.getByLabel('Export').locator('option').allTextContents())
      .toEqual([expect.stringContaining('Parcel thief · Driveway')]);
    await form.getByRole('button', { name: 'Create link' }).click();
    const url = await takeLink(page);
    await list(page).locator('tbody tr').filter({ hasText: 'Export' }).first().waitFor();

    const visit = await open(origin);
    await visit.page.goto(url.slice(origin.length));
    await visit.page.getByRole('heading', { name: 'Recording', level: 1 }).waitFor();
    await plays(visit.page);
  });
});

describe('managing shares', () => {
  test('an admin finds and ends those of all users', async ({ open }) => {
    await share({ kind: 'event', id: 'clip-1', label: 'Of olaf' });
    await share({ kind: 'camera', camera: 'garage', label: 'Of the admin' }, admin);
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/settings/access');
    await page.getByRole('link', { name: 'Shares', exact: true }).first().click();
    await page.waitForURL('/postern/settings/shares');
    const rows = list(page).locator('tbody tr');
    await rows
      .filter({ hasText: 'Of the admin' })
      .getByRole('cell', { name: 'admin', exact: true })
      .waitFor();
    await lookAt(page, 'all shares', [looks[3]]);
    await page.setViewportSize(looks[0].viewport);
    await page.goto('/postern/settings/shares?search=police');
    await page.getByText('Nothing matches').waitFor();
    await page.getByRole('searchbox').fill('of olaf');
    await expect.poll(() => rows.allTextContents()).toEqual([expect.stringContaining('Of olaf')]);
    await endIn(rows.first(), page);
    await page.getByText('Nothing matches').waitFor();
  });

  test('no user finds those of others among their own', async ({ open }) => {
    const anna = await userOf(admin, gateway.addresses.authenticated ?? '', 'anna', 'family');
    const { page } = await open(origin, { as: anna });
    await page.goto('/postern/account/shares');
    await page.getByText('You don’t share anything yet.').waitFor();
    // Nor do they find what a role without the word can't use.
    expect(await page.getByRole('button', { name: 'Share an export' }).count()).toBe(0);
    await page.goto('/postern/events/clip-1');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0);
    await lookAt(page, 'no shares', [looks[3]]);
  });
});

test.for([
  ['a link without its secret', '/postern/share/someshareorother', 'This link isn’t complete'],
  ['a link of no share', '/postern/share/someshareorother#secret', 'This link no longer works'],
])('%s', async ([, path = '', said = ''], { open }) => {
  const { page, expectInConsole } = await open(origin);
  expectInConsole(/404/);
  await page.goto(path);
  await page.getByRole('heading', { name: said, level: 1 }).waitFor();
  await expect.poll(() => page.getByRole('link').count()).toBe(0);
});

test('a link that cannot be opened at the moment is tried again', async ({ open }) => {
  const { page, expectInConsole } = await open(origin);
  expectInConsole(/429/, /404/);
  await page.route(
    '**/open',
    (route) =>
      route.fulfill({ status: 429, json: { message: 'Too many requests', code: 'too_many_requests' } }),
    { times: 1 },
  );
  await page.goto('/postern/share/someshareorother#secret');
  await page.getByRole('heading', { name: 'The link didn’t open', level: 1 }).waitFor();
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'This link no longer works', level: 1 }).waitFor();
});
