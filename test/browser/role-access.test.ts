import { describe, expect } from 'vitest';
import { logInBy } from '../support/browse.ts';
import { goodPassword } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, startSite, startTab, test, ways } from '../support/site.ts';

const site = startSite();

interface Shown {
  readonly cameras: readonly string[];
  readonly access: Readonly<Record<string, unknown>> | null;
}

const [way] = ways;

describe('what a role may do', () => {
  const tab = startTab(() => way, { as: 'admin' });
  const roleNamed = async (name: string) => {
    const { body } = await site().admin.send('GET', `/postern/api/roles/${name}`);
    const { cameras, access } = JSON.parse(body) as Shown;
    return { cameras, access };
  };
  const open = async (button: string) => {
    const { page } = tab();
    const [, role] = /^Edit (.+)/.exec(button) ?? [];
    await page.goto(`/postern/settings/access${role === undefined ? '' : `/${role}`}`);
    await page.getByRole('button', { name: role === undefined ? button : 'Edit role', exact: true }).click();
    const dialog = page.getByRole('dialog').first();
    const may = dialog.getByRole('group', { name: 'What the role may do' }).getByRole('switch');
    const on = async () => {
      await may.first().waitFor();
      const switches = await may.all();
      return Promise.all(switches.map((found) => found.isChecked()));
    };
    const submit = async (name: string) => {
      await dialog.getByRole('button', { name, exact: true }).click();
      await dialog.waitFor({ state: 'detached' });
    };
    return { page, dialog, may, on, submit };
  };
  const facts = () => tab().page.getByRole('region', { name: 'What the role may do' }).locator('dd');
  const factsAre = (...words: string[]) => expect.poll(() => facts().allTextContents()).toEqual(words);

  test('a new role may neither move cameras, share nor talk, and each switch has its meaning', async () => {
    const { dialog, may, on } = await open('Add role');
    expect(await on()).toEqual([true, true, true, false, false, false]);
    const described = await may.evaluateAll((switches) =>
      switches.map((found) => [
        found.parentElement?.textContent,
        document.getElementById(found.getAttribute('aria-describedby') ?? '')?.textContent,
      ]),
    );
    expect(described).toEqual([
      ['Live', 'Watch what the cameras show now.'],
      ['Recordings', 'See events, clips and everything else that was recorded.'],
      ['Export', 'Save recordings as files and download them.'],
      ['Move cameras (PTZ)', 'Turn and zoom cameras, and call their presets.'],
      ['Share links', 'Create links that show a clip, an export or a camera to anyone, without an account.'],
      ['Talk', 'Speak through the loudspeakers of cameras.'],
    ]);
    await lookAt(tab().page, 'a new role', [looks[0], looks[3]]);
    await tab().page.setViewportSize(way.viewport);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  test('without cameras, or without anything that it may do, nothing is saved or lost', async () => {
    const name = 'empty';
    const { dialog, page, may } = await open('Add role');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await dialog.getByRole('alert').getByText('Choose at least one camera or group.').waitFor();
    await dialog.getByRole('switch', { name: 'garage' }).check();
    for (const found of await may.all()) await found.uncheck();
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('Choose at least one thing that the role may do.').waitFor();
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe(name);
    await expect.poll(() => dialog.getByRole('switch', { name: 'garage' }).isChecked()).toBe(true);
    expect((await site().admin.send('GET', `/postern/api/roles/${name}`)).status).toBe(404);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
  });

  test('a role that may only watch live says so on its page, and Undo takes it back', async () => {
    const name = 'only.live';
    await site().admin.send('PUT', `/postern/api/roles/${name}`, { cameras: ['garage'], access: null });
    const { page, on, submit } = await open(`Edit ${name}`);
    // By keyboard alone: from the first camera to the switches.
    for (const word of ['Recordings', 'Export']) {
      await page.getByRole('dialog').getByRole('switch', { name: word }).focus();
      await page.keyboard.press('Space');
    }
    expect(await on()).toEqual([true, false, false, false, false, false]);
    await submit('Save');
    expect(await roleNamed(name)).toEqual({ cameras: ['garage'], access: { may: ['live'] } });
    await factsAre('yes', 'no', 'no', 'no', 'no', 'no');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText('is as it was before').waitFor();
    expect(await roleNamed(name)).toEqual({ cameras: ['garage'], access: null });

    await site().admin.send('PUT', `/postern/api/roles/${name}`, {
      cameras: ['garage'],
      access: { may: ['live'] },
    });
    await page.goto(`/postern/settings/access/${name}`);
    await factsAre('yes', 'no', 'no', 'no', 'no', 'no');
    await lookAt(page, 'the page of a role that may only watch live', [looks[0], looks[3]]);
    await page.setViewportSize(way.viewport);
    await page.locator('main').getByRole('link', { name: 'Test access' }).click();
    const form = page.getByRole('form', { name: 'Who may do what' });
    await form.getByLabel('Camera').selectOption({ label: 'Garage' });
    await form.getByLabel('To do').selectOption('See recordings');
    await form.getByRole('button', { name: 'Test' }).click();
    await page.getByRole('heading', { name: `No. The role ${name} can’t see recordings.` }).waitFor();
  });

  test('with a first day, earlier recordings are hidden unless they are made visible', async () => {
    const name = 'since';
    const { page, dialog, submit } = await open('Add role');
    await dialog.getByLabel('Name').fill(name);
    await dialog.getByRole('switch', { name: 'garage' }).check();
    await dialog.getByText('Limit access to certain times').click();
    const earlier = dialog.getByRole('group', { name: 'Earlier recordings' });
    await expect.poll(() => earlier.isVisible()).toBe(false);
    await dialog.getByRole('group', { name: 'First day' }).getByLabel('Day').fill('2126-12-20');
    await earlier.waitFor();
    await expect.poll(() => earlier.getByRole('radio').first().isChecked()).toBe(true);
    await expect.poll(() => earlier.getByRole('radio', { name: 'Hidden' }).isChecked()).toBe(true);
    await submit('Add role');
    const since = { from: '2126-12-20' };
    expect((await roleNamed(name)).access).toEqual({ ...since, history: 'from' });
    const again = await open(`Edit ${name}`);
    await page.getByText('earlier recordings hidden').waitFor();
    await again.dialog.getByRole('radio', { name: 'Hidden' }).focus();
    await page.keyboard.press('ArrowDown');
    await lookAt(page, 'earlier recordings', [looks[0], looks[3]]);
    await page.setViewportSize(way.viewport);
    await again.submit('Save');
    expect((await roleNamed(name)).access).toEqual(since);
    await page.getByText('earlier recordings visible').waitFor();
  });

  test('viewer is narrowed and widened by the same switches alone', async () => {
    const { page, dialog, on, submit } = await open('Edit viewer');
    expect(await on()).toEqual([true, true, true, true, true, true]);
    await expect.poll(() => dialog.getByRole('switch').count()).toBe(6);
    await dialog.getByRole('switch', { name: 'Export' }).uncheck();
    await submit('Save');
    expect((await roleNamed('viewer')).access).toEqual({ may: ['live', 'history', 'ptz', 'share', 'talk'] });
    await factsAre('yes', 'yes', 'no', 'yes', 'yes', 'yes');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText('is as it was before').waitFor();
    expect((await roleNamed('viewer')).access).toBeNull();
    await page.goto('/postern/settings/access/admin');
    await factsAre('yes', 'yes', 'yes', 'yes', 'yes', 'yes');
    await expect.poll(() => page.getByRole('button', { name: 'Edit role' }).count()).toBe(0);
  });

  test("shows the server's reason, and keeps the input", async () => {
    const name = 'away';
    const { admin } = site();
    await admin.send('PUT', `/postern/api/roles/${name}`, { cameras: ['garage'], access: null });
    await admin.send('PUT', `/postern/api/camera-groups/gone`, { cameras: ['garage'] });
    const { expectInConsole } = tab();
    expectInConsole(/422/);
    const { dialog } = await open(`Edit ${name}`);
    await dialog.locator('label.chip', { hasText: 'gone' }).click();
    await admin.send('DELETE', `/postern/api/camera-groups/gone`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByRole('alert').getByText('auth.camera_groups').waitFor();
    await expect.poll(() => dialog.getByRole('checkbox', { name: 'gone' }).isChecked()).toBe(true);
    await tab().page.keyboard.press('Escape');
    await tab().page.getByRole('button', { name: 'Discard' }).click();
  });
});

test('a login in between loses nothing that was chosen', async ({ open }) => {
  const { admin, addUser } = site();
  await admin.send('PUT', '/postern/api/camera-groups/yards', { cameras: ['side_yard'] });
  const session = await addUser('second.admin', 'admin');
  const { page, expectInConsole } = await open(way, { as: session });
  expectInConsole(/401/);
  await page.goto('/postern/settings/access');
  await page.getByRole('button', { name: 'Add role' }).click();
  const dialog = page.getByRole('dialog', { name: 'Add role' });
  const hidden = dialog.getByRole('radio', { name: 'Hidden' });
  const visible = dialog.getByRole('radio', { name: 'Visible' });
  await dialog.getByLabel('Name').fill('kept');
  await dialog.locator('label.chip', { hasText: 'yards' }).click();
  await dialog.getByRole('switch', { name: 'Export' }).uncheck();
  await dialog.getByText('Limit access to certain times').click();
  await dialog.getByRole('group', { name: 'First day' }).getByLabel('Day').fill('2126-12-20');
  await visible.check();
  await session.send('POST', '/api/logout');
  await dialog.getByRole('button', { name: 'Add role' }).click();
  await page.getByText('Your session has ended.').waitFor();
  await logInBy(page, 'second.admin', goodPassword);
  await dialog.getByText('Comes with Yards').waitFor();
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('kept');
  await expect.poll(() => dialog.getByRole('switch', { name: 'Export' }).isChecked()).toBe(false);
  await expect.poll(() => visible.isChecked()).toBe(true);
  await expect.poll(() => hidden.isChecked()).toBe(false);
  await dialog.getByRole('button', { name: 'Add role' }).click();
  await dialog.waitFor({ state: 'detached' });
  const { body } = await admin.send('GET', '/postern/api/roles/kept');
  expect(JSON.parse(body)).toMatchObject({
    cameras: [],
    access: { groups: ['yards'], may: ['live', 'history'], from: '2126-12-20' },
  });
  expect(body).not.toContain('"history":"from"');
});
