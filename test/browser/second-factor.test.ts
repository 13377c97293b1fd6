import { Secret, TOTP } from 'otpauth';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { leaveSession, sendLogin } from '../support/browse.ts';
import { adminOf, goodPassword, userOf } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { addPasskeyDevice, type PasskeyDevice } from '../support/passkey-device.ts';
import { freePort } from '../support/ports.ts';
import { looks, pathOf, startTab, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder } from '../support/start-recorder.ts';
import { choose } from '../support/choose.ts';

const minute = 60_000;

let gateway: RunningGateway;
let origin: string;
// Milliseconds by which the gate's clock is ahead.
let ahead = 0;
beforeAll(async () => {
  const port = await freePort();
  // Browsers have passkeys at a name alone.
  origin = `https://localhost:${port}`;
  const off = { authenticated: 'off', internal: 'off' };
  gateway = await startGateway({
    config: {
      public_url: origin,
      networking: {
        listen: { authenticated: `127.0.0.1:${port}`, internal: 'off' },
        forward_auth: off,
        relay: off,
      },
      auth: {
        roles: { guard: ['garage'] },
        second_factor: { required_for: ['guard'] },
        failed_login_rate_limit: null,
      },
    },
    clock: { now: () => Date.now() + ahead },
  });
  const admin = await adminOf(gateway);
  await userOf(admin, gateway.addresses.authenticated ?? '', 'ada', 'admin');
  await userOf(admin, gateway.addresses.authenticated ?? '', 'ben', 'admin');
  await admin.send('POST', '/api/users', { username: 'gus', password: goodPassword, role: 'guard' });
});
afterAll(() => gateway?.close());

/** The code that an app shows now. Each works once: time moves to the next. */
function codeOf(secret: string): string {
  ahead += 30_000;
  return new TOTP({ secret: Secret.fromBase32(secret.replaceAll(' ', '')) }).generate({
    timestamp: Date.now() + ahead,
  });
}

const codeField = (page: Page) => page.getByLabel('Code of your authenticator app');
const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm' });
const isFocused = (page: Page, name: string) =>
  expect.poll(() => page.evaluate<string>('document.activeElement.name')).toBe(name);
const shownCodes = async (page: Page) => {
  await page.locator('.recovery-codes code').nth(9).waitFor();
  return page.locator('.recovery-codes code').allTextContents();
};

// One walk in one tab, step by step.
describe('a user with a second factor', () => {
  const tab = startTab(() => origin);
  const toAccount = async (page: Page) => {
    await page.goto('/postern/account');
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
  };
  /** The steps that need a passkey. */
  const usePasskey = async (page: Page, button = 'Use a passkey') => {
    await page.getByRole('button', { name: button }).waitFor();
    await device.press(true);
    await page.getByRole('button', { name: button }).click();
    await page.waitForURL('/postern/account');
    await device.press(false);
  };
  let device: PasskeyDevice;
  let secret = '';
  let recoveryCodes: readonly string[] = [];

  test('adds a passkey, and keeps the recovery codes that come with it', async () => {
    const { page } = tab();
    device = await addPasskeyDevice(tab());
    await page.goto('/login?next=/postern/account');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await page.getByRole('button', { name: 'Sign in with a passkey' }).count()).toBe(0);
    await isFocused(page, 'user');
    await sendLogin(page, 'ada', goodPassword);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Laptop');
    await device.press(true);
    await page.keyboard.press('Enter');
    const codes = await shownCodes(page);
    await device.press(false);
    expect(new Set(codes).size).toBe(10);
    await page.keyboard.press('Escape');
    await page.getByText('You won’t see them again, so save them first').waitFor();
    await lookAt(page, 'recovery codes', [looks[0], looks[3]]);
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    await page.getByText('Passkey added. You’re signed out everywhere else.').waitFor();
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor();
    await page.getByText('10 left.').waitFor();
  });

  test('logs in with the passkey by one press, without the password', async () => {
    const { page } = tab();
    await leaveSession(page);
    // Leaves out what the browser offers by itself.
    await page.route('**/passkey-options', () => undefined, { times: 1 });
    const offer = page.waitForRequest('**/passkey-options');
    await page.goto('/postern/account');
    await offer;
    await usePasskey(page, 'Sign in with a passkey');
    await page.getByText('last used just now').waitFor();
  });

  test('logs in with the passkey that the browser offers where the user name is typed', async () => {
    const { page } = tab();
    await leaveSession(page);
    await device.press(true);
    await page.goto('/postern/account');
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor();
    await device.press(false);
  });

  test('on a phone, one-time codes have a link to the app in place of a picture', async ({ open }) => {
    const session = await userOf(
      await adminOf(gateway),
      gateway.addresses.authenticated ?? '',
      'pia',
      'viewer',
    );
    const { page } = await open(origin, { as: session, ...looks[3], isMobile: true, hasTouch: true });
    await page.goto('/postern/account');
    await page.getByRole('button', { name: 'Set up one-time codes' }).click();
    const link = page.getByRole('link', { name: 'Open in your authenticator app' });
    await link.waitFor();
    await expect.poll(() => link.getAttribute('href')).toMatch(/^otpauth:\/\/totp\//);
    await expect.poll(() => page.getByRole('img', { name: 'QR code' }).isVisible()).toBe(false);
    expect(await page.getByText('Can’t scan it?').isVisible()).toBe(false);
    await page.getByLabel('Secret').waitFor();
    await lookAt(page, 'one-time codes on a phone', [looks[3]]);
  });

  test('sets up one-time codes by a picture or its text', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/422/);
    await page.getByRole('button', { name: 'Set up one-time codes' }).click();
    await page.getByRole('img', { name: 'QR code' }).waitFor();
    secret = await page.getByLabel('Secret').inputValue();
    await isFocused(page, 'code');
    await lookAt(page, 'one-time codes', [looks[0], looks[3]]);
    await codeField(page).fill('000 000');
    await confirm(page).click();
    await page.getByRole('alert').getByText('That code doesn’t match').waitFor();
    await expect.poll(() => page.evaluate<string>('document.activeElement.textContent')).toBe('Confirm');
    await codeField(page).fill(codeOf(secret));
    await confirm(page).click();
    recoveryCodes = await shownCodes(page);
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download' }).click(),
    ]);
    expect(download.suggestedFilename()).toBe('postern-recovery-codes-ada.txt');
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    await lookAt(page, 'sign-in methods', [looks[0], looks[3]]);
  });

  test('is asked for it after the password, and sees when a code is wrong', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/401/);
    await leaveSession(page);
    await page.goto('/login?next=/postern/account');
    await sendLogin(page, 'ada', goodPassword);
    await page.getByRole('button', { name: 'Use a passkey' }).waitFor();
    await isFocused(page, 'code');
    await page.keyboard.type('000000');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').getByText('That code doesn’t match').waitFor();
    await page.getByRole('button', { name: 'Back', exact: true }).waitFor();
    await lookAt(page, 'second step', [looks[0], looks[3]]);
    await codeField(page).fill(codeOf(secret));
    await page.keyboard.press('Enter');
    await page.waitForURL('/postern/account');
  });

  test('uses a recovery code, which works once', async () => {
    const { page, expectInConsole } = tab();
    const [code = ''] = recoveryCodes;
    const give = async () => {
      await leaveSession(page);
      await page.goto('/login?next=/postern/account');
      await sendLogin(page, 'ada', goodPassword);
      await page.getByRole('button', { name: 'Use a recovery code instead' }).click();
      await isFocused(page, 'recovery_code');
      await page.keyboard.type(code.toUpperCase());
      await page.keyboard.press('Enter');
    };
    expectInConsole(/401/);
    await give();
    await page.getByText('9 left.').waitFor();
    await give();
    await page.getByRole('alert').getByText('was already used').waitFor();
    await usePasskey(page);
  });

  test('gives the password once more when the second step took too long', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/40[13]/);
    await leaveSession(page);
    await page.goto('/login?next=/postern/account');
    await sendLogin(page, 'ada', goodPassword);
    await codeField(page).waitFor();
    ahead += 30 * minute;
    await codeField(page).fill(codeOf(secret));
    await confirm(page).click();
    await page.getByRole('alert').getByText('That took too long.').waitFor();
    await expect.poll(() => page.getByLabel('User name').inputValue()).toBe('ada');
    await isFocused(page, 'password');
    await sendLogin(page, 'ada', goodPassword);
    await usePasskey(page);
  });

  test('proves who they are before they make an admin, and loses nothing typed', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/403/);
    ahead += 11 * minute;
    await page.goto('/postern/people');
    await page.getByRole('button', { name: 'Add user' }).click();
    const form = page.getByRole('dialog', { name: 'Add user' });
    await form.getByLabel('User name').fill('nell');
    await form.getByLabel('Role').selectOption('admin');
    await form.getByLabel('Password', { exact: true }).fill(goodPassword);
    await form.getByLabel('Repeat the password').fill(goodPassword);
    await form.getByRole('button', { name: 'Add user' }).click();
    const question = page.getByRole('dialog', { name: 'Is it you?' });
    await codeField(page).waitFor();
    await isFocused(page, 'code');
    await lookAt(page, 'step-up', [looks[0], looks[3]]);
    await page.keyboard.press('Escape');
    await question.waitFor({ state: 'detached' });
    await form.getByRole('alert').getByText('Confirm that it’s you').waitFor();
    await form.getByRole('button', { name: 'Add user' }).click();
    await codeField(page).fill('000000');
    await confirm(page).click();
    await page.getByRole('alert').getByText('That code doesn’t match').waitFor();
    await isFocused(page, 'code');
    await codeField(page).fill(codeOf(secret));
    await confirm(page).click();
    await page.getByRole('button', { name: 'Actions for nell', exact: true }).waitFor();
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  });

  test('removes the passkey and the codes, and is back to the password alone', async () => {
    const { page } = tab();
    await toAccount(page);
    await page.getByRole('button', { name: 'Remove Laptop' }).click();
    await page.getByRole('button', { name: 'Remove passkey' }).click();
    await page.getByText('Passkey Laptop removed.').waitFor();
    await page.getByRole('button', { name: 'Remove One-time code' }).click();
    await page.getByText('It’s your only second factor').waitFor();
    await page.getByRole('button', { name: 'Remove one-time codes' }).click();
    await page.getByRole('button', { name: 'Set up one-time codes' }).waitFor();
    await expect.poll(() => page.getByText('Recovery codes').count()).toBe(0);
  });
});

test('whose role needs one sets it up, and then continues: in German too', async ({ open }) => {
  const { page } = await open(origin, { locale: 'de-DE' });
  await page.goto('/login?next=/postern/explore');
  await page.getByLabel('Benutzername').fill('gus');
  await page.getByLabel('Passwort', { exact: true }).fill(goodPassword);
  await page.keyboard.press('Enter');
  await page.getByText('Ihre Rolle braucht einen zweiten Faktor').waitFor();
  expect(pathOf(page)).toBe('/postern/account');
  await expect.poll(() => page.getByRole('navigation').getByRole('link').count()).toBe(0);
  await lookAt(page, 'a role that needs a second factor', [looks[0], looks[3]]);
  await page.goto('/postern/explore');
  expect(pathOf(page)).toBe('/postern/account');
  await page.getByRole('button', { name: 'Einmalcodes einrichten' }).click();
  const secret = await page.getByLabel('Geheimnis').inputValue();
  await page.getByLabel('Code Ihrer Authenticator-App').fill(codeOf(secret));
  await page.getByRole('button', { name: 'Bestätigen' }).click();
  await page.getByRole('button', { name: 'Ich habe sie gespeichert' }).click();
  await page.getByRole('navigation').getByRole('link', { name: 'Ereignisse' }).click();
  await page.getByRole('heading', { name: 'Ereignisse' }).waitFor();
});

// The last one: the gate has a recorder then.
test('without a second factor proves it with the password, and the request is sent again', async ({
  open,
}) => {
  const recorder = await startRecorder(['back_yard', 'front_door'], {});
  onTestFinished(() => recorder.close());
  const { page, expectInConsole } = await open(origin);
  expectInConsole(/403/);
  const question = page.getByRole('dialog', { name: 'Is it you?' });
  const prove = async (password = goodPassword) => {
    await question.getByLabel('Password').fill(password);
    await question.getByRole('button', { name: 'Confirm' }).click();
  };
  await page.goto('/login?next=/postern/people');
  await sendLogin(page, 'ben', goodPassword);
  await page.getByRole('button', { name: 'Add user' }).click();
  const form = page.getByRole('dialog', { name: 'Add user' });
  await form.getByLabel('User name').fill('nora');
  await form.getByLabel('Role').selectOption('admin');
  await form.getByLabel('Password', { exact: true }).fill(goodPassword);
  await form.getByLabel('Repeat the password').fill(goodPassword);
  ahead += 11 * minute;
  await form.getByRole('button', { name: 'Add user' }).click();
  await question.getByLabel('Password').waitFor();
  await isFocused(page, 'password');
  await lookAt(page, 'step-up by password', looks);
  await prove('wrong');
  await question.getByRole('alert').getByText('That password doesn’t match.').waitFor();
  await prove();
  await page.getByRole('button', { name: 'Actions for nora', exact: true }).waitFor();
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

  ahead += 11 * minute;
  await choose(page, 'nora', 'Delete nora');
  await page.getByRole('button', { name: 'Delete user' }).click();
  await prove();
  await page.getByRole('button', { name: 'Actions for nora', exact: true }).waitFor({ state: 'detached' });

  await page.goto('/postern/first-run?step=recorder');
  await page.getByLabel('Address').fill(recorder.address);
  ahead += 11 * minute;
  await page.getByRole('button', { name: 'Connect' }).click();
  await prove();
  await page.getByText('Connected. Here are your cameras.').waitFor();
});
