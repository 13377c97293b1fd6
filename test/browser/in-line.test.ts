import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { looks, startSite, test } from '../support/site.ts';

const site = startSite();

type Part = (page: Page) => Locator;

interface Row {
  readonly name: string;
  readonly look: (typeof looks)[number];
  readonly path: string;
  readonly parts: readonly [Part, Part];
  readonly edge: 'middle' | 'bottom';
  readonly press?: string;
}

const rows: readonly Row[] = [
  {
    name: 'the cross of a notice, and its link',
    look: looks[2],
    path: '/postern/',
    parts: [
      (page) => page.locator('.attention li:has(.close):has(> a) > a').first(),
      (page) => page.locator('.attention li:has(> a) .close').first(),
    ],
    edge: 'middle',
  },
  {
    name: 'the time and the event of an audit record',
    look: looks[0],
    path: '/postern/settings/audit',
    parts: [
      (page) => page.locator('table.audit tbody tr:first-child time').first(),
      (page) => page.locator('table.audit tbody tr:first-child .record-open').first(),
    ],
    edge: 'middle',
  },
  {
    name: 'the buttons of a long dialog, and its end',
    look: looks[0],
    path: '/postern/settings/access',
    press: 'Add role',
    parts: [
      (page) => page.locator('dialog > article'),
      (page) => page.getByRole('dialog').locator('form > footer'),
    ],
    edge: 'bottom',
  },
];

test.for(rows)('in line: $name', async ({ look, path, parts, edge, press }, { open }) => {
  const { page } = await open(site().origin('embedded front'), { as: 'admin', ...look });
  await page.goto(path);
  if (press !== undefined) await page.getByRole('button', { name: press }).click();
  const [one, other] = await Promise.all(
    parts.map(async (part) => {
      const { y, height } = (await part(page).boundingBox()) ?? { y: NaN, height: NaN };
      return edge === 'bottom' ? y + height : y + height / 2;
    }),
  );
  expect(Math.abs((one ?? NaN) - (other ?? NaN))).toBeLessThan(4);
});
