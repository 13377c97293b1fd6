import { Secret, TOTP } from 'otpauth';
import type { Browser, Page } from 'playwright-core';
import { sendLogin } from '../test/support/browse.ts';
import { adminOf, goodPassword } from '../test/support/log-in.ts';
import { addPasskeyDevice } from '../test/support/passkey-device.ts';
import { freePort } from '../test/support/ports.ts';
import { startGateway } from '../test/support/start-gateway.ts';
import { inEachLook } from './pictures.ts';
import { choose } from '../test/support/choose.ts';

/** Pictures of how people sign in, and of what they change there: with a provider, passkeys and one-time codes. */
export async function takeSignIn(browser: Browser): Promise<void> {
  const port = await freePort();
  const origin = `https://localhost:${port}`;
  const off = { authenticated: 'off', internal: 'off' };
  // Milliseconds that the gateway's clock is ahead.
  let ahead = 0;
  const gateway = await startGateway({
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
        oidc: {
          issuer: 'https://auth.example',
          client_id: 'postern',
          client_secret: 'not asked for here',
          label: 'Authelia',
          role_map: { viewer: ['cameras'] },
        },
      },
    },
    clock: { now: () => Date.now() + ahead },
  });
  const admin = await adminOf(gateway);
  for (const [username, role] of [
    ['ada', 'viewer'],
    ['gus', 'guard'],
    ['ben', 'admin'],
  ])
    await admin.send('POST', '/api/users', { username, password: goodPassword, role });
  const logIn = async (page: Page, user: string) => {
    await page.context().clearCookies();
    await page.goto('/login?next=/postern/account');
    await sendLogin(page, user, goodPassword);
  };
  await inEachLook(browser, origin, async (tab, take) => {
    const { page } = tab;
    await page.goto('/login?logged-out');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    await take('login-provider');
    await logIn(page, 'gus');
    await page.getByText('Your role needs a second factor').waitFor();
    await take('second-factor-needed');

    await logIn(page, 'ada');
    await page.getByRole('button', { name: 'Set up one-time codes' }).click();
    const secret = Secret.fromBase32((await page.getByLabel('Secret').inputValue()).replaceAll(' ', ''));
    const code = () => {
      ahead += 30_000;
      return new TOTP({ secret }).generate({ timestamp: Date.now() + ahead });
    };
    await take('one-time-codes');
    const field = page.getByLabel('Code of your authenticator app');
    await field.fill(code());
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.locator('.recovery-codes code').nth(9).waitFor();
    await take('recovery-codes');
    await page.getByRole('button', { name: 'I’ve saved them' }).click();
    const device = await addPasskeyDevice(tab);
    await page.getByRole('button', { name: 'Add passkey' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Phone');
    await take('add-passkey');
    await device.press(true);
    await page.getByRole('button', { name: 'Continue', exact: true }).click();
    await page.getByRole('button', { name: 'Remove Phone' }).waitFor();
    await device.press(false);
    await page.reload();
    await page.getByRole('button', { name: 'Remove Phone' }).waitFor();
    await take('sign-in-methods');

    await logIn(page, 'ada');
    await field.waitFor();
    await take('second-step');
    await field.fill(code());
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('button', { name: 'Make new codes' }).click();
    ahead += 11 * 60_000;
    await page.getByRole('button', { name: 'Make new recovery codes' }).click();
    await field.waitFor();
    await take('step-up');
    await logIn(page, 'ben');
    await page.getByRole('button', { name: 'Change password' }).waitFor();
    await take('own-password');
    await logIn(page, 'ben');
    await page.getByRole('button', { name: 'End all others' }).click();
    await take('end-all-others');
    await page.goto('/postern/people');
    await choose(page, 'ada', 'Reset the second factors of ada');
    await take('reset-factors');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await choose(page, 'gus', 'Change password of gus');
    await take('password-of');
    await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
    await choose(page, 'gus', 'Delete gus');
    ahead += 11 * 60_000;
    await page.getByRole('button', { name: 'Delete user' }).click();
    await page.getByRole('dialog', { name: 'Is it you?' }).getByLabel('Password').waitFor();
    await take('step-up-password');
    await admin.send('DELETE', '/postern/api/users/ada/factors');
  });
  await gateway.close();
}
