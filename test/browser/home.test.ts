import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { openTab, startChromium } from '../support/browse.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, pathOf, startTab } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const cameras = Array.from({ length: 60 }, (_, i) => `camera_${String(i).padStart(2, '0')}`);
const ways = ['mse', 'mjpeg', 'pictures'] as const;
const [first = '', second = ''] = cameras;
const configuration = {
  cameras: Object.fromEntries(
    cameras.map((name) => [
      name,
      {
        live: { streams: { [name]: name } },
        ...(name === 'camera_07' ? { friendly_name: 'Back gate' } : {}),
      },
    ]),
  ),
  camera_groups: { yard: { order: 0, cameras: ['camera_07', 'camera_03', 'birdseye'] } },
};

let recorder: LiveRecorder;
let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  recorder = await startLiveRecorder({ cameras, roles: {}, configuration });
  gateway = await startGateway({ config: { upstream: `http://${recorder.address}` } });
  admin = await adminOf(gateway);
  await userOf(admin, gateway.addresses.authenticated ?? '', 'olaf', 'viewer');
});
afterAll(async () => {
  await gateway?.close();
  await recorder?.close();
});

beforeEach(() => {
  recorder.offer(...ways);
  recorder.takeOffline(undefined);
});

const tiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).locator('> li');
const status = (page: Page) => page.locator('.live').getByRole('status');

/** As when the user goes to another tab, and comes back. */
async function lookAway(page: Page, isAway: boolean): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${isAway ? 'hidden' : 'visible'}' });
    document.dispatchEvent(new Event('visibilitychange'));`);
  // The page notices in a frame; a jump of the clock would fire its older timers first.
  await page.clock.runFor(100);
}

// One visit, step by step.
describe('Home before a recorder', () => {
  const tab = startTab(() => `https://${gateway.addresses.authenticated}`);

  test('asks for the pictures that are in view, four at a time, as large as they are shown', async () => {
    const { page, context } = tab();
    const url = `https://${gateway.addresses.authenticated}`;
    await context.addCookies([{ name: 'session_token', value: admin.token ?? '', url, httpOnly: true }]);
    await page.clock.install();
    recorder.hold(true);
    await page.goto('/postern/');
    await expect.poll(() => recorder.underway().now).toBe(4);
    recorder.hold(false);
    // They come in any order.
    for (const at of [0, 5]) await tiles(page).nth(at).getByText('Live').waitFor();
    expect(recorder.underway().most).toBe(4);
    expect(recorder.asked).toContain(`/api/${first}/latest.jpg?height=180`);
    expect(recorder.asked.join()).not.toContain(cameras.at(-1));
    await tiles(page).last().scrollIntoViewIfNeeded();
    await tiles(page).last().getByText('Live').waitFor();
    await tiles(page).first().scrollIntoViewIfNeeded();
  });

  test('asks again while the page is visible, and never otherwise', async () => {
    const { page } = tab();
    await expect.poll(() => recorder.underway().now).toBe(0);
    recorder.asked.splice(0);
    await page.clock.fastForward(5_000);
    await expect.poll(() => recorder.asked.join()).toContain(first);
    await lookAway(page, true);
    // Of the page itself: what it has given up may still be on its way to the recorder.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.fastForward(50_000);
    await page.evaluate('document.title');
    expect(asked).toEqual([]);
    await lookAway(page, false);
    await expect.poll(() => recorder.asked.join()).toContain(first);
  });

  test('shows in words a camera that is offline, and missing pictures', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/500/);
    recorder.takeOffline(second);
    await page.clock.fastForward(5_000);
    // No camera moves while someone looks.
    await tiles(page).nth(1).getByText('Camera 01').waitFor();
    await tiles(page).nth(1).getByText('Offline').waitFor();
    await lookAway(page, true);
    await lookAway(page, false);
    await tiles(page).first().getByText('Camera 01').waitFor();
    await tiles(page).first().getByText('Offline').waitFor();
    await page.getByRole('button', { name: 'Offline 1' }).click();
    await expect.poll(() => tiles(page).count()).toBe(1);
    await page.getByRole('button', { name: 'All 60' }).click();
    await lookAt(page, 'Home', [looks[0], looks[3]]);
    await page.setViewportSize(looks[0].viewport);
    recorder.takeOffline(undefined);
    await page.clock.fastForward(5_000);
    await tiles(page).first().getByText('Live', { exact: true }).waitFor();
    await lookAway(page, true);
    await lookAway(page, false);
    await tiles(page).first().getByText('Camera 00').waitFor();
    await tiles(page).first().getByText('Live', { exact: true }).waitFor();
    recorder.offer();
    await page.clock.fastForward(5_000);
    await tiles(page)
      .first()
      .getByText(/^No new picture/)
      .waitFor();
    recorder.offer(...ways);
    await page.clock.fastForward(10_000);
    await tiles(page).first().getByText('Live', { exact: true }).waitFor();
  });

  test('finds a camera by the recorder’s name for it, and shows a group', async () => {
    const { page } = tab();
    const names = () => tiles(page).getByRole('link').allTextContents();
    await page.getByRole('searchbox', { name: 'Find a camera' }).fill('gate');
    await expect.poll(names).toEqual(['Back gate']);
    await page.getByRole('searchbox').fill('nowhere');
    await page.getByText('No camera has that name.').waitFor();
    await page.getByRole('searchbox').fill('');
    await page.getByRole('button', { name: 'Yard 2' }).click();
    await expect.poll(names).toEqual(['Camera 03', 'Back gate']);
    await page.getByRole('button', { name: 'All 60' }).click();
  });

  test('has three sizes of pictures, and keeps the one that was chosen', async () => {
    const { page } = tab();
    const perRow = async () => {
      const boxes = await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map((i) => tiles(page).nth(i).boundingBox()));
      return boxes.filter((box) => box?.y === boxes[0]?.y).length;
    };
    expect(await perRow()).toBe(7);
    await page.getByRole('button', { name: 'Medium' }).click();
    expect(await perRow()).toBe(4);
    await page.reload();
    await tiles(page).first().waitFor();
    expect(await perRow()).toBe(4);
    await page.getByRole('button', { name: 'Small' }).click();
    await page.setViewportSize(looks[3].viewport);
    expect(await perRow()).toBe(3);
    const height = await page.evaluate('document.querySelector(".wall").clientHeight');
    expect(height).toBeLessThan(1_800);
    await page.setViewportSize(looks[0].viewport);
  });

  test('leads to the recorder in a tab of its own, and to what needs attention; a hint goes away for the visit', async () => {
    const { page } = tab();
    const links = page.getByRole('navigation', { name: 'Main' }).getByRole('link');
    await expect.poll(() => links.allTextContents()).toEqual(['Home', 'Explore', 'People', 'Settings']);
    const away = page.getByRole('link', { name: 'Open Frigate' });
    await expect.poll(() => away.getAttribute('target')).toBe('_blank');
    await expect.poll(() => away.getAttribute('href')).toBe('/');
    const attention = page.getByRole('region', { name: 'Needs attention' });
    await attention.getByRole('link', { name: 'Change password' }).waitFor();
    await attention.getByRole('button', { name: /^Dismiss/ }).click();
    await expect.poll(() => attention.getByRole('listitem').count()).toBe(1);
    await page.reload();
    await attention.waitFor();
    await expect.poll(() => attention.getByRole('listitem').count()).toBe(1);
  });

  test('plays a camera at its own URL, and again after it was cut', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/WebSocket|500|ERR_/);
    await page.getByRole('link', { name: 'Watch Camera 01' }).click();
    await page.waitForURL(`/postern/cameras/${second}`);
    await status(page).getByText('Live stream', { exact: true }).waitFor();
    await expect.poll(() => page.evaluate('document.querySelector("video").videoWidth')).toBe(160);
    expect(JSON.parse(recorder.heard[0] ?? '')).toMatchObject({ type: 'mse' });
    await lookAt(page, 'a camera', [looks[0], looks[3]]);
    recorder.offer();
    recorder.cut();
    await status(page).getByText('No picture right now').waitFor();
    recorder.offer(...ways);
    await page.clock.fastForward(5_000);
    await status(page).getByText('Live stream', { exact: true }).waitFor();
  });

  test('holds no stream while the page is hidden', async () => {
    const { page } = tab();
    expect(recorder.open()).toBe(1);
    const asked = recorder.heard.length;
    await lookAway(page, true);
    await status(page).getByText('Paused').waitFor();
    await expect.poll(() => recorder.open()).toBe(0);
    await lookAway(page, false);
    await expect.poll(() => recorder.open()).toBe(1);
    await status(page).getByText('Live stream', { exact: true }).waitFor();
    await expect.poll(() => recorder.heard.length).toBe(asked + 1);
  });

  test('falls back by itself to what works, shows it, and tries again', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/WebSocket|500|ERR_/);
    recorder.offer('mjpeg', 'pictures');
    await page.goto(`/postern/cameras/${first}`);
    await status(page).getByText('Live (low frame rate)').waitFor();
    await page.getByRole('img', { name: 'Picture of Camera 00' }).waitFor();
    recorder.offer('pictures');
    await page.goto(`/postern/cameras/${second}`);
    await status(page).getByText('A new picture each second').waitFor();
    recorder.offer();
    await page.goto(`/postern/cameras/${first}`);
    await status(page).getByText('No picture right now').waitFor();
    // Until its wait is longer than any user's.
    for (let i = 0; i < 4; i += 1) {
      const before = recorder.asked.length;
      await page.clock.fastForward(30_000);
      await expect.poll(() => recorder.asked.length).toBeGreaterThan(before);
      await status(page).getByText('No picture right now').waitFor();
    }
    recorder.offer(...ways);
    await page.getByRole('button', { name: 'Try again' }).click();
    await status(page).getByText('Live stream', { exact: true }).waitFor();
  });

  test('closes by Back, and leaves no stream behind', async () => {
    const { page } = tab();
    await page.goto('/postern/');
    await page.getByRole('link', { name: 'Watch Camera 00' }).click();
    await status(page).getByText('Live stream', { exact: true }).waitFor();
    await page.goBack();
    await tiles(page).first().waitFor();
    expect(pathOf(page)).toBe('/postern/');
    await expect.poll(() => recorder.open()).toBe(0);
  });

  test('without a camera of that name leads back to the cameras', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/404/);
    await page.goto('/postern/cameras/nowhere');
    await page.getByRole('heading', { name: 'There’s no such camera', level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
    await page.getByRole('link', { name: 'All cameras' }).click();
    await page.waitForURL('/postern/');
  });

  test('ends with the session: a picture that is refused leads to the login, and back', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/401/);
    await page.goto('/postern/');
    await tiles(page).first().getByText('Live').waitFor();
    await admin.send('POST', '/api/logout');
    await page.clock.fastForward(5_000);
    await page.getByText('Your session has ended.').waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/postern/');
  });
});

test('a recorder that is away is a sentence above the pictures, which stay', async () => {
  const gone = await startLiveRecorder({ cameras: cameras.slice(0, 3), roles: {} });
  const own = await startGateway({ config: { upstream: `http://${gone.address}` } });
  const browser = await startChromium();
  try {
    const olaf = await userOf(await adminOf(own), own.addresses.authenticated ?? '', 'olaf', 'viewer');
    const url = `https://${own.addresses.authenticated}`;
    const { page, context } = await openTab(browser, url);
    await context.addCookies([{ name: 'session_token', value: olaf.token ?? '', url, httpOnly: true }]);
    await page.goto('/postern/');
    await tiles(page).nth(2).getByText('Live').waitFor();
    await gone.close();
    const notice = page.getByText(/^The recorder hasn’t answered since \d\d:\d\d\./);
    await notice.waitFor();
    await expect.poll(() => tiles(page).first().locator('img').count()).toBe(1);
    expect((await notice.boundingBox())?.y).toBeLessThan(200);
    // After a reload, the gate has the time.
    await page.reload();
    await notice.waitFor();
    expect(await page.content()).not.toContain('status 50');
  } finally {
    await browser.close();
    await own.close();
  }
});
