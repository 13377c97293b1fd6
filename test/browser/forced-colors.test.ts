import type { Locator, Page } from 'playwright-core';
import { describe, expect, vi } from 'vitest';
import { startSite, test } from '../support/site.ts';
import { patience } from '../support/patience.ts';

const site = startSite();

interface Look {
  readonly background: string;
  readonly outline: string;
}

/** What shows a state without our colours: the background, and an outline with its width. */
async function lookOf(page: Page, element: Locator): Promise<Look> {
  await element.evaluate((found) => found.setAttribute('data-looked-at', ''));
  const look = await page.evaluate<Look>(`(() => {
    const found = document.querySelector('[data-looked-at]');
    found.removeAttribute('data-looked-at');
    const { backgroundColor, outlineStyle, outlineWidth, outlineColor } = getComputedStyle(found);
    const outline = outlineStyle === 'none' ? 'none' : outlineWidth + ' ' + outlineColor;
    return { background: backgroundColor, outline };
  })()`);
  return look;
}

/** The user's colour for what is chosen. */
async function highlightOf(page: Page): Promise<string> {
  return page.evaluate<string>(`(() => {
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.cssText = 'background: Highlight; forced-color-adjust: none';
    const color = getComputedStyle(probe).backgroundColor;
    probe.remove();
    return color;
  })()`);
}

interface State {
  readonly what: string;
  readonly path: string;
  readonly chosen: string;
  readonly other: string;
  readonly open?: (page: Page) => Promise<unknown>;
}

const invite = async (page: Page) => {
  await page.getByRole('button', { name: 'Invite' }).first().click();
  await page.getByRole('dialog').locator('.chip').first().waitFor();
};

/** By its background, or by an outline. */
const states: readonly State[] = [
  {
    what: 'a segment of Home',
    path: '/postern/',
    chosen: '.wall-tools .seg > [aria-pressed=true]',
    other: '.wall-tools .seg > [aria-pressed=false]',
  },
  {
    what: 'a segment of Access',
    path: '/postern/settings/access',
    chosen: '.title-row .seg > [aria-pressed=true]',
    other: '.title-row .seg > [aria-pressed=false]',
  },
  {
    what: 'a sorted column',
    path: '/postern/settings/access',
    open: (page) => page.locator('.matrix [role=columnheader] > button').last().click(),
    chosen: '.matrix [role=columnheader] > [aria-pressed=true]',
    other: '.matrix [role=columnheader] > [aria-pressed=false]',
  },
  {
    what: 'a cell that is open',
    path: '/postern/settings/access',
    open: (page) => page.getByRole('gridcell', { name: /^family, Garage/ }).click(),
    chosen: '.matrix .cell[aria-expanded=true]',
    other: '.matrix .cell[aria-expanded=false]',
  },
  {
    what: 'a radio as a chip',
    path: '/postern/people',
    open: invite,
    chosen: 'dialog .chip:has([type=radio]:checked)',
    other: 'dialog .chip:has([type=radio]:not(:checked))',
  },
  {
    what: 'a checkbox as a chip',
    path: '/postern/people',
    open: invite,
    chosen: 'dialog .chip:has([type=checkbox]:checked)',
    other: 'dialog .chip:has([type=checkbox]:not(:checked))',
  },
  {
    what: 'a picture of a camera',
    path: '/postern/people',
    open: async (page) => {
      await invite(page);
      await page.locator('dialog .pick input').first().check();
    },
    chosen: 'dialog .pick :checked + .shot',
    other: 'dialog .pick :not(:checked) + .shot',
  },
  {
    what: 'a checkbox',
    path: '/postern/people',
    open: async (page) => page.locator('tbody [type=checkbox]').first().check(),
    chosen: 'tbody [type=checkbox]:checked',
    other: 'tbody [type=checkbox]:not(:checked)',
  },
  {
    what: 'a selected row',
    path: '/postern/people',
    open: async (page) => page.locator('tbody [type=checkbox]').first().check(),
    chosen: 'tbody tr.selected',
    other: 'tbody tr:not(.selected)',
  },
  {
    what: 'a switch',
    path: '/postern/settings/access/family',
    open: (page) => page.getByRole('button', { name: 'Edit role' }).click(),
    chosen: 'dialog [role=switch]:checked',
    other: 'dialog [role=switch]:not(:checked)',
  },
  {
    what: 'a tab of the site',
    path: '/postern/explore',
    chosen: 'header.site nav [aria-current]',
    other: 'header.site nav a:not([aria-current])',
  },
  {
    what: 'a place of Settings',
    path: '/postern/settings/access',
    chosen: '.places [aria-current]',
    other: '.places a:not([aria-current])',
  },
  {
    what: 'a step of the setup',
    path: '/postern/first-run?step=person',
    chosen: '[aria-current] > .step-mark',
    other: 'a:not([aria-current]) > .step-mark',
  },
  {
    what: 'a colour',
    path: '/postern/settings/appearance',
    open: (page) => page.locator('.swatches [type=radio]').nth(1).check({ force: true }),
    chosen: '.swatches :checked + i',
    other: '.swatches :not(:checked) + i',
  },
];

describe.each(['light', 'dark'] as const)('in forced colours, %s', (colorScheme) => {
  test.for(states)(
    '$what shows that it is chosen',
    async ({ path, open: prepare, chosen, other }, { open }) => {
      const { page, expectInConsole } = await open(site().origin('embedded front'), {
        as: 'admin',
        forcedColors: 'active',
        colorScheme,
      });
      // This site has no pictures.
      expectInConsole(/404/);
      await page.goto(path);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
      await prepare?.(page);
      // Without a ring of the keyboard, which is another state.
      await page.evaluate('document.activeElement.blur()');
      const [on, off] = [page.locator(chosen).first(), page.locator(other).first()];
      await Promise.all([on.waitFor({ state: 'attached' }), off.waitFor({ state: 'attached' })]);
      const highlight = await highlightOf(page);
      // Colours that fade in are there after a moment.
      await vi.waitFor(async () => {
        const [lit, dim] = [await lookOf(page, on), await lookOf(page, off)];
        expect(lit).not.toEqual(dim);
        expect(dim.background).not.toBe(highlight);
        const isOutlined = lit.outline !== 'none' && lit.outline !== dim.outline;
        expect([lit.background === highlight, isOutlined]).toContain(true);
      }, patience);
    },
  );
});

test('in forced colours, the keyboard shows where it is', async ({ open }) => {
  const { page, expectInConsole } = await open(site().origin('embedded front'), {
    as: 'admin',
    forcedColors: 'active',
  });
  expectInConsole(/404/);
  const unseen: string[] = [];
  for (const path of ['/postern/', '/postern/explore', '/postern/people', '/postern/settings/access']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).first().waitFor({ state: 'attached' });
    await expect.poll(() => page.locator('[aria-busy=true]').count()).toBe(0);
    for (let step = 0; step < 25; step += 1) {
      await page.keyboard.press('Tab');
      const missing = await page.evaluate<string | null>(`(() => {
        const found = document.activeElement;
        for (let near = found; near !== null && near !== document.body; near = near.parentElement)
          for (const pseudo of [null, '::after']) {
            const { outlineStyle, outlineWidth } = getComputedStyle(near, pseudo);
            if (outlineStyle !== 'none' && parseFloat(outlineWidth) >= 2) return null;
          }
        return found === document.body ? null : found.outerHTML.slice(0, 120);
      })()`);
      if (missing !== null) unseen.push(`${path}: ${missing}`);
    }
  }
  expect(unseen).toEqual([]);
});
