import { existsSync } from 'node:fs';
import {
  chromium,
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  type Page,
} from 'playwright-core';
import { patience } from './patience.ts';

/** Debian's Chromium: the headless shell, which does half the work, or else the whole one. */
const executablePath = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) =>
  existsSync(file),
);

let running: Promise<Browser> | undefined;

/** One browser for all tests of a process, which ends with it; each tab has a profile of its own. */
export function sharedChromium(): Promise<Browser> {
  running ??= startChromium().then((browser) =>
    browser.on('disconnected', () => {
      running = undefined;
    }),
  );
  return running;
}

export function startChromium(): Promise<Browser> {
  return chromium.launch({
    ...(executablePath === undefined ? {} : { executablePath }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
      '--no-first-run',
    ],
  });
}

export interface Trouble {
  /** Messages at level error and warning, but for those that the test expects. */
  readonly complaints: readonly string[];
  /** Requests that left the origin. */
  readonly foreign: readonly string[];
}

/** One browser profile, and what its pages did wrong. */
export interface Tab {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Returns what went wrong since the last call, and clears it with what was expected. */
  takeTrouble(): Trouble;
  /** Chromium writes every answer past 399 to its console: the statuses that a test is about. */
  expectInConsole(...patterns: RegExp[]): void;
  /** Other origins that the test sends the browser to. */
  mayVisit(...origins: string[]): void;
  close(): Promise<void>;
}

/** @param origin `https://host:port` */
export async function openTab(
  browser: Browser,
  origin: string,
  options: BrowserContextOptions = {},
): Promise<Tab> {
  const context = await browser.newContext({
    baseURL: origin,
    ignoreHTTPSErrors: true,
    locale: 'en-GB',
    timezoneId: 'Europe/Berlin',
    ...options,
  });
  context.setDefaultTimeout(patience);
  const complaints: string[] = [];
  const requested: string[] = [];
  const expected: RegExp[] = [];
  const visited: string[] = [];
  context.on('request', (request) => requested.push(request.url()));
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') {
      complaints.push(`${message.text()} ${message.location().url}`);
    }
  });
  return {
    page,
    context,
    takeTrouble: () => {
      const patterns = expected.splice(0);
      const own = [origin, ...visited.splice(0)];
      const isForeign = (url: string) =>
        !url.startsWith('data:') && !own.some((known) => url.replace(/^blob:/, '').startsWith(`${known}/`));
      return {
        complaints: complaints.splice(0).filter((text) => !patterns.some((pattern) => pattern.test(text))),
        foreign: requested.splice(0).filter(isForeign),
      };
    },
    expectInConsole: (...patterns) => void expected.push(...patterns),
    mayVisit: (...origins) => void visited.push(...origins),
    close: () => context.close(),
  };
}

/** Removes the session from the browser. Leaves the page first, which would otherwise go to the login by itself. */
export async function leaveSession(page: Page): Promise<void> {
  await page.goto('about:blank');
  await page.context().clearCookies();
}

/** Fills the login form and sends it. */
export async function sendLogin(page: Page, user: string, password: string): Promise<void> {
  await page.getByLabel('User name').fill(user);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in', exact: true }).click();
}

export async function logInBy(page: Page, user: string, password: string): Promise<void> {
  await sendLogin(page, user, password);
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
}

/** The cookies of a browser, without the one by which it is known again. */
export async function cookiesBut(context: BrowserContext, name: string) {
  return (await context.cookies()).filter((cookie) => cookie.name !== name);
}
