import { describe, expect } from 'vitest';
import { AppError, type ErrorCode } from '../../src/errors.ts';
import { errorResponse, type Known } from '../../src/http/fronts/refusal.ts';
import type { Reader } from '../../src/http/fronts/refusal-page.ts';
import { sendLogin } from '../support/browse.ts';
import { lookAt } from '../support/look-at.ts';
import { newSession, startSite, test, ways } from '../support/site.ts';

const site = startSite();
const attic = '/api/attic/latest.jpg?h=300';

const [, way] = ways;

const reader: Reader = {
  zone: 'Europe/Berlin',
  language: 'en',
  look: undefined,
  contact: undefined,
  house: { name: 'Postern', hasPicture: false, isOwn: false, style: undefined },
  prefix: '',
  loginUrl: '/login',
  logoutUrl: undefined,
  namesOf: () => [],
  mayAsk: true,
  navigatedTo: '/somewhere',
};

describe('a refusal', () => {
  test('a refused user sees who they are, copies the decision, and comes back as another user', async ({
    open,
  }) => {
    const { page, context, expectInConsole } = await open(site().origin('embedded front'), {
      as: await newSession(site().gateway, 'anna'),
    });
    expectInConsole(/403|404/);
    await context.grantPermissions(['clipboard-read', 'clipboard-write']);
    const answer = await page.goto(attic);
    expect(answer?.status()).toBe(403);
    await page.getByRole('heading', { name: 'You don’t have access to Attic' }).waitFor();
    await expect.poll(() => page.evaluate("document.fonts.check('16px Figtree')")).toBe(true);
    const shown = page
      .locator('main')
      .getByRole('link')
      .or(page.locator('main').getByRole('button'))
      .filter({ visible: true });
    expect(await shown.allTextContents()).toEqual(['Ask for access', 'Go to Home']);
    await page.getByText('Details', { exact: true }).click();
    await page.getByText('You’re signed in as anna.').waitFor();

    await page.getByRole('button', { name: 'Copy' }).click();
    await page.getByRole('status').getByText('Copied').waitFor();
    const decision = answer?.headers()['x-postern-decision'];
    await expect.poll(() => page.evaluate('navigator.clipboard.readText()')).toBe(decision);

    await page.getByRole('button', { name: 'Sign in as someone else' }).click();
    await page.waitForURL(/\/login\?next=/);
    await sendLogin(page, 'admin', site().adminPassword);
    await page.waitForURL(attic);
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

test.for<[what: string, error: ErrorCode, known: Known]>([
  ['waits for the recorder', 'upstream_unavailable', {}],
  ['opens later', 'outside_schedule', { opening: { opens: Date.now() + 20_000 } }],
])('a page that %s loads again by itself', async ([, error, known], { open }) => {
  const { page, expectInConsole } = await open(site().origin('embedded front'));
  expectInConsole(/403|502/);
  await page.clock.install();
  const { status, headers, body } = errorResponse(new AppError(error), reader, known);
  let isOver = false;
  let asked = 0;
  await page.route('**/somewhere', (route) => {
    asked += 1;
    return isOver
      ? route.fulfill({ contentType: 'text/html', body: '<title>Recorder</title><h1>Here again</h1>' })
      : route.fulfill({ status, headers: { ...headers }, body });
  });
  await page.goto('/somewhere');
  await page.getByText(/This page opens by itself/).waitFor();
  await page.clock.runFor(12_000);
  await expect.poll(() => asked).toBe(error === 'outside_schedule' ? 1 : 2);
  isOver = true;
  await page.clock.runFor(12_000);
  await page.getByRole('heading', { name: 'Here again' }).waitFor();
});

test('axe finds nothing serious in a page of a refusal, in any look, nor in a form of 320 pixels', async ({
  open,
}) => {
  const { page, expectInConsole } = await open(site().origin('nginx'), { as: 'anna', locale: 'de-DE' });
  expectInConsole(/403/);
  await page.goto(`${attic}&${'long'.repeat(100)}`);
  await page.getByRole('heading', { name: 'Sie haben keinen Zugriff auf' }).waitFor();
  await page.getByText('Einzelheiten', { exact: true }).click();
  await lookAt(page, 'a page of a refusal');
  await page.setViewportSize({ width: 320, height: 640 });
  await expect.poll(() => page.evaluate('document.documentElement.scrollWidth')).toBe(320);
  expect(await page.evaluate('getComputedStyle(document.body).backgroundColor')).not.toBe('rgba(0, 0, 0, 0)');
});
