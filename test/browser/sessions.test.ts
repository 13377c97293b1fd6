import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Page } from 'playwright-core';
import { systemClock } from '../../src/clock.ts';
import { createSessionTokens } from '../../src/accounts/sessions/session-token.ts';
import { goodPassword, visitor, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { shareOf } from '../support/share.ts';
import { goToSettings, looks, newSession, startSite, test, ways } from '../support/site.ts';
import { startGateway } from '../support/start-gateway.ts';

const site = startSite();
/** An event of the recorded ones. */
const eventOfSample = 'running-car';
const [way] = ways;
const rowsOf = (page: Page) => page.getByRole('list', { name: 'Sessions' }).locator('> li');
const isGood = async (by: Visitor) => (await by.send('GET', '/api/profile')).status === 200;

/** A session by a client of this name. */
async function sessionBy(agent: string, user: string): Promise<Visitor> {
  const found = visitor(site().gateway.addresses.authenticated ?? '');
  const named = [['User-Agent', agent]] as const;
  await found.send('POST', '/api/login', { user, password: goodPassword }, named);
  return found;
}
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0';

test('your own sessions: the current one, details of the others, and their end', async ({ open }) => {
  const name = 'keeper';
  await site().addUser(name, 'viewer');
  const elsewhere = await sessionBy(firefox, name);
  const { page } = await open(way, { as: await newSession(site().gateway, name) });
  await page.goto('/postern/account');
  await rowsOf(page).nth(2).waitFor();
  await expect.poll(() => rowsOf(page).count()).toBe(3);
  const own = rowsOf(page).filter({ hasText: 'This session' });
  await expect.poll(() => own.count()).toBe(1);
  await expect.poll(() => own.getByRole('button', { name: /End/ }).count()).toBe(0);
  const other = rowsOf(page).filter({ hasText: 'Firefox on Windows' });
  await expect.poll(() => other.textContent()).toMatch(/127\.0\.0\.1 · seen just now · signed in just now/);
  await expect.poll(() => other.locator('time').first().getAttribute('title')).toMatch(/20\d\d/);
  await other.getByText('Details').click();
  await other.getByText(firefox, { exact: true }).waitFor();

  await other.getByRole('button', { name: `End session of ${name}, Firefox on Windows` }).click();
  const dialog = page.getByRole('dialog', { name: 'End this session?' });
  await dialog.getByText('You have to sign in again there').waitFor();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(await isGood(elsewhere)).toBe(true);
  await other.getByRole('button', { name: /^End session/ }).click();
  await dialog.getByRole('button', { name: 'End session' }).click();
  await dialog.waitFor({ state: 'detached' });
  await other.waitFor({ state: 'detached' });
  expect(await isGood(elsewhere)).toBe(false);
  await expect.poll(() => rowsOf(page).count()).toBe(2);
});

test('ending all others: the current one continues', async ({ open }) => {
  const name = 'single';
  await site().addUser(name, 'viewer');
  const others = [await sessionBy(firefox, name), await sessionBy('Player/1', name)];
  const own = await newSession(site().gateway, name);
  await shareOf(own, { kind: 'event', id: eventOfSample, expires_in: 600 });
  await own.send('POST', '/postern/api/tokens', { name: 'script', role: 'viewer' });
  const { page } = await open(way, { as: own });
  await page.goto('/postern/account');
  await rowsOf(page).nth(3).waitFor();
  await page.getByRole('button', { name: 'End all others' }).click();
  const dialog = page.getByRole('dialog', { name: 'End all other sessions?' });
  await lookAt(page, 'the end of all others', [looks[3], looks[0]]);
  await dialog.getByRole('checkbox', { name: 'End my shares too' }).uncheck();
  await dialog.getByRole('button', { name: 'End all others' }).click();
  await dialog.waitFor({ state: 'detached' });
  const message = 'Ended all your other sessions.';
  await page.getByRole('status').getByText(message, { exact: true }).waitFor();
  await rowsOf(page).nth(1).waitFor({ state: 'detached' });
  await expect.poll(() => rowsOf(page).textContent()).toContain('This session');
  expect(await Promise.all(others.map(isGood))).toEqual([false, false]);
  await page.goto('/postern/explore');
  await page.getByRole('heading', { name: 'Explore' }).waitFor();
});

test('those of all users are for admins, filtered by user, and end at once', async ({ open }) => {
  const name = 'watched';
  await site().addUser(name, 'viewer');
  const player = 'Player/<b>1</b>';
  const elsewhere = await sessionBy(player, name);
  const share = { kind: 'event', id: eventOfSample, expires_in: 600 };
  await elsewhere.send('POST', '/postern/api/shares', share, [['User-Agent', player]]);
  const { page, expectInConsole } = await open(way, { as: 'admin' });
  await page.goto('/postern/settings/access');
  await goToSettings(page, 'Sessions');
  await rowsOf(page).first().waitFor();
  await expect.poll(() => page.title()).toContain('Sessions');
  await page.goto(`/postern/settings/sessions?search=${name.toUpperCase()}`);
  await page.getByRole('status').getByText('2 found').waitFor();
  await page.getByRole('link', { name, exact: true }).first().click();
  await page.waitForURL(`**/settings/sessions?user=${name}`);
  await page.getByText('Player/<b>1</b>').first().waitFor();
  await expect.poll(() => rowsOf(page).count()).toBe(2);
  await page.reload();
  await page.getByRole('button', { name: `End all of ${name}` }).click();
  const dialog = page.getByRole('dialog', { name: `End all sessions of ${name}?` });
  await dialog.getByRole('checkbox', { name: `End the shares of ${name} too`, checked: true }).waitFor();
  await dialog.getByRole('checkbox', { name: `End the screens of ${name} too`, checked: false }).waitFor();
  await dialog.getByRole('button', { name: 'End all sessions' }).click();
  await page.getByText(`Ended all sessions of ${name}.`).waitFor();
  await page.getByText(`${name} isn’t signed in.`).waitFor();
  expect(await isGood(elsewhere)).toBe(false);
  await page.getByRole('button', { name: 'Show all sessions' }).click();
  await rowsOf(page).first().waitFor();
  expect(new URL(page.url()).search).toBe('');

  expectInConsole(/503|404/);
  await page.goto('/postern/settings/sessions?user=no.such.user');
  await page.getByRole('alert').getByText('There’s no such user').waitFor();
  await page.route('**/api/sessions', (route) =>
    route.fulfill({ status: 503, json: { message: "Sessions can't be read right now" } }),
  );
  await page.goto('/postern/settings/sessions');
  await page.getByRole('alert').getByText("Sessions can't be read right now").waitFor();
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Try again' }).click();
  await rowsOf(page).first().waitFor();
});

test('more than a page of them is loaded page by page', async ({ open }) => {
  await site().addUser('busy', 'viewer');
  // Made with the secret: a hundred logins take a while.
  const secret = readFileSync(join(site().gateway.directory, '.jwt_secret'), 'utf8').trim();
  const tokens = createSessionTokens(secret, systemClock);
  const issuedAt = Date.now();
  for (let i = 0; i < 104; i += 1) {
    const claims = { username: 'busy', issuedAt, expiresAt: issuedAt + 600_000, generation: undefined };
    const player = visitor(site().gateway.addresses.authenticated ?? '');
    player.token = await tokens.issue({ ...claims, sessionId: `player ${i}` }, 'viewer');
    expect(await isGood(player)).toBe(true);
  }
  const { page } = await open(site().origin('embedded front'), { as: 'admin' });
  await page.goto('/postern/settings/sessions?user=busy');
  await rowsOf(page).nth(99).waitFor();
  await expect.poll(() => rowsOf(page).count()).toBe(100);
  await page.getByRole('button', { name: 'Load more' }).click();
  await rowsOf(page).nth(104).waitFor();
  await expect.poll(() => page.getByRole('button', { name: 'Load more' }).count()).toBe(0);
});

test('behind a proxy and on the internal entry point the page says that there are no own sessions', async ({
  open,
}) => {
  const { page } = await open(site().internalOrigin('embedded front'));
  await page.goto('/postern/account');
  await page.getByText('so you have no sessions here').waitFor();
  await page.goto('/postern/settings/sessions');
  await rowsOf(page).first().waitFor();
  await expect.poll(() => page.getByText('This session').count()).toBe(0);

  const gateway = await startGateway({
    config: {
      auth: { enabled: false },
      proxy: { header_map: { user: 'Remote-User' }, default_role: 'viewer' },
    },
  });
  try {
    const tab = await open(`https://${gateway.addresses.authenticated}`, {
      extraHTTPHeaders: { 'Remote-User': 'olaf' },
    });
    await tab.page.goto('/postern/account');
    await tab.page.getByText('The proxy in front of this site keeps your sessions').waitFor();
    // It may still be loading what comes later.
    await tab.page.close();
  } finally {
    await gateway.close();
  }
});
