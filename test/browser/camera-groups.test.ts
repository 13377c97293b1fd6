import { describe, expect } from 'vitest';
import { lookAt } from '../support/look-at.ts';
import { looks, startSite, startTab, test, ways } from '../support/site.ts';

const site = startSite();

const [, way] = ways;

describe('groups of cameras', () => {
  const tab = startTab(() => way, { as: 'admin' });
  const group = 'by_the_house';
  const shown = 'By the house';
  const role = 'neighbour';
  const rowOf = (name: string) => tab().page.locator(`.rows > li[data-row="${name}"]`);
  const groupsNow = async () => {
    const { body } = await site().admin.send('GET', '/postern/api/camera-groups');
    const groups = JSON.parse(body) as ReadonlyArray<{ name: string; cameras: readonly string[] }>;
    return groups.find(({ name }) => name === group)?.cameras;
  };
  const dialogNamed = (name: string) => tab().page.getByRole('dialog', { name, exact: true });
  const switches = (dialog: ReturnType<typeof dialogNamed>, name: string) =>
    dialog.getByRole('switch', { name, exact: true });
  const chip = (dialog: ReturnType<typeof dialogNamed>) => dialog.locator('label.chip', { hasText: shown });

  test('one is added by keyboard, and needs a camera', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/access');
    await page.getByRole('button', { name: 'Add group' }).press('Enter');
    const dialog = dialogNamed('Add group');
    await dialog.getByLabel('Name').waitFor();
    await page.keyboard.type(group);
    await page.keyboard.press('Enter');
    await dialog.getByRole('alert').getByText('Choose at least one camera.').waitFor();
    await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe(group);
    await switches(dialog, 'Driveway').focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await rowOf(group).getByText('Not used by any role').waitFor();
    await rowOf(group).getByText(shown, { exact: true }).waitFor();
    expect(await groupsNow()).toEqual(['driveway']);
  });

  test('the table of access has the name that Home shows too', async () => {
    const { page } = tab();
    await page.goto('/postern/');
    await page.getByRole('button', { name: `${shown} 1`, exact: true }).waitFor();
    await page.goto(`/postern/settings/access?group=${group}`);
    const chosen = page.getByRole('button', { name: `${shown} 1`, exact: true, pressed: true });
    await chosen.waitFor();
    expect(await page.locator('main').getByText(group).count()).toBe(0);
  });

  test('a role gets it by a chip, and a camera shows where it comes from', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/access');
    await page.getByRole('button', { name: 'Add role' }).click();
    const dialog = dialogNamed('Add role');
    await dialog.getByLabel('Name').fill(role);
    const driveway = switches(dialog, 'Driveway');
    expect(await driveway.getAttribute('aria-describedby')).toBeNull();
    await chip(dialog).click();
    await dialog.getByText(`Comes with ${shown}`).waitFor();
    await lookAt(page, 'a role with a group', [looks[0], looks[3]]);
    await page.setViewportSize(way.viewport);
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await dialog.waitFor({ state: 'detached' });
    const { body } = await site().admin.send('GET', `/postern/api/roles/${role}`);
    expect(JSON.parse(body)).toMatchObject({ cameras: [], access: { groups: [group] } });
    await rowOf(group).getByText(`Used by ${role}`).waitFor();
    await page.goto(`/postern/settings/access/${role}`);
    await page.getByText(`Camera groups: ${shown} (Driveway)`).waitFor();
    await site().addUser('nell', role);
  });

  test('a change shows who gains and loses what before it is saved', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/access');
    await page.getByRole('button', { name: `Edit group ${shown}` }).click();
    const dialog = dialogNamed(`Edit group ${shown}`);
    await switches(dialog, 'Garage').check();
    await switches(dialog, 'Driveway').uncheck();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const preview = dialogNamed(`What changes with ${shown}`);
    await preview.waitFor();
    await expect
      .poll(() => preview.getByRole('listitem').allTextContents())
      .toEqual([`${role} (1 user) will also see Garage`, `${role} (1 user) will no longer see Driveway`]);
    await lookAt(page, 'what a group changes', [looks[0], looks[3]]);
    await page.setViewportSize(way.viewport);
    await page.keyboard.press('Escape');
    await preview.waitFor({ state: 'detached' });
    expect(await groupsNow()).toEqual(['driveway']);
    await expect.poll(() => switches(dialog, 'Garage').isChecked()).toBe(true);

    await dialog.getByRole('button', { name: 'Save' }).click();
    await preview.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await groupsNow()).toEqual(['garage']);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('status').getByText('is as it was before').waitFor();
    expect(await groupsNow()).toEqual(['driveway']);
  });

  test('what changes nothing for anyone is saved at once', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/access');
    await page.getByRole('button', { name: `Edit group ${shown}` }).click();
    const dialog = dialogNamed(`Edit group ${shown}`);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await groupsNow()).toEqual(['driveway']);
  });

  test('one that a role uses cannot be removed; then it can, and Undo brings it back', async () => {
    const { page } = tab();
    await page.goto('/postern/settings/access');
    const remove = page.getByRole('button', { name: `Remove group ${shown}` });
    await expect.poll(() => remove.isDisabled()).toBe(true);
    await rowOf(group).getByText('first take it from these roles').waitFor();
    await lookAt(page, 'groups', [looks[0], looks[3]]);
    await page.setViewportSize(way.viewport);
    await site().admin.send('PUT', `/postern/api/roles/${role}`, { cameras: ['driveway'], access: null });
    await page.reload();
    await remove.click();
    await dialogNamed(`Remove group ${shown}?`).getByRole('button', { name: 'Remove group' }).click();
    await rowOf(group).waitFor({ state: 'detached' });
    expect(await groupsNow()).toBeUndefined();
    await page.getByRole('button', { name: 'Undo' }).click();
    await rowOf(group).waitFor();
    expect(await groupsNow()).toEqual(['driveway']);
    await site().admin.send('DELETE', `/postern/api/camera-groups/${group}`);
  });

  test('one that a role took meanwhile stays, and the dialog says why', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/409/);
    await site().admin.send('PUT', `/postern/api/camera-groups/${group}`, { cameras: ['garage'] });
    await page.goto('/postern/settings/access');
    await page.getByRole('button', { name: `Remove group ${shown}` }).click();
    const dialog = dialogNamed(`Remove group ${shown}?`);
    const taken = { cameras: [], access: { groups: [group] } };
    await site().admin.send('PUT', `/postern/api/roles/${role}`, taken);
    await dialog.getByRole('button', { name: 'Remove group' }).click();
    await dialog.getByRole('alert').getByText('Roles still use this group').waitFor();
    expect(await groupsNow()).toEqual(['garage']);
    await page.keyboard.press('Escape');
  });
});

test("the recorder's own groups are an offer: taking one over is a group like any other", async ({
  open,
}) => {
  const { page } = await open(way, { as: 'admin' });
  await page.route('**/postern/api/camera-groups/offered', (route) =>
    route.fulfill({ json: [{ name: 'Yard', cameras: ['side_yard', 'back_yard'] }] }),
  );
  await page.goto('/postern/settings/access');
  const offered = page.getByRole('list', { name: 'Groups of the recorder' });
  await offered.waitFor();
  await page.getByRole('button', { name: 'Take over Yard' }).press('Enter');
  const dialog = page.getByRole('dialog', { name: 'Add group' });
  await expect.poll(() => dialog.getByLabel('Name').inputValue()).toBe('Yard');
  await expect.poll(() => dialog.getByRole('switch', { checked: true }).count()).toBe(2);
  await dialog.getByRole('button', { name: 'Add group' }).click();
  await dialog.waitFor({ state: 'detached' });
  await page.getByText('Not used by any role').waitFor();
  await offered.waitFor({ state: 'detached' });
});
