import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { patience } from '../support/patience.ts';
import { looks, startTab } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';

let recorder: Recorder;
let gateway: RunningGateway;
let admin: Visitor;

const read = async (path: string) =>
  JSON.parse((await admin.send('GET', `/postern/api/${path}`)).body) as unknown;

const until = (check: () => Promise<unknown>) => vi.waitFor(check, { timeout: patience });

/** The recorder restarts without the porch and with two other cameras, one of the same name in part. */
beforeAll(async () => {
  const roles = { family: ['porch', 'yard'] };
  recorder = await startRecorder(['porch', 'yard'], roles);
  gateway = await startGateway({ config: { auth: { roles }, upstream: `http://${recorder.address}` } });
  admin = await adminOf(gateway);
  await userOf(admin, gateway.addresses.authenticated ?? '', 'olaf', 'family');
  await until(async () => expect(await read('cameras')).toEqual(['porch', 'yard']));
  await recorder.close();
  await admin.send('GET', '/api/version');
  recorder = await startRecorder(
    ['front_porch', 'yard', 'shed'],
    roles,
    Number(recorder.address.split(':')[1]),
  );
  await until(async () => expect(await read('lost-cameras')).toMatchObject({ lost: [{ camera: 'porch' }] }));
});
afterAll(async () => {
  await gateway?.close();
  await recorder?.close();
});

describe('a camera that the recorder renamed', () => {
  const tab = startTab(() => `https://${gateway.addresses.authenticated}`);

  test('is named at Home, and one press moves everything to its new name', async () => {
    const { page, context } = tab();
    const url = `https://${gateway.addresses.authenticated}`;
    await context.addCookies([{ name: 'session_token', value: admin.token ?? '', url, httpOnly: true }]);
    await page.goto('/postern/');
    await page
      .getByText('Frigate no longer has Porch. Affected: olaf. It’s probably called Front porch now.')
      .waitFor();
    await page.getByRole('button', { name: 'Move to its new name' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'New name of Porch' });
    await dialog.getByText('People: olaf').waitFor();
    await dialog.getByText('Roles: family').waitFor();
    expect(await dialog.getByLabel('Its name in Frigate now').inputValue()).toBe('front_porch');
    await lookAt(page, 'a renamed camera', [looks[0], looks[3]]);
    await dialog.getByRole('button', { name: 'Move', exact: true }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByText('Porch is called Front porch now').waitFor();
    await page.getByText('Frigate no longer has').waitFor({ state: 'detached' });
    expect(readFileSync(join(gateway.directory, 'config.yml'), 'utf8')).toContain('- front_porch');
    expect(await read('lost-cameras')).toMatchObject({ lost: [] });
  });
});
