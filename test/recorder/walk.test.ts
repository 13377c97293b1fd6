import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { sharedChromium } from '../support/browse.ts';
import { adminOf, userOf, type Visitor } from '../support/log-in.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';
import { patience } from '../support/patience.ts';

/*
 * A walk through the own UI of a recorder that runs, behind the gate, as each role:
 *
 *   RECORDER=http://127.0.0.1:8971 RECORDER_DATABASE=/config/frigate.db script/test test/recorder
 *
 * RECORDER is the port where it believes the identity headers, for several releases one address each, with commas between.
 * RECORDER_DATABASE has their databases in the same order. The recorder needs a custom role in its `auth.roles`. Nothing is changed in it.
 */

const addresses = listed(process.env['RECORDER']);
const databases = listed(process.env['RECORDER_DATABASE']);
const recorders = addresses.map((address, i) => ({ address, database: databases[i] }));

/** A custom role that the recorder does not have. */
const unknownRole = 'postern_walker';

const pages = [
  '/',
  '/#birdseye',
  '/review',
  '/review?severity=detection',
  '/review?severity=significant_motion',
  '/explore',
  '/explore?labels=person',
  '/export',
  '/settings',
  '/settings?page=notifications',
  '/unauthorized',
] as const;
/** The recorder's UI refuses them to everyone else by itself. */
const pagesOfAdmins = [
  '/system',
  '/config',
  '/logs',
  '/faces',
  '/classification',
  '/settings?page=users',
] as const;

/** Lists that no query narrows: closed to a role that the recorder does not have. */
const unnarrowedLists =
  /^\/api\/(?:events\/(?:explore|summary)|exports|jobs\/export|labels|preview\/all\/.*|recognized_license_plates|sub_labels|timeline)$/;

interface Seen {
  /** Errors of the page. */
  readonly errors: readonly string[];
  /** Requests that the gate refused: method and path. */
  readonly refused: readonly string[];
  readonly isEmpty: boolean;
  readonly path: string;
}

describe.skipIf(addresses.length > 0)('without RECORDER=<address>', () => {
  test.skip('the walk through the UI of a recorder that runs', () => undefined);
});

// Only against endless waits: each page waits for its parts.
const timeout = 900_000;

describe.each(recorders)('the UI of the recorder at $address', ({ address, database }) => {
  let gateway: RunningGateway;
  let nginx: RunningNginx;
  let role: string;
  const users = new Map<string, Visitor>();

  beforeAll(async () => {
    const [name, cameras] = await customRoleOf(address);
    role = name;
    gateway = await startGateway({
      config: {
        upstream: address,
        ...(database === undefined ? {} : { events: { database } }),
        auth: { roles: { [name]: cameras, [unknownRole]: cameras }, failed_login_rate_limit: null },
      },
    });
    const admin = await adminOf(gateway);
    nginx = await startNginxFor(gateway, { main: 'recorder.conf', recorder: new URL(address).host });
    users.set('admin', admin);
    for (const [kind, of] of [
      ['viewer', 'viewer'],
      ['custom', name],
      ['unknown', unknownRole],
    ] as const)
      users.set(kind, await userOf(admin, gateway.addresses.authenticated ?? '', kind, of));
    // The lists of a role are open once the recorder has answered.
    await vi.waitUntil(() => gateway.log.some(({ roles }) => Array.isArray(roles) && roles.includes(role)), {
      timeout: patience,
    });
  });
  afterAll(async () => {
    await nginx?.close();
    await gateway?.close();
  });

  const origins = {
    'the embedded front': () => `https://${gateway.addresses.authenticated}`,
    nginx: () => `https://${nginx.authenticated}`,
  } as const;

  describe.each(Object.entries(origins))('through %s', (_, origin) => {
    test.each(['admin', 'viewer', 'custom', 'unknown'])(
      'has no broken page for %s',
      { timeout },
      async (kind) => {
        const context = await (
          await sharedChromium()
        ).newContext({ ignoreHTTPSErrors: true, baseURL: origin(), locale: 'en-US' });
        try {
          const value = users.get(kind)?.token ?? '';
          await context.addCookies([{ name: 'session_token', value, url: origin() }]);
          const page = await context.newPage();
          const isAdmin = kind === 'admin';
          for (const path of [...pages, ...pagesOfAdmins]) {
            const seen = await visit(page, path);
            expect(seen, path).toMatchObject({ errors: [], isEmpty: false });
            const isRefusedByUi = path === '/unauthorized' || (!isAdmin && isOfAdmins(path));
            if (!isRefusedByUi) expect(seen.path, path).not.toBe('/unauthorized');
            const others = seen.refused.filter((uri) => kind !== 'unknown' || !unnarrowedLists.test(uri));
            expect(others, path).toEqual([]);
          }
        } finally {
          await context.close();
        }
      },
    );
  });
});

/** Opens a page, and waits until it is complete. */
async function visit(page: Page, path: string): Promise<Seen> {
  const errors: string[] = [];
  const refused: string[] = [];
  const onError = (error: Error) => void errors.push(String(error));
  const onResponse = (response: { status(): number; url(): string }) => {
    if (response.status() === 401 || response.status() === 403)
      refused.push(new URL(response.url()).pathname);
  };
  page.on('pageerror', onError);
  page.on('response', onResponse);
  const answered = (name: string) =>
    page.waitForResponse((response) => new URL(response.url()).pathname === name, { timeout: patience });
  // The UI takes cameras of the one from the other, and is empty when one is missing there.
  const made = Promise.all([answered('/api/config'), answered('/api/stats')]);
  await page.goto(path, { waitUntil: 'load' });
  // Another fragment alone loads nothing.
  if (path.includes('#')) await page.reload({ waitUntil: 'load' });
  await made;
  await page
    .waitForFunction(() => document.body.innerText.trim() !== '', undefined, { timeout: patience })
    .catch(
      // The page's own error is more useful.
      () => undefined,
    );
  // Streams and pictures never end: the first requests are enough.
  await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => undefined);
  const isEmpty = await page.evaluate(
    () =>
      (document.getElementById('root')?.childElementCount ?? 0) === 0 ||
      document.body.innerText.trim() === '',
  );
  page.off('pageerror', onError);
  page.off('response', onResponse);
  return { errors, refused, isEmpty, path: new URL(page.url()).pathname };
}

async function customRoleOf(address: string): Promise<readonly [name: string, cameras: readonly string[]]> {
  const answer = await fetch(`${address}/api/config`, {
    headers: { 'remote-user': 'postern', 'remote-role': 'admin' },
  });
  const { auth } = (await answer.json()) as {
    readonly auth: { readonly roles: Readonly<Record<string, readonly string[]>> };
  };
  const found = Object.entries(auth.roles).find(([name]) => name !== 'admin' && name !== 'viewer');
  if (found === undefined) throw new Error(`the recorder at ${address} has no custom role`);
  return found;
}

function isOfAdmins(path: string): boolean {
  return pagesOfAdmins.some((other) => other === path);
}

function listed(text = ''): string[] {
  return text.split(',').filter((part) => part !== '');
}
