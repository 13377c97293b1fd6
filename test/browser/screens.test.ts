import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { adminOf } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { slowness } from '../support/patience.ts';
import { test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const picture = readFileSync(new URL('../data/picture.jpg', import.meta.url));

/** A site of another origin with a frame of the path after `?`. */
const home = createServer((request, response) => {
  const framed = decodeURIComponent(request.url?.split('?')[1] ?? '');
  response.setHeader('content-type', 'text/html').end(`<title>Home</title><iframe src="${framed}"></iframe>`);
});
let gateway: RunningGateway;
let origin: string;
let homeOrigin: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => home.listen(0, '127.0.0.1', resolve));
  homeOrigin = `http://127.0.0.1:${(home.address() as AddressInfo).port}`;
  gateway = await startGateway({ config: { frame_ancestors: [homeOrigin] } });
  origin = `https://${gateway.addresses.authenticated}`;
});
afterAll(async () => {
  await gateway?.close();
  home.close();
});

const camerasOf = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ name: `cam_${at}`, title: `Camera ${at}` }));

/** Answers of the gate and the recorder to a wall, by hand. */
async function fakeWall(page: Page, count = 5) {
  const state = {
    status: 200,
    away: false,
    body: { cameras: camerasOf(count), may: ['live'], is_open: true } as object,
  };
  await page.route('**/postern/api/wall', (route) =>
    state.away ? route.abort() : route.fulfill({ status: state.status, json: state.body }),
  );
  await page.route('**/latest.jpg*', (route) =>
    state.away ? route.abort() : route.fulfill({ body: picture, contentType: 'image/jpeg' }),
  );
  return state;
}
const askAgain = (page: Page) => page.evaluate("dispatchEvent(new Event('online'))");
const pictures = (page: Page) => page.locator('.tile:not(.waits):not(.gone)');

describe('the wall', () => {
  test.for([5, 40])('shows %i cameras without scrolling, in both orientations', async (count, { open }) => {
    const { page } = await open(origin);
    await fakeWall(page, count);
    await page.goto('/postern/wall');
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 844 },
    ]) {
      await page.setViewportSize(viewport);
      await expect.poll(() => pictures(page).count()).toBe(count);
      for (const tile of await page.locator('.tile').all()) {
        const box = await tile.boundingBox();
        expect(box?.width).toBeGreaterThan(40);
        expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(viewport.width + 0.5);
        expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(viewport.height + 0.5);
      }
    }
  });

  test('goes by the keys of a remote control to one camera and back', async ({ open }) => {
    const { page } = await open(origin);
    await fakeWall(page, 5);
    await page.goto('/postern/wall');
    await expect.poll(() => pictures(page).count()).toBe(5);
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowDown']) await page.keyboard.press(key);
    const focused = () => page.evaluate('document.activeElement?.textContent ?? ""');
    const chosen = await focused();
    expect(chosen).toMatch(/^Camera [1-4]$/);
    for (const back of ['Escape', 'browser']) {
      await page.keyboard.press('Enter');
      await page.locator('.full .tile:not(.waits)').waitFor();
      if (back === 'browser') await page.goBack();
      else await page.keyboard.press(back);
      await page.locator('.full').waitFor({ state: 'detached' });
      expect(await focused()).toBe(chosen);
    }
    await page.keyboard.press('Enter');
    const name = page.locator('.full .caption > :first-child');
    await page.keyboard.press('ArrowRight');
    await expect.poll(() => name.textContent()).not.toBe(chosen);
    const next = await name.textContent();
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => name.textContent()).toBe(chosen);
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Escape');
    await page.locator('.full').waitFor({ state: 'detached' });
    expect(await focused()).toBe(next);
  });

  test('keeps its pictures while the gate is away, with their time, and goes on by itself', async ({
    open,
  }) => {
    const { page, expectInConsole } = await open(origin);
    expectInConsole(/Failed to load resource/);
    const gate = await fakeWall(page);
    await page.goto('/postern/wall');
    await expect.poll(() => pictures(page).count()).toBe(5);
    gate.away = true;
    await askAgain(page);
    await page.getByText('Connecting again. These pictures are from').waitFor();
    gate.away = false;
    await askAgain(page);
    await expect.poll(() => pictures(page).count()).toBe(5);
    await expect.poll(() => page.locator('.strip').textContent()).toBe('');
  });

  test.for<[what: string, status: number, body: object, words: RegExp]>([
    [
      'closed by schedule',
      200,
      { cameras: [], may: ['live'], is_open: false, opens_at: Date.now() / 1000 + 86_400 },
      /^Cameras open tomorrow at \d/,
    ],
    ['not live', 200, { cameras: [], may: ['history'], is_open: true }, /isn’t allowed to show live/],
    ['suspended', 403, {}, /can’t show anything right now/],
    ['over', 401, {}, /^This screen was signed out$/],
  ])('shows when access is %s, and no picture any more', async ([what, status, body, words], { open }) => {
    const { page, expectInConsole } = await open(origin);
    expectInConsole(/Failed to load resource/);
    const gate = await fakeWall(page);
    await page.goto('/postern/wall');
    await expect.poll(() => pictures(page).count()).toBe(5);
    Object.assign(gate, { status, body });
    await askAgain(page);
    await page.getByText(words).waitFor();
    await expect.poll(() => page.locator('img').count()).toBe(0);
    await lookAt(page, what);
  });

  test('asks rarely once it was signed out, and shows its cameras again after a sign-in', async ({
    open,
  }) => {
    const { page, expectInConsole } = await open(origin);
    expectInConsole(/status of 401/);
    const gate = await fakeWall(page);
    await page.clock.install();
    await page.goto('/postern/wall');
    await expect.poll(() => pictures(page).count()).toBe(5);
    gate.status = 401;
    await askAgain(page);
    await page.getByText('This screen was signed out').waitFor();
    let asked = 0;
    page.on('request', (request) => {
      if (request.url().endsWith('/postern/api/wall')) asked += 1;
    });
    for (const [before, minutes] of [1, 2, 4, 8].entries()) {
      await page.clock.runFor(minutes * 60_000 - 1_000);
      expect(asked).toBe(before);
      const answered = page.waitForResponse('**/postern/api/wall');
      await page.clock.runFor(2_000);
      await (await answered).finished();
      // The page reads the answer, and waits from then on.
      await setTimeout(100 * slowness);
    }
    gate.status = 200;
    await askAgain(page);
    await expect.poll(() => pictures(page).count()).toBe(5);
  });
});

test('a user who has signed in sees their cameras, until the session ends', async ({ open }) => {
  await using started = new AsyncDisposableStack();
  const sample = started.adopt(await startGateway({ sample: true }), (fresh) => fresh.close());
  const admin = await adminOf(sample);
  const { page, expectInConsole } = await open(`https://${sample.addresses.authenticated}`, { as: admin });
  expectInConsole(/status of 401/);
  await page.goto('/postern/wall');
  await expect.poll(() => pictures(page).count()).toBe(5);
  await page.getByText('Front door').waitFor();
  await admin.send('DELETE', '/postern/api/sessions');
  await askAgain(page);
  await page.getByText('This screen was signed out').waitFor();
  await expect.poll(() => page.locator('img').count()).toBe(0);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await page.waitForURL('**/login?next=%2Fpostern%2Fwall');
  await page.goto('about:blank');
});

/** Pictures that a page holds, after all that it can let go of is gone. */
async function held(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return { heap: usedSize, urls: await page.evaluate<number>('held.size') };
}

test('a wall holds no more after an hour than after a minute', async ({ open }) => {
  const { page } = await open(origin);
  await page.addInitScript(`
    globalThis.held = new Set();
    const { createObjectURL, revokeObjectURL } = URL;
    URL.createObjectURL = (blob) => { const url = createObjectURL.call(URL, blob); held.add(url); return url; };
    URL.revokeObjectURL = (url) => { held.delete(url); revokeObjectURL.call(URL, url); };
  `);
  await page.clock.install();
  await fakeWall(page, 5);
  await page.goto('/postern/wall');
  await expect.poll(() => pictures(page).count()).toBe(5);
  /** Four seconds at a time: each camera is asked for once at least. */
  const pass = async (minutes: number) => {
    for (let at = 0; at < minutes * 15; at += 1) {
      await page.clock.runFor(4_000);
    }
  };
  await pass(1);
  const before = await held(page);
  await pass(59);
  const after = await held(page);
  expect(after.urls).toBeLessThanOrEqual(10);
  expect(after.heap - before.heap).toBeLessThan(1_000_000);
});

describe('a frame of another site', () => {
  test.for<[path: string, isShown: boolean]>([
    ['/postern/wall', true],
    ['/postern/pair', true],
    ['/login', false],
  ])('that is named: %s %s', async ([path, isShown], { open }) => {
    const { page, expectInConsole, mayVisit } = await open(homeOrigin);
    expectInConsole(/Framing |status of (?:401|404)/);
    mayVisit(origin);
    await page.goto(`/?${encodeURIComponent(origin + path)}`);
    const frame = page.frames()[1];
    await expect
      .poll(() => frame?.evaluate('location.href').catch(() => 'none'))
      .toMatch(isShown ? new RegExp(`^${origin}`) : /^(?:chrome-error:|none)/);
  });

  test('that is not named shows nothing', async ({ open }) => {
    const other = homeOrigin.replace('127.0.0.1', 'localhost');
    const { page, expectInConsole, mayVisit } = await open(other);
    expectInConsole(/Framing |status of (?:401|404)/);
    mayVisit(origin);
    await page.goto(`/?${encodeURIComponent(`${origin}/postern/wall`)}`);
    const frame = page.frames()[1];
    await expect
      .poll(() => frame?.evaluate('location.href').catch(() => 'none'))
      .toMatch(/^(?:chrome-error:|none)/);
  });
});
