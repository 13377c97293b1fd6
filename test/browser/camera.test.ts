import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import type { Tab } from '../support/browse.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { recordedEvent } from '../support/recorded-event.ts';
import { looks, test } from '../support/site.ts';
import { startEventRecorder, type EventRecorder } from '../support/start-event-recorder.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { recorderFile } from '../unit/events/recorder-file.ts';

/** A Sunday on which clocks in Berlin go back, and the Saturday before it, at 18:00 there. */
const sunday = Date.parse('2026-10-25T17:00Z') / 1000;
const saturday = sunday - 25 * 3_600;
const event = (id: string, label: string, start_time: number, camera = 'front_door') =>
  recordedEvent({ id, label, camera, start_time, end_time: start_time + 20 });
const many = 1_000;
const recorded = [
  event('late', 'person', sunday - 600),
  event('noon', 'car', sunday - 6 * 3_600),
  // Both are at half past two on that day.
  event('again', 'dog', Date.parse('2026-10-25T01:30Z') / 1000),
  event('first', 'cat', Date.parse('2026-10-25T00:30Z') / 1000),
  event('before', 'package', saturday),
  event('foreign', 'person', sunday - 300, 'garage'),
  ...Array.from({ length: many }, (_, n) =>
    event(`many-${n}`, ['person', 'car', 'dog', 'box'][n % 4] ?? '', sunday - 900 - n * 60, 'driveway'),
  ),
].toSorted((a, b) => b.start_time - a.start_time);

const file = recorderFile();
let recorder: EventRecorder;
let gateway: RunningGateway;
let origin: string;
let admin: Visitor;
const visitors = new Map<string, Visitor>();
const access = {
  porch: { may: ['live', 'history'] },
  watcher: { may: ['live'] },
  guest: { may: ['history'], from: '2026-10-25T11:00', history: 'from' },
};
beforeAll(async () => {
  file.recorder.exec('PRAGMA synchronous = OFF');
  recorder = await startEventRecorder(recorded, file);
  gateway = await startGateway({
    config: {
      timezone: 'Europe/Berlin',
      upstream: recorder.url,
      events: { database: file.path },
      auth: {
        roles: { porch: ['front_door', 'driveway'], watcher: ['front_door'], guest: ['front_door'] },
        role_access: access,
      },
    },
  });
  admin = await adminOf(gateway);
  origin = `https://${gateway.addresses.authenticated}`;
  for (const role of Object.keys(access))
    visitors.set(role, await userOf(admin, gateway.addresses.authenticated ?? '', `a.${role}`, role));
});
afterAll(async () => {
  await gateway?.close();
  await recorder?.close();
  file.remove();
});

/** Neither live stream nor picture is behind this page. */
const noPictures = /WebSocket|404|502|503/;
const slider = (page: Page) => page.getByRole('slider', { name: 'Time at Front door' });
const rows = (page: Page) => page.locator('.day-events li');
const valueOf = (page: Page) => slider(page).getAttribute('aria-valuetext');
const clip = (page: Page) => page.locator('.event-media > video');

const visit = async (tab: Tab, path: string) => {
  tab.expectInConsole(noPictures);
  await tab.page.clock.setFixedTime(sunday * 1000);
  await tab.page.goto(path);
  return tab;
};
const as = (visitor = admin) => ({ as: visitor, timezoneId: 'Europe/Berlin' });

describe('a camera and its day', () => {
  test('shows the events of the day in the zone of the house, when clocks change too', async ({ open }) => {
    const { page } = await visit(await open(origin, as()), '/postern/cameras/front_door');
    await page.getByRole('heading', { name: '4 events' }).waitFor();
    const times = await rows(page).locator('time').allTextContents();
    expect(times).toEqual(['17:50', '12:00', '02:30', '02:30']);
    await page.getByText('Today, 25 October').waitFor();
    await expect.poll(() => slider(page).getAttribute('aria-valuemax')).toBe(String(19 * 3_600));
    await expect.poll(() => valueOf(page)).toMatch(/^18:00:00 CET, live$/);
    await page.getByRole('button', { name: 'Previous day' }).click();
    await page.waitForURL('/postern/cameras/front_door?day=2026-10-24');
    await page.getByRole('heading', { name: '1 event' }).waitFor();
    await expect.poll(() => slider(page).getAttribute('aria-valuemax')).toBe('86400');
    await page.getByRole('button', { name: 'Next day' }).click();
    await page.waitForURL('/postern/cameras/front_door');
    await page.getByRole('heading', { name: '4 events' }).waitFor();
    await lookAt(page, 'a camera and its day', [looks[0], looks[3]]);
  });

  test('plays an event in place by its row and by its mark, and goes back to live', async ({ open }) => {
    const { page } = await visit(await open(origin, as()), '/postern/cameras/front_door');
    await rows(page).getByRole('button', { name: /^Car/ }).click();
    await clip(page).waitFor();
    await expect.poll(() => page.getByRole('status').allTextContents()).toContain('Car, 12:00:00 CET');
    await expect
      .poll(() => rows(page).locator('[aria-current]').allTextContents())
      .toEqual([expect.stringMatching(/^Car/)]);
    await expect.poll(() => valueOf(page)).toMatch(/^12:00:\d\d CET, Car$/);
    await page.getByRole('button', { name: 'Go to live' }).click();
    await clip(page).waitFor({ state: 'detached' });
    // A mark near the right lane is enough.
    const box = await slider(page).boundingBox();
    if (box === null) throw new Error('no strip');
    await slider(page).click({
      position: { x: (box.width * (18 * 60 + 50)) / (25 * 60) + 5, y: 11 },
    });
    await expect.poll(() => page.getByRole('status').allTextContents()).toContain('Person, 17:50:00 CET');
  });

  test('is a slider for the keyboard', async ({ open }) => {
    const { page } = await visit(await open(origin, as()), '/postern/cameras/front_door');
    await page.getByRole('heading', { name: '4 events' }).waitFor();
    await slider(page).focus();
    const value = () => slider(page).getAttribute('aria-valuenow').then(Number);
    const press = async (key: string) => {
      const before = await value();
      await page.keyboard.press(key);
      return (await value()) - before;
    };
    const last = await value();
    for (const [key, by] of [
      ['PageDown', -3_600],
      ['ArrowLeft', -10],
      ['Shift+ArrowLeft', -60],
      ['ArrowRight', 10],
      ['Shift+ArrowRight', 60],
      ['PageUp', 3_600],
    ] as const)
      expect([key, await press(key)]).toEqual([key, by]);
    await page.keyboard.press('Home');
    expect(await value()).toBe(0);
    // Where it rests, there is nothing.
    await page.getByText('No event at 00:00:00 CEST').waitFor();
    await page.keyboard.press(']');
    await expect.poll(() => valueOf(page)).toBe('02:30:00 CEST, Cat');
    await page.keyboard.press(']');
    await expect.poll(() => valueOf(page)).toBe('02:30:00 CET, Dog');
    await page.keyboard.press('[');
    await expect.poll(() => valueOf(page)).toBe('02:30:00 CEST, Cat');
    await clip(page).waitFor();
    await page.evaluate('document.querySelector(".event-media > video").play()');
    await page.keyboard.press('Space');
    await expect
      .poll(() => page.evaluate('document.querySelector(".event-media > video").paused'))
      .toBe(true);
    // A clip that plays on does not take the playhead back.
    const from = await value();
    await page.keyboard.press('Shift+ArrowLeft');
    await page.evaluate(`{
      const video = document.querySelector('.event-media > video');
      video.currentTime = 1.5;
      video.dispatchEvent(new Event('timeupdate'));
    }`);
    expect(await value()).toBe(from - 60);
    await page.getByText(/^No event at 02:29:0\d CEST$/).waitFor();
    await page.keyboard.press('l');
    expect(await value()).toBe(last);
  });

  test('shows one kind, and what happened on another day when this one is empty', async ({ open }) => {
    const { page } = await visit(await open(origin, as()), '/postern/cameras/front_door');
    await page.getByRole('button', { name: 'Animal 2' }).click();
    await page.getByRole('heading', { name: '2 events' }).waitFor();
    expect(await rows(page).count()).toBe(2);
    await page.goto('/postern/cameras/garage?day=2026-10-20');
    await page.getByText('Nothing happened on this day.').waitFor();
    await expect.poll(() => page.getByRole('link', { name: /^Go to/ }).count()).toBe(0);
    await page.clock.setFixedTime((sunday + 3 * 86_400) * 1000);
    await page.goto('/postern/cameras/front_door');
    await page.getByRole('link', { name: 'Go to Sunday, 25 October 2026' }).click();
    await page.getByRole('heading', { name: '4 events' }).waitFor();
    await page.goto('/postern/cameras/front_door?day=2027-01-01');
    await page.getByText('Today, 28 October').waitFor();
  });

  test('says that events could not be loaded, and tries again', async ({ open }) => {
    const { page } = await visit(await open(origin, as()), '/postern/');
    await page.route('**/api/events?**', (route) => route.fulfill({ status: 503, json: {} }));
    await page.goto('/postern/cameras/front_door');
    await page.getByRole('heading', { name: 'Couldn’t load events' }).waitFor();
    await page.unroute('**/api/events?**');
    await page.getByRole('button', { name: 'Try again' }).last().click();
    await page.getByRole('heading', { name: '4 events' }).waitFor();
  });
});

test('to someone far away, the day is that of the house, and its zone is named', async ({ open }) => {
  const { page } = await visit(
    await open(origin, { as: admin, timezoneId: 'Asia/Tokyo' }),
    '/postern/cameras/front_door',
  );
  await page.getByRole('heading', { name: '4 events' }).waitFor();
  await page.getByText('Today, 25 October').waitFor();
  await page.getByText('Times are in Europe/Berlin.').waitFor();
  expect((await rows(page).locator('time').allTextContents())[0]).toBe('17:50');
});

describe('a thousand events', () => {
  test('are four paths, and rows only where someone looks', async ({ open }) => {
    const { page } = await visit(await open(origin, as()), '/postern/cameras/driveway');
    const shown = recorded.filter(
      ({ camera, start_time }) => camera === 'driveway' && start_time > sunday - 19 * 3_600,
    );
    await page.getByRole('heading', { name: `${shown.length.toLocaleString('en')} events` }).waitFor();
    expect(await rows(page).count()).toBeLessThan(60);
    expect(await page.locator('.marks > path').count()).toBe(4);
    await page.getByRole('slider').focus();
    for (const key of ['Home', ']', ']', 'End', '[']) await page.keyboard.press(key);
    await page.locator('.day-events [aria-current]').waitFor();
  });

  test('a press writes the times of no other row or hour again', async ({ open }) => {
    const { page } = await visit(await open(origin, as()), '/postern/cameras/driveway');
    await page.getByRole('heading', { name: '1,000 events' }).waitFor();
    await page.evaluate(`
      window.written = [];
      const { prototype } = Intl.DateTimeFormat;
      const { get } = Object.getOwnPropertyDescriptor(prototype, 'format');
      Object.defineProperty(prototype, 'format', {
        get() {
          return (date) => {
            const text = get.call(this)(date);
            window.written.push(text);
            return text;
          };
        },
      });`);
    await rows(page).nth(3).getByRole('button').click();
    await page.locator('.day-events [aria-current]').waitFor();
    const written = (await page.evaluate('window.written')) as string[];
    expect([...new Set(written)]).toEqual(['17:42:00 CET']);
  });
});

describe('what is not shared', () => {
  test('a role without recordings has the camera live, and one sentence', async ({ open }) => {
    const { page } = await visit(
      await open(origin, as(visitors.get('watcher'))),
      '/postern/cameras/front_door',
    );
    await page.getByText('You can watch Front door live. Nothing from earlier is shared with you.').waitFor();
    await expect.poll(() => page.locator('.shut.not-shared').count()).toBe(1);
    for (const gone of [slider(page), rows(page), page.getByRole('button', { name: 'Previous day' })])
      await expect.poll(() => gone.count()).toBe(0);
    await lookAt(page, 'a camera without its day', [looks[0], looks[3]]);
  });

  test('recordings since a moment: the part before it is hatched, and no day before it opens', async ({
    open,
  }) => {
    const { page } = await visit(
      await open(origin, as(visitors.get('guest'))),
      '/postern/cameras/front_door',
    );
    await page.getByRole('heading', { name: '2 events' }).waitFor();
    await page.getByText('Shared with you from Sunday 11:00.').waitFor();
    await expect.poll(() => slider(page).getAttribute('aria-valuemin')).toBe(String(12 * 3_600));
    const previous = page.getByRole('button', { name: 'Previous day' });
    await expect.poll(() => previous.getAttribute('aria-disabled')).toBe('true');
    await page.goto('/postern/cameras/front_door?day=2026-10-24');
    await page.getByText('Shared with you from Sunday 11:00.').waitFor();
    await expect.poll(() => rows(page).count()).toBe(0);
    await lookAt(page, 'a day that is not shared', [looks[0], looks[3]]);
  });

  test('another camera: nothing of it, by any way to this page', async ({ open }) => {
    const { page, expectInConsole } = await visit(await open(origin, as(visitors.get('porch'))), '/postern/');
    expectInConsole(/403/);
    const bodies: string[] = [];
    page.on('response', (response) => {
      const { pathname } = new URL(response.url());
      if (!pathname.startsWith('/postern/assets/'))
        void response.text().then(
          (body) => bodies.push(body),
          () => {},
        );
    });
    recorder.takeAsked();
    expect((await page.goto('/postern/cameras/garage'))?.status()).toBe(403);
    for (const path of [
      '/postern/cameras/garage',
      '/postern/cameras/garage?day=2026-10-24',
      '/postern/explore?cameras=garage',
      '/postern/live/garage',
    ]) {
      await page.goto('/postern/');
      await page.evaluate(
        `history.pushState(null, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`,
      );
      await page.getByRole('heading', { level: 1, name: 'You don’t have access to Garage' }).waitFor();
      await expect.poll(() => page.locator('.stage, .day, .day-events').count()).toBe(0);
    }
    for (const path of [
      '/api/events?cameras=garage',
      '/api/events/foreign/clip.mp4',
      '/api/events/foreign/thumbnail.jpg',
      '/api/garage/latest.jpg',
    ])
      expect([path, (await page.request.get(path)).status()]).toEqual([path, 403]);
    expect(bodies.filter((body) => body.includes('foreign'))).toEqual([]);
    expect(recorder.takeAsked().filter((target) => /garage|foreign/.test(target))).toEqual([]);
  });
});
