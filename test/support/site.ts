import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, test as base, beforeAll, beforeEach, expect } from 'vitest';
import { openTab, sharedChromium, type Tab, type Trouble } from './browse.ts';
import { adminOf, goodPassword, printedPassword, userOf, visitor, type Visitor } from './log-in.ts';
import { recordedEvents } from './recorded-events.ts';
import { startGateway, type RunningGateway } from './start-gateway.ts';
import { startNginxFor } from './start-nginx.ts';

type Front = 'embedded front' | 'nginx';

const desktop = { width: 1280, height: 800 };
const phone = { width: 390, height: 844 };

/** Both fronts, both widths and both colours, without every product of them. */
export const ways = [
  {
    way: 'by the embedded front, on a desktop',
    front: 'embedded front',
    viewport: desktop,
    colorScheme: 'light',
  },
  { way: 'by nginx, on a phone in the dark', front: 'nginx', viewport: phone, colorScheme: 'dark' },
] as const;
export type Way = (typeof ways)[number];

export const looks = [
  { look: 'desktop, light', viewport: desktop, colorScheme: 'light' },
  { look: 'desktop, dark', viewport: desktop, colorScheme: 'dark' },
  { look: 'phone, light', viewport: phone, colorScheme: 'light' },
  { look: 'phone, dark', viewport: phone, colorScheme: 'dark' },
] as const;

/** A gateway behind both fronts, and the accounts of the tests: admin, olaf (viewer) and anna (family). */
export interface Site {
  readonly gateway: RunningGateway;
  /** `https://host:port` of the authenticated entry point. */
  readonly origin: (front: Front) => string;
  /** `http://host:port` of the internal entry point. */
  readonly internalOrigin: (front: Front) => string;
  readonly admin: Visitor;
  readonly adminPassword: string;
  /** Makes a user with a valid password and a session. */
  addUser(name: string, role: string): Promise<Visitor>;
}

interface OpenOptions extends BrowserContextOptions {
  /** Whose session the tab begins with: of an account of the tests, or of a visitor; none by default. */
  readonly as?: 'admin' | 'olaf' | 'anna' | Visitor;
}

/** @param where one of the ways, by its authenticated entry point, or an origin */
type Open = (where: Way | string, options?: OpenOptions) => Promise<Tab>;

let site: Site;
const visitors = new Map<string, Promise<Visitor>>();

/** @returns the site, which is there once the tests begin */
export function startSite(): () => Site {
  const closing: Array<() => Promise<void> | void> = [];
  beforeAll(async () => {
    const events = recordedEvents();
    closing.push(events.remove);
    const gateway = await startGateway({
      config: {
        auth: {
          roles: { family: ['front_door', 'driveway'], quiet: ['attic'] },
          failed_login_rate_limit: null,
        },
        events: { database: events.path },
      },
    });
    closing.push(gateway.close);
    const { authenticated = '', internal = '' } = gateway.addresses;
    const [nginx, admin] = await Promise.all([
      startNginxFor(gateway, { sharedPages: true }),
      adminOf(gateway),
    ]);
    closing.push(nginx.close);
    const addUser = (name: string, role: string) => userOf(admin, authenticated, name, role);
    visitors.set('admin', Promise.resolve(admin));
    visitors.set('olaf', addUser('olaf', 'viewer'));
    visitors.set('anna', addUser('anna', 'family'));
    await Promise.all(visitors.values());
    site = {
      gateway,
      origin: (front) => `https://${front === 'nginx' ? nginx.authenticated : authenticated}`,
      internalOrigin: (front) => `http://${front === 'nginx' ? nginx.internal : internal}`,
      admin,
      adminPassword: printedPassword(gateway),
      addUser,
    };
  });
  afterAll(async () => {
    for (const step of closing.toReversed()) await step();
  });
  return () => site;
}

/** A test that opens tabs. At its end none may have complained in the console or have left its origin. */
export const test = base.extend<{ open: Open }>({
  open: async ({ task }, use) => {
    const tabs: Tab[] = [];
    await use(async (where, options) => {
      const tab = await openAt(where, options);
      tabs.push(tab);
      return tab;
    });
    if (task.result?.state === 'fail') for (const { page } of tabs) await show(page);
    const troubles = tabs.map((tab) => tab.takeTrouble());
    await Promise.all(tabs.map((tab) => tab.close()));
    for (const trouble of troubles) expect(trouble).toEqual(noTrouble);
  },
});

const noTrouble: Trouble = { complaints: [], foreign: [] };

async function openAt(where: Way | string, { as, ...options }: OpenOptions = {}): Promise<Tab> {
  const { origin, look } =
    typeof where === 'string'
      ? { origin: where, look: {} }
      : {
          origin: site.origin(where.front),
          look: { viewport: where.viewport, colorScheme: where.colorScheme },
        };
  const tab = await openTab(await sharedChromium(), origin, { ...look, ...options });
  if (as !== undefined) await giveSession(tab, origin, as);
  return tab;
}

/** Opens one tab for all tests of a suite, which run one after the other; each is held to what `test` holds to. */
export function startTab(where: () => Way | string, options?: OpenOptions): () => Tab {
  let tab: Tab;
  beforeAll(async () => {
    tab = await openAt(where(), options);
  });
  beforeEach(({ onTestFailed }) => onTestFailed(() => show(tab.page)));
  afterEach(async () => {
    await tab.page.unrouteAll();
    expect(tab.takeTrouble()).toEqual(noTrouble);
  });
  afterAll(() => tab?.close());
  return () => tab;
}

async function giveSession(tab: Tab, origin: string, as: string | Visitor): Promise<void> {
  const found = typeof as === 'string' ? await visitors.get(as) : as;
  const value = found?.token;
  if (value === undefined) throw new Error('no session');
  await tab.context.addCookies([
    { name: 'session_token', value, url: origin, httpOnly: true, sameSite: 'Lax' },
  ]);
}

/** @returns a new session of a user */
export async function newSession(
  gateway: RunningGateway,
  user: string,
  password = goodPassword,
): Promise<Visitor> {
  const found = visitor(gateway.addresses.authenticated ?? '');
  const { status, body } = await found.logIn(user, password);
  if (status !== 200) throw new Error(`login of ${user}: ${status} ${body}`);
  return found;
}

/** What a failed test saw last. */
async function show(page: Page): Promise<void> {
  const seen = await page
    .locator('body')
    .ariaSnapshot({ timeout: 1_000 })
    .catch(() => '');
  process.stderr.write(`${page.url()}\n${seen}\n`);
}

/** Goes from one of the settings to another: by its link, or on a phone by the choice. */
export async function goToSettings(page: Page, name: string): Promise<void> {
  const choice = page.getByRole('combobox', { name: 'Settings' });
  const link = page.getByRole('navigation', { name: 'Settings' }).getByRole('link', { name });
  await choice.or(link).filter({ visible: true }).waitFor();
  if (await choice.isVisible()) await choice.selectOption(name);
  else await link.click();
}

export const accountMenu = (page: Page) => page.locator('details.account summary');
/** Explore looks for newer events at once, as when the browser is back online. */
export async function askForNews(page: Page): Promise<void> {
  await page.evaluate("dispatchEvent(new Event('online'))");
}

/** As when the user goes to another tab, and comes back. */
export async function leaveAndReturn(page: Page): Promise<void> {
  for (const state of ['hidden', 'visible']) {
    await page.evaluate(`
      Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
      document.dispatchEvent(new Event('visibilitychange'));
      new Promise((rendered) => requestAnimationFrame(() => setTimeout(rendered)));`);
  }
}

export const eventsOf = (page: Page) =>
  page.getByRole('list', { name: 'Events', exact: true }).locator('> li');
export const pathOf = (page: Page) => page.url().slice(new URL(page.url()).origin.length);
