import axe, { type AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { looks } from './site.ts';

/** What axe finds; it stays in a page until that is loaded anew. */
async function analyze(page: Page): Promise<AxeResults> {
  if (await page.evaluate("typeof axe === 'undefined'")) await page.evaluate(axe.source);
  return page.evaluate("axe.run({ resultTypes: ['violations'] })");
}

/** Looks at what is there in both colours and at both widths. */
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
}
