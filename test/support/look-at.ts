import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { looks } from './site.ts';

/** The rules that look at colours: nothing else changes with them. */
const rulesOfColours = ['color-contrast', 'link-in-text-block'];

/** The axe script, which stays in a page until it is reloaded. */
async function analyze(page: Page, rules?: readonly string[]): Promise<AxeResults> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  const options = { resultTypes: ['violations'], ...(rules === undefined ? {} : { runOnly: rules }) };
  return page.evaluate(`axe.run(${JSON.stringify(options)})`);
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
  const seenWidths = new Set<number>();
  for (const { look, viewport, colorScheme } of looksOfIt) {
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    const { violations } = await analyze(page, seenWidths.has(viewport.width) ? rulesOfColours : undefined);
    seenWidths.add(viewport.width);
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
