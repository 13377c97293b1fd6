import { describe, expect } from 'vitest';
import { visitor } from '../support/log-in.ts';
import { goToSettings, leaveAndReturn, pathOf, startSite, startTab, test, ways } from '../support/site.ts';

const site = startSite();

describe('Settings > Audit', () => {
  const tab = startTab(() => ways[1], { as: 'admin' });
  const anonymous = () => visitor(site().origin('embedded front').replace('https://', ''));

  test('shows who did what, and everything in a record', async () => {
    const { page } = tab();
    await anonymous().send('GET', '/vod/garage?token=s3cret');
    await site().addUser('changed', 'family');
    await site().admin.send('PUT', '/api/users/changed/role', { role: 'viewer' });
    await page.goto('/postern/settings/access');
    await goToSettings(page, 'Audit');
    await page.waitForURL('/postern/settings/audit');
    const rows = page.getByRole('table', { name: 'Audit records' }).getByRole('row');
    const refused = rows.filter({ hasText: '/vod/garage' }).first();
    // It is written a moment after it happened.
    while (!(await refused.isVisible())) {
      await page.reload();
      await page.locator('table.audit[aria-busy=false]').waitFor();
    }
    const changed = await rows.filter({ hasText: 'Role of a user changed' }).first().textContent();
    expect(changed).toContain('admin');
    expect(changed).toContain('changed');
    await refused.getByRole('button', { name: 'Request refused' }).click();
    const dialog = page.getByRole('dialog', { name: 'Request refused' });
    const said = await dialog.textContent();
    expect(said).toContain('no_session: the request has no session token');
    expect(said).toMatch(/Decision[0-9a-f]{8}-\w+/);
    expect(said).not.toContain('s3cret');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const focused = await page.evaluate('document.activeElement.textContent');
    expect(focused).toBe('Request refused');
  });

  test('filters by event, parts of a text, result and period, and keeps that in the address', async () => {
    const { page } = tab();
    await anonymous().logIn('olaf', 'a wrong password');
    await page.goto('/postern/settings/audit');
    const rows = page.locator('table.audit tbody tr');
    await rows.first().waitFor();
    await page.getByLabel('Event').selectOption('Sign-in failed');
    await page.waitForURL('**/settings/audit?event=login_failed');
    await page.getByLabel('Search').fill('OLA');
    await page.keyboard.press('Enter');
    await page.getByLabel('Result').selectOption('Failure');
    await page.getByLabel('Period').selectOption('The last hour');
    await page.waitForURL('**/settings/audit?event=login_failed&search=OLA&result=failure&period=1h');
    const others = rows.filter({ hasNotText: /Sign-in failed.*olaf.*wrong_password/ });
    await expect.poll(() => others.count()).toBe(0);
    await rows.first().waitFor();
    await expect.poll(() => others.count()).toBe(0);
    await page.reload();
    await page.getByText('No more records').waitFor();
    await expect.poll(() => page.getByLabel('Search').inputValue()).toBe('OLA');
    await page.getByLabel('Event').selectOption('Role removed');
    await page.getByText('No matching records.').waitFor();
    await page.getByRole('button', { name: 'Show all records' }).click();
    await rows.first().waitFor();
    expect(pathOf(page)).toBe('/postern/settings/audit');
  });

  test('shows what has happened when the user comes back to the tab', async () => {
    const { page } = tab();
    const role = 'passing';
    await page.goto(`/postern/settings/audit?event=role_removed&search=${role}`);
    await page.locator('main').getByText('No matching records.').waitFor();
    await site().admin.send('PUT', `/postern/api/roles/${role}`, { cameras: ['attic'] });
    await site().admin.send('DELETE', `/postern/api/roles/${role}`);
    await leaveAndReturn(page);
    await page.locator('table.audit tbody tr').filter({ hasText: role }).waitFor();
  });

  test('loads more when asked, up to the end, and reads as much on return', async () => {
    const { page } = tab();
    for (let i = 0; i < 60; i += 1) {
      await site().admin.send('PUT', '/postern/api/roles/quiet', { cameras: ['attic'] });
    }
    await page.goto('/postern/settings/audit?event=role_defined');
    const rows = page.locator('table.audit tbody tr');
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Load more' }).click();
    await rows.nth(59).waitFor();
    while (await page.getByRole('button', { name: 'Load more' }).isVisible()) {
      await page.getByRole('button', { name: 'Load more' }).click();
      await page.waitForTimeout(200);
    }
    await page.getByText('No more records').waitFor();
    const times = await rows
      .locator('time')
      .evaluateAll((found) => found.map((time) => time.getAttribute('datetime')));
    expect(times).toEqual(times.toSorted((one, other) => String(other).localeCompare(String(one))));
    const again = page.waitForRequest((request) => new URL(request.url()).pathname === '/postern/api/audit');
    await leaveAndReturn(page);
    expect(new URL((await again).url()).searchParams.get('limit')).toBe(String(times.length));
  });

  test('shows what went wrong, and tries again', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/503/);
    await page.route('**/api/audit**', (route) => route.fulfill({ status: 503, json: { message: 'Gone' } }));
    await page.goto('/postern/settings/audit');
    await page.getByRole('alert').getByText('Couldn’t load audit records').waitFor();
    await page.unrouteAll();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.locator('table.audit tbody tr').first().waitFor();
  });

  test('shows an error for an invalid filter in the URL', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/422/);
    await page.goto('/postern/settings/audit?event=nope');
    await page.getByRole('alert').getByText('Events should be').waitFor();
    await expect.poll(() => page.getByLabel('Event').inputValue()).toBe('nope');
  });
});
