import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { sendLogin } from '../support/browse.ts';
import { goodPassword } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, startSite, test } from '../support/site.ts';
import { projectRoot } from '../support/start-gateway.ts';

const site = startSite();
const origin = () => site().origin('embedded front');

/** The pages of `src/web/site.tsx`, as an admin visits them, and the title of each. */
const pages: ReadonlyArray<readonly [route: string, path: string, title: string]> = [
  ['/', '/postern/', 'Home'],
  ['/cameras/:camera', '/postern/cameras/driveway', 'Driveway'],
  // Its previous address.
  ['/live/:camera', '/postern/live/driveway', 'Driveway'],
  ['/explore', '/postern/explore', 'Explore'],
  ['/events/:id?', '/postern/events/person-olaf', 'Person: Olaf'],
  ['/account', '/postern/account', 'Account'],
  ['/account/shares', '/postern/account/shares', 'Shares'],
  ['/first-run', '/postern/first-run', 'Set up Postern'],
  ['/people', '/postern/people', 'People'],
  ['/people/:name', '/postern/people/anna', 'anna'],
  ['/settings', '/postern/settings', 'Access'],
  ['/settings/users', '/postern/settings/users?search=anna', 'People'],
  ['/settings/access', '/postern/settings/access', 'Access'],
  ['/settings/access/:name', '/postern/settings/access/family', 'What can family see?'],
  ['/settings/sessions', '/postern/settings/sessions', 'Sessions'],
  ['/settings/shares', '/postern/settings/shares', 'Shares'],
  ['/settings/displays', '/postern/settings/displays', 'Screens'],
  ['/pair', '/postern/pair', 'Pair a screen'],
  ['/settings/tokens', '/postern/settings/tokens', 'API tokens'],
  ['/settings/appearance', '/postern/settings/appearance', 'Appearance'],
  ['/settings/general', '/postern/settings/general', 'General'],
  ['/settings/notifications', '/postern/settings/notifications', 'Alerts'],
  ['/ask', '/postern/ask', 'Which camera?'],
  ['/settings/recorder', '/postern/settings/recorder', 'Recorder'],
  ['/settings/audit', '/postern/settings/audit', 'Audit'],
  ['/watched', '/postern/watched', 'Watched'],
  ['/settings/why', '/postern/settings/why', 'Test access'],
  ['/settings/as', '/postern/settings/as?user=anna', 'Home, as anna sees it'],
];

describe('every page opens, has a title, fits a phone, and axe finds nothing serious', () => {
  test('sign-in, which leads on', async ({ open }) => {
    const { page } = await open(origin());
    await page.goto('/login?next=/postern/account');
    await lookAt(page, 'sign-in', [looks[3]]);
    await sendLogin(page, 'olaf', goodPassword);
    await page.waitForURL('/postern/account');
  });

  test('the others', async ({ open }) => {
    const { page, expectInConsole } = await open(origin(), { as: 'admin' });
    // There is no recorder behind this site.
    expectInConsole(/404|502|503|WebSocket/);
    for (const [, path, title] of pages) {
      await page.goto(path);
      await expect.poll(() => page.title()).toBe(`${title} · Postern`);
      await page.getByRole('heading', { level: 1 }).first().waitFor();
      await lookAt(page, path, [looks[3]]);
    }
  });

  test('the table has them all', () => {
    const source = readFileSync(join(projectRoot, 'src', 'web', 'site.tsx'), 'utf8');
    const routes = [...source.matchAll(/<Route path=\{gatePath\('([^']+)'\)\}/g)].map(([, route]) => route);
    expect(new Set(pages.map(([route]) => route))).toEqual(new Set(routes));
  });
});
