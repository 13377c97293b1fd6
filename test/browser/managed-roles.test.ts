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

describe.each([looks[0], looks[3]])('Settings > Roles before a recorder, $look', ({ look, ...options }) => {
  const tab = startTab(() => `http://${gateway.addresses.internal}`, options);
  const role = `guests_${look.slice(0, 5)}`;
  const theirs = `theirs_${look.slice(0, 5)}`;
  const rowOf = (name: string) => {
    const { page } = tab();
    return page.locator('.rows > li').filter({ has: page.getByText(name, { exact: true }) });
  };
  const stateOf = (name: string) => rowOf(name).locator('.role-lists');
  const open = async () => {
    await tab().page.goto('/postern/settings/roles');
    await rowOf('family').waitFor();
  };

  test('shows that the recorder agrees, and which camera it does not have', async () => {
    await open();
    expect(await stateOf('family').textContent()).toBe('The recorder agrees It knows no attic.');
    expect(await stateOf('admin').count()).toBe(0);
    await lookAt(tab().page, 'roles, agreed');
  });

  test('an added role reaches the recorder, and the page shows it by itself', async () => {
    const { page } = tab();
    await open();
    await page.getByRole('button', { name: 'Add role' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill(role);
    await dialog.getByRole('switch', { name: 'garage' }).check();
    await dialog.getByRole('button', { name: 'Add role' }).click();
    await stateOf(role).getByText('The recorder agrees').waitFor();
    expect(recorder.known().roles[role]).toEqual(['garage']);
    await page.getByRole('status').getByText('The recorder agrees to every role.').waitFor();
  });

  test('a change that the recorder refuses shows its message, and a button tries again', async () => {
    const { page } = tab();
    await open();
    recorder.define({ isReadOnly: true });
    await page.getByRole('button', { name: `Edit ${role}` }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('switch', { name: 'yard' }).check();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await stateOf(role).getByText('It says: 500: Error updating config').waitFor();
    expect(await stateOf(role).textContent()).toMatch(/^Lists closed The recorder refused the change\./);
    await page.getByRole('status').getByText(`Lists are closed to ${role}.`).waitFor();
    await lookAt(page, 'roles, refused');
    const again = page.getByRole('button', { name: `Try again: ${role}` });
    await again.focus();
    // The answer comes when the words have been seen that stand until then.
    const seen = Promise.withResolvers<void>();
    await page.route('**/postern/api/recorder/roles', async (route) => {
      await seen.promise;
      await route.continue();
    });
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('is being asked').waitFor();
    seen.resolve();
    await page.getByRole('status').getByText(`Lists are closed to ${role}.`).waitFor();
    await page.unroute('**/postern/api/recorder/roles');
    recorder.define({ isReadOnly: false });
    await page.keyboard.press('Enter');
    await stateOf(role).getByText('The recorder agrees').waitFor();
    expect(recorder.known().roles[role]).toEqual(['garage', 'yard']);
    // The button is gone; the keyboard goes on from the heading.
    await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Roles');
  });

  test('a role that only the recorder has is taken over by a press', async () => {
    const { page } = tab();
    recorder.define({ roles: { ...recorder.known().roles, [theirs]: ['yard'] } });
    await page.request.post('/postern/api/recorder/roles');
    await open();
    const list = page.getByRole('list', { name: 'Only at the recorder' });
    expect(await list.locator('> li').allTextContents()).toEqual([`${theirs}yardTake over`]);
    await lookAt(page, 'roles, one at the recorder alone');
    await page.getByRole('button', { name: `Take over ${theirs}` }).press('Enter');
    await stateOf(theirs).getByText('The recorder agrees').waitFor();
    await list.waitFor({ state: 'detached' });
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
      await open();
      await page.getByRole('button', { name: `Delete ${name}` }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('The recorder loses the role too.').waitFor();
      await dialog.getByRole('button', { name: 'Delete role' }).click();
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
    await page.getByText('Roles are not written to the recorder now.').waitFor();
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
