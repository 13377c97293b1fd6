import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { chromium, type BrowserContext, type Page } from 'playwright-core';

/** A browser with a profile on disk, which may end as it does in a power cut. */
export interface OwnBrowser {
  readonly page: Page;
  readonly context: BrowserContext;
  /** Closes it; what it remembers is on its disk. */
  close(): Promise<void>;
  /** What it has not written in the last half minute is lost. */
  cutPower(): Promise<void>;
}

const executable = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find((file) => existsSync(file));

/** @param profile a directory, which Chromium creates */
export async function startWithProfile(profile: string): Promise<OwnBrowser> {
  const browserProcess = spawn(
    executable ?? chromium.executablePath(),
    [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--no-first-run',
      '--disable-background-networking',
      '--ignore-certificate-errors',
      '--remote-debugging-port=0',
      `--user-data-dir=${profile}`,
      'about:blank',
    ],
    // The program is a script in some systems: it and all that it starts is one group.
    { stdio: ['ignore', 'ignore', 'pipe'], detached: true },
  );
  const ended = once(browserProcess, 'exit');
  let address: string | undefined;
  for await (const line of createInterface({ input: browserProcess.stderr })) {
    address = /^DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address !== undefined) break;
  }
  browserProcess.stderr.resume();
  if (address === undefined) throw new Error('Chromium did not start');
  const browser = await chromium.connectOverCDP(address);
  const [context = await browser.newContext()] = browser.contexts();
  const [page = await context.newPage()] = context.pages();
  return {
    page,
    context,
    close: async () => {
      const session = await browser.newBrowserCDPSession();
      await session.send('Browser.close').catch(() => undefined);
      await ended;
    },
    cutPower: async () => {
      if (browserProcess.exitCode === null && browserProcess.signalCode === null)
        process.kill(-(browserProcess.pid ?? 0), 'SIGKILL');
      await ended;
    },
  };
}
