import type { Browser } from 'playwright-core';
import { adminOf, userOf } from '../test/support/log-in.ts';
import { recordedEvent } from '../test/support/recorded-event.ts';
import { startEventRecorder } from '../test/support/start-event-recorder.ts';
import { startGateway } from '../test/support/start-gateway.ts';
import { recorderFile } from '../test/unit/events/recorder-file.ts';
import { inEachLook, samplePicture, useSession } from './pictures.ts';

/** Pictures of how users share things, and of what the links show. */
export async function takeShares(browser: Browser): Promise<void> {
  const file = recorderFile();
  const started = Math.floor(Date.now() / 1000) - 7_200;
  const times = { start_time: started, end_time: started + 24 };
  const recorder = await startEventRecorder(
    [recordedEvent({ id: 'car-1', label: 'car', camera: 'driveway', ...times })],
    file,
  );
  recorder.have(/\/(?:latest|snapshot)\.jpg$/, samplePicture('driveway'));
  recorder.have(/^\/api\/exports$/, []);
  const gateway = await startGateway({
    config: {
      public_url: 'https://cameras.example.org',
      upstream: recorder.url,
      events: { database: file.path },
      auth: { roles: { family: ['driveway'] } },
    },
  });
  const address = gateway.addresses.authenticated ?? '';
  const admin = await adminOf(gateway);
  const olaf = await userOf(admin, address, 'olaf', 'viewer');
  const links: string[] = [];
  for (const wanted of [
    { kind: 'event', id: 'car-1', label: 'For the police' },
    { kind: 'event', id: 'car-1', password: 'open sesame' },
    { kind: 'camera', camera: 'driveway', label: 'While we are away' },
  ]) {
    const { body } = await olaf.send('POST', '/postern/api/shares', { ...wanted, expires_in: 604_800 });
    const { pathname, hash } = new URL((JSON.parse(body) as { url: string }).url);
    links.push(pathname + hash);
  }
  const [ofEvent = '', locked = '', ofCamera = ''] = links;
  const url = `https://${address}`;
  await inEachLook(browser, url, async (tab, take) => {
    const { page } = tab;
    for (const [name, path, ready] of [
      ['share-event', ofEvent, 'You can watch it until'],
      ['share-locked', locked, 'It has a password'],
      ['share-camera', ofCamera, 'A new picture each second'],
      ['share-over', '/postern/share/none#none', 'This link no longer works'],
      ['share-incomplete', '/postern/share/none', 'This link isn’t complete'],
    ] as const) {
      await page.goto('about:blank');
      await page.goto(path);
      await page.getByText(ready).waitFor();
      await page.waitForLoadState('networkidle').catch(() => undefined);
      await take(name);
    }

    await useSession(tab, url, olaf);
    await page.goto('/postern/events/car-1');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByLabel('Title').waitFor();
    await take('share-an-event');
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByLabel('Link', { exact: true }).waitFor();
    await take('share-link');
    await page.getByRole('button', { name: 'Done' }).click();
    await page.goto('/postern/cameras/driveway');
    await page.getByRole('button', { name: 'Share this camera' }).click();
    await page.getByLabel('What is shown').selectOption('A period of time');
    await take('share-a-camera');
    await page.goto('/postern/account/shares');
    await page.getByText('While we are away').waitFor();
    await take('own-shares');
    await page.getByRole('button', { name: 'Share an export' }).click();
    await page.getByText('The recorder has no exports').waitFor();
    await take('no-exports');
    await useSession(tab, url, admin);
    await page.goto('/postern/settings/shares');
    await page.getByText('While we are away').waitFor();
    await take('shares');
    await page
      .getByRole('button', { name: /^End now/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await take('end-share');
  });
  await gateway.close();
  await recorder.close();
  file.remove();
}
