import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { askForNews, eventsOf, pathOf, startSite, startTab, test, ways } from '../support/site.ts';

const site = startSite();

const filter = (page: Page, name: string) => page.locator('.choice > summary').filter({ hasText: name });

const [way] = ways;

describe('Explore', () => {
  const tab = startTab(() => way, { as: 'admin' });

  test('shows of an event what it is, where, when, how long and in which zones', async () => {
    const { page } = tab();
    await page.goto('/postern/explore');
    const [running, person, dog] = [0, 1, 2].map((index) => eventsOf(page).nth(index));
    const texts = (event = running) => event?.locator('h2, p, .badge').allTextContents();
    await running?.waitFor();
    expect(await texts(running)).toEqual([
      'Car',
      expect.stringMatching(/^Driveway · (?:yesterday|\d+ \w+ ago)$/),
      '1 Nov 2026, 13:00:00',
      'Street',
      'Front lawn',
    ]);
    expect(await texts(person)).toEqual([
      'Person: Olaf',
      expect.stringMatching(/^Front door · /),
      '1 Nov 2026, 12:59:00',
      '1 min 15 s',
      'Front steps',
    ]);
    expect(await texts(dog)).toEqual([
      'Dog',
      expect.stringMatching(/^Garage · /),
      '1 Nov 2026, 12:58:00',
      '8 s',
    ]);
    await person?.getByRole('img', { name: 'Person: Olaf at Front door' }).waitFor();
    await expect
      .poll(() => page.evaluate('document.querySelector(".event img").naturalWidth'))
      .toBeGreaterThan(0);
    await dog?.getByRole('img', { name: 'No thumbnail' }).waitFor();
  });

  test('opens the details of an event, and goes back to it', async () => {
    const { page } = tab();
    await page.goto('/postern/explore');
    await page.getByRole('link', { name: 'Person: Olaf' }).click();
    const details = page.getByRole('dialog', { name: 'Person: Olaf' });
    await details.waitFor();
    const facts = await details.locator('dt, dd').allTextContents();
    const fact = (name: string) => facts[facts.indexOf(name) + 1];
    expect(fact('Camera')).toBe('Front door');
    expect(fact('Started')).toMatch(/^1 Nov 2026, 12:59:00 · /);
    expect(fact('Ended')).toBe('1 Nov 2026, 13:00:15');
    expect(fact('Zones')).toBe('Front steps');
    expect(fact('Score')).toBe('87 %');
    expect([fact('Clip'), fact('Snapshot')]).toEqual(['Yes', 'Yes']);
    expect(fact('Id')).toBe('person-olaf');
    // Nothing missing is requested: the console would log it.
    await details.getByText('Clips and snapshots come from the recorder').waitFor();
    await details.getByRole('img', { name: 'Person: Olaf at Front door' }).waitFor();
    await expect.poll(() => details.locator('video').count()).toBe(0);
    await page.keyboard.press('Escape');
    await details.waitFor({ state: 'detached' });
    await expect.poll(() => page.locator(':focus').textContent()).toBe('Person: Olaf');

    await page.getByRole('link', { name: 'Car', exact: true }).click();
    // The recorder never wrote its end, and it can't still be happening.
    await page.getByRole('dialog').getByText('Street, Front lawn').waitFor();
    await expect.poll(() => page.getByRole('dialog').getByText('Still running').count()).toBe(0);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  });

  test('filters by camera and label, and keeps the filters in the address', async () => {
    const { page } = tab();
    await page.goto('/postern/explore');
    const titles = () => eventsOf(page).getByRole('heading').allTextContents();
    await filter(page, 'Cameras').click();
    await page.getByRole('checkbox', { name: 'Garage' }).check();
    await page.waitForURL('/postern/explore?cameras=garage');
    const ofGarage = ['Dog', ...[3, 8, 13, 18, 23, 28].map((index) => `Cat: old ${index}`)];
    await expect.poll(titles).toEqual(ofGarage);
    // One camera has a page of its own, once no other one is chosen.
    await page.keyboard.press('Escape');
    await page.waitForURL('/postern/cameras/garage');
    await page.goBack();
    await page.waitForURL('/postern/explore');
    await filter(page, 'Labels').click();
    await page.getByLabel('Another label').fill('cat');
    await page.getByLabel('Another label').press('Enter');
    await page.waitForURL('/postern/explore?labels=cat');
    const cats = () => eventsOf(page).count();
    await expect.poll(cats).toBe(24);
    await filter(page, 'Cameras').click();
    await page.getByRole('checkbox', { name: 'Garage' }).check();
    await page.waitForURL('/postern/explore?cameras=garage&labels=cat');
    await expect.poll(titles).toEqual(ofGarage.slice(1));
    await page.reload();
    await expect.poll(titles).toEqual(ofGarage.slice(1));
    await page.goBack();
    await expect.poll(cats).toBe(24);

    await page.goto('/postern/explore?cameras=garage,driveway&labels=dog,car');
    await expect.poll(titles).toEqual(['Car', 'Dog']);
    await page.getByRole('button', { name: 'Remove filter: Driveway' }).click();
    await page.waitForURL('/postern/explore?cameras=garage&labels=dog,car');
    await expect.poll(titles).toEqual(['Dog']);
    await expect.poll(() => page.locator(':focus').textContent()).toMatch(/^Garage/);
  });

  test('filters by time, in the time zone of the user', async () => {
    const { page } = tab();
    await page.goto('/postern/explore');
    const titles = () => eventsOf(page).getByRole('heading').allTextContents();
    const range = async (from: readonly [string, string], to: readonly [string, string]) => {
      await filter(page, 'Time').click();
      for (const [name, [day, time]] of [['From', from] as const, ['To', to] as const]) {
        await page.getByRole('group', { name, exact: true }).getByLabel('Day', { exact: true }).fill(day);
        await page.getByRole('group', { name, exact: true }).getByLabel('Time of day').fill(time);
      }
      await page.getByRole('button', { name: 'Apply' }).click();
    };
    await range(['2026-11-01', '12:58'], ['2026-11-01', '13:00']);
    await page.waitForURL((url) => url.search === '?after=2026-11-01T12%3A58&before=2026-11-01T13%3A00');
    await expect.poll(titles).toEqual(['Person: Olaf', 'Dog']);
    await range(['2026-11-01', '13:00'], ['2026-11-01', '']);
    await expect.poll(titles).toEqual(['Car']);
    await filter(page, 'Time').getByText('from 1 Nov 2026, 13:00 to 1 Nov 2026').waitFor();
    await page.getByRole('button', { name: 'Remove filter: to 1 Nov 2026' }).click();
    await page.waitForURL((url) => url.search === '?after=2026-11-01T13%3A00');
  });

  test('shows every event at an old address with ids', async () => {
    const { page } = tab();
    await page.goto('/postern/explore?ids=dog,no-such-event');
    await eventsOf(page).getByRole('heading', { name: 'Person: Olaf' }).waitFor();
    await filter(page, 'Cameras').click();
    await page.getByRole('checkbox', { name: 'Garage' }).check();
    await page.waitForURL('/postern/explore?cameras=garage');
  });

  test('offers and shows a custom role its own cameras', async ({ open }) => {
    const { page } = await open(way, { as: 'anna' });
    await page.goto('/postern/explore');
    await eventsOf(page).first().waitFor();
    await filter(page, 'Cameras').click();
    const cameras = page.getByRole('group', { name: 'Cameras' }).locator('label');
    expect((await cameras.allTextContents()).map((name) => name.trim())).toEqual(['Driveway', 'Front door']);
    await expect.poll(() => page.getByText('Garage', { exact: true }).count()).toBe(0);
    await expect.poll(() => page.getByRole('heading', { name: 'Dog' }).count()).toBe(0);
  });

  // A list that names none may be closed, when it is not known what keeps it to the cameras of a role.
  test.for([
    ['anna', 'driveway,front_door'],
    ['admin', 'back_yard,driveway,front_door,garage,side_yard'],
  ] as const)('names the cameras of %s in each list that it asks for', async ([user, cameras], { open }) => {
    const { page } = await open(way, { as: user });
    const asked: Array<string | null> = [];
    page.on('request', (request) => {
      const url = new URL(request.url());
      if (url.pathname === '/api/events') asked.push(url.searchParams.get('cameras'));
    });
    await page.goto('/postern/explore');
    await eventsOf(page).first().waitFor();
    expect(asked.map((names) => names?.split(',').toSorted().join())).toEqual([cameras]);
  });

  test('shows that the cameras have changed', async ({ open }) => {
    const role = 'moving';
    const define = (...cameras: string[]) =>
      site().admin.send('PUT', `/postern/api/roles/${role}`, { cameras });
    await define('front_door', 'driveway');
    const mover = await site().addUser('mover', role);
    const { page, expectInConsole } = await open(way, { as: mover });
    await page.goto('/postern/explore');
    await eventsOf(page).first().waitFor();
    // One of them would be enough: the front leaves the others out.
    await define('garage');
    expectInConsole(/403/);
    await askForNews(page);
    await page.getByRole('alert').getByText('Not all of these cameras are shared with you anymore').waitFor();
    await page.getByRole('button', { name: 'Reload' }).click();
    await eventsOf(page).first().waitFor();
    await site().admin.send('DELETE', `/postern/api/roles/${role}`);
  });

  test('refuses a camera that was typed into the address', async ({ open }) => {
    const { page, expectInConsole } = await open(way, { as: 'anna' });
    expectInConsole(/403/);
    await page.goto('/postern/explore?camera=garage&label=dog');
    await page.getByRole('alert').getByText('This camera isn’t shared with you').waitFor();
    await expect.poll(() => eventsOf(page).count()).toBe(0);
    await page.getByRole('alert').getByRole('button', { name: 'Show all events' }).click();
    await eventsOf(page).first().waitFor();
  });

  test('shows when nothing matches', async () => {
    const { page } = tab();
    await page.goto('/postern/explore?label=elephant');
    await page.getByText('No matching events.').waitFor();
    await page.getByRole('button', { name: 'Show all events' }).click();
    await eventsOf(page).first().waitFor();
    expect(pathOf(page)).toBe('/postern/explore');
  });

  test('shows when nothing was recorded', async ({ open }) => {
    const quiet = await site().addUser('quinn', 'quiet');
    const { page } = await open(way, { as: quiet });
    await page.goto('/postern/explore');
    await page.getByText('Your cameras haven’t recorded anything yet.').waitFor();
  });

  test('shows that it is loading', async () => {
    const { page } = tab();
    let answer = () => {};
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/api/events?**', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto('/postern/explore');
    await page.getByRole('status').getByText('Loading events…').waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Events' }).getAttribute('aria-busy'))
      .toBe('true');
    answer();
    await eventsOf(page).first().waitFor();
    await expect.poll(() => page.getByText('Loading events…').count()).toBe(0);
  });

  test('shows what failed, and tries again', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/503|ERR_FAILED/);
    const failing = '**/api/events?**';
    await page.route(failing, (route) => route.fulfill({ status: 503, json: { message: 'No database' } }));
    await page.goto('/postern/explore');
    await page.getByRole('alert').getByText('No database').waitFor();
    await page.unroute(failing);
    await page.route(failing, (route) => route.abort());
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('alert').getByText('Postern isn’t answering.').waitFor();
    await page.unroute(failing);
    await page.getByRole('button', { name: 'Try again' }).click();
    await eventsOf(page).first().waitFor();
    await expect.poll(() => page.getByRole('alert').count()).toBe(0);
  });
});
