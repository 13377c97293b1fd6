import type { Page, Response } from 'playwright-core';
import { expect } from 'vitest';

/** The gate's own page: one sentence, a link to continue, and the code of the decision under Details. */
export async function expectRefusal(page: Page, answer: Response | null): Promise<void> {
  expect(answer?.status()).toBe(403);
  const title = /^(?:This isn’t shared with you|You don’t have access to .+)$/;
  await page.getByRole('heading', { level: 1, name: title }).waitFor();
  await page.getByText('Details', { exact: true }).click();
  const decision = answer?.headers()['x-postern-decision'] ?? 'none';
  await page.getByText(decision, { exact: true }).waitFor();
  expect(await page.getByRole('link').allTextContents()).toContain('Go to Home');
}
