import type { Locator, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { followLink } from '../support/follow-link.ts';
import { lookAt } from '../support/look-at.ts';
import { eventsOf, looks, pathOf, test } from '../support/site.ts';
import { recordedEvent } from '../support/recorded-event.ts';
import { startEventRecorder, type EventRecorder } from '../support/start-event-recorder.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { recorderFile } from '../unit/events/recorder-file.ts';

const start = 1_793_175_000;
/** More than a page of Explore, newest first. */
const recorded = [
  recordedEvent({ id: '1793175318.749865-ef7cib', label: 'car', camera: 'driveway', start_time: start }),
  recordedEvent({
    id: 'odd & 50% ü',
    label: 'dog',
    camera: 'garage',
    start_time: start - 10,
    has_clip: false,
  }),
  recordedEvent({ id: 'a/b;c', label: 'fox', camera: 'garage', start_time: start - 20 }),
  ...Array.from({ length: 40 }, (_, n) =>
    recordedEvent({
      id: `more-${n}`,
      sub_label: `${n}`,
      start_time: start - 100 - n,
      has_snapshot: n % 2 === 0,
    }),
  ),
];
const file = recorderFile();
let recorder: EventRecorder;
let gateway: RunningGateway;
let admin: Visitor;
let origin: string;
beforeAll(async () => {
  file.recorder.exec('PRAGMA synchronous = OFF');
  recorder = await startEventRecorder(recorded, file);
  gateway = await startGateway({
    config: {
      upstream: recorder.url,
      events: { database: file.path },
      auth: { roles: { family: ['front_door', 'driveway'] } },
    },
  });
  admin = await adminOf(gateway);
  origin = `https://${gateway.addresses.authenticated}`;
});
afterAll(async () => {
  await gateway?.close();
  await recorder?.close();
  file.remove();
});

const dialog = (page: Page) => page.getByRole('dialog');
const titleOf = (page: Page) => dialog(page).getByRole('heading', { level: 2 }).textContent();
const decisionId = /[0-9a-f]{8}-\w+/;
const pictureSize = (page: Page, selector: string) =>
  expect.poll(() =>
    page.evaluate<number>(`document.querySelector(${JSON.stringify(selector)})?.naturalWidth ?? 0`),
  );

describe('an event beside a recorder', () => {
  test('opens over the list at its own address; Back closes it, and the list stays where it was', async ({
    open,
  }) => {
    const { page, context } = await open(origin, { as: admin });
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.goto('/postern/explore');
    await eventsOf(page).first().waitFor();
    await pictureSize(page, '.event img').toBeGreaterThan(0);
    await page.mouse.move(200, 500);
    await page.mouse.wheel(0, 900);
    await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(500);
    const opened = page.getByRole('link', { name: 'Person: 8', exact: true });
    // With the row above it in view too: leafing goes back to there.
    await opened.evaluate((link) => link.scrollIntoView({ block: 'center' }));
    const place = await page.evaluate<number>('scrollY');
    expect(place).toBeGreaterThan(0);
    const events = await eventsOf(page).count();
    await opened.click();
    await page.waitForURL('/postern/events/more-8');
    expect(await titleOf(page)).toBe('Person: 8');
    await expect.poll(() => page.title()).toBe('Person: 8 · Postern');
    await lookAt(page, 'an event with a clip', [looks[0], looks[3]]);
    await page.setViewportSize(looks[0].viewport);

    await dialog(page).getByRole('button', { name: 'Copy link' }).click();
    await page.getByText('Link copied.').waitFor();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe(`${origin}/postern/events/more-8`);

    await dialog(page).getByRole('button', { name: 'Next' }).click();
    await expect.poll(() => titleOf(page)).toBe('Person: 9');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.press('ArrowLeft');
    await expect.poll(() => titleOf(page)).toBe('Person: 7');
    expect(pathOf(page)).toBe('/postern/events/more-7');
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
    expect(pathOf(page)).toBe('/postern/explore');
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Person: 7');
    await expect.poll(() => page.title()).toBe('Explore · Postern');
    expect(await eventsOf(page).count()).toBeGreaterThanOrEqual(events);
    await expect.poll(() => page.evaluate('scrollY')).toBe(place);

    await page.goForward();
    await expect.poll(() => titleOf(page)).toBe('Person: 7');
    await page.keyboard.press('Escape');
    await page.waitForURL('/postern/explore');
  });

  test('leafs on to events that were not loaded yet', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/explore');
    await page.getByRole('link', { name: 'Person: 20', exact: true }).click();
    await expect.poll(() => titleOf(page)).toBe('Person: 20');
    for (let n = 21; n < 24; n += 1) {
      await page.keyboard.press('ArrowRight');
      await expect.poll(() => titleOf(page)).toBe(`Person: ${n}`);
    }
  });

  test('the links to its neighbours arrive without moving it, on a phone too', async ({ open }) => {
    const { page } = await open(origin, { as: admin, viewport: looks[2].viewport });
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/events?**', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/postern/events/more-5');
    const media = page.locator('.event-media');
    await media.waitFor();
    const before = await media.boundingBox();
    answer();
    for (const name of ['Newer event', 'Older event']) await page.getByRole('link', { name }).waitFor();
    expect(await media.boundingBox()).toEqual(before);
  });

  test('plays its clip, and shows its snapshot', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/events/1793175318.749865-ef7cib');
    await page.getByRole('heading', { name: 'Car', level: 1 }).waitFor();
    const video = page.locator('video[controls][playsinline][preload=metadata]');
    await video.waitFor();
    await page.evaluate('document.querySelector("video").play()');
    await expect
      .poll(() => page.evaluate<number>('document.querySelector("video").currentTime'))
      .toBeGreaterThan(0);
    await page.getByRole('button', { name: 'Snapshot' }).click();
    await page.getByRole('img', { name: 'Snapshot: Car at Driveway' }).waitFor();
    await pictureSize(page, '.event-media img').toBeGreaterThan(0);
    await lookAt(page, 'the page of an event', [looks[0], looks[3]]);
    await page.getByRole('link', { name: 'Older event' }).waitFor();
    await expect.poll(() => page.getByRole('link', { name: 'Newer event' }).count()).toBe(0);
    await page.keyboard.press('ArrowRight');
    await page.getByRole('heading', { name: 'Dog', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'Newer event' }).click();
    await page.getByRole('heading', { name: 'Car', level: 1 }).waitFor();
    await page.getByRole('link', { name: 'To Explore' }).click();
    await eventsOf(page).first().waitFor();
  });

  test('has a URL for every id', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/explore?cameras=garage&labels=dog');
    await page.getByRole('link', { name: 'Dog' }).click();
    await page.waitForURL('/postern/events/odd%20%26%2050%25%20%C3%BC');
    const sent = await open(origin, { as: admin });
    await sent.page.goto(page.url());
    await sent.page.getByRole('heading', { name: 'Dog', level: 1 }).waitFor();
    await page.goto('/postern/explore');
    await page.getByRole('link', { name: 'Fox' }).click();
    await page.waitForURL('/postern/events?id=a%2Fb%3Bc');
    expect(await titleOf(page)).toBe('Fox');
    await sent.page.goto(page.url());
    await sent.page.getByRole('heading', { name: 'Fox', level: 1 }).waitFor();
    await page.goBack();
    await dialog(page).waitFor({ state: 'detached' });
  });

  test('shows in words what failed, and tries again', async ({ open }) => {
    const { page, expectInConsole } = await open(origin, { as: admin });
    expectInConsole(/503|404/);
    recorder.failAt(/clip|vod/, 503);
    await page.goto('/postern/events/more-0');
    await page
      .getByRole('alert')
      .getByText('The recorder couldn’t send it. Try again in a moment.')
      .waitFor();
    await pictureSize(page, '.event-media img').toBeGreaterThan(0);
    recorder.failAt(undefined);
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect
      .poll(() => page.evaluate<number>('document.querySelector("video")?.readyState ?? 0'))
      .toBeGreaterThan(0);
    recorder.failAt(/snapshot/, 404);
    await page.goto('/postern/events/odd%20%26%2050%25%20%C3%BC');
    await page.getByRole('alert').getByText('The recorder doesn’t have this snapshot anymore.').waitFor();
    recorder.failAt(undefined);
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('img', { name: 'Snapshot: Dog at Garage' }).waitFor();
  });

  test('looks missing to users who may not see it', async ({ open }) => {
    const { page, expectInConsole } = await open(origin, {
      as: await userOf(admin, gateway.addresses.authenticated ?? '', 'anna', 'family'),
    });
    expectInConsole(/403/);
    const ids = ['odd%20%26%2050%25%20%C3%BC', 'no-such-event'];
    const seen: string[] = [];
    for (const id of ids) {
      await page.goto(`/postern/events/${id}`);
      await page.getByRole('heading', { name: 'This isn’t shared with you', level: 1 }).waitFor();
      await page.getByText('Details', { exact: true }).click();
      const shown = await page.locator('main').innerText();
      expect(shown).toMatch(decisionId);
      seen.push(shown.replace(decisionId, ''));
    }
    expect(seen[0]).toBe(seen[1]);
    // Where the document stays, what the API answers differs; the title does not.
    for (const id of ids) {
      await followLink(page, `/postern/events/${id}`);
      await page
        .getByRole('heading', { name: 'This event doesn’t exist, or isn’t shared with you' })
        .waitFor();
    }
    await page.goto('/postern/events/more-1');
    await page.getByRole('heading', { name: 'Person: 1', level: 1 }).waitFor();
  });

  test('with an unknown id', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/events/no-such-event');
    await page.getByRole('heading', { name: 'There’s no such event', exact: true }).waitFor();
    await page.getByRole('link', { name: 'To Explore' }).click();
    await eventsOf(page).first().waitFor();
  });
});

test('a list announces new entries, stays when no answer comes, and continues by itself', async ({
  open,
}) => {
  const { page, expectInConsole } = await open(origin, { as: admin });
  expectInConsole(/502/);
  await page.clock.install();
  await page.goto('/postern/explore?labels=bird,owl');
  await page.getByText('No matching events.').waitFor();
  const now = Math.floor(Date.now() / 1000);
  const bird = (n: number) =>
    recordedEvent({ id: `bird-${n}`, label: 'bird', sub_label: `${n}`, start_time: now + n });
  /** Time passes until it is there, or gone: the next question waits for the answer to the last one. */
  const passUntil = (what: Locator, there = true) =>
    expect
      .poll(async () => {
        await page.clock.runFor(16_000);
        return (await what.count()) > 0;
      })
      .toBe(there);
  const announced = (text: string) => page.getByRole('status').getByRole('button', { name: text });
  const titles = () => eventsOf(page).getByRole('heading').allTextContents();
  recorder.add(bird(1));
  await passUntil(announced('1 new event'));
  await announced('1 new event').click();
  await expect.poll(titles).toEqual(['Bird: 1']);

  recorder.add(recordedEvent({ id: 'running', label: 'owl', start_time: now + 2, end_time: null }));
  recorder.add(bird(3));
  await passUntil(announced('2 new events'));
  await announced('2 new events').click();
  await expect.poll(titles).toEqual(['Bird: 3', 'Owl', 'Bird: 1']);
  await page.clock.runFor(100);
  await expect.poll(() => page.locator(':focus').textContent()).toBe('Bird: 3');
  await eventsOf(page).getByText('still running').waitFor();
  recorder.change('running', { end_time: now + 12 });
  await passUntil(eventsOf(page).getByText('still running'), false);
  await passUntil(eventsOf(page).getByText(/[45] minutes ago/));

  recorder.failAt(/events/, 502);
  await passUntil(page.getByRole('status').getByText('Postern isn’t answering. This is from'));
  expect(await titles()).toEqual(['Bird: 3', 'Owl', 'Bird: 1']);
  await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  recorder.failAt(undefined);
  recorder.add(bird(4));
  await passUntil(announced('1 new event'));
  await expect.poll(() => page.getByText('Postern isn’t answering').count()).toBe(0);
  recorder.takeAsked();
  const asked: string[] = [];
  await expect
    .poll(async () => {
      await page.clock.runFor(16_000);
      asked.push(...recorder.takeAsked());
      return asked.length;
    })
    .toBeGreaterThan(1);
  for (const uri of asked) expect(uri).toMatch(/limit=10&.*labels=bird,owl&include_thumbnails=0/);
});
