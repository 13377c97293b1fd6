import { afterAll, beforeAll, expect } from 'vitest';
import { featureNames } from '../../src/policy/features.ts';
import { adminOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { accountMenu, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

const off = Object.fromEntries(featureNames.map((name) => [name, false]));
let gateways: Record<'on' | 'off', { readonly gateway: RunningGateway; readonly admin: Visitor }>;
beforeAll(async () => {
  const started = async (features: object) => {
    const gateway = await startGateway({ sample: true, config: { features } });
    return { gateway, admin: await adminOf(gateway) };
  };
  gateways = { on: await started({}), off: await started(off) };
});
afterAll(async () => {
  for (const { gateway } of Object.values(gateways)) await gateway.close();
});

const apis = ['tokens', 'displays', 'push', 'invitations'].map((name) => `/postern/api/${name}`);

test.for(['on', 'off'] as const)('pages show what is %s', async (state, { open }) => {
  const { gateway, admin } = gateways[state];
  const { page, expectInConsole } = await open(`https://${gateway.addresses.authenticated}`, { as: admin });
  expectInConsole(/status of 404/);
  const asked = new Set<string>();
  page.on('request', (request) => asked.add(new URL(request.url()).pathname));
  const isThere = state === 'on' ? 1 : 0;
  const count = (role: 'heading' | 'link' | 'button', name: string) =>
    page.getByRole(role, { name, exact: true }).count();

  await page.goto('/postern/account');
  await page.getByRole('heading', { name: 'Sessions' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect([await count('heading', 'Screens'), await count('heading', 'API tokens')]).toEqual([
    isThere,
    isThere,
  ]);
  expect(await count('heading', 'Shares')).toBe(isThere);
  await accountMenu(page).click();
  expect(await count('link', 'Shares')).toBe(isThere);

  await page.goto('/postern/settings/access');
  await page.getByRole('button', { name: 'Add role' }).waitFor();
  for (const place of ['Screens', 'Shares', 'API tokens']) expect(await count('link', place)).toBe(isThere);
  await page.goto('/postern/people');
  await page.getByRole('button', { name: 'Add user' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await count('button', 'Invite')).toBe(isThere);
  await lookAt(page, `people with what is ${state}`);

  await page.goto('/postern/cameras/garage');
  await page.getByRole('heading', { name: 'Garage' }).waitFor();
  await expect.poll(() => count('button', 'Share this camera')).toBe(isThere);

  expect(apis.filter((path) => asked.has(path))).toEqual(state === 'on' ? apis : []);
  if (state === 'on') return;
  for (const path of [
    'settings/tokens',
    'settings/displays',
    'settings/shares',
    'account/shares',
    'ask',
    'share/x',
  ]) {
    await page.goto(`/postern/${path}`);
    await page.getByRole('heading', { name: 'There’s no such page' }).waitFor();
  }
});
