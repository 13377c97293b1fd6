import { guardedEndpoints, openEndpoints } from '../support/every-endpoint.ts';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Endpoint } from '../../src/api/endpoint.ts';
import { pages } from '../../src/api/ui/pages.ts';
import { featureAt, featureNames } from '../../src/policy/features.ts';
import { adminOf, goodPassword, userOf, visitor, type Visitor } from '../support/log-in.ts';
import { sendRaw, type RawAnswer, type RawRequest } from '../support/raw-http.ts';
import { pair, screenAt, type Screen } from '../support/screen.ts';
import { openShare, shareOf, type MadeShare } from '../support/share.ts';
import { startGateway, type RunningGateway } from '../support/start-gateway.ts';

/* A gate on which everything was used, started again with every feature off, and then with all of them. */

type Headers = NonNullable<RawRequest['headers']>;

const off = Object.fromEntries(featureNames.map((name) => [name, false]));
const directory = mkdtempSync(join(tmpdir(), 'postern-test-'));
const start = (features: object) =>
  startGateway({
    directory,
    sample: true,
    config: { features, auth: { failed_login_rate_limit: null, roles: { yard: ['garage'] } } },
  });

let gateway: RunningGateway;
let admin: Visitor;
let vera: Visitor;
/** May see the garage only, and has asked for the driveway. */
let gina: Visitor;
let screen: Screen;
let token: string;
let share: MadeShare;
let shareOfToken: MadeShare;
let shareCookie: string | undefined;
let invitation: { readonly id: string; readonly url: string };

/** The answer to someone who has the cookie of a user, or nothing. */
const ask = (request: RawRequest, by?: Visitor, address = gateway.addresses.authenticated ?? '') =>
  sendRaw(
    address,
    {
      ...request,
      headers: [
        ...(by?.token === undefined ? [] : [['Cookie', `session_token=${by.token}`] as const]),
        ...(request.headers ?? []),
      ],
    },
    address === gateway.addresses.authenticated,
  );
const bearer = (value: string): Headers => [['Authorization', `Bearer ${value}`]];
const restart = async (features: object) => {
  await gateway.close();
  gateway = await start(features);
};

beforeAll(async () => {
  gateway = await start({});
  const address = gateway.addresses.authenticated ?? '';
  admin = await adminOf(gateway);
  vera = await userOf(admin, address, 'vera', 'viewer');
  gina = await userOf(admin, address, 'gina', 'yard');
  const request = await gina.send('POST', '/postern/api/access-requests', { camera: 'driveway' });
  expect(request.status).toBeLessThan(300);
  screen = screenAt(address);
  await pair(screen, vera, { name: 'Hall' });
  const made = await vera.send('POST', '/postern/api/tokens', { name: 'script', role: 'viewer' });
  ({ token } = JSON.parse(made.body) as { token: string });
  const wanted = { kind: 'camera', camera: 'garage', expires_in: 3_600 };
  share = await shareOf(vera, wanted);
  const byToken = visitor(address);
  const { send } = byToken;
  byToken.send = (method, uri, body) => send(method, uri, body, bearer(token));
  shareOfToken = await shareOf(byToken, wanted);
  ({ cookie: shareCookie } = await openShare(visitor(address), share));
  const invited = await admin.send('POST', '/postern/api/invitations', { role: 'viewer' });
  invitation = JSON.parse(invited.body) as typeof invitation;
  expect([shareCookie, invited.status]).toEqual([expect.any(String), 201]);
  await restart(off);
});
afterAll(async () => {
  await gateway?.close();
  rmSync(directory, { recursive: true, force: true });
});

/** Each with a path at its side that nothing has: as deep, and beginning with the same segments. */
const methodOf = ({ method }: Endpoint) => (method === 'all' ? 'GET' : method.toUpperCase());
const endpoints: readonly Endpoint[] = [...openEndpoints, ...guardedEndpoints];
const ownPaths = [
  ...endpoints.map((endpoint) => [methodOf(endpoint), endpoint.path.replaceAll(/:\w+/g, 'x')] as const),
  ...pages.map((name) => ['GET', `/postern/${name.replaceAll(/:\w+/g, 'x')}`] as const),
]
  .filter(([, path]) => featureAt(path) !== undefined)
  .flatMap(([method, path]) => [
    [method, path] as const,
    ['GET', `${path}/`] as const,
    ['HEAD', path] as const,
    ['DELETE', `${path}/more`] as const,
  ]);

const rootsOf = /^(\/postern\/(?:api\/|settings\/|account\/)?)([\w.-]+)/;
const unknown = 'nothing-here';
const besideOf = (path: string) => path.replace(rootsOf, `$1${unknown}`);

/** What a client can tell answers apart by. */
function seen({ status, headers, body }: RawAnswer, path: string) {
  const plain = (text: string) =>
    text
      .replaceAll(path, 'PATH')
      .replaceAll(encodeURIComponent(path), 'PATH')
      .replaceAll(/<code>[\w-]+<\/code>/g, 'ID');
  const varying = new Set(['date', 'x-postern-decision', 'content-length']);
  const lines = [...headers].filter(([name]) => !varying.has(name));
  return { status, body: plain(body), headers: lines.map(([name, values]) => [name, values.map(plain)]) };
}

const askers: ReadonlyArray<readonly [name: string, by: () => Visitor | undefined]> = [
  ['no one', () => undefined],
  ['a viewer', () => vera],
  ['an admin', () => admin],
];
const kinds: ReadonlyArray<readonly [name: string, headers: Headers]> = [
  ['a program', []],
  ['a browser', [['Accept', 'text/html']]],
];

describe.each(askers)('to %s', (_, by) => {
  describe.each(kinds)('with %s', (__, headers) => {
    test('every path of what is off is unknown', async () => {
      // Everyone is admin there.
      const isAnyone = by() === undefined;
      const { authenticated = '', internal = '', forwardAuthAuthenticated = '' } = gateway.addresses;
      expect(new Set(ownPaths.map(([, path]) => featureAt(path)))).toEqual(new Set(featureNames));
      for (const [method, path] of ownPaths)
        for (const address of [authenticated, forwardAuthAuthenticated, ...(isAnyone ? [internal] : [])]) {
          const beside = besideOf(path);
          const found = await ask({ method, uri: path, headers }, by(), address);
          const usual = await ask({ method, uri: beside, headers }, by(), address);
          expect([method, path, seen(found, path)]).toEqual([method, path, seen(usual, beside)]);
          expect(found.status, path).toBeGreaterThanOrEqual(300);
        }
    });
  });
});

describe('what was given out opens nothing', () => {
  const picture = { uri: '/api/garage/latest.jpg' };

  test('an API token', async () => {
    for (const request of [picture, { uri: '/api/profile' }, { uri: '/auth' }])
      expect((await ask({ ...request, headers: bearer(token) })).status).toBe(401);
    const basic = Buffer.from(`vera:${token}`).toString('base64');
    expect((await ask({ ...picture, headers: [['Authorization', `Basic ${basic}`]] })).status).toBe(401);
  });

  test('the cookie of a screen', async () => {
    const headers: Headers = [['Cookie', `postern_display=${screen.credential}`]];
    expect((await ask({ ...picture, headers })).status).toBe(401);
    const wall = { method: 'POST', uri: '/postern/api/wall', headers, body: '{}' };
    const beside = { ...wall, uri: `/postern/api/${unknown}` };
    expect(seen(await ask(wall), wall.uri)).toEqual(seen(await ask(beside), beside.uri));
  });

  test('the cookie of a share, and its link', async () => {
    const media = `/postern/share/${share.id}/media/api/garage/latest.jpg`;
    const headers: Headers = [['Cookie', `postern_share=${shareCookie}`]];
    for (const address of [gateway.addresses.authenticated, gateway.addresses.forwardAuthAuthenticated])
      for (const by of [undefined, vera]) {
        const [found, beside] = [media, besideOf(media)].map(async (uri) =>
          seen(await ask({ uri, headers }, by, address), uri),
        );
        expect(await found).toEqual(await beside);
        expect((await found)?.status).toBe(by === undefined ? 401 : 404);
      }
    const { answer } = await openShare(visitor(gateway.addresses.authenticated ?? ''), share);
    expect(answer.status).toBe(401);
  });

  test('an invitation', async () => {
    const body = { secret: invitation.url.split('#')[1], username: 'nell', password: goodPassword };
    const guest = visitor(gateway.addresses.authenticated ?? '');
    const accepted = await guest.send('POST', `/postern/api/invitations/${invitation.id}/accept`, body);
    expect(accepted.status).toBe(401);
    expect((await ask({ uri: '/api/users' }, admin)).body).not.toContain('nell');
  });
});

/** What leads users and admins to requests for a camera. */
async function waysToAsk() {
  const attention = await ask({ uri: '/postern/api/attention' }, admin);
  const refused = await ask({ uri: '/api/driveway/latest.jpg', headers: [['Accept', 'text/html']] }, gina);
  expect([attention.status, refused.status]).toEqual([200, 403]);
  return [attention.body.includes('access_asked'), refused.body.includes('/postern/ask')];
}

test('no one is led to what is off', async () => {
  expect(await waysToAsk()).toEqual([false, false]);
});

test('what is on has a list, which is empty now', async () => {
  const { body } = await ask({ uri: '/postern/api/version' }, vera);
  expect(JSON.parse(body)).toMatchObject({ features: [] });
});

describe('on again', () => {
  test('a share that an API token made is worth what the token is worth', async () => {
    await restart({ ...off, shares: true });
    const opened = async (link: MadeShare) =>
      (await openShare(visitor(gateway.addresses.authenticated ?? ''), link)).answer.status;
    expect([await opened(share), await opened(shareOfToken)]).toEqual([200, 404]);
  });

  test('everything that was stored is good', async () => {
    await restart({});
    expect(await waysToAsk()).toEqual([true, true]);
    expect((await ask({ uri: '/api/profile', headers: bearer(token) })).status).toBe(200);
    const headers: Headers = [['Cookie', `postern_display=${screen.credential}`]];
    const wall = { method: 'POST', uri: '/postern/api/wall', headers, body: '{}' };
    const typed: Headers = [...headers, ['Content-Type', 'application/json']];
    expect((await ask({ ...wall, headers: typed })).status).toBe(200);
    const { answer } = await openShare(visitor(gateway.addresses.authenticated ?? ''), shareOfToken);
    expect(answer.status).toBe(200);
    const { body } = await ask({ uri: '/postern/api/invitations' }, admin);
    expect(body).toContain(invitation.id);
    expect(JSON.parse((await ask({ uri: '/postern/api/version' }, vera)).body)).toMatchObject({
      features: featureNames,
    });
  });

  test('a change waits for a restart', async () => {
    const file = join(directory, 'config.yml');
    writeFileSync(file, readFileSync(file, 'utf8').replace('features: {}', 'features: {push: false}'));
    await gateway.reloading.reload('a test');
    expect(gateway.reloading.report()).toMatchObject({ successful: true, waiting: ['features.push'] });
    expect((await ask({ uri: '/postern/api/push' }, vera)).status).toBe(200);
  });
});
