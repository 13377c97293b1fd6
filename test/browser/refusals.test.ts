import { describe, expect } from 'vitest';
import { sendLogin } from '../support/browse.ts';
import { lookAt } from '../support/look-at.ts';
import { newSession, startSite, test, ways } from '../support/site.ts';

const site = startSite();
const garage = '/api/garage/latest.jpg?h=300';

describe.each(ways)('$way', (way) => {
  test('a refused user sees who they are, copies the decision, and comes back as another user', async ({
    open,
  }) => {
    const { page, context, expectInConsole } = await open(way, {
      as: await newSession(site().gateway, 'anna'),
    });
    expectInConsole(/403|404/);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const answer = await page.goto(garage);
    expect(answer?.status()).toBe(403);
    await page.getByText("You're signed in as anna, role family.").waitFor();

    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    const decision = answer?.headers()['x-postern-decision'];
    expect(await page.evaluate('navigator.clipboard.readText()')).toBe(decision);

    await page.getByRole('button', { name: 'Sign in as someone else' }).click();
    await page.waitForURL(/\/login\?next=/);
    await sendLogin(page, 'admin', site().adminPassword);
    await page.waitForURL(garage);
    expect(await page.locator('body').textContent()).not.toContain('anna');
  });
});

test('axe finds nothing serious in a page of a refusal, in any look, nor in a form of 320 pixels', async ({
  open,
}) => {
  const { page, expectInConsole } = await open(site().origin('nginx'), { as: 'anna', locale: 'de-DE' });
  expectInConsole(/403/);
  await page.goto(`${garage}&${'long'.repeat(100)}`);
  await page.getByRole('heading', { name: 'Das ist nicht mit Ihnen geteilt' }).waitFor();
  await lookAt(page, 'a page of a refusal');
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).not.toBe('rgba(0, 0, 0, 0)');
});
