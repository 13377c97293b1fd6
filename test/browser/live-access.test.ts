import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf, goodPassword, userOf, type Visitor } from '../support/log-in.ts';
import { startLiveRecorder, type LiveRecorder } from '../support/live-recorder.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, startTab } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const cameras = ['driveway', 'garden'];

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
  status(page).getByText('Live stream', { exact: true }).waitFor({ timeout: 20_000 });
const tryAgain = (page: Page) => page.locator('.live').getByRole('button', { name: 'Try again' });
const hasEnded = (page: Page) => status(page).getByText('Your access to this camera has ended.').waitFor();
const tile = (page: Page, name: string) =>
  page.getByRole('list', { name: 'Cameras' }).locator('> li').filter({ hasText: name });
const giveFamily = async (...seen: string[]) => {
  const { status: code } = await admin.send('PUT', '/postern/api/roles/family', { cameras: seen });
  expect(code).toBe(200);
};

/** @returns what the page asks for from now on */
function asks(page: Page): string[] {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  page.on('websocket', (socket) => asked.push(socket.url()));
  return asked;
}

// One visit, step by step.
describe('a player whose stream is cut', () => {
  const tab = startTab(() => `https://${gateway.addresses.authenticated}`);

  test('plays again by itself when the network did it: after a wait, and at once when the network is back', async () => {
    const { page, context, expectInConsole } = tab();
    // What the login leads to is a page of the recorder.
    expectInConsole(/WebSocket|ERR_|404/);
    await page.goto('/login');
    await page.getByLabel('User name').fill('anna');
    await page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForURL('/');
    await page.clock.install();
    await page.goto('/postern/live/driveway');
    await plays(page);
    recorder.cut();
    await status(page).getByText('No picture at the moment').waitFor();
    await page.clock.fastForward(1_000);
    await plays(page);

    await context.setOffline(true);
    recorder.cut();
    // Until it waits for so long that nobody would.
    for (let i = 0; i < 6; i += 1) {
      await status(page).getByText('No picture at the moment').waitFor();
      await page.clock.fastForward(30_000);
    }
    await status(page).getByText('No picture at the moment').waitFor();
    await context.setOffline(false);
    await plays(page);
  });

  test('says that the access has ended when it has, shows nothing, and asks no more', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/WebSocket|403/);
    await giveFamily('garden');
    recorder.cut();
    await hasEnded(page);
    await page.clock.fastForward(60_000);
    await page.getByRole('alert').getByText('could not be loaded').waitFor();
    await expect.poll(() => page.locator('.live img').count()).toBe(0);
    const asked = asks(page);
    await page.clock.fastForward(600_000);
    await page.evaluate('document.title');
    expect(asked).toEqual([]);
    await lookAt(page, 'a camera whose access has ended', [looks[0], looks[3]]);
  });

  test('plays again when the camera was given back and somebody asks', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/WebSocket|403/);
    await tryAgain(page).click();
    await hasEnded(page);
    await giveFamily(...cameras);
    await tryAgain(page).click();
    await plays(page);
  });

  test('is as good as a tile, which says so too and stays away from the gate', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/403/);
    await page.goto('/postern/');
    await tile(page, 'Driveway').getByText('Live').waitFor();
    await giveFamily('garden');
    await page.clock.fastForward(5_000);
    await tile(page, 'Driveway').getByText('Your access to this camera has ended.').waitFor();
    expect(await tile(page, 'Driveway').locator('img').count()).toBe(0);
    const asked = asks(page);
    await page.clock.fastForward(30_000);
    await expect.poll(() => asked.join()).toContain('garden');
    expect(asked.join()).not.toContain('driveway');
    await giveFamily(...cameras);
  });

  test('leads to the login when the session has ended, and back', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/WebSocket|401/);
    await page.goto('/postern/live/garden');
    await plays(page);
    const { body } = await admin.send('GET', '/postern/api/sessions?user=anna');
    expect(JSON.parse(body)).toMatchObject({ sessions: [{ username: 'anna' }, { username: 'anna' }] });
    await admin.send('DELETE', '/postern/api/sessions?user=anna');
    recorder.cut();
    await page.getByText('Your session has ended.').waitFor();
    expect(new URL(page.url()).searchParams.get('next')).toBe('/postern/live/garden');
  });
});
