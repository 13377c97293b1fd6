import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test as plain } from 'vitest';
import { expectRefusal } from '../support/expect-refusal.ts';
import { followLink } from '../support/follow-link.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, startSite, startTab, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const notLive = 'Your role doesn’t include live pictures.';
const notHistory = 'Your role doesn’t include recordings.';
const neither = 'Your role includes neither live pictures nor recordings.';

const site = startSite();
const visitors = new Map<string, Visitor>();
beforeAll(async () => {
  for (const may of ['live', 'history', 'export']) {
    const role = { cameras: ['garage', 'driveway'], access: { may: [may] } };
    await site().admin.send('PUT', `/postern/api/roles/only_${may}`, role);
    visitors.set(may, await site().addUser(`only.${may}`, `only_${may}`));
  }
});

const linksIn = (page: Page, name: string) => page.getByRole('navigation', { name }).getByRole('link');
const tiles = (page: Page) => page.getByRole('list', { name: 'Cameras' }).getByRole('listitem');
const newest = (page: Page) => page.getByRole('heading', { name: /^(Today|Latest)$/ });

// The tab fails on any complaint in its console: no page may ask for what the gate refuses.
describe.each<{ may: string; home: string | undefined; places: string[]; tiles: number; hasEvents: boolean }>(
  [
    { may: 'live', home: undefined, places: ['Home'], tiles: 2, hasEvents: false },
    { may: 'history', home: notLive, places: ['Home', 'Explore'], tiles: 0, hasEvents: true },
    { may: 'export', home: neither, places: ['Home'], tiles: 0, hasEvents: false },
  ],
)('without a recorder, a role with $may alone', ({ may, home, places, tiles: count, hasEvents }) => {
  const visitorNow = () => {
    const as = visitors.get(may);
    if (as === undefined) throw new Error('no visitor');
    return { as };
  };

  test('sees at Home what it may see, and links to nothing else', async ({ open }) => {
    const { page } = await open(site().origin('embedded front'), visitorNow());
    await page.goto('/postern/');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    if (home === undefined) await tiles(page).first().waitFor();
    else await page.getByText(home, { exact: true }).waitFor();
    if (hasEvents) await page.locator('.event-text').first().waitFor();
    await expect.poll(() => tiles(page).count()).toBe(count);
    await expect.poll(() => tiles(page).getByRole('link').count()).toBe(0);
    await expect.poll(() => newest(page).count()).toBe(hasEvents ? 1 : 0);
    const shown = await linksIn(page, 'Main').allTextContents();
    expect(shown.filter((name) => name !== 'Postern')).toEqual(places);
    await lookAt(page, `Home with ${may} alone`, [looks[0], looks[3]]);
  });

  const recordings = ['/explore', '/explore?cameras=garage', '/events/1793000276.376447-de8gxd'];
  const isLive = may === 'live';

  test('opens the pages of what it may see, and gets the gate’s refusal for any other', async ({ open }) => {
    const { page, expectInConsole } = await open(site().origin('embedded front'), visitorNow());
    expectInConsole(/403/);
    for (const path of recordings) {
      const answer = await page.goto(`/postern${path}`);
      if (hasEvents) await page.locator('h1').waitFor();
      else await expectRefusal(page, answer);
    }
    const answer = await page.goto('/postern/cameras/garage');
    if (isLive || hasEvents) await page.getByRole('heading', { level: 1, name: 'Garage' }).waitFor();
    else await expectRefusal(page, answer);
    await expect.poll(() => newest(page).count()).toBe(0);
  });

  test('is told in one sentence what a page would show that a link leads to', async ({ open }) => {
    const { page, expectInConsole } = await open(site().origin('embedded front'), visitorNow());
    expectInConsole(/403/);
    if (!hasEvents)
      for (const path of recordings) {
        await followLink(page, `/postern${path}`);
        await page.getByRole('heading', { level: 1, name: notHistory }).waitFor();
      }
    await followLink(page, '/postern/cameras/garage');
    const title = isLive || hasEvents ? 'Garage' : notLive;
    await page.getByRole('heading', { level: 1, name: title }).waitFor();
    if (!isLive) await lookAt(page, `a camera with ${may} alone`, [looks[0], looks[3]]);
    await expect.poll(() => newest(page).count()).toBe(0);
  });

  test('shares nothing', async ({ open }) => {
    const { page } = await open(site().origin('embedded front'), visitorNow());
    await page.goto('/postern/account/shares');
    await page.getByText('You don’t share anything yet.').waitFor();
    expect(await page.getByRole('button', { name: 'Share an export' }).count()).toBe(0);
  });
});

describe('before a recorder', () => {
  let recorder: LiveRecorder;
  let gateway: RunningGateway;
  const visitor = new Map<string, Visitor>();
  beforeAll(async () => {
    recorder = await startLiveRecorder({ cameras: ['garage', 'attic'], roles: {} });
    recorder.offer('mse', 'mjpeg', 'pictures');
    gateway = await startGateway({
      config: {
        upstream: `http://${recorder.address}`,
        auth: {
          roles: { only_live: ['garage'], only_history: ['garage'] },
          role_access: { only_live: { may: ['live'] }, only_history: { may: ['history'] } },
        },
      },
    });
    const admin = await adminOf(gateway);
    const address = gateway.addresses.authenticated ?? '';
    for (const role of ['only_live', 'only_history'])
      visitor.set(role, await userOf(admin, address, role.replace('_', '.'), role));
  });
  afterAll(async () => {
    await gateway?.close();
    await recorder?.close();
  });
  const tab = startTab(() => `https://${gateway.addresses.authenticated}`);
  const become = async (role: string) => {
    const url = `https://${gateway.addresses.authenticated}`;
    const value = visitor.get(role)?.token ?? '';
    await tab().context.addCookies([{ name: 'session_token', value, url, httpOnly: true }]);
  };

  plain('live alone: the camera plays, without its events', async () => {
    const { page } = tab();
    await become('only_live');
    await page.goto('/postern/');
    await tiles(page).getByText('Live').waitFor();
    await tiles(page).getByRole('link').click();
    await page.locator('.live.playing').waitFor();
    await expect.poll(() => newest(page).count()).toBe(0);
  });

  plain('recordings alone: no picture is asked for', async () => {
    const { page } = tab();
    await become('only_history');
    recorder.asked.splice(0);
    await page.goto('/postern/');
    await page.getByText(notLive, { exact: true }).waitFor();
    await page.goto('/postern/cameras/garage');
    await page.getByText('Live pictures aren’t shared with you.').waitFor();
    await page.getByText('Nothing has happened today.').waitFor();
    await expect.poll(() => page.getByRole('button', { name: 'Go to live' }).count()).toBe(0);
    expect(recorder.asked).toEqual([]);
  });
});
