import type { Page } from 'playwright-core';

/** Opens a page as a link in another page does: the document stays. */
export async function followLink(page: Page, path: string): Promise<void> {
  await page.goto('/postern/account');
  await page.getByRole('heading', { name: 'Account', level: 1 }).waitFor();
  await page.evaluate(
    `document.body.append(Object.assign(document.createElement('a'),
      { href: ${JSON.stringify(path)}, textContent: 'The page behind this link' }))`,
  );
  await page.getByRole('link', { name: 'The page behind this link' }).click();
}
