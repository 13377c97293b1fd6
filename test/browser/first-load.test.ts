import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { eventsOf, startSite, test, ways } from '../support/site.ts';

const site = startSite();

/** The bytes before the first paint; the page waits neither for its icon nor for its font. */
function criticalRequestsOf(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => {
    if (!/\.(?:svg|woff2)$/.test(request.url())) asked.push(new URL(request.url()).pathname);
  });
  return asked;
}

describe.each(ways)('$way', (way) => {
  test('the login is there after at most five requests', async ({ open }) => {
    const { page } = await open(way);
    const asked = criticalRequestsOf(page);
    await page.goto('/login');
    await page.getByLabel('User name').waitFor();
    await page.waitForLoadState('networkidle');
    expect(asked).toContain('/login');
    expect(asked).toContain('/api/login');
    expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(5);
  });

  test('the events are there after at most six requests, in a browser that has nothing yet', async ({
    open,
  }) => {
    const { page } = await open(way, { as: 'olaf' });
    const asked = criticalRequestsOf(page);
    await page.goto('/postern/explore');
    await eventsOf(page).first().waitFor();
    expect(asked).toContain('/api/events');
    // The page, its script, styles and texts, the profile and the events.
    expect(asked.length, asked.join(' ')).toBeLessThanOrEqual(6);
    const displays = '[...document.fonts].map(({ display }) => display)';
    await expect.poll(() => page.evaluate(displays)).toEqual(['swap']);
  });

  test('another page loads no code again', async ({ open }) => {
    // Without TLS: Chromium caches nothing from a site with an unknown certificate.
    const { page } = await open(site().internalOrigin(way.front));
    const sizes = () =>
      page.evaluate<number[]>(
        `performance.getEntriesByType('resource')
          .filter(({ name }) => /assets.*\\.(?:js|css)$/.test(name)).map(({ transferSize }) => transferSize)`,
      );
    await page.goto('/postern/explore');
    await eventsOf(page).first().waitFor();
    expect(Math.min(...(await sizes()))).toBeGreaterThan(0);
    await page.goto('/postern/');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    expect(await sizes()).toEqual([0, 0, 0]);
  });

  test('every page has a policy without `unsafe`, and the browser holds to it', async ({ open }) => {
    const { page, expectInConsole } = await open(way, { as: 'admin' });
    for (const path of [
      '/login',
      '/',
      '/postern/explore',
      '/postern/account',
      '/postern/settings',
      '/postern/people',
      '/postern/settings/access',
      '/postern/settings/sessions',
      '/postern/settings/tokens',
      '/postern/settings/audit',
    ]) {
      const answer = await page.goto(path);
      const policy = (await answer?.headerValue('content-security-policy')) ?? '';
      expect(policy, path).toContain("default-src 'none'");
      expect(policy, path).not.toContain('unsafe');
      await page.getByRole('heading').first().waitFor();
    }
    // What the fixture looks for at the end of every test does come up.
    expectInConsole(/Content Security Policy/);
    const complaint = page.waitForEvent('console');
    await page.evaluate(
      `document.body.append(Object.assign(document.createElement('script'), { text: 'window.hit = 1' }))`,
    );
    expect((await complaint).text()).toContain('Content Security Policy');
    expect(await page.evaluate('window.hit')).toBeUndefined();
  });
});

/** A slow network: nothing that a page asks for arrives, until it is let go. */
async function hold(page: Page, files: string): Promise<() => Promise<void>> {
  let go = () => {};
  const held = new Promise<void>((resolve) => (go = resolve));
  await page.route(files, async (route) => {
    await held;
    await route.continue();
  });
  return async () => {
    go();
    await page.unrouteAll({ behavior: 'wait' });
  };
}

test.for([
  { path: '/login', answers: ['/api/login'], scripts: [] },
  { path: '/postern/', answers: ['/api/profile', '/postern/api/attention'], scripts: [] },
  { path: '/postern/explore', answers: ['/api/profile'], scripts: [] },
  {
    path: '/postern/people',
    answers: ['/api/profile'],
    scripts: [/people-page-/, /table-/],
  },
  { path: '/postern/settings/access/family', answers: ['/api/profile'], scripts: [/role-page-/] },
  { path: '/postern/cameras/front_door', answers: ['/api/profile'], scripts: [/camera-page-/] },
])(
  '$path asks for all that it begins with in one round, once, and for its frame in none',
  async ({ path, answers, scripts }, { open }) => {
    const { page, expectInConsole } = await open(ways[0], path === '/login' ? {} : { as: 'admin' });
    expectInConsole(/404/);
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    const letGo = await hold(page, '**/assets/*.{js,css}');
    await page.goto(path, { waitUntil: 'commit' });
    for (const answer of answers) await expect.poll(() => asked).toContain(answer);
    for (const script of scripts) await expect.poll(() => asked.join(' ')).toMatch(script);
    if (path !== '/login') {
      const painted = `performance.getEntriesByName('first-contentful-paint').length`;
      await expect.poll(() => page.evaluate(painted)).toBe(1);
      await expect.poll(() => page.getByRole('banner').innerText()).toBe('Postern');
    }
    await letGo();
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    for (const answer of answers) expect(asked.filter((found) => found === answer)).toHaveLength(1);
  },
);

/** Runs before a page's scripts: notes for each format of numbers, dates or lists whether the page showed anything when it made it. */
const noteFormats = `
  window.formats = [];
  for (const name of ['NumberFormat', 'DateTimeFormat', 'PluralRules', 'ListFormat', 'RelativeTimeFormat', 'Collator', 'Segmenter'])
    Intl[name] = new Proxy(Intl[name], {
      construct: (made, values) => {
        window.formats.push(name + (document.querySelector('#app main') === null ? ' before' : ' after'));
        return new made(...values);
      },
    });`;

// The first of them takes an old phone a tenth of a second, in which the page can do nothing else.
test.for(['/login', '/postern/', '/postern/people'])(
  '%s makes no format of numbers or dates before something is shown',
  async (path, { open }) => {
    const { page } = await open(ways[0], path === '/login' ? {} : { as: 'admin' });
    await page.addInitScript(noteFormats);
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await expect.poll(() => page.evaluate('formats')).toContain('DateTimeFormat after');
    expect((await page.evaluate<string[]>('formats')).filter((made) => made.endsWith('before'))).toEqual([]);
  },
);

test('a page that fails to load shows it, and loads on the next try', async ({ open }) => {
  const { page, expectInConsole } = await open(ways[0], { as: 'admin' });
  const files = '**/postern/assets/people-page-*.js';
  expectInConsole(/ERR_FAILED/);
  await page.route(files, (route) => route.abort());
  await page.goto('/postern/account');
  await page.getByRole('link', { name: 'People' }).click();
  await page.getByText('Postern isn’t answering.').waitFor();
  await page.unroute(files);
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'People' }).waitFor();
});

test('the fixture sees what leaves the origin', async ({ open }) => {
  const { page, takeTrouble } = await open(site().origin('embedded front'));
  await page.route('http://elsewhere.test/', (route) => route.fulfill({ body: '' }));
  await page.goto('http://elsewhere.test/');
  expect(takeTrouble().foreign).toEqual(['http://elsewhere.test/']);
});
