import { afterAll, beforeAll, describe, expect } from 'vitest';
import { startSignOnProxy, type SendingAway, type SignOnProxy } from '../support/sign-on-proxy.ts';
import { askForNews, eventsOf, pathOf, startSite, test, ways } from '../support/site.ts';

const site = startSite();

const { front, viewport, colorScheme } = ways[0];

describe('a sign-on proxy in front of the internal entry point', () => {
  describe.each<SendingAway>([302, 307, 401])('that answers %i', (status) => {
    let proxy: SignOnProxy;
    beforeAll(async () => {
      proxy = await startSignOnProxy(site().internalOrigin(front).slice('http://'.length), status);
    });
    afterAll(() => proxy.close());

    test('a page that was open ends up signed on again, where it was', async ({ open }) => {
      const { page, mayVisit, expectInConsole } = await open(proxy.origin, { viewport, colorScheme });
      mayVisit(proxy.loginOrigin);
      if (status === 401) expectInConsole(/401/);
      await page.goto('/postern/explore?camera=garage&label=dog');
      await eventsOf(page).first().waitFor();
      expect(proxy.logins()).toBe(1);

      proxy.signOff();
      await askForNews(page);
      await expect.poll(() => proxy.logins()).toBe(2);
      await page.waitForURL(`${proxy.origin}/postern/explore?camera=garage&label=dog`);
      await eventsOf(page).getByRole('heading', { name: 'Dog' }).waitFor();
      await expect.poll(() => page.getByText('keeps sending you away').count()).toBe(0);
    });
  });

  describe('that redirects scripts for ever', () => {
    test.for([302, 307, 401])('with %i: once, then an error page with a retry', async (status, { open }) => {
      const proxy = await startSignOnProxy(site().internalOrigin(front).slice('http://'.length), 302);
      try {
        const { page, mayVisit, expectInConsole } = await open(proxy.origin, { viewport, colorScheme });
        mayVisit(proxy.loginOrigin);
        if (status === 401) expectInConsole(/401/);
        await page.goto('/postern/settings/access');
        await page.getByRole('heading', { level: 1, name: 'Access', exact: true }).waitFor();

        const location = `${proxy.origin}/postern/settings/access?signed=on`;
        proxy.refuseScripts({ status, location });
        let pages = 0;
        page.on('request', (request) => (pages += request.isNavigationRequest() ? 1 : 0));
        await page.reload();
        await page.getByRole('alert').getByText('keeps sending you away').waitFor();
        // The one that was asked for, and one that the redirect made.
        expect(pages).toBe(2);
        expect(page.url()).toBe(status === 401 ? location : `${proxy.origin}/postern/settings/access`);

        proxy.refuseScripts(undefined);
        await page.getByRole('button', { name: 'Try again' }).click();
        await page.getByRole('heading', { level: 1, name: 'Access', exact: true }).waitFor();
      } finally {
        await proxy.close();
      }
    });

    test('never to what is no http or https', async ({ open }) => {
      const proxy = await startSignOnProxy(site().internalOrigin(front).slice('http://'.length), 302);
      try {
        const { page, mayVisit, expectInConsole } = await open(proxy.origin, { viewport, colorScheme });
        mayVisit(proxy.loginOrigin);
        expectInConsole(/401/);
        await page.goto('/postern/account');
        await page.getByRole('heading', { name: 'Account' }).waitFor();
        const targets = ['javascript:document.title="hit"', 'data:text/html,hit', 'file:///etc/passwd'];
        for (const location of targets) {
          proxy.refuseScripts({ status: 401, location });
          await page.goto('/postern/account');
          await page.getByRole('alert').getByText('Sign on first').waitFor();
          expect(pathOf(page)).toBe('/postern/account');
          expect(await page.title()).not.toContain('hit');
        }
      } finally {
        await proxy.close();
      }
    });
  });
});
