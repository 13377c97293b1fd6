import type { Page } from 'playwright-core';

/** The menu of a row in a table. */
export async function openRowMenu(page: Page, row: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${row}`, exact: true }).click();
}

/** Chooses what is in the menu of a row in a table. */
export async function choose(page: Page, row: string, action: string): Promise<void> {
  await openRowMenu(page, row);
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}
