import type { Page, Response } from 'playwright-core';
import { expect } from 'vitest';

/** The gate's own page: one sentence, the code of the decision, and one link to continue. */
export async function expectRefusal(page: Page, answer: Response | null): Promise<void> {
  expect(answer?.status()).toBe(403);
  await page.getByRole('heading', { level: 1, name: 'This isn’t shared with you' }).waitFor();
  const decision = answer?.headers()['x-postern-decision'] ?? 'none';
  await page.getByText(decision, { exact: true }).waitFor();
  expect(await page.getByRole('link').allTextContents()).toContain('Your cameras');
}
