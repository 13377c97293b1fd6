import type { Page } from 'playwright-core';

/**
 * Counts every press on the page from now on, whichever helper makes it: a way that needs one more fails its test. Typing is none.
 * Call it before the page is opened.
 * @returns a function that reads the count
 */
export async function countTaps(page: Page): Promise<() => Promise<number>> {
  // In the tab's own storage, so that a press that leads to another page counts too.
  await page.addInitScript(`addEventListener('pointerdown', (event) => {
    if (event.isTrusted) sessionStorage.setItem('taps', Number(sessionStorage.getItem('taps')) + 1);
  }, true)`);
  return () => page.evaluate(`Number(sessionStorage.getItem('taps'))`);
}
