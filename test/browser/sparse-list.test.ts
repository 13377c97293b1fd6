import { afterAll, beforeAll, expect, test } from 'vitest';
import { searchLimits } from '../../src/events/event-search.ts';
import { eventsOf, startTab } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { recorderFile } from '../unit/events/recorder-file.ts';
import { patience } from '../support/patience.ts';

const wanted = searchLimits.atOnce + 10;
const others = 3 * searchLimits.inAll;
const file = recorderFile();
let gateway: RunningGateway;
beforeAll(async () => {
  const event = { label: 'person', end_time: null };
  file.recorder.exec('PRAGMA synchronous = OFF; BEGIN');
  for (let n = 0; n < others; n += 1)
    file.addEvent({ ...event, id: `other${n}`, camera: 'driveway', start_time: 1_793_000_000 + n });
  for (let n = 0; n < wanted; n += 1)
    file.addEvent({
      ...event,
      id: `wanted${n}`,
      camera: 'garage',
      start_time: 1_792_000_000 - n,
      sub_label: `${n}`,
    });
  file.recorder.exec('COMMIT');
  gateway = await startGateway({ config: { events: { database: file.path } } });
});
afterAll(async () => {
  await gateway?.close();
  file.remove();
});
const tab = startTab(() => `http://${gateway.addresses.internal}`);

test('a list that finds nothing in a page continues by itself to the end', async () => {
  const { page } = tab();
  const asked: string[] = [];
  page.on('request', (request) => void (request.url().includes('/api/events?') && asked.push(request.url())));
  await page.goto('/postern/explore?camera=garage&label=person');
  await eventsOf(page).first().waitFor();
  expect(asked.length).toBeGreaterThanOrEqual(others / searchLimits.inAll);
  await page.mouse.move(200, 500);
  await expect
    .poll(
      async () => {
        await page.mouse.wheel(0, 20_000);
        return page.getByText('No more events').count();
      },
      { timeout: patience },
    )
    .toBe(1);
  const titles = await eventsOf(page).getByRole('heading').allTextContents();
  expect(titles).toEqual(Array.from({ length: wanted }, (_, n) => `Person: ${n}`));
});

test('it shows that it continues while nothing is found', async () => {
  const { page } = tab();
  const { promise: mayGoOn, resolve: goOn } = Promise.withResolvers<void>();
  let asked = 0;
  await page.route('**/api/events?**', async (route) => {
    asked += 1;
    if (asked > 1) await mayGoOn;
    await route.continue();
  });
  await page.goto('/postern/explore?camera=garage&label=person');
  await page.getByText('Nothing found yet.').waitFor();
  await expect.poll(() => page.getByText('No events').count()).toBe(0);
  goOn();
  await eventsOf(page).first().waitFor();
  await expect.poll(() => page.getByText('Nothing found yet.').count()).toBe(0);
});
