import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { lookAt } from '../support/look-at.ts';
import { looks, startTab } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';
import { rolesAreVerified } from '../support/verified-roles.ts';

const cameras = ['front', 'yard', 'garage'];
let recorder: Recorder;
let gateway: RunningGateway;
beforeAll(async () => {
  recorder = await startRecorder(cameras, {});
  gateway = await startGateway({
    config: {
      cameras: [...cameras, 'attic'],
      upstream: `http://${recorder.address}`,
      recorder: { manage_roles: true },
      auth: { enabled: false, roles: { family: ['front', 'attic'] } },
      networking: { listen: { authenticated: 'off', internal: '127.0.0.1:0' } },
    },
  });
  await rolesAreVerified(gateway);
});
afterAll(async () => {
  await gateway?.close();
  await recorder?.close();
});
afterEach(() => recorder.define({ isReadOnly: false }));

describe('roles before a recorder', () => {
  const tab = startTab(() => `http://${gateway.addresses.internal}`, looks[0]);
  const role = 'guests';
  const theirs = 'theirs';
  const rowOf = (name: string) => tab().page.locator(`[data-row="${name}"]`);
  const state = () => tab().page.locator('.role-lists');
  const open = async (name?: string) => {
    await tab().page.goto(`/postern/settings/access${name === undefined ? '' : `/${name}`}`);
    if (name === undefined) await rowOf('family').waitFor({ state: 'attached' });
    else await tab().page.getByRole('heading', { level: 1, name }).waitFor();
  };

  test('shows that the recorder agrees, and which camera it does not have', async () => {
    await open();
    await expect.poll(() => tab().page.getByText('Lists are blocked').count()).toBe(0);
    await lookAt(tab().page, 'roles, agreed');
    await open('family');
    await expect.poll(() => state().textContent()).toBe('In sync The recorder doesn’t have attic.');
    await open('admin');
    await expect.poll(() => state().count()).toBe(0);
  });

  test('an added role reaches the recorder, and the page shows it by itself', async () => {
    const { page } = tab();
    await open();
    await page.getByRole('button', { name: 'Add role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(role);
    await dialog.getByRole('switch', { name: 'garage' }).check();
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await expect.poll(() => recorder.known().roles[role]).toEqual(['garage']);
    await page.getByText('Lists are blocked').waitFor({ state: 'detached' });
    await open(role);
    await state().getByText('In sync').waitFor();
  });

  test('a change that the recorder refuses shows its message, and a button tries again', async () => {
    const { page } = tab();
    await open(role);
    recorder.define({ isReadOnly: true });
    await page.getByRole('button', { name: 'Edit role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: 'yard' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await state().getByText('Its answer: 500: Error updating config').waitFor();
    await expect
      .poll(() => state().textContent())
      .toMatch(/^Lists blocked The recorder refused the change\./);
    await lookAt(page, 'a role, refused');
    await open();
    await page.getByText('Lists are blocked for').getByRole('link', { name: role }).waitFor();
    await open(role);
    recorder.define({ isReadOnly: false });
    await page.getByRole('button', { name: `Try again: ${role}` }).press('Enter');
    await state().getByText('In sync').waitFor();
    expect(recorder.known().roles[role]).toEqual(['garage', 'yard']);
  });

  test('a role that only the recorder has is taken over by a press', async () => {
    const { page } = tab();
    recorder.define({ roles: { ...recorder.known().roles, [theirs]: ['yard'] } });
    await page.request.post('/postern/api/recorder/roles');
    await open();
    const list = page.getByRole('list', { name: 'Only at the recorder' });
    await expect.poll(() => list.locator('> li').allTextContents()).toEqual([`${theirs}YardTake over`]);
    await lookAt(page, 'roles, one at the recorder alone');
    await page.getByRole('button', { name: `Take over ${theirs}` }).press('Enter');
    await list.waitFor({ state: 'detached' });
    await rowOf(theirs).waitFor({ state: 'attached' });
  });

  test('one with unknown cameras is not, and the page shows why', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/422/);
    recorder.define({ roles: { ...recorder.known().roles, cellars: ['cellar'] } });
    await page.request.post('/postern/api/recorder/roles');
    await open();
    await page.getByRole('button', { name: 'Take over cellars' }).click();
    await page.getByRole('alert').getByText('cellar').waitFor();
    recorder.define({
      roles: Object.fromEntries(
        Object.entries(recorder.known().roles).filter(([name]) => name !== 'cellars'),
      ),
    });
  });

  test('a deleted role is deleted there, and the dialog warns of it', async () => {
    const { page } = tab();
    for (const name of [role, theirs]) {
      await open(name);
      await page.getByRole('button', { name: 'Delete role' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('The recorder loses the role too.').waitFor();
      await dialog.getByRole('button', { name: 'Delete role' }).click();
      await page.waitForURL('**/postern/settings/access');
      await rowOf('family').waitFor({ state: 'attached' });
      await rowOf(name).waitFor({ state: 'detached' });
      await expect.poll(() => Object.keys(recorder.known().roles)).not.toContain(name);
    }
  });

  test('the recorder’s pictures cannot be read or loaded', async () => {
    const { page, expectInConsole } = tab();
    expectInConsole(/503/);
    recorder.define({ configuration: { cameras: {} } });
    await page.request.post('/postern/api/recorder/roles');
    await open();
    await page.getByText('Postern doesn’t write roles to the recorder right now.').waitFor();
    await lookAt(page, 'roles, nothing read');
    recorder.define({ configuration: {} });
    await page.request.post('/postern/api/recorder/roles');
    await page.route('**/api/recorder/roles', (route) =>
      route.fulfill({ status: 503, json: { message: 'Gone' } }),
    );
    await page.reload();
    await page.getByRole('alert').getByText('Gone').waitFor();
  });
});
