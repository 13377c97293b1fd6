import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, goodPassword, userOf, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { lookAt } from '../support/look-at.ts';
import { openStream, streamsOf } from '../support/open-stream.ts';
import { looks, startTab } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { patience, slowness } from '../support/patience.ts';

const cameras = ['driveway', 'garden'];
const origin = () => `https://${gateway.addresses.authenticated}`;

let recorder: LiveRecorder;
let gateway: RunningGateway;
let admin: Visitor;
beforeAll(async () => {
  recorder = await startLiveRecorder({ cameras, roles: {} });
  gateway = await startGateway({
    config: { upstream: `http://${recorder.address}`, auth: { roles: { family: cameras } } },
  });
  admin = await adminOf(gateway);
  await userOf(admin, gateway.addresses.authenticated ?? '', 'anna', 'family');
});
afterAll(async () => {
  await gateway?.close();
  await recorder?.close();
});

const status = (page: Page) => page.locator('.live').getByRole('status');
// Sooner than a wait of half a minute ends.
const plays = (page: Page) =>
  status(page)
    .getByText('Live stream', { exact: true })
    .waitFor({ timeout: 20_000 * slowness });
const tryAgain = (page: Page) => page.locator('.live').getByRole('button', { name: 'Try again' });
const hasEnded = (page: Page) =>
  status(page).getByText('You no longer have access to this camera.').waitFor();
const tile = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Cameras' }).locator('> li').filter({ hasText: name });
const giveFamily = async (...seen: string[]) => {
  const { status: code } = await admin.send('PUT', '/postern/api/roles/family', { cameras: seen });
  expect(code).toBe(200);
};

/** As when the user goes to another tab. */
async function lookAway(page: Page): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));`);
}

/** @returns what the page asks for from now on */
function asks(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('websocket', (socket) => asked.push(socket.url()));
  return asked;
}

const within = (page: Page, session: string) => page.locator(`[data-row="${session}"] .within > li`);
const elsewhere = (page: Page) => page.getByRole('list', { name: 'Other open streams' }).locator('> li');
const openAs = (target: string, header: readonly [string, string]) =>
  openStream({ address: gateway.addresses.authenticated ?? '', tls: true }, target, [header]);

// One visit, step by step.
describe('a player whose stream is cut', () => {
  const tab = startTab(origin);
  const adminTab = startTab(origin);
  const internalTab = startTab(() => `http://${gateway.addresses.internal}`);

  test('plays again by itself when the network did it: after a wait, and at once when the network is back', async () => {
    const { page, context, expectInConsole } = tab();
    expectInConsole(/WebSocket|ERR_/);
    await page.goto('/login');
    await page.getByLabel('User name').fill('anna');
    await page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL('/postern/');
    await page.clock.install();
    await page.goto('/postern/cameras/driveway');
    await plays(page);
    recorder.cut();
    await status(page).getByText('No picture right now').waitFor();
    await page.clock.fastForward(1_000);
    await plays(page);

    await context.setOffline(true);
    recorder.cut();
    // Until its wait is longer than any user's.
    for (let i = 0; i < 6; i += 1) {
      await status(page).getByText('No picture right now').waitFor();
      await page.clock.fastForward(30_000);
    }
    await status(page).getByText('No picture right now').waitFor();
    await context.setOffline(false);
    await plays(page);
  });

  test('is listed with its session, where an admin stops it, and starts again by a press alone', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/WebSocket|403|ERR_CONNECTION_RESET/);
    const { page: sessions, context } = adminTab();
    await context.addCookies([
      { name: 'session_token', value: admin.token ?? '', url: origin(), httpOnly: true },
    ]);
    await sessions.clock.install();
    await sessions.goto('/postern/settings/sessions');
    const { body } = await admin.send('GET', '/postern/api/streams');
    const [first] = JSON.parse(body) as ReadonlyArray<{ id: string; session: string }>;
    const row = within(sessions, first?.session ?? '');
    await row.getByText(/^watching Driveway since \d\d:\d\d$/).waitFor();
    const asked = recorder.heard.length;
    await row.getByRole('button', { name: 'Stop anna' }).click();
    await row.getByRole('button', { name: 'Sign anna out' }).waitFor();
    await row.getByRole('button', { name: 'Stop now' }).click();
    await sessions.getByRole('status').getByText('Stopped for anna').waitFor();
    await status(page).getByText('An admin has stopped this.').waitFor();
    await page.clock.fastForward(60_000);
    expect(recorder.heard.length).toBe(asked);
    await lookAt(page, 'a camera that an admin has stopped', [looks[0], looks[3]]);
    const again = page.getByRole('button', { name: 'Watch again' });
    await expect
      .poll(
        async () => {
          if (await again.isVisible()) await again.click();
          return page.locator('.live.playing').count();
        },
        { timeout: patience, interval: 1_000 },
      )
      .toBe(1);
    await sessions.clock.fastForward(5_000);
    await row.getByText('watching Driveway').waitFor();
    expect(await row.getAttribute('data-row')).not.toBe(first?.id);
    await lookAt(sessions, 'what is watched', [looks[0], looks[3]]);
  });

  test('is listed in its own section without a session, and the list is read while the page is visible', async () => {
    const { page: sessions, expectInConsole } = adminTab();
    expectInConsole(/503/);
    const made = await admin.send('POST', '/postern/api/tokens', { name: 'Player', role: 'viewer' });
    const { token } = JSON.parse(made.body) as { token: string };
    const stream = await openAs(streamsOf('garden').picture, ['Authorization', `Bearer ${token}`]);
    await sessions.clock.fastForward(5_000);
    await sessions.clock.fastForward(5_000);
    await elsewhere(sessions).getByText('watching Garden').waitFor();
    await expect.poll(() => elsewhere(sessions).textContent()).toContain('viewer · API token · 127.0.0.1');
    await sessions.goto('/postern/settings/sessions?search=no.such.user');
    await sessions.getByRole('searchbox').waitFor();
    await elsewhere(sessions).waitFor({ state: 'detached' });
    await sessions.getByRole('searchbox', { name: 'Search' }).fill('');
    await elsewhere(sessions).getByRole('button', { name: 'Stop admin' }).click();
    await elsewhere(sessions).getByRole('button', { name: 'Stop now' }).click();
    await stream.ended;
    await elsewhere(sessions).waitFor({ state: 'detached' });

    await sessions.route('**/postern/api/streams', (route) => route.fulfill({ status: 503, json: {} }));
    await sessions.clock.fastForward(5_000);
    await sessions.getByText('We can’t see what’s open at the moment.').waitFor();
    await sessions.unrouteAll();
    await sessions.clock.fastForward(5_000);
    await sessions.getByText('We can’t see what’s open at the moment.').waitFor({ state: 'detached' });
    await lookAway(sessions);
    // The page needs to get the event.
    await sessions.clock.runFor(1_000);
    const asked = asks(sessions);
    await sessions.clock.fastForward(60_000);
    await sessions.evaluate('document.title');
    expect(asked).toEqual([]);
  });

  test('shows when the access has ended, shows no picture, and asks no more', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/WebSocket|403|ERR_CONNECTION_RESET/);
    await giveFamily('garden');
    await hasEnded(page);
    await expect.poll(() => recorder.open()).toBe(0);
    await page.clock.fastForward(60_000);
    await page.getByRole('alert').getByText('Couldn’t load').waitFor();
    await expect.poll(() => page.locator('.live img').count()).toBe(0);
    // The page needs to process the event.
    await page.clock.runFor(1_000);
    const asked = asks(page);
    await page.clock.fastForward(600_000);
    await page.evaluate('document.title');
    expect(asked).toEqual([]);
    await lookAt(page, 'a camera whose access has ended', [looks[0], looks[3]]);
  });

  test('plays again when the user asks after the camera was given back', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/WebSocket|403|ERR_CONNECTION_RESET/);
    await tryAgain(page).click();
    await hasEnded(page);
    await giveFamily(...cameras);
    await tryAgain(page).click();
    await plays(page);
  });

  test('ends with the times of its role', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/WebSocket|403|ERR_CONNECTION_RESET/);
    await admin.send('PUT', '/postern/api/roles/family', { cameras, access: { until: '2020-01-05' } });
    await status(page)
      .getByText(/^Your access ended Sunday,? 5 January 2020/)
      .waitFor();
    await expect.poll(() => recorder.open()).toBe(0);
    await admin.send('PUT', '/postern/api/roles/family', { cameras, access: null });
    await tryAgain(page).click();
    await plays(page);
  });

  test('behaves as a tile does, which shows it too and asks the gate nothing', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/403/);
    await page.goto('/postern/');
    await tile(page, 'Driveway').getByText('Live').waitFor();
    await giveFamily('garden');
    await page.clock.fastForward(5_000);
    await tile(page, 'Driveway').getByText('You no longer have access to this camera.').waitFor();
    await expect.poll(() => tile(page, 'Driveway').locator('img').count()).toBe(0);
    const asked = asks(page);
    await page.clock.fastForward(30_000);
    await expect.poll(() => asked.join()).toContain('garden');
    expect(asked.join()).not.toContain('driveway');
    await giveFamily(...cameras);
  });

  test('is listed on your account page, where only an admin stops it', async () => {
    const { page, context } = tab();
    const cookie = (await context.cookies()).find(({ name }) => name === 'session_token');
    const stream = await openAs(streamsOf('driveway').video, ['Cookie', `session_token=${cookie?.value}`]);
    await page.goto('/postern/account');
    // Besides the earlier pictures of Home.
    await page.getByText(/^watching Driveway since/).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /^Stop/ }).count()).toBe(0);
    stream.close();
  });

  test('is listed there, too, without a login', async () => {
    const { page } = internalTab();
    const [target, address] = [streamsOf('garden').video, gateway.addresses.internal ?? ''];
    const stream = await openStream({ address, tls: false }, target, []);
    await page.goto('/postern/account');
    await page.getByText('admin · internal entry point').waitFor();
    await page.getByText('watching Garden').waitFor();
    stream.close();
  });

  test('leads to the login when the session has ended, and back', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/WebSocket|401/);
    await page.goto('/postern/cameras/garden');
    await plays(page);
    const { body } = await admin.send('GET', '/postern/api/sessions?user=anna');
    expect(JSON.parse(body)).toMatchObject({ sessions: [{ username: 'anna' }, { username: 'anna' }] });
    await admin.send('DELETE', '/postern/api/sessions?user=anna');
    await page.getByText('Your session has ended.').waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/postern/cameras/garden');
  });
});
