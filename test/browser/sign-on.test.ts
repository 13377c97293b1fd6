import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { sendLogin } from '../support/browse.ts';
import { printedPassword } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { errorAnswer } from '../support/provider-answers.ts';
import { freePort } from '../support/ports.ts';
import { startPrefixProxy, type PrefixProxy } from '../support/reverse-proxy.ts';
import { accountMenu, looks, pathOf, startTab, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';
import { startProvider, type RunningProvider } from '../support/start-provider.ts';

let provider: RunningProvider;
let gateway: RunningGateway;
let nginx: RunningNginx;
let proxy: PrefixProxy;
let origin: string;
// Milliseconds by which the gate's clock is ahead.
let ahead = 0;
const prefix = '/cameras';

beforeAll(async () => {
  const port = await freePort();
  origin = `http://127.0.0.1:${port}`;
  provider = await startProvider({
    publicUrl: `${origin}${prefix}`,
    people: {
      '17': { preferred_username: 'nell', groups: ['watchers'] },
      '18': { preferred_username: 'zoe' },
    },
  });
  gateway = await startGateway({
    config: {
      public_url: origin,
      base_path: prefix,
      tls: { enabled: false },
      auth: {
        session_length: 600,
        refresh_time: 300,
        oidc: { ...provider.settings, label: 'House login', role_map: { viewer: ['watchers'] } },
      },
    },
    clock: { now: () => Date.now() + ahead },
  });
  nginx = await startNginxFor(gateway, { sharedPages: true });
  proxy = await startPrefixProxy({
    prefix,
    address: nginx.authenticated,
    strips: true,
    says: false,
    tls: true,
    port,
  });
});
afterAll(async () => {
  await proxy?.close();
  await nginx?.close();
  await gateway?.close();
  await provider?.close();
});

/** At the provider's own page. */
async function signIn(page: Page, sub: string): Promise<void> {
  await page.getByLabel('Who').fill(sub);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

// One walk in one tab, step by step.
describe('a federated user, behind nginx and below a path', () => {
  const tab = startTab(() => origin);
  const open = async (path: string) => {
    const { page, mayVisit, expectInConsole } = tab();
    mayVisit(provider.issuer);
    // The provider has no icon.
    expectInConsole(/404.*favicon/);
    await page.goto(`${prefix}${path}`);
    return page;
  };

  test('signs in there, and lands where they wanted to go', async () => {
    const page = await open('/postern/explore?labels=dog');
    const button = page.getByRole('link', { name: 'Continue with House login' });
    await button.waitFor();
    await lookAt(page, 'login with a provider', [looks[0], looks[3]]);
    await button.focus();
    await page.keyboard.press('Enter');
    await signIn(page, '17');
    await page.waitForURL(`${prefix}/postern/explore?labels=dog`);
    await accountMenu(page).waitFor();
    await expect.poll(() => accountMenu(page).textContent()).toContain('nell');
  });

  test('finds on the account page that the provider keeps password and second factor', async () => {
    const page = await open('/postern/account');
    await page.getByText('You sign in with House login.').waitFor();
    await expect.poll(() => page.locator('input[type=password]').count()).toBe(0);
    await expect.poll(() => page.getByRole('button', { name: 'Add passkey' }).count()).toBe(0);
  });

  test('sees that the provider is unreachable', async () => {
    const page = await open('/postern/account');
    provider.answer('token', errorAnswer('server_error', 503));
    ahead += 301_000;
    await expect
      .poll(async () => {
        ahead += 1_000;
        await page.reload();
        await page.getByText('You sign in with House login.').waitFor();
        return page.getByText('House login isn’t answering').isVisible();
      })
      .toBe(true);
    provider.answer('token', undefined);
  });

  test('logs out, there too', async () => {
    const page = await open('/postern/account');
    // What is still asked for would be refused, and lead to the login first.
    await page.getByText('You sign in with House login.').waitFor();
    await accountMenu(page).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByText('You’re signed out.').waitFor();
    expect(pathOf(page)).toMatch(/^\/cameras\/login\?/);
  });

  test('a user without a role here sees why', async () => {
    const page = await open('/login');
    tab().expectInConsole(/403/);
    await page.getByRole('link', { name: 'Continue with House login' }).click();
    await signIn(page, '18');
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(pathOf(page)).toMatch(/^\/cameras\/postern\/oidc\/callback/);
  });

  test('an account of the gate logs in beside it', async () => {
    const page = await open('/login?next=/postern/account');
    await sendLogin(page, 'admin', printedPassword(gateway));
    await page.getByLabel('Old password').waitFor();
  });
});

test('accounts of the gate log in only at /login?local when configured so', async ({ open }) => {
  const own = await startGateway({
    config: {
      public_url: 'https://cameras.example',
      auth: { oidc: { ...provider.settings, label: 'House login', local_login: false } },
    },
  });
  try {
    const { page } = await open(`https://${own.addresses.authenticated}`);
    await page.goto('/login');
    await page.getByRole('link', { name: 'Continue with House login' }).waitFor();
    await expect.poll(() => page.getByRole('textbox').count()).toBe(0);
    await page.goto('/login?local&next=/postern/account');
    await sendLogin(page, 'admin', printedPassword(own));
    await page.getByLabel('Old password').waitFor();
    // The page stops loading before its gate ends.
    await page.goto('about:blank');
  } finally {
    await own.close();
  }
});
