import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { adminOf } from '../support/log-in.ts';
import { sendRaw } from '../support/raw-http.ts';
import { startRecordingUpstream, type RecordingUpstream } from '../support/recording-upstream.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';
import { startNginxFor, type RunningNginx } from '../support/start-nginx.ts';

const navigation = [
  ['Accept', 'text/html'],
  ['Sec-Fetch-Mode', 'navigate'],
] as const;
const fronts: Record<string, string> = {};
let gateway: RunningGateway;
let guarding: RunningGateway;
let upstream: RecordingUpstream;
let nginx: RunningNginx;
let cookie: readonly [name: string, value: string];

beforeAll(async () => {
  upstream = await startRecordingUpstream();
  [gateway, guarding] = await Promise.all([
    startGateway({ sample: true }),
    startGateway({ config: { upstream: `http://${upstream.address}` } }),
  ]);
  nginx = await startNginxFor(gateway, { sharedPages: true });
  fronts['embedded front'] = gateway.addresses.authenticated ?? '';
  fronts['nginx'] = nginx.authenticated;
  cookie = ['Cookie', `session_token=${(await adminOf(gateway)).token}`];
});
afterAll(async () => {
  await nginx.close();
  await Promise.all([gateway.close(), guarding.close()]);
  await upstream.close();
});

describe.each(['embedded front', 'nginx'])('by %s', (front) => {
  const send = (uri: string, headers: ReadonlyArray<readonly [string, string]> = [], method = 'GET') =>
    sendRaw(fronts[front] ?? '', { method, uri, headers: [...headers] }, true);
  const assetPath = async () => {
    const { body } = await send('/login');
    return `/${/src="\.\/(postern\/assets\/[^"]+\.js)"/.exec(body)?.[1]}`;
  };

  test('the login page is public, never cached, and under a strict policy', async () => {
    const { status, headers, body } = await send('/login');
    expect(status).toBe(200);
    expect(headers.get('cache-control')).toEqual(['no-store']);
    expect(headers.get('x-content-type-options')).toEqual(['nosniff']);
    expect(headers.get('referrer-policy')).toEqual(['same-origin']);
    const policy = headers.get('content-security-policy')?.[0] ?? '';
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'");
    expect(policy).not.toContain('unsafe');
    expect(body).toContain('"./postern/assets/');
  });

  test('the page of a share is the same for every id, and reveals nothing of the site', async () => {
    const [one, other] = [await send('/postern/share/one'), await send('/postern/share/other', [cookie])];
    expect(one.status).toBe(200);
    expect(one.body).toBe(other.body);
    expect(one.body).toContain('data-page="share"');
    expect(one.body).toContain('"../../postern/assets/');
    const headers = ['cache-control', 'referrer-policy', 'x-robots-tag'].map((name) => one.headers.get(name));
    expect(headers).toEqual([['no-store'], ['no-referrer'], ['noindex, nofollow']]);
    expect(one.headers.get('content-security-policy')?.[0]).toContain("form-action 'self';");
    expect(one.headers.has('set-cookie')).toBe(false);
    const slashed = await send('/postern/share/one/', navigation);
    expect([slashed.status, slashed.headers.get('location')]).toEqual([308, ['/postern/share/one']]);
  });

  test.each([
    ['de', 'light dark', 'de-AT, en;q=0.5', ''],
    ['en', 'light dark', 'fr', 'postern_look=fr.blue'],
    ['de', 'dark', 'en', 'a=b; postern_look=de.dark'],
    ['en', 'light', 'en', 'postern_look=auto.light'],
  ])('a page in %s and %s for a browser that takes %s, with the cookie %j', async (...row) => {
    const [language, look, accepted, cookie] = row;
    const { headers, body } = await send('/login', [
      ['Accept-Language', accepted],
      ['Cookie', cookie],
    ]);
    expect(headers.get('content-language')).toEqual([language]);
    expect(headers.get('vary')).toEqual(['accept-language, cookie, accept-encoding']);
    expect(body).toMatch(new RegExp(`<html [^>]*lang="${language}"`));
    expect(/data-theme="(.*?)"/.exec(body)?.[1] ?? 'light dark').toBe(look);
  });

  test('a page and a list of the API come compressed, and a login never does', async () => {
    const address = front === 'nginx' ? nginx.internal : (gateway.addresses.internal ?? '');
    const codingOf = async (uri: string, method = 'GET') =>
      (await sendRaw(address, { method, uri, headers: [['Accept-Encoding', 'gzip']] })).headers.get(
        'content-encoding',
      );
    expect(await codingOf('/login')).toEqual(['gzip']);
    expect(await codingOf('/postern/api/openapi.json')).toEqual(['gzip']);
    expect(await codingOf('/api/events')).toEqual(['gzip']);
    expect(await codingOf('/postern/api/profile')).toBeUndefined();
    expect(await codingOf('/api/login', 'POST')).toBeUndefined();
  });

  test.each([
    ['br', 'br, gzip'],
    ['gzip', 'gzip'],
    ['gzip', 'br;q=0, gzip'],
    [undefined, 'identity'],
  ])('an asset as %s for a client that takes %s, for a year', async (coding, accepted) => {
    const { status, headers } = await send(await assetPath(), [['Accept-Encoding', accepted]]);
    expect(status).toBe(200);
    expect(headers.get('content-encoding')?.[0]).toBe(coding);
    expect(headers.get('cache-control')).toEqual(['public, max-age=31536000, immutable']);
    expect(headers.get('vary')).toEqual(['accept-encoding']);
    expect(headers.get('content-type')).toEqual(['text/javascript; charset=utf-8']);
    expect(headers.has('set-cookie')).toBe(false);
  });

  test('an asset that there is not', async () => {
    const { status, headers } = await send('/postern/assets/index-none.js');
    expect(status).toBe(404);
    expect(headers.get('cache-control')).toEqual(['no-store']);
  });

  test('the root leads to the pages, and without a session to the login', async () => {
    const { status, headers } = await send('/', navigation);
    // nginx leads every client to the pages.
    const location = front === 'nginx' ? 'postern/' : '/login?next=%2F';
    expect([status, headers.get('location')]).toEqual([303, [location]]);
    const pages = await send('/postern/', navigation);
    expect([pages.status, pages.headers.get('location')]).toEqual([303, ['/login?next=%2Fpostern%2F']]);
  });

  test.each([
    '/postern/explore?camera=a&label=b',
    '/postern/account',
    '/postern/settings/users',
    '/postern/settings/access',
    '/postern/settings/audit',
  ])('%s without a session: a navigation goes to the login, a script is refused', async (uri) => {
    const { status, headers } = await send(uri, navigation);
    expect(status).toBe(303);
    const location = headers.get('location')?.[0] ?? '';
    expect(location).toMatch(/^\/login\?next=/);
    expect(location.split('next=')[1]).toBe(encodeURIComponent(uri));
    const refused = await send(uri);
    expect(refused.status).toBe(401);
    expect(refused.headers.get('location')).toEqual(['/login']);
  });

  test.each([
    ['/postern/explore/?camera=a', '/postern/explore?camera=a'],
    ['/postern/settings/users//', '/postern/settings/users'],
    ['/postern/events/a%3Fb%20c/', '/postern/events/a%3Fb%20c'],
  ])('%s leads to the page without the slash', async (uri, to) => {
    const { status, headers } = await send(uri, [...navigation, cookie]);
    expect([status, headers.get('location')]).toEqual([308, [to]]);
  });

  test.each(['/login/', '/login/?next=/a'])('%s leads every client to the login', async (uri) => {
    const { status, headers } = await send(uri, navigation);
    const to = uri.replace('/login/', '/login');
    // nginx may have a shorter path prefix than the gate.
    expect([status, headers.get('location')]).toEqual([308, [front === 'nginx' ? `..${to}` : to]]);
  });

  test.each(['/postern/nope', '/postern/api/nope', '/postern/assets/', '/nope', '/explore/', '/api/nope'])(
    '%s: a page for a browser that navigates, JSON for a program',
    async (uri) => {
      const shown = await send(uri, [...navigation, cookie]);
      expect([shown.status, shown.headers.get('content-type')]).toEqual([404, ['text/html; charset=utf-8']]);
      const answer = await send(uri, [cookie]);
      expect([answer.status, JSON.parse(answer.body)]).toMatchObject([404, { code: 'not_found' }]);
    },
  );

  test('a POST is not sent anywhere', async () => {
    expect((await send('/postern/settings/users', navigation, 'POST')).status).toBe(401);
  });
});

test('an unknown path is a page for browsers, JSON for others', async () => {
  const address = gateway.addresses.internal ?? '';
  const shown = await sendRaw(address, { uri: '/api/users/x/y', headers: [...navigation] });
  expect([shown.status, shown.body.includes('../postern/assets/')]).toEqual([404, true]);
  const answer = await sendRaw(address, { uri: '/api/users/x/y' });
  expect([answer.status, answer.headers.get('content-type')]).toEqual([404, ['application/json']]);
});

test('links to assets lead there from every depth', async () => {
  const page = async (uri: string) => (await sendRaw(gateway.addresses.internal ?? '', { uri })).body;
  expect(await page('/login')).toContain('"./postern/assets/');
  expect(await page('/postern/account')).toContain('"../postern/assets/');
  expect(await page('/postern/settings/users')).toContain('"../../postern/assets/');
});

test('a 404 of a recorder stays the recorder’s', async () => {
  const answer = await sendRaw(guarding.addresses.internal ?? '', { uri: '/nope', headers: [...navigation] });
  expect([answer.status, answer.body]).toEqual([200, 'recorder']);
});

test('the start page and its like are the recorder’s when there is one', async () => {
  const send = (uri: string) => sendRaw(guarding.addresses.internal ?? '', { uri });
  for (const uri of ['/', '/explore', '/settings', '/assets/index.js']) {
    expect((await send(uri)).body).toBe('recorder');
  }
  for (const uri of ['/login', '/postern/account', '/postern/settings/users', '/postern/settings/access']) {
    expect((await send(uri)).body).toContain('data-recorder="yes"');
  }
});

test('pages say that the events are the sample, where they are, and only after a login', async () => {
  const isMarked = async ({ addresses }: RunningGateway, uri: string) =>
    (await sendRaw(addresses.internal ?? '', { uri })).body.includes('data-sample="yes"');
  expect(await isMarked(gateway, '/postern/explore')).toBe(true);
  expect(await isMarked(gateway, '/login')).toBe(false);
  expect(await isMarked(gateway, '/postern/share/one')).toBe(false);
  expect(await isMarked(guarding, '/postern/account')).toBe(false);
});

test('GET /api/login returns whether the generated password was never used', async () => {
  const { status, body } = await sendRaw(guarding.addresses.authenticated ?? '', { uri: '/api/login' }, true);
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual({
    enabled: true,
    generated_password_unused: true,
    return_domains: [],
    contact: null,
    provider: null,
    local_login: true,
    passkeys: false,
  });
});
