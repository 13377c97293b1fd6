import { describe, expect } from 'vitest';
import { sendLogin } from '../support/browse.ts';
import { lookAt } from '../support/look-at.ts';
import { newSession, startSite, test, ways } from '../support/site.ts';

const site = startSite();
const garage = '/api/garage/latest.jpg?h=300';

const [, way] = ways;

describe('a refusal', () => {
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
    await page.getByText('You’re signed in as anna, role family.').waitFor();

    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    const decision = answer?.headers()['x-postern-decision'];
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(decision);

    await page.getByRole('button', { name: 'Sign in as someone else' }).click();
    await page.waitForURL(/\/login\?next=/);
    await sendLogin(page, 'admin', site().adminPassword);
    await page.waitForURL(garage);
    expect(await page.locator('body').textContent()).not.toContain('anna');
  });

  test('a page of recordings that is refused within the app has its code, and is on record', async ({
    open,
  }) => {
    const name = 'lea';
    const { status } = await site().admin.send('PUT', `/postern/api/roles/${name}`, {
      cameras: ['garage'],
      access: { may: ['live'] },
    });
    expect(status).toBe(200);
    const lea = await site().addUser(name, name);
    const { page, expectInConsole } = await open(way, { as: lea });
    expectInConsole(/403/);
    await page.goto('/postern/');
    // As a link would, without asking for the page itself.
    await page.evaluate(
      `history.pushState(null, '', '/postern/explore'); dispatchEvent(new PopStateEvent('popstate'));`,
    );
    await page.getByRole('heading', { name: 'Your role doesn’t include recordings.' }).waitFor();
    const decision = await page.locator('main code').textContent();
    const found = async () => {
      const { body } = await site().admin.send('GET', `/postern/api/audit?search=${decision}`);
      return (JSON.parse(body) as { records: unknown }).records;
    };
    await expect.poll(found).toMatchObject([{ event: 'refused', user: name, reason: 'role_may_not' }]);
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
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).not.toBe('rgba(0, 0, 0, 0)');
});
