import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { openTab, type Tab } from '../test/support/browse.ts';

const root = join(import.meta.dirname, '..');
const shownDirectory = join(root, 'docs', 'images');
const otherDirectory = join(root, 'dist', 'screenshots');
mkdirSync(otherDirectory, { recursive: true });

/** The pictures that documents show; the others are for a look at every page. */
const shown = new Set([
  'home',
  'home-phone-dark',
  'watching-dark',
  'access',
  'view-as',
  'why-dark',
  'share',
  'pair',
  'pair-screen',
  'wall',
  'invite',
  'login-dark',
]);

const desktop = { viewport: { width: 1280, height: 800 } };
const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 };
const looks = [
  ['', { ...desktop, colorScheme: 'light' }],
  ['-dark', { ...desktop, colorScheme: 'dark' }],
  ['-phone', { ...phone, colorScheme: 'light' }],
  ['-phone-dark', { ...phone, colorScheme: 'dark' }],
] as const;

/** Milliseconds that a page may take. */
const patience = 20_000;

/** Takes a picture of what the tab's page, or the given one, shows. */
export type Take = (name: string, page?: Tab['page']) => Promise<void>;

/** Visits a site in a new tab for each look: on a desktop and a phone, light and dark. */
export async function inEachLook(
  browser: Browser,
  url: string,
  visit: (tab: Tab, take: Take, look: (typeof looks)[number]) => Promise<void>,
): Promise<void> {
  for (const look of looks) {
    const tab = await openTab(browser, url, look[1]);
    tab.context.setDefaultTimeout(patience);
    await visit(
      tab,
      async (name, page = tab.page) => {
        const file = `${name}${look[0]}`;
        const path = join(shown.has(file) ? shownDirectory : otherDirectory, `ui-${file}.png`);
        await page.screenshot({ path, animations: 'disabled' });
        process.stdout.write(`${path}\n`);
      },
      look,
    );
    await tab.close();
  }
}

/** Gives a tab the session of a user, in place of the one it has. */
export async function useSession(
  { context }: Tab,
  url: string,
  { token = '' }: { readonly token?: string | undefined },
): Promise<void> {
  await context.clearCookies();
  await context.addCookies([{ name: 'session_token', value: token, url }]);
}

/** Does a part. If it fails, the next one is done all the same, and the script ends with 1. */
export async function attempt(name: string, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    process.exitCode = 1;
    process.stderr.write(`no picture of ${name}: ${String(error)}\n`);
  }
}

/** @returns what a camera of the sample shows */
export function samplePicture(camera: string): Buffer {
  return readFileSync(join(root, 'data', 'sample', `${camera}-12.webp`));
}
