import type { Page } from 'playwright-core';
import { expectRefusal } from '../support/expect-refusal.ts';
import { describe, expect } from 'vitest';
import { sendLogin } from '../support/browse.ts';
import { lookAt } from '../support/look-at.ts';
import { accountMenu, eventsOf, looks, startSite, test } from '../support/site.ts';
import { choose, openRowMenu } from '../support/choose.ts';

const site = startSite();
const origin = () => site().origin('embedded front');

async function lookAtDialog(page: Page, button: string): Promise<void> {
  await page
    .getByRole('button', { name: button })
    .or(page.getByRole('link', { name: button }))
    .first()
    .click();
  await page.getByRole('dialog').waitFor();
  await page.mouse.move(0, 0);
  // Both widths and both colours, without every product of them.
  await lookAt(page, button, [looks[0], looks[3]]);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}

describe('axe finds nothing serious, and nothing is wider than the screen', () => {
  test('at the login', async ({ open }) => {
    const { page, expectInConsole } = await open(origin());
    expectInConsole(/401/);
    await page.goto('/login?ended=1&next=/');
    await page.getByText('Your session has ended.').waitFor();
    await sendLogin(page, 'olaf', 'wrong');
    await page.getByRole('alert').waitFor();
    await lookAt(page, 'login, with messages');
  });

  test('in Explore', async ({ open }) => {
    const { page, expectInConsole } = await open(origin(), { as: 'admin' });
    expectInConsole(/503|404/);
    await page.goto('/postern/explore');
    await eventsOf(page).first().waitFor();
    await accountMenu(page).click();
    await lookAt(page, 'events, and the menu');
    await accountMenu(page).click();
    await lookAtDialog(page, 'Person: Olaf');
    // Its end is a step back in the history, which would end the next visit.
    await page.waitForURL('**/postern/explore');
    await page.goto('/postern/explore?cameras=garage,driveway&after=2026-11-01');
    await page.locator('.choice > summary').last().click();
    await lookAt(page, 'filters', [looks[0], looks[3]]);
    await page.goto('/postern/explore?label=elephant');
    await page.getByText('No matching events.').waitFor();
    await lookAt(page, 'no events');
    await page.route('**/api/events?**', (route) =>
      route.fulfill({ status: 503, json: { message: 'Gone' } }),
    );
    await page.reload();
    await page.getByRole('alert').waitFor();
    await lookAt(page, 'events could not be loaded');
    await page.unrouteAll();
    await page.route('**/api/events?**', () => undefined);
    await page.reload();
    await page.getByText('Loading events…').waitFor();
    await lookAt(page, 'events are being loaded');
  });

  test('at Home, without a recorder', async ({ open }) => {
    const { page } = await open(origin(), { as: 'olaf' });
    await page.goto('/postern/');
    await page.getByRole('link', { name: 'Events of Garage' }).waitFor();
    await lookAt(page, 'Home', [looks[0], looks[3]]);
  });

  test('in Settings', async ({ open }) => {
    const { page } = await open(origin(), { as: 'admin' });
    // No later test needs the sessions that end with the role.
    await site().addUser('zoe', 'viewer');
    await page.goto('/postern/people');
    await page.getByRole('button', { name: 'Add user' }).waitFor();
    await lookAt(page, 'users');
    await lookAtDialog(page, 'Add user');
    for (const action of ['Change role of olaf', 'Change password of olaf', 'Delete olaf']) {
      await openRowMenu(page, 'olaf');
      await lookAt(page, `the menu before ${action}`, [looks[0], looks[3]]);
      // Another width has closed it.
      await openRowMenu(page, 'olaf');
      await page.getByRole('menuitem', { name: action }).click();
      await page.getByRole('dialog').waitFor();
      await lookAt(page, action);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    }
    await choose(page, 'zoe', 'Change role of zoe');
    await page.getByRole('dialog').getByLabel('Role').selectOption('quiet');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Keep editing' }).waitFor();
    await lookAt(page, 'a question before what was typed is lost', [looks[0], looks[3]]);
    await page.getByRole('button', { name: 'Keep editing' }).click();
    await page.getByRole('button', { name: 'Change role', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).hover();
    await lookAt(page, 'what was done, and Undo', [looks[0], looks[3]]);
    await page.goto('/postern/people?search=no.such.user');
    await page.getByText('Nothing matches').waitFor();
    await lookAt(page, 'nothing found', [looks[0], looks[3]]);
    await page.goto('/postern/people');
    await page.setViewportSize(looks[1].viewport);
    await page.getByRole('button', { name: 'Add user' }).hover();
    await lookAt(page, 'a button under the pointer', [looks[1], looks[0]]);
    await page.goto('/postern/settings/access');
    await page.getByRole('button', { name: 'Add role' }).waitFor();
    await lookAt(page, 'roles');
    await lookAtDialog(page, 'Add role');
    await page.goto('/postern/settings/access?view=users');
    await page.getByRole('button', { name: 'People', pressed: true }).waitFor();
    await lookAt(page, 'access of users', [looks[0], looks[3]]);
    // A camera by its name in the configuration, which finds no user.
    await page.setViewportSize(looks[0].viewport);
    await page.goto('/postern/settings/access?view=users&search=front_door%20');
    await page.getByRole('gridcell', { name: /^olaf, Front door/ }).waitFor();
    await page.goto('/postern/settings/access');
    await page.getByRole('gridcell', { name: /^family, Garage/ }).click();
    await page.getByRole('switch', { name: 'Sees Garage' }).click();
    await page.getByText('No one else changes.').waitFor();
    await lookAt(page, 'the panel of a cell');
    await page.goto('/postern/settings/access/family');
    for (const button of ['Edit role', 'Delete role']) await lookAtDialog(page, button);
    await page.getByRole('link', { name: 'Test access' }).waitFor();
    await lookAt(page, 'what a role can see');
    await page.goto('/postern/settings/why');
    await page.getByText('Pick someone and a camera').waitFor();
    await lookAt(page, 'a question');
    await page.goto('/postern/settings/why?user=anna&camera=garage&to=live&at=1900000000');
    await page.getByText('How Postern decided').waitFor();
    await page.getByText('Test any request').click();
    await lookAt(page, 'a no, and why');
    await page.goto('/postern/settings/why?user=anna&camera=front_door&to=live');
    await page.getByText('Yes. anna can watch Front door live.').waitFor();
    await lookAt(page, 'a yes');
    for (const who of ['user=anna', 'role=quiet', 'user=admin']) {
      await page.goto(`/postern/settings/as?${who}`);
      await page.getByRole('table').waitFor();
      await lookAt(page, `home as ${who}`);
    }
  });

  test('in forced colours, which show on, off and the current page', async ({ open }) => {
    const { page } = await open(origin(), { as: 'admin', forcedColors: 'active' });
    await page.goto('/postern/settings/access');
    const styleOf = (selector: string, property: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${selector}')).${property}`);
    await page.getByRole('grid').waitFor();
    expect(await styleOf('.panes > .may', 'fill')).not.toBe(await styleOf('.panes > .no', 'fill'));
    await page.goto('/postern/settings/access/family');
    await page.getByRole('button', { name: 'Edit role' }).click();
    await page.getByRole('dialog').getByRole('switch').first().waitFor();
    const lit = await styleOf('[role=switch]:checked', 'backgroundColor');
    expect(lit).not.toBe(await styleOf('[role=switch]:not(:checked)', 'backgroundColor'));
    await page.keyboard.press('Escape');
    expect(await styleOf('.places [aria-current]', 'outlineStyle')).toBe('solid');
    expect(await styleOf('.places a:not([aria-current])', 'outlineStyle')).toBe('none');
    expect(await styleOf('.badge', 'borderStyle')).toBe('solid');
  });

  test('in the sessions of Settings', async ({ open }) => {
    const { page } = await open(origin(), { as: 'admin' });
    await page.goto('/postern/settings/sessions?user=olaf');
    await page.getByText('Details').first().click();
    await lookAt(page, 'sessions');
    for (const button of ['End session of olaf', 'End all of olaf']) await lookAtDialog(page, button);
    await page.goto('/postern/settings/sessions?user=olaf');
    await page.route('**/api/sessions**', (route) => route.fulfill({ json: { sessions: [], next: null } }));
    await page.reload();
    await page.getByText('olaf isn’t signed in.').waitFor();
    await lookAt(page, 'no sessions');
    await page.unrouteAll();
  });

  test('of API tokens', async ({ open }) => {
    const wanted = { name: 'Home Assistant', role: 'viewer', cameras: ['garage'], expires_in_days: 90 };
    await site().admin.send('POST', '/postern/api/tokens', wanted);
    const { page } = await open(origin(), { as: 'admin' });
    await page.goto('/postern/settings/tokens');
    await page.getByRole('button', { name: 'Revoke Home Assistant' }).waitFor();
    await lookAt(page, 'the API tokens of all users');
    await lookAtDialog(page, 'Revoke Home Assistant');
    await page.goto('/postern/account');
    await page.getByRole('button', { name: 'Revoke Home Assistant' }).waitFor();
    await lookAt(page, 'own API tokens');
    await page.getByRole('button', { name: 'Add API token' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Only some of the cameras').check();
    await dialog.getByLabel('Limit what it may do').check();
    await dialog.getByLabel('Live', { exact: true }).check();
    await lookAt(page, 'a new API token', [looks[0], looks[3]]);
    await dialog.getByLabel('Name').fill('x');
    await dialog.getByLabel('Garage', { exact: true }).check();
    await dialog.getByRole('button', { name: 'Add API token' }).click();
    await dialog.getByRole('button', { name: 'Copy' }).waitFor();
    await lookAt(page, 'the API token, once', [looks[0], looks[3]]);
  });

  test('in the audit', async ({ open }) => {
    const { page, expectInConsole } = await open(origin(), { as: 'admin' });
    expectInConsole(/422/);
    await page.goto('/postern/settings/audit');
    await page.getByRole('table').getByRole('button').first().waitFor();
    await lookAt(page, 'audit');
    await lookAtDialog(page, 'Signed in');
    await page.route('**/api/audit?**', async (route) => {
      const list = (await (await route.fetch()).json()) as { records: object[] };
      const refusal = {
        event: 'refused',
        object: '/api/garage/latest.jpg',
        decision: 'gone-1',
        reason: 'camera_not_granted',
        role: 'family',
      };
      const detail = { method: 'GET', entry_point: 'authenticated' };
      await route.fulfill({ json: { ...list, records: [{ ...list.records[0], ...refusal, detail }] } });
    });
    await page.reload();
    expectInConsole(/404|422/);
    const why = page.getByRole('link', { name: 'Why?' }).first();
    await why.waitFor();
    await page.unrouteAll();
    await why.click();
    await page.getByText('This decision is no longer kept').waitFor();
    await lookAt(page, 'a decision that is gone');
    await page.goto('/postern/settings/audit?event=api_token_revoked');
    await page.getByText('No matching records.').waitFor();
    await lookAt(page, 'no records');
    await page.goto('/postern/settings/audit?event=nope');
    await page.getByRole('alert').waitFor();
    await lookAt(page, 'audit could not be loaded');
  });

  test('for users who are not admins, and empty lists', async ({ open }) => {
    const { page, expectInConsole } = await open(origin(), { as: 'olaf' });
    expectInConsole(/403/);
    await expectRefusal(page, await page.goto('/postern/people'));
    await lookAt(page, 'no settings');
    await page.goto('/postern/account');
    await page.getByLabel('Old password').waitFor();
    await page.getByRole('button', { name: 'End all others' }).waitFor();
    await lookAt(page, 'account');
    await page.route('**/api/profile', (route) =>
      route.fulfill({ status: 403, json: { message: 'Not you' } }),
    );
    await page.reload();
    await page.getByText('Couldn’t open Postern').waitFor();
    await lookAt(page, 'not let in');
  });
});
