import type { Page } from 'playwright-core';
import { describe, expect } from 'vitest';
import { allTitles, pageSize } from '../support/recorded-events.ts';
import { eventsOf, startSite, startTab, test, ways } from '../support/site.ts';
import { patience } from '../support/patience.ts';

startSite();

const titles = (page: Page) => eventsOf(page).getByRole('heading').allTextContents();
/** Scrolls as a user does, with the wheel. */
const scrollDown = (page: Page) => page.mouse.wheel(0, 20_000);

describe('the endless list', () => {
  const tab = startTab(() => ways[1], { as: 'admin' });

  test('loads more as you scroll, each event once and none left out', async () => {
    const { page } = tab();
    await page.goto('/postern/explore');
    await eventsOf(page)
      .nth(pageSize - 1)
      .waitFor();
    await expect.poll(() => eventsOf(page).count()).toBe(pageSize);
    await page.mouse.move(200, 500);
    await expect
      .poll(
        async () => {
          await scrollDown(page);
          return page.getByText('No more events').count();
        },
        { timeout: patience },
      )
      .toBe(1);
    expect((await titles(page)).toSorted()).toEqual(allTitles.toSorted());
  });

  test('continues in place after a page failed', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/503/);
    await page.goto('/postern/explore?label=cat');
    await eventsOf(page)
      .nth(pageSize - 1)
      .waitFor();
    await page.route('**/api/events?**', (route) =>
      route.fulfill({ status: 503, json: { message: 'No database' } }),
    );
    await page.mouse.move(200, 500);
    await scrollDown(page);
    await page.getByRole('alert').getByText('No database').waitFor();
    await expect.poll(() => eventsOf(page).count()).toBe(pageSize);
    await page.unroute('**/api/events?**');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No more events').waitFor();
    expect(await titles(page)).toEqual(allTitles.filter((title) => title.startsWith('Cat')));
  });
});
