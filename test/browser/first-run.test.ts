import { afterAll, beforeAll, expect } from 'vitest';
import { leaveSession, logInBy, sendLogin } from '../support/browse.ts';
import { goodPassword, printedPassword } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, pathOf, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';

let gateway: RunningGateway;
let recorder: Recorder;
beforeAll(async () => {
  gateway = await startGateway();
  recorder = await startRecorder(['back_yard', 'front_door'], {});
});
afterAll(async () => {
  await gateway.close();
  await recorder.close();
});

const briefly = [looks[0], looks[3]];

test('the first login of a new gate leads through its steps, and the next one does not', async ({ open }) => {
  const { page } = await open(`https://${gateway.addresses.authenticated}`);
  const step = (name: string) => page.getByRole('navigation', { name: 'Steps' }).getByRole('link', { name });
  await page.goto('/login');
  await sendLogin(page, 'admin', printedPassword(gateway));
  await page.waitForURL('/postern/first-run');
  await step('Change the password').waitFor();
  await lookAt(page, 'the password', briefly);
  await page.getByLabel('Old password').fill(printedPassword(gateway));
  await page.getByLabel('New password').fill(goodPassword);
  await page.getByLabel('Repeat the password').fill(goodPassword);
  await page.getByRole('button', { name: 'Change the password' }).click();

  await page.getByRole('heading', { name: 'Connect the recorder' }).waitFor();
  await step('Change the password (done)').waitFor();
  await page.getByRole('button', { name: 'I only use the sample for now' }).click();
  await page.getByRole('heading', { name: 'Add a person' }).waitFor();
  expect(await page.evaluate('document.activeElement.id')).toBe('step');
  await page.goBack();
  await page.getByLabel('Address of the recorder').fill('127.0.0.1:9');
  await page.getByRole('button', { name: 'Ask it' }).click();
  await page.getByText('Nothing answers there.').waitFor();
  await page.getByLabel('Address of the recorder').fill(gateway.addresses.authenticated ?? '');
  await page.getByRole('button', { name: 'Ask it' }).click();
  await page.getByText('This port speaks TLS.').waitFor();
  await lookAt(page, 'a port that speaks TLS', briefly);
  await page.getByLabel('Address of the recorder').fill(recorder.address);
  await page.getByRole('button', { name: 'Ask it' }).click();
  await page.getByText('A recorder 0.17.2-test with 2 cameras:').waitFor();
  await lookAt(page, 'a recorder that was found', briefly);
  await page.getByRole('button', { name: 'Connect it' }).click();
  await page.getByText('It answers, with 2 cameras.').waitFor();
  await step('Connect the recorder (done)').waitFor();
  await page.getByRole('button', { name: 'Next' }).click();

  await page.getByRole('button', { name: 'Add user' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('User name').fill('vera');
  await dialog.getByLabel('Password', { exact: true }).fill(goodPassword);
  await dialog.getByLabel('Repeat the password').fill(goodPassword);
  await dialog.getByRole('button', { name: 'Add user' }).click();

  expect(await page.getByLabel('postern doctor').inputValue()).toMatch(
    /^script\/postern doctor --url https:/,
  );
  await step('Check it (done)').waitFor();
  await page.getByText('Everything is set up.').waitFor();
  await lookAt(page, 'the checks', briefly);

  await leaveSession(page);
  await page.goto('/login?next=/postern/');
  await logInBy(page, 'admin', goodPassword);
  expect(pathOf(page)).toBe('/postern/');
  await leaveSession(page);
  await page.goto('/login?next=/postern/first-run');
  await logInBy(page, 'vera', goodPassword);
  await page.getByText('The first run is for admins').waitFor();
});
