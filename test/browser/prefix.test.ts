import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookiesBut, logInBy } from '../support/browse.ts';
import { printedPassword } from '../support/log-in.ts';
import { startPrefixProxy, type PrefixProxy } from '../support/reverse-proxy.ts';
import { accountMenu, askForNews, eventsOf, startTab } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

const prefix = '/cameras';
/** A proxy that names the prefix in a header is believed by the rule that is proved in test/unit/api/api.test.ts. */
const fronts = [
  {
    front: 'base_path, and a proxy that leaves it',
    strips: false,
    nginx: false,
  },
  {
    front: 'base_path, nginx, and a proxy before it that strips it',
    strips: true,
    nginx: true,
  },
];

// One walk in one tab, step by step.
describe.each(fronts)('under /cameras by $front', ({ strips, nginx }) => {
  let gateway: RunningGateway;
  let proxy: PrefixProxy;
  let behind: RunningNginx | undefined;
  beforeAll(async () => {
    gateway = await startGateway({ config: { base_path: prefix, tls: { enabled: false } } });
    behind = nginx ? await startNginxFor(gateway, { sharedPages: true }) : undefined;
    const address = behind?.authenticated ?? gateway.addresses.authenticated ?? '';
    proxy = await startPrefixProxy({ prefix, address, strips, says: false, tls: nginx });
  });
  afterAll(async () => {
    await proxy?.close();
    await behind?.close();
    await gateway?.close();
  });
  const tab = startTab(() => proxy.origin);

  test('a visitor logs in, and lands where they wanted to go', async () => {
    const { page } = tab();
    await page.goto(`${prefix}/postern/people`);
    const at = new URL(page.url());
    expect(at.pathname).toBe(`${prefix}/login`);
    expect(at.searchParams.get('next')).toMatch(/^(?:\/cameras)?\/postern\/people$/);
    await logInBy(page, 'admin', printedPassword(gateway));
    await page.waitForURL(`${prefix}/postern/people`);
    await page.getByRole('button', { name: 'Actions for admin', exact: true }).waitFor();
  });

  test('the pages lead to each other, and each can be loaded', async () => {
    const { page } = tab();
    for (const [link, path, shown] of [
      ['Settings', '/postern/settings/access', page.getByRole('button', { name: 'Add role' })],
      ['Audit', '/postern/settings/audit', page.getByRole('table', { name: 'Audit records' })],
      ['People', '/postern/people', page.getByRole('button', { name: 'Add user' })],
      ['Explore', '/postern/explore', eventsOf(page).first()],
    ] as const) {
      await page.getByRole('link', { name: link, exact: true }).click();
      await page.waitForURL(`${prefix}${path}`);
      await shown.waitFor();
      await page.reload();
      await shown.waitFor();
    }
    await accountMenu(page).click();
    await page.getByRole('link', { name: 'Account', exact: true }).click();
    await page.waitForURL(`${prefix}/postern/account`);
    await page.getByLabel('New password').waitFor();
    await page.goto(`${prefix}/`);
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.getByRole('link', { name: 'Events of Garage' }).click();
    await page.waitForURL(`${prefix}/postern/cameras/garage`);
  });

  test('Explore filters, and opens an event', async () => {
    const { page } = tab();
    await page.goto(`${prefix}/postern/explore`);
    await page.locator('.choice > summary').filter({ hasText: 'Cameras' }).click();
    await page.getByRole('checkbox', { name: 'Garage' }).check();
    await page.waitForURL(`${prefix}/postern/explore?cameras=garage`);
    await expect
      .poll(() => proxy.inside.some((uri) => /^\/cameras\/api\/events\?.*garage/.test(uri)))
      .toBe(true);
    await eventsOf(page).first().getByRole('link').click();
    await page.getByRole('dialog').waitFor();
    expect(new URL(page.url()).pathname).toContain(`${prefix}/postern/events/`);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.waitForURL(`${prefix}/postern/cameras/garage`);
  });

  test('a session that ends leads to the login, and back', async () => {
    const { page, context, expectInConsole } = tab();
    expectInConsole(/401/);
    await page.goto(`${prefix}/postern/explore?camera=garage&after=2020-01-01`);
    await eventsOf(page).first().waitFor();
    await context.clearCookies();
    await askForNews(page);
    await page.getByText('Your session has ended.').waitFor();
    expect(new URL(page.url()).pathname).toBe(`${prefix}/login`);
    await logInBy(page, 'admin', printedPassword(gateway));
    await page.waitForURL(`${prefix}/postern/explore?camera=garage&after=2020-01-01`);
    await eventsOf(page).first().waitFor();
  });

  test('Logout ends at the login', async () => {
    const { page, context } = tab();
    await accountMenu(page).click();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.waitForURL(`${prefix}/login`);
    await page.getByLabel('User name').waitFor();
    expect(await cookiesBut(context, 'postern_device')).toEqual([]);
  });

  test('nothing was asked for outside', () => {
    expect(proxy.inside.some((uri) => uri.startsWith('/cameras/postern/assets/'))).toBe(true);
    expect(proxy.inside.filter((uri) => uri.startsWith('/cameras/api/')).length).toBeGreaterThan(5);
    expect(proxy.outside).toEqual([]);
  });
});
