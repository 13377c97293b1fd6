import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { openTab } from '../test/support/browse.ts';
import { adminOf, userOf } from '../test/support/log-in.ts';
import { recordedEvent } from '../test/support/recorded-event.ts';
import { startEventRecorder } from '../test/support/start-event-recorder.ts';
import { startGateway } from '../test/support/start-gateway.ts';
import { recorderFile } from '../test/unit/events/recorder-file.ts';
import { cameraPictures } from './camera-pictures.ts';

/** Pictures of how things are shared, and of what somebody sees who was sent a link. */
export async function takeShares(
  browser: Browser,
  looks: ReadonlyArray<readonly [string, BrowserContextOptions]>,
  take: (page: Page, name: string) => Promise<void>,
): Promise<void> {
  const file = recorderFile();
  const started = Math.floor(Date.now() / 1000) - 7_200;
  const times = { start_time: started, end_time: started + 24 };
  const recorder = await startEventRecorder(
    [recordedEvent({ id: 'car-1', label: 'car', camera: 'driveway', ...times })],
    file,
  );
  const [picture = Buffer.alloc(0)] = (await cameraPictures(browser, ['driveway'])).values();
  recorder.have(/\/(?:latest|snapshot)\.jpg$/, picture);
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
  for (const [look, options] of looks) {
    const url = `https://${address}`;
    const visit = await openTab(browser, url, options);
    for (const [name, path, ready] of [
      ['share-event', ofEvent, 'The link works until'],
      ['share-locked', locked, 'This link has a password'],
      ['share-camera', ofCamera, 'A new picture each second'],
      ['share-over', '/postern/share/none#none', 'This link has ended'],
      ['share-incomplete', '/postern/share/none', 'This link is not complete'],
    ] as const) {
      await visit.page.goto('about:blank');
      await visit.page.goto(path);
      await visit.page.getByText(ready).waitFor();
      await visit.page.waitForLoadState('networkidle').catch(() => undefined);
      await take(visit.page, name + look);
    }
    await visit.close();

    const { page, context, close } = await openTab(browser, url, options);
    await context.addCookies([{ name: 'session_token', value: olaf.token ?? '', url }]);
    await page.goto('/postern/events/car-1');
    await page.getByRole('button', { name: 'Share', exact: true }).click();
    await page.getByLabel('Title').waitFor();
    await take(page, `share-an-event${look}`);
    await page.getByRole('button', { name: 'Make the link' }).click();
    await page.getByLabel('Link', { exact: true }).waitFor();
    await take(page, `share-link${look}`);
    await page.getByRole('button', { name: 'Done' }).click();
    await page.goto('/postern/live/driveway');
    await page.getByRole('button', { name: 'Share this camera' }).click();
    await page.getByLabel('What is shown').selectOption('A period of time');
    await take(page, `share-a-camera${look}`);
    await page.goto('/postern/account/shares');
    await page.getByText('While we are away').waitFor();
    await take(page, `own-shares${look}`);
    await page.getByRole('button', { name: 'Share an export' }).click();
    await page.getByText('The recorder has no exports').waitFor();
    await take(page, `no-exports${look}`);
    await context.clearCookies();
    await context.addCookies([{ name: 'session_token', value: admin.token ?? '', url }]);
    await page.goto('/postern/settings/shares');
    await page.getByText('While we are away').waitFor();
    await take(page, `shares${look}`);
    await page
      .getByRole('button', { name: /^End now/ })
      .first()
      .click();
    await page.getByRole('dialog').waitFor();
    await take(page, `end-share${look}`);
    await close();
  }
  await gateway.close();
  await recorder.close();
  file.remove();
}
