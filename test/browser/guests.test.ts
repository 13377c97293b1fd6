import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect } from 'vitest';
import { adminOf, guestOf, userOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, test } from '../support/site.ts';
import { startRecorder } from '../support/start-recorder.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

let gateway: RunningGateway;
let admin: Visitor;
let nell: Visitor;
let origin: string;
beforeAll(async () => {
  gateway = await startGateway({ sample: true, config: { auth: { roles: { 'guest.rosa': ['garage'] } } } });
  admin = await adminOf(gateway);
  const address = gateway.addresses.authenticated ?? '';
  origin = `https://${address}`;
  await userOf(admin, address, 'rosa', 'guest.rosa');
  // Programs before 2.0 gave such names to roles of guests.
  const database = new DatabaseSync(join(gateway.directory, 'postern.db'), { timeout: 5_000 });
  database.prepare('INSERT INTO personal_roles (role) VALUES (?)').run('guest.rosa');
  database.prepare('INSERT INTO custom_roles (name, cameras) VALUES (?, ?)').run('guest.rosa', '["garage"]');
  database.close();
  nell = await guestOf(admin, address, 'nell', { cameras: ['driveway'], may: ['live'] });
});
afterAll(() => gateway.close());

test('guests whom the recorder does not limit are one notice, which leads to all of them', async ({
  open,
}) => {
  const recorder = await startRecorder(['driveway', 'garage'], {});
  const house = await startGateway({ config: { upstream: `http://${recorder.address}` } });
  try {
    const address = house.addresses.authenticated ?? '';
    const owner = await adminOf(house);
    const names = ['rose', 'tom', 'ulla'];
    for (const name of names)
      await guestOf(owner, address, name, { cameras: ['driveway'], may: ['live', 'history'] });
    const { page } = await open(`https://${address}`, { as: owner });
    const notice = page.getByText('The recorder doesn’t limit rose, tom, ulla to the same cameras yet');
    await expect
      .poll(async () => {
        await page.goto('/postern/');
        await page.getByRole('link', { name: 'Show roles' }).or(page.getByRole('list')).first().waitFor();
        return notice.count();
      })
      .toBe(1);
    await page.getByRole('link', { name: 'Show roles' }).click();
    const blocked = page.getByText('Lists are blocked for');
    await expect.poll(() => blocked.getByRole('link').allTextContents()).toEqual(names);
    await blocked.getByText('Set recorder.manage_roles: true in config.yml.').waitFor();
    await lookAt(page, 'guests whose lists are blocked', [looks[0], looks[3]]);
    await blocked.getByRole('link', { name: 'tom' }).click();
    await page.waitForURL('/postern/people/tom');
    // Its pictures must not ask a gate that is closed.
    await page.goto('about:blank');
  } finally {
    await house.close();
    await recorder.close();
  }
});

describe('a guest', () => {
  test('has no screens and API tokens in the account, until there is one', async ({ open }) => {
    const { page } = await open(origin, { as: nell });
    const heading = (name: string) => page.getByRole('heading', { name, exact: true });
    await page.goto('/postern/account');
    await heading('Sessions').waitFor();
    await page.waitForLoadState('networkidle');
    expect(await heading('Screens').count()).toBe(0);
    expect(await heading('API tokens').count()).toBe(0);
    const { role } = JSON.parse((await nell.send('GET', '/api/profile')).body) as { role: string };
    await nell.send('POST', '/postern/api/tokens', { name: 'lamp', role });
    await page.reload();
    await heading('API tokens').waitFor();
  });

  test('is told until when there is access, and that it has ended', async ({ open }) => {
    const giveUntil = (until: string) =>
      admin.send('PUT', '/postern/api/roles/visitor', { cameras: ['driveway'], access: { until } });
    await giveUntil('2126-11-29T18:00');
    const ulla = await userOf(admin, gateway.addresses.authenticated ?? '', 'ulla', 'visitor');
    const { page, expectInConsole } = await open(origin, { as: ulla });
    expectInConsole(/403/);
    for (const path of ['/postern/', '/postern/account']) {
      await page.goto(path);
      await page.getByText(/^You can watch until Friday,? 29 November 2126, 18:00/).waitFor();
      await lookAt(page, `${path} of a guest`, [looks[0], looks[3]]);
    }
    await giveUntil('2020-01-05');
    const ended = /^Your access ended Sunday,? 5 January 2020/;
    await page.goto('/postern/account');
    await page.getByText(ended).waitFor();
    expect(await page.getByText('You can watch until').count()).toBe(0);
    await page.goto('/postern/');
    await page.getByRole('heading', { name: ended }).waitFor();
    await page.getByText('You can no longer watch here, and signing in again won’t change that.').waitFor();
  });

  test('has in the list of people what the invitation gave, and no row among the roles', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    const grid = page.getByRole('grid');
    await page.goto('/postern/settings/access?view=users');
    const row = grid.getByRole('row').filter({ hasText: 'nell' });
    await expect
      .poll(() =>
        row
          .getByRole('gridcell')
          .evaluateAll((cells) => cells.map((cell) => cell.getAttribute('aria-label'))),
      )
      .toEqual(expect.arrayContaining(['nell, Driveway: live', 'nell, Garage: No access']));
    await page.getByRole('button', { name: 'Roles', exact: true }).click();
    await grid.getByRole('rowheader').filter({ hasText: 'viewer' }).waitFor();
    expect(await grid.getByText(/guest/i).count()).toBe(0);
  });

  test('is a person wherever an admin looks: the role has no name', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    const pages = [
      ['/postern/people', 'nell'],
      ['/postern/people/nell', 'Driveway'],
      ['/postern/settings/access?view=users', 'nell'],
      ['/postern/settings/tokens', 'lamp'],
      ['/postern/settings/audit', 'nell'],
      ['/postern/settings/as?user=nell', 'Not granted'],
      ['/postern/settings/as?user=rosa', 'Not granted'],
      ['/postern/settings/why?user=nell&camera=garage', 'nell’s access doesn’t include Garage.'],
      ['/postern/settings/why?user=rosa&camera=driveway', 'rosa’s access doesn’t include Driveway.'],
    ] as const;
    for (const [path, shown] of pages) {
      await page.goto(path);
      await page.locator('main').getByText(shown).first().waitFor();
      const named = await page.evaluate('document.body.innerHTML.match(/guest[._][a-z0-9]+/g)');
      expect({ path, named }).toEqual({ path, named: null });
    }
    await page.getByRole('link', { name: 'Change what rosa may see' }).click();
    await page.waitForURL('/postern/people/rosa');
  });
});
