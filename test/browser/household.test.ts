import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { adminOf, goodPassword, userOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { codesFor, screenAt } from '../support/screen.ts';
import { test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { countTaps } from '../support/taps.ts';

/** A dashboard of another site, with the wall in a frame. */
const home = createServer((_, response) => {
  response
    .setHeader('content-type', 'text/html')
    .end(`<title>Home</title><iframe src="${origin}/postern/wall"></iframe>`);
});
let gateway: RunningGateway;
let origin: string;
let admin: Visitor;
let vera: Visitor;
beforeAll(async () => {
  await new Promise<void>((resolve) => home.listen(0, '127.0.0.1', resolve));
  gateway = await startGateway({
    sample: true,
    config: {
      timezone: 'America/New_York',
      frame_ancestors: [`http://localhost:${(home.address() as AddressInfo).port}`],
      auth: { failed_login_rate_limit: '100/minute' },
    },
  });
  origin = `https://${gateway.addresses.authenticated}`;
  admin = await adminOf(gateway);
  vera = await userOf(admin, gateway.addresses.authenticated ?? '', 'vera', 'viewer');
});
afterAll(async () => {
  await gateway?.close();
  home.close();
});
/** The name of what has the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate('document.activeElement?.ariaLabel ?? document.activeElement?.textContent');
const approve = (code: string, wanted: object) =>
  admin.send('POST', '/postern/api/displays', { user_code: code, ...wanted });

describe('a screen', () => {
  test('shows a code, is approved by a user in their browser, and shows the wall', async ({ open }) => {
    const { page: tablet, expectInConsole } = await open(origin);
    // 403: a picture that was under way when the display was narrowed.
    expectInConsole(/status of 40[013]/);
    await tablet.goto('/postern/wall');
    await tablet.waitForURL('**/postern/pair');
    await expect.poll(() => focused(tablet)).toMatch(/^Show cameras on this device/);
    await lookAt(tablet, 'the question which device this is');
    await tablet.keyboard.press('Enter');
    await tablet.getByText('Waiting for you').waitFor();
    const code = await tablet.locator('.code').textContent();
    // The widest code there is.
    await tablet.evaluate(
      `document.querySelectorAll('.code span:not(.hyphen)').forEach((letter) => { letter.textContent = 'W'; })`,
    );
    await lookAt(tablet, 'a code');
    await expect.poll(() => tablet.getByRole('img', { name: 'QR code of the link' }).count()).toBe(1);

    const { page } = await open(origin, { as: vera });
    await page.goto('/postern/pair');
    await expect.poll(() => focused(page)).toBe('Letter 1 of 8');
    await page.keyboard.insertText(code?.toLowerCase() ?? '');
    await page.getByText(String(code)).waitFor();
    await page.getByLabel('Name').fill('Kitchen tablet');
    await page.getByText(/^Kitchen tablet will show all cameras, live only/).waitFor();
    await page.getByLabel('Garage').uncheck();
    await page.getByText(/^Kitchen tablet will show .*live only, until you remove it/).waitFor();
    await lookAt(page, 'a screen to approve');
    await page.setViewportSize({ width: 390, height: 600 });
    const pairs = page.getByRole('button', { name: 'Pair this screen' });
    await pairs.scrollIntoViewIfNeeded();
    expect(await page.evaluate('scrollY')).toBeGreaterThan(0);
    await pairs.click();
    await page.getByRole('heading', { name: 'Kitchen tablet is on' }).waitFor();
    expect(await page.evaluate('scrollY')).toBe(0);
    // The tablet shows it for a moment only, and looking takes longer.
    await tablet.getByText('Paired. This is Kitchen tablet.').waitFor();
    await lookAt(page, 'an approved screen');

    await tablet.waitForURL('**/postern/wall');
    await expect.poll(() => tablet.locator('.tile:not(.waits):not(.gone)').count()).toBe(4);
    const cookies = await tablet.context().cookies();
    expect(cookies.map(({ name, httpOnly, sameSite }) => [name, httpOnly, sameSite])).toEqual([
      ['postern_display', true, 'Lax'],
    ]);

    const boss = await open(origin, { as: admin });
    await expect
      .poll(async () => {
        await boss.page.goto('/postern/settings/displays');
        return boss.page.locator('[data-row]').first().textContent();
      })
      .toMatch(/shows .* now/);

    await page.goto('/postern/account');
    await page.getByRole('button', { name: 'Actions for Kitchen tablet' }).click();
    await page.getByRole('menuitem', { name: 'Change' }).click();
    const dialog = page.getByRole('dialog', { name: 'Change Kitchen tablet' });
    await dialog.getByLabel('Driveway').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Kitchen tablet was changed.').waitFor();
    await page.getByRole('button', { name: 'Actions for Kitchen tablet' }).click();
    await page.getByRole('menuitem', { name: 'Remove' }).click();
    expectInConsole(/ERR_FAILED/);
    await tablet.route('**/latest.jpg*', (route) => route.abort());
    const strip = tablet.locator('.strip');
    await expect.poll(() => strip.textContent()).toMatch(/^Connecting/);
    await page.getByRole('button', { name: 'Remove screen' }).click();
    await page.getByText('Kitchen tablet was removed.').waitFor();
    await tablet.getByText('This screen was signed out').waitFor();
    expect(await strip.textContent()).toBe('');
    await expect.poll(() => tablet.locator('img').count()).toBe(0);
  });

  test('is found by its letters, which are corrected, and asks for another code when it is refused', async ({
    open,
  }) => {
    const { page: tablet, expectInConsole } = await open(origin);
    expectInConsole(/status of 400/);
    await tablet.goto('/postern/pair');
    await tablet.getByRole('button', { name: 'Show cameras on this device' }).click();
    await tablet.getByText('Waiting for you').waitFor();
    const code = (await tablet.locator('.code').textContent()) ?? '';
    const phone = await open(origin, { as: vera });
    phone.expectInConsole(/status of 404/);
    const { page } = phone;
    await page.goto('/postern/pair?code=BBBB-BBBB');
    const alert = page.getByRole('alert').filter({ hasText: 'No screen shows this code' });
    await alert.waitFor();
    await lookAt(page, 'a code that no screen shows');
    const boxes = page.getByRole('group', { name: 'Letters on the screen' }).getByRole('textbox');
    const typed = () =>
      boxes.evaluateAll((all) => all.map((box) => (box as unknown as { value: string }).value).join(''));
    expect(await typed()).toBe('BBBBBBBB');
    await expect.poll(() => focused(page)).toBe('Letter 1 of 8');
    const isRefused = page.waitForResponse('**/postern/api/displays/code/CCCC-CCCC');
    await page.keyboard.type('cccc-cccc');
    await isRefused;
    await alert.waitFor();
    await expect.poll(() => focused(page)).toBe('Letter 1 of 8');
    expect(await typed()).toBe('CCCCCCCC');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('Backspace');
    await page.keyboard.press('Backspace');
    expect(await typed()).toBe('CCCCCC');
    expect(await focused(page)).toBe('Letter 1 of 8');
    await page.keyboard.type(code);
    await page.getByRole('heading', { name: 'A screen would like to join' }).waitFor();
    await page.getByRole('button', { name: 'Not mine' }).click();
    await page.getByRole('heading', { name: 'You declined' }).waitFor();
    await tablet.getByText('Pairing was declined').waitFor();
    await lookAt(tablet, 'a refused screen');
    await tablet.getByRole('button', { name: 'New code' }).click();
    await expect.poll(() => tablet.locator('.code').textContent()).not.toBe(code);
  });

  test('asks for no code until someone wants one, and keeps it while it is valid', async ({ open }) => {
    const { page, context, expectInConsole } = await open(origin);
    expectInConsole(/status of 400/);
    let asked = 0;
    context.on('request', (request) => {
      if (request.url().endsWith('/postern/api/displays/code')) asked += 1;
    });
    for (let visit = 0; visit < 6; visit += 1) {
      await page.goto('/postern/pair');
      await page.getByText('Is this the screen').waitFor();
    }
    expect(asked).toBe(0);
    await page.getByRole('button', { name: 'Show cameras on this device' }).click();
    const code = (await page.locator('.code').textContent()) ?? '';
    for (let visit = 0; visit < 3; visit += 1) {
      await page.reload();
      await expect.poll(() => page.locator('.code').textContent()).toBe(code);
    }
    // Another tab of the same screen.
    const other = await context.newPage();
    await other.goto('/postern/pair');
    await expect.poll(() => other.locator('.code').textContent()).toBe(code);
    expect(asked).toBe(1);
    await approve(code, { name: 'Two tabs' });
    for (const tab of [page, other]) await tab.waitForURL('**/postern/wall');
  });

  test('has letters that a phone enters, once it is signed in', async ({ open }) => {
    const { page, expectInConsole } = await open(origin);
    expectInConsole(/status of 401/);
    await page.goto('/postern/pair');
    await page.getByRole('link', { name: 'I have a code from another screen' }).click();
    await page.waitForURL('**/login?*');
    const signedIn = await open(origin, { as: vera });
    await signedIn.page.goto('/postern/pair');
    await lookAt(signedIn.page, 'the letters to enter');
    await signedIn.page.getByRole('link', { name: 'Show cameras on this device instead' }).click();
    await signedIn.page.getByText('Waiting for you').waitFor();
  });

  test('is on the list of an admin', async ({ open }) => {
    const screen = screenAt(gateway.addresses.authenticated ?? '');
    const { user_code: code } = await codesFor(screen);
    await approve(code, { name: 'Hall', cameras: ['garage'] });
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/settings/displays');
    await page.locator('[data-row]').getByText('waiting for its screen').waitFor();
    await lookAt(page, 'displays');
  });

  test('in a frame of another site has a cookie of its own, and plays', async ({ open }) => {
    const site = `http://localhost:${(home.address() as AddressInfo).port}`;
    const { page, expectInConsole, mayVisit } = await open(site);
    expectInConsole(/status of 40[01]/);
    mayVisit(origin);
    await page.goto('/');
    const frame = page.frameLocator('iframe');
    await frame.getByRole('button', { name: 'Show cameras on this device' }).click();
    await frame.getByText('Waiting for you').waitFor();
    await approve((await frame.locator('.code').textContent()) ?? '', { name: 'Dashboard' });
    await expect.poll(() => frame.locator('.tile:not(.waits):not(.gone)').count()).toBe(5);
    const [cookie] = await page.context().cookies(origin);
    expect(cookie).toMatchObject({ name: 'postern_display', sameSite: 'None', secure: true });
  });
});

describe('an invitation', () => {
  test('for two cameras this weekend takes six taps, and lets a neighbour in', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    const taps = await countTaps(page);
    await page.goto('/postern/');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: /^A person/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite someone' });
    await dialog.getByLabel('Name').waitFor();
    await page.keyboard.insertText('nell');
    await dialog.getByText('Front door').click();
    await dialog.getByText('Driveway').click();
    await dialog.getByText('This weekend').click();
    await dialog.getByText(/^nell can watch Driveway and Front door live, from/).waitFor();
    await lookAt(page, 'an invitation to make');
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    const made = page.getByRole('dialog', { name: 'The invitation for nell is ready' });
    const link = await made.getByLabel('Link', { exact: true }).inputValue();
    await lookAt(page, 'a link');
    expect(await taps()).toBe(6);
    await made.getByRole('button', { name: 'Done' }).click();
    await page.goto('/postern/people');
    await page.getByRole('heading', { name: 'Open invitations' }).waitFor();

    const guest = await open(origin);
    // The weekend may not have begun.
    guest.expectInConsole(/status of 403/);
    await guest.page.goto(link);
    await guest.page.getByText('admin invited you to').waitFor();
    await lookAt(guest.page, 'an invitation');
    await expect.poll(() => guest.page.getByLabel('User name').inputValue()).toBe('nell');
    await guest.page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await guest.page.getByLabel('Repeat the password').fill(goodPassword);
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.waitForURL((url) => !url.pathname.includes('invite'));

    const late = await open(origin);
    late.expectInConsole(/status of 404/);
    await late.page.goto(link);
    await late.page.getByRole('heading', { name: 'This invitation is over' }).waitFor();
    await lookAt(late.page, 'an invitation that is over');
  });

  test('has the times of the gate, and names their zone where the browser has another', async ({ open }) => {
    const zone = 'America/New_York';
    const times = 'from 27 November 2126 at 18:00, until 29 November 2126 at 22:00';
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/people');
    await page.getByRole('button', { name: 'Invite' }).click();
    const dialog = page.getByRole('dialog', { name: 'Invite someone' });
    await dialog.getByLabel('Name').fill('rosa');
    await dialog.getByText('Driveway').click();
    await dialog.getByText('Dates…').click();
    await dialog.getByLabel('From').fill('2126-11-27T18:00');
    await dialog.getByLabel('Until').fill('2126-11-29T22:00');
    await dialog.getByText(`The times are in the time zone ${zone}.`).waitFor();
    await dialog.getByText(`rosa can watch Driveway live, ${times} (${zone}).`).waitFor();
    await lookAt(page, 'times of another zone');
    await dialog.getByRole('button', { name: 'Create invitation' }).click();
    const made = page.getByRole('dialog', { name: 'The invitation for rosa is ready' });
    const link = await made.getByLabel('Link', { exact: true }).inputValue();

    await made.getByRole('button', { name: 'Done' }).click();
    await page.getByText(`1 camera, ${times} (${zone})`, { exact: true }).waitFor();
    await lookAt(page, 'people and invitations');

    const guest = await open(origin, { timezoneId: 'Asia/Tokyo' });
    guest.expectInConsole(/status of 403/);
    await guest.page.goto(link);
    await guest.page.getByText(`${times} (${zone})`).waitFor();
    await guest.page.getByLabel('Password', { exact: true }).fill(goodPassword);
    await guest.page.getByLabel('Repeat the password').fill(goodPassword);
    await guest.page.getByRole('button', { name: 'Join' }).click();
    await guest.page.getByText(`Opens Wednesday, 27 November 2126, 18:00 (${zone})`).waitFor();

    const near = await open(origin, { as: admin, timezoneId: zone });
    await near.page.goto('/postern/people');
    await near.page.getByText(`1 camera, ${times}`, { exact: true }).waitFor();
    expect(await near.page.getByText(`(${zone})`).count()).toBe(0);
  });

  test('is revoked', async ({ open }) => {
    await admin.send('POST', '/postern/api/invitations', { role: 'viewer', name: 'rob' });
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/people');
    await page.getByRole('button', { name: 'Revoke the invitation for rob' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('The invitation was revoked.').waitFor();
    await page.goto('/postern/settings/audit');
    await page.getByRole('row', { name: /Invitation revoked admin .* rob/ }).waitFor();
  });
});
