import { afterAll, beforeAll, expect } from 'vitest';
import { errorAnswer } from '../support/provider-answers.ts';
import { freePort } from '../support/ports.ts';
import { accountMenu, pathOf, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startProvider, type RunningProvider } from '../support/start-provider.ts';

let gateway: RunningGateway;
let provider: RunningProvider;
let origin: string;
// Milliseconds by which the gate's clock is ahead.
let ahead = 0;
beforeAll(async () => {
  const port = await freePort();
  origin = `https://localhost:${port}`;
  provider = await startProvider({
    publicUrl: origin,
    people: { '1': { preferred_username: 'anna', groups: ['viewer'] } },
  });
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
        session_length: 600,
        refresh_time: 300,
        oidc: { ...provider.settings, label: 'Acme', automatic: true },
      },
    },
    clock: { now: () => Date.now() + ahead },
  });
});
afterAll(async () => {
  await gateway?.close();
  await provider?.close();
});

test('a user signs in at a provider, sees that it is unreachable, and logs out there', async ({ open }) => {
  const { page, mayVisit } = await open(origin);
  mayVisit(provider.issuer);
  await page.goto('/postern/account');
  await page.getByLabel('Who').fill('1');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('You sign in with Acme.').waitFor();
  expect(pathOf(page)).toBe('/postern/account');

  provider.answer('token', errorAnswer('server_error', 503));
  ahead += 301_000;
  const notice = page.getByText('Acme isn’t answering');
  await expect
    .poll(async () => {
      ahead += 1_000;
      await page.reload();
      await page.getByText('You sign in with Acme.').waitFor();
      return notice.isVisible();
    })
    .toBe(true);
  provider.answer('token', undefined);

  // The form leads to another origin, which the policy of the page alone would not let it.
  await accountMenu(page).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.waitForURL(`${origin}/login?logged-out`);
  await page.goto('/postern/account');
  await page.getByLabel('Who').waitFor();
});
