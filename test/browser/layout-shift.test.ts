import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const cameras = Array.from({ length: 40 }, (_, i) => `camera_${String(i).padStart(2, '0')}`);
const late = 'camera_33';

let recorder: LiveRecorder;
let gateway: RunningGateway;
let admin: Visitor;
let olaf: Visitor;
beforeAll(async () => {
  const roles = { family: cameras.slice(0, 2) };
  const configuration = {
    cameras: Object.fromEntries(cameras.map((name) => [name, { live: { streams: { [name]: name } } }])),
  };
  recorder = await startLiveRecorder({ cameras, roles, configuration });
  // Home learns of it by its picture, after the wall is there.
  recorder.takeOffline(late);
  gateway = await startGateway({ config: { upstream: `http://${recorder.address}`, auth: { roles } } });
  admin = await adminOf(gateway);
  olaf = await userOf(admin, gateway.addresses.authenticated ?? '', 'olaf', 'viewer');
});
afterAll(async () => {
  await gateway?.close();
  await recorder?.close();
});
const origin = () => `https://${gateway.addresses.authenticated}`;

const pages = [
  '/postern/',
  '/postern/explore',
  '/postern/account',
  '/postern/first-run',
  '/postern/first-run?step=check',
  '/postern/cameras/camera_05',
  '/postern/people',
  '/postern/settings/access',
  '/postern/settings/access?view=users',
  '/postern/settings/access/family',
  '/postern/settings/as?role=family',
  '/postern/settings/sessions',
  '/postern/settings/displays',
  '/postern/settings/shares',
  '/postern/settings/tokens',
  '/postern/settings/general',
  '/postern/settings/notifications',
  '/postern/settings/recorder',
  '/postern/settings/appearance',
  '/postern/settings/audit',
  '/postern/watched',
  '/postern/settings/why',
];

const observe = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

/** Each part answers in its own time: what holds up one another's place would show. */
async function answerInTurns(page: Page): Promise<void> {
  let asked = 0;
  await page.route(/\/api\//, async (route) => {
    asked += 1;
    await new Promise((resolve) => setTimeout(resolve, (asked % 4) * 40));
    await route.continue().catch(() => undefined);
  });
}

async function settled(page: Page): Promise<number> {
  await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
  await page.waitForLoadState('networkidle').catch(() => undefined);
  return page.evaluate<number>('shift');
}

const tile = (page: Page, at: number) => page.getByRole('list', { name: 'Cameras' }).locator('> li').nth(at);

describe.each([390, 1440])('%i pixels wide, with 40 cameras', (width) => {
  const viewport = { width, height: width === 390 ? 844 : 900 };

  test('no page moves while it loads, and someone else watches', async ({ open }) => {
    const { page: other } = await open(origin(), { as: olaf });
    await other.goto('/postern/');
    await tile(other, 0).getByRole('img').first().waitFor();
    const { page } = await open(origin(), { as: admin, viewport });
    await page.addInitScript(observe);
    await answerInTurns(page);
    const moved: string[] = [];
    for (const path of pages) {
      await page.goto(path);
      if (path === '/postern/') await page.getByRole('button', { name: 'All 40' }).waitFor();
      const shift = await settled(page);
      if (shift > 0.05) moved.push(`${path}: ${shift}`);
    }
    expect(moved).toEqual([]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  });

  test('Home shows that it loads while nothing else is known', async ({ open }) => {
    const { page } = await open(origin(), { as: admin, viewport });
    await page.route('**/postern/api/attention', () => undefined);
    await page.goto('/postern/');
    await page.getByRole('status').getByText('Loading page…').waitFor();
    await page.unrouteAll();
  });

  test('the name of the house stays whole beside how many watch', async ({ open }) => {
    const { page: other } = await open(origin(), { as: olaf });
    await other.goto('/postern/');
    await tile(other, 0).getByRole('img').first().waitFor();
    const { page } = await open(origin(), { as: admin, viewport });
    await page.goto('/postern/');
    await page.getByRole('link', { name: '1 watching' }).waitFor();
    const widths =
      "(({ scrollWidth, clientWidth }) => [scrollWidth, clientWidth])(document.querySelector('.brand > strong'))";
    const [whole = 0, shown = 0] = await page.evaluate<number[]>(widths);
    expect(whole).toBeLessThanOrEqual(shown);
  });

  test('a camera that is offline has its chip at once, and comes first on the next look', async ({
    open,
  }) => {
    const { page } = await open(origin(), { as: admin, viewport });
    await page.addInitScript(observe);
    await page.goto('/postern/');
    await tile(page, 39).scrollIntoViewIfNeeded();
    await page.getByRole('button', { name: 'Offline 1' }).waitFor();
    await tile(page, 0).scrollIntoViewIfNeeded();
    await tile(page, 0).getByText('Camera 00').waitFor();
    expect(await page.evaluate<number>('shift')).toBeLessThanOrEqual(0.05);
    await page.getByRole('link', { name: 'People' }).click();
    await page.getByRole('heading', { name: 'People' }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await tile(page, 0).getByText('Camera 33').waitFor();
  });

  test('rows stay where they are when the first one is selected', async ({ open }) => {
    const { page } = await open(origin(), { as: admin, viewport });
    await page.goto('/postern/people');
    const row = page.getByRole('row', { name: /olaf/ });
    const before = await row.boundingBox();
    await row.getByRole('checkbox').check();
    await page.getByRole('group', { name: '1 selected' }).waitFor();
    expect(await row.boundingBox()).toEqual(before);
  });

  test('what can be done to selected rows stands in the place of search and filters, or on a phone below', async ({
    open,
  }) => {
    const { page } = await open(origin(), { as: admin, viewport });
    await page.goto('/postern/people?search=olaf');
    const tools = await page.getByRole('search').boundingBox();
    const row = page.getByRole('row', { name: /olaf/ });
    const before = await row.boundingBox();
    await row.getByRole('checkbox').check();
    const bar = await page.getByRole('group', { name: '1 selected' }).boundingBox();
    expect(await row.boundingBox()).toEqual(before);
    const [top, bottom] = [tools?.y ?? 0, (tools?.y ?? 0) + (tools?.height ?? 0)];
    const isInPlace = (bar?.y ?? 0) >= top && (bar?.y ?? 0) + (bar?.height ?? 0) <= bottom;
    expect(isInPlace).toBe(width === 1440);
    expect(await page.getByRole('search').isVisible()).toBe(width === 390);
  });

  test('no text of a row runs into the button beside it', async ({ open }) => {
    const share = { kind: 'camera', camera: late, label: 'While we are away', expires_in: 604_800 };
    expect((await admin.send('POST', '/postern/api/shares', share)).status).toBe(201);
    const { page } = await open(origin(), { as: admin, viewport });
    await page.goto('/postern/account/shares');
    await page
      .getByRole('button', { name: /^End now/ })
      .first()
      .waitFor();
    const gap = await page.evaluate<number>(`(() => {
      const button = [...document.querySelectorAll('[role=row] button')].find(({ innerText }) => innerText === 'End now');
      const row = button.closest('[role=row]');
      const range = new Range();
      const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT);
      const ends = [];
      while (texts.nextNode())
        if (!button.contains(texts.currentNode)) {
          range.selectNodeContents(texts.currentNode);
          ends.push(...[...range.getClientRects()].map(({ right }) => right));
        }
      range.selectNodeContents(button);
      return range.getBoundingClientRect().left - Math.max(...ends);
    })()`);
    expect(gap).toBeGreaterThanOrEqual(8);
  });

  test('a recorder that stops answering pushes no picture away', async ({ open }) => {
    const { page, expectInConsole } = await open(origin(), { as: admin, viewport });
    expectInConsole(/ERR_FAILED/);
    await page.addInitScript(observe);
    await page.route('**/latest.jpg*', (route) => route.abort());
    await page.goto('/postern/');
    await page.getByText('The recorder isn’t answering.').waitFor();
    expect(await settled(page)).toBeLessThanOrEqual(0.05);
  });
});
