import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { encode } from 'uqr';
import { afterAll, beforeAll, expect } from 'vitest';
import { leaveSession, logInBy, sendLogin } from '../support/browse.ts';
import { adminOf, goodPassword, printedPassword, userOf, visitor } from '../support/log-in.ts';
import { lookAt } from '../support/look-at.ts';
import { looks, pathOf, test } from '../support/site.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startRecorder, type Recorder } from '../support/start-recorder.ts';

let gateway: RunningGateway;
let recorder: Recorder;
let everyonesPort: Server;
beforeAll(async () => {
  gateway = await startGateway({ sample: true });
  recorder = await startRecorder(['back_yard', 'front_door'], {});
  everyonesPort = createServer((request, response) => void answerEveryone(request, response));
  everyonesPort.listen(0, '127.0.0.1');
  await once(everyonesPort, 'listening');
});
afterAll(async () => {
  await gateway.close();
  everyonesPort.close();
  await recorder.close();
});

/** The recorder on the port where it takes everyone for an admin. */
async function answerEveryone({ url }: IncomingMessage, response: ServerResponse): Promise<void> {
  const everyone = { username: 'anonymous', role: 'admin', allowed_cameras: [] };
  response.end(
    url === '/api/profile'
      ? JSON.stringify(everyone)
      : await (await fetch(`http://${recorder.address}${url}`)).text(),
  );
}

const briefly = [looks[0], looks[3]];

/** The modules of a QR code, as the page draws them. */
function codeOf(value: string): string {
  const { data } = encode(value, { ecc: 'M', border: 4 });
  return data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : []))).join('');
}

test('the first login of a new gate leads through its steps, and the next one does not', async ({ open }) => {
  const { page } = await open(`https://${gateway.addresses.authenticated}`);
  const step = (name: string) => page.getByRole('navigation', { name: /^Step/ }).getByRole('link', { name });
  await page.goto('/login');
  await sendLogin(page, 'admin', printedPassword(gateway));
  await page.waitForURL('/postern/first-run');
  await page.getByRole('heading', { name: 'Choose your password' }).waitFor();
  await lookAt(page, 'the password', briefly);
  await page.getByLabel('Old password').fill(printedPassword(gateway));
  await page.getByLabel('New password').fill(goodPassword);
  await page.getByLabel('Repeat the password').fill(goodPassword);
  await page.getByRole('button', { name: 'Save password' }).click();

  await page.getByRole('heading', { name: 'Connect your recorder' }).waitFor();
  await step('Password (done)').waitFor();
  await page.getByRole('button', { name: 'Skip' }).click();
  await page.getByRole('heading', { name: 'Name your house' }).waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('step');
  await page.goBack();
  const connect = async (to: string) => {
    await page.getByLabel('Address').fill(to);
    await page.getByRole('button', { name: 'Connect' }).click();
  };
  await connect('127.0.0.1:9');
  await page.getByText('Nothing answers there.').waitFor();
  await connect(`http://${gateway.addresses.authenticated}`);
  await page.getByText('This port speaks TLS.').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.name')).toBe('address');
  await lookAt(page, 'a port that speaks TLS', briefly);
  await connect(`127.0.0.1:${(everyonesPort.address() as AddressInfo).port}`);
  await page.getByText('It answers, but lets everyone in.').waitFor();
  await page.getByRole('button', { name: 'Use port 8971' }).waitFor();
  await page.getByRole('button', { name: 'Use it anyway' }).waitFor();
  await lookAt(page, 'a port that lets everyone in', briefly);
  // What is typed again is asked about again.
  await page.getByLabel('Address').fill('');
  await connect(recorder.address);
  await page.getByText('Connected. Here are your cameras.').waitFor();
  await step('Recorder (done)').waitFor();
  await lookAt(page, 'a recorder that is connected', briefly);
  await page.getByRole('button', { name: 'Continue' }).click();

  await page.getByLabel('Name of the house').fill('Willow Lane');
  await page.getByLabel('Harbour').focus();
  await page.keyboard.press('Space');
  await lookAt(page, 'the face of the house', briefly);
  await page.getByRole('button', { name: 'Save and continue' }).click();
  await page.getByRole('heading', { name: 'Willow Lane is ready' }).waitFor();
  await page.getByText('2 cameras are live.').waitFor();
  await step('Your house (done)').waitFor();
  await step('Ready (done)').waitFor();
  await expect.poll(() => page.getByRole('link', { name: 'Put it on a screen' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Put it on your phone' }).click();
  const phone = page.getByRole('dialog', { name: 'Put it on your phone' });
  const code = phone.getByRole('img', { name: 'QR code of Home' });
  await phone.getByText(/^Your phone can’t open 127\.0\.0\.1/).waitFor();
  await lookAt(page, 'an address that no phone can open', briefly);
  expect(await code.count()).toBe(0);
  await page.keyboard.press('Escape');
  await page.route('**/postern/api/settings/public_url', (route) =>
    route.fulfill({ json: { value: 'https://cameras.example.org', writable: true } }),
  );
  await page.getByRole('button', { name: 'Put it on your phone' }).click();
  await code.waitFor();
  await lookAt(page, 'a code for the phone', briefly);
  expect(await code.locator('path').getAttribute('d')).toBe(codeOf('https://cameras.example.org/postern/'));
  await page.keyboard.press('Escape');
  await lookAt(page, 'the last step', briefly);
  await page.getByRole('button', { name: 'Invite your family' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('vera');
  await dialog.getByRole('checkbox', { name: 'Front door' }).check({ force: true });
  await dialog.getByRole('button', { name: 'Create invitation' }).click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  await page.getByRole('button', { name: 'Invite someone else' }).waitFor();
  await page.getByRole('link', { name: 'Go to Home' }).click();
  await page.waitForURL('/postern/');

  await leaveSession(page);
  await page.goto('/login?next=/postern/');
  await logInBy(page, 'admin', goodPassword);
  expect(pathOf(page)).toBe('/postern/');
});

test('only admins see the setup', async ({ open }) => {
  const address = gateway.addresses.authenticated ?? '';
  const admin = visitor(address);
  await admin.logIn('admin', goodPassword);
  const { page } = await open(`https://${address}`, { as: await userOf(admin, address, 'olaf', 'viewer') });
  await page.goto('/postern/first-run');
  await page.getByText('Only admins set up Postern').waitFor();
});

test('no phone is led to the internal entry point, where everyone is an admin', async ({ open }) => {
  const { page } = await open(`http://${gateway.addresses.internal}`);
  await page.goto('/postern/first-run?step=check');
  await page.getByRole('link', { name: 'Put it on a screen' }).waitFor();
  expect(await page.getByRole('button', { name: 'Put it on your phone' }).count()).toBe(0);
});

test('the matrix of access shows the pictures of the sample', async ({ open }) => {
  await using sample = new AsyncDisposableStack();
  const fresh = sample.adopt(await startGateway({ sample: true }), (started) => started.close());
  const { page } = await open(`https://${fresh.addresses.authenticated}`, { as: await adminOf(fresh) });
  await page.goto('/postern/settings/access');
  await page.getByRole('button', { name: 'Add role' }).waitFor();
  await page.locator('.matrix-picture > img').nth(4).waitFor();
  await page.goto('about:blank');
});

test('the check of itself is not all well while Home shows a problem', async ({ open }) => {
  await using fresh = new AsyncDisposableStack();
  const unchanged = fresh.adopt(await startGateway({ sample: true }), (started) => started.close());
  const { page } = await open(`https://${unchanged.addresses.authenticated}`, {
    as: await adminOf(unchanged),
  });
  await page.goto('/postern/');
  const problem = page.getByText('You’re still using the generated password.');
  await problem.waitFor();
  await page.goto('/postern/first-run?step=check');
  await page.getByRole('heading', { name: 'Postern is almost ready' }).waitFor();
  await page.getByText('One thing needs attention').waitFor();
  await problem.waitFor();
  await page.goto('about:blank');
});
