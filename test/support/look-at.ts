import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { looks } from './site.ts';

/** What axe finds; it stays in a page until that is loaded anew. */
async function analyze(page: Page): Promise<AxeResults> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  return page.evaluate("axe.run({ resultTypes: ['violations'] })");
}

// As narrow as WCAG 1.4.10 asks for.
const narrow = { width: 320, height: 640 };

/** What stands out of a narrow screen, in the direction of either kind of script. */
async function tooWide(page: Page): Promise<readonly string[]> {
  const former = page.viewportSize();
  await page.setViewportSize(narrow);
  const found: string[] = [];
  for (const direction of ['rtl', 'ltr']) {
    await page.evaluate(`document.documentElement.dir = '${direction}'`);
    if (!(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'))) found.push(direction);
  }
  await page.setViewportSize(former ?? narrow);
  return found;
}

/** Looks at what is there in both colours and at both widths, and whether it fits into a narrow screen in both directions. */
export async function lookAt(
  page: Page,
  what: string,
  looksOfIt: ReadonlyArray<(typeof looks)[number]> = looks,
) {
  for (const { look, viewport, colorScheme } of looksOfIt) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await analyze(page);
    const serious = violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) =>
        nodes.map(({ html, failureSummary }) => `${id}: ${html} ${failureSummary}`),
      );
    const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
    expect({ what, look, serious, fits }).toEqual({ what, look, serious: [], fits: true });
  }
  expect({ what, tooWide: await tooWide(page) }).toEqual({ what, tooWide: [] });
}
