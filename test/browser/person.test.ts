import { afterAll, beforeAll, describe, expect } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, pathOf, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { countTaps } from '../support/taps.ts';

let gateway: RunningGateway;
let admin: Visitor;
let origin: string;
beforeAll(async () => {
  gateway = await startGateway({
    sample: true,
    config: { auth: { roles: { neighbours: ['driveway'] }, role_access: { neighbours: { may: ['live'] } } } },
  });
  admin = await adminOf(gateway);
  const address = gateway.addresses.authenticated ?? '';
  origin = `https://${address}`;
  for (const name of ['cleaner', 'gardener', 'sitter']) await userOf(admin, address, name, 'neighbours');
  await admin.send('POST', '/postern/api/invitations', {
    name: 'nell',
    cameras: ['driveway', 'front_door'],
    may: ['live'],
    expires_in: 3_600,
  });
});
afterAll(() => gateway.close());

const briefly = [looks[0], looks[3]];

async function personOf(name: string) {
  const { body } = await admin.send('GET', `/postern/api/people/${name}`);
  return JSON.parse(body) as { role: string; own_role: boolean; grant: { allowed_cameras: string[] } };
}

describe('the page of a person', () => {
  test('is one tap from the list, and another one tells why they don’t see a camera', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    const taps = await countTaps(page);
    await page.goto('/postern/settings/users');
    await page.waitForURL('/postern/people');
    await page.getByRole('link', { name: 'gardener' }).click();
    await page.getByText('gardener can watch Driveway live, always.').waitFor();
    await lookAt(page, 'a person', briefly);
    await page.getByRole('link', { name: 'Garage' }).click();
    await page.getByText('How Postern decided').waitFor();
    expect(await taps()).toBe(2);
    expect(new URL(page.url()).searchParams.get('user')).toBe('gardener');
  });

  test('gives one more camera in three taps, to this person only', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    const taps = await countTaps(page);
    await page.goto('/postern/people/gardener');
    await page.getByRole('button', { name: 'Change access' }).click();
    const dialog = page.getByRole('dialog', { name: 'What gardener may see' });
    await dialog.getByText('Also changes for cleaner and sitter').waitFor();
    await lookAt(page, 'a change of access', briefly);
    await dialog.getByText('Garage').click();
    await dialog.getByText('gardener can watch Driveway and Garage live, always.').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The access of gardener is changed.').waitFor();
    expect(await taps()).toBe(3);
    await page.getByText('gardener can watch Driveway and Garage live, always.').waitFor();
    expect(await personOf('gardener')).toMatchObject({ own_role: true });
    expect(await personOf('sitter')).toMatchObject({ grant: { allowed_cameras: ['driveway'] } });

    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The access of gardener is as it was.').waitFor();
    await page.getByText('gardener can watch Driveway live, always.').waitFor();
    expect(await personOf('gardener')).toMatchObject({ own_role: false, role: 'neighbours' });
  });

  test('changes everyone who shares the access, and names them first', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/people/sitter');
    await page.getByRole('button', { name: 'Change access' }).click();
    await page.getByRole('radio', { name: /^All 3 of them/ }).check();
    await page.getByRole('dialog').getByText('Side gate').click();
    await page.getByRole('button', { name: 'Save' }).click();
    const preview = page.getByRole('dialog', { name: 'Save this for all of them?' });
    await preview.getByText('This changes what cleaner, gardener and sitter may see.').waitFor();
    await preview.getByText('+ Side gate').waitFor();
    await preview.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The access of sitter is changed.').waitFor();
    const ofCleaner = async () => {
      const { grant, role } = await personOf('cleaner');
      return [role, grant.allowed_cameras];
    };
    expect(await ofCleaner()).toEqual(['neighbours', ['driveway', 'side_gate']]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('The access of sitter is as it was.').waitFor();
    expect(await ofCleaner()).toEqual(['neighbours', ['driveway']]);
  });

  test('takes back no change that someone has changed since', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/people/gardener');
    await page.getByRole('button', { name: 'Change access' }).click();
    await page.getByRole('dialog').getByText('Garage').click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The access of gardener is changed.').waitFor();
    const since = { cameras: ['front_door'], may: ['live'], schedule: null, for: 'person' };
    await admin.send('PUT', '/postern/api/people/gardener/access', since);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Someone has changed what gardener may see since then.').waitFor();
    expect(await personOf('gardener')).toMatchObject({ grant: { allowed_cameras: ['front_door'] } });
  });

  test('offers no undo where the person can’t be read after the change', async ({ open }) => {
    const { page, expectInConsole } = await open(origin, { as: admin });
    expectInConsole(/status of 503/);
    await page.goto('/postern/people/sitter');
    await page.getByRole('button', { name: 'Change access' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('Garage').click();
    await page.route(
      '**/postern/api/people/sitter',
      (route) => route.fulfill({ status: 503, json: { code: 'store_unavailable', message: 'Not now' } }),
      { times: 1 },
    );
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The access of sitter is changed.').waitFor();
    await page.getByText('sitter can watch Driveway and Garage live, always.').waitFor();
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    expect(await personOf('sitter')).toMatchObject({ grant: { allowed_cameras: ['driveway', 'garage'] } });
  });

  test('blocks and lets back in, signs out a device, and removes', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/people/cleaner');
    await page.getByRole('button', { name: /^Sign out / }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'End it' }).click();
    await page.getByText('Not signed in anywhere.').waitFor();
    const choose = async (name: string) => {
      await page.getByRole('button', { name: 'More for cleaner' }).click();
      await page.getByRole('menuitem', { name }).click();
    };
    await choose('Block cleaner');
    await page.getByRole('dialog').getByRole('button', { name: 'Block user' }).click();
    await page.getByText('cleaner can’t sign in or see anything.').waitFor();
    await page.getByRole('button', { name: 'Let cleaner back in' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Unblock user' }).click();
    await page.getByRole('button', { name: 'Change access' }).waitFor();
    await choose('Delete cleaner');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete user' }).click();
    await page.waitForURL('/postern/people');
  });

  test('of someone invited makes a new link, which ends the first, and revokes it', async ({ open }) => {
    const { page } = await open(origin, { as: admin });
    await page.goto('/postern/people');
    await page.getByRole('link', { name: 'nell' }).click();
    await page.getByText('Hasn’t come yet.').waitFor();
    await lookAt(page, 'someone invited', briefly);
    await page.getByRole('button', { name: 'Get the link again' }).click();
    await page.getByRole('button', { name: 'Make a new link' }).click();
    await page.getByRole('heading', { name: 'The invitation for nell is ready' }).waitFor();
    await page.getByRole('button', { name: 'Done' }).click();
    const { body } = await admin.send('GET', '/postern/api/invitations');
    expect(JSON.parse(body)).toHaveLength(1);
    await page.getByRole('button', { name: 'Revoke' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).click();
    await page.waitForURL('/postern/people');
  });

  test('of no one says so', async ({ open }) => {
    const { page, expectInConsole } = await open(origin, { as: admin });
    expectInConsole(/404/);
    await page.goto('/postern/people/nobody.here');
    await page.getByRole('heading', { name: 'No one here is called nobody.here' }).waitFor();
    await page.getByRole('link', { name: 'All people' }).click();
    await expect.poll(() => pathOf(page)).toBe('/postern/people');
  });
});
