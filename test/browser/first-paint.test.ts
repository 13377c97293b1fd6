import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { startSite, test, ways } from '../support/site.ts';

const site = startSite();

const pages = [
  '/login',
  '/postern/',
  '/postern/explore',
  '/postern/account',
  '/postern/first-run',
  '/postern/cameras/front_door',
  '/postern/people',
  '/postern/settings/access',
  '/postern/settings/access/family',
  '/postern/settings/sessions',
  '/postern/settings/tokens',
  '/postern/settings/audit',
  '/postern/nothing-here',
];

/** Cumulative layout shift until a page is complete. */
async function shiftOf(page: Page, path: string): Promise<number> {
  await page.goto(path);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.title()).toMatch(/ · Postern$/);
  await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
  return page.evaluate<number>('shift');
}

const observeShift = `
  window.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });`;

describe.each(ways)('$way', (way) => {
  test('every page has its own title, and no layout shift', async ({ open }) => {
    const { page, expectInConsole } = await open(way, { as: 'admin' });
    expectInConsole(/404/);
    await page.addInitScript(observeShift);
    const titles: string[] = [];
    const shifted: string[] = [];
    for (const path of pages) {
      const shift = await shiftOf(page, path);
      titles.push(await page.title());
      if (shift >= 0.05) shifted.push(`${path}: ${shift}`);
    }
    expect(shifted).toEqual([]);
    expect(new Set(titles).size).toBe(pages.length);
    for (const title of titles) expect(title).toMatch(/^.+ · Postern$/);
  });
});

test('nor is there one on the internal entry point, where each page has one line more', async ({ open }) => {
  const { page } = await open(site().internalOrigin('embedded front'), {
    viewport: { width: 412, height: 823 },
  });
  await page.addInitScript(observeShift);
  for (const path of ['/postern/', '/postern/people', '/postern/settings/audit'])
    expect([path, await shiftOf(page, path)]).toEqual([path, expect.closeTo(0, 1)]);
});

test('before the script is loaded, the page shows its name; without scripts, the reason', async ({
  open,
}) => {
  const { page, expectInConsole } = await open(ways[0], { as: 'olaf' });
  expectInConsole(/ERR_FAILED/);
  await page.route('**/*.js', (route) => route.abort());
  await page.goto('/postern/explore');
  await expect.poll(() => page.getByRole('banner').innerText()).toBe('Postern');
  await expect.poll(() => page.getByRole('banner').isVisible()).toBe(true);
  const { page: still } = await open(ways[0], { as: 'olaf', javaScriptEnabled: false, locale: 'de-DE' });
  await still.goto('/postern/explore');
  const notice = still.getByRole('heading', { name: 'JavaScript ist ausgeschaltet' });
  expect((await notice.boundingBox())?.y).toBeLessThan(400);
});

test('the site can be installed, with icons that are what they say', async ({ open }) => {
  const { page } = await open(ways[1], { as: 'olaf' });
  await page.goto('/postern/account');
  const href = await page.locator('link[rel=manifest]').getAttribute('href');
  const answer = await page.request.get(new URL(href ?? '', page.url()).href);
  expect(answer.headers()['content-type']).toBe('application/manifest+json');
  const manifest = (await answer.json()) as Record<'start_url' | 'scope' | 'display', string> & {
    readonly icons: ReadonlyArray<Record<'src' | 'sizes' | 'purpose', string>>;
  };
  const pathOf = (url: string) => new URL(url, answer.url()).pathname;
  expect([pathOf(manifest.start_url), pathOf(manifest.scope)]).toEqual(['/postern/', '/postern/']);
  expect(manifest.display).toBe('standalone');
  const seen = await Promise.all(
    manifest.icons.map(async ({ src, sizes, purpose }) => {
      const icon = await (await page.request.get(new URL(src, answer.url()).href)).body();
      // Width and height of a PNG (RFC 2083, 11.2.1).
      expect(`${icon.readUInt32BE(16)}x${icon.readUInt32BE(20)}`).toBe(sizes);
      return `${sizes} ${purpose}`;
    }),
  );
  expect(seen).toEqual(['192x192 any', '512x512 any', '512x512 maskable']);
});
