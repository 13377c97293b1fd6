import { createApiTokens } from '../../src/features/api-tokens/api-tokens.ts';
import { createDisplayCredentials } from '../../src/features/displays/display-credentials.ts';
import { createDisplays } from '../../src/features/displays/displays.ts';
import { findJwtSecret } from '../../src/accounts/sessions/jwt-secret.ts';
import { openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { unconditional } from '../../src/store/permit.ts';
import { systemClock } from '../../src/clock.ts';
import { basic } from '../support/basic.ts';
import { startFronts, type Fronts } from '../support/fronts.ts';
import { adminOf, userOf } from '../support/log-in.ts';
import { attackConfig, type Expected, type Row } from './row.ts';

/** The screen, as the recorder gets to know it. Its id is random. */
const screen = { user: '', role: 'viewer' };
const vera = { user: 'vera', role: 'viewer' };
let credential = '';
let session = '';

/** Accounts, and a display of vera's that shows one camera live. */
export async function startWithDisplays(features: object): Promise<Fronts> {
  const { auth, cameras } = attackConfig;
  const fronts = await startFronts({ config: { auth: { ...auth, enabled: true }, cameras, features } });
  const address = fronts.gateway.addresses.authenticated ?? '';
  const user = await userOf(await adminOf(fronts.gateway), address, 'vera', 'viewer');
  session = user.token ?? '';
  const store = await openStore(storePath(fronts.gateway.directory), 5_000);
  const tokens = createApiTokens(store, {
    clock: systemClock,
    storeVersion: () => Number.NaN,
    kind: 'display',
  });
  const displays = createDisplays(store, tokens, systemClock);
  const { secret } = findJwtSecret({}, fronts.gateway.directory);
  const credentials = createDisplayCredentials(secret, {
    store,
    tokens,
    uses: { note: () => undefined, settle: async () => undefined },
    clock: systemClock,
    storeVersion: () => Number.NaN,
  });
  const wanted = {
    name: 'Hall',
    owner: 'vera',
    role: 'viewer',
    cameras: new Set(['front_door']),
    may: new Set(['live'] as const),
    expiresAt: undefined,
  };
  await displays.approve('device', wanted, unconditional);
  const issued = await credentials.fetch('device', false);
  credential = issued?.credential ?? '';
  screen.user = `display:${issued?.display.id}`;
  await store.destroy();
  return fronts;
}

type Headers = ReadonlyArray<readonly [name: string, value: string]>;
const cookie = (value: string) => ['Cookie', value] as const;
const own = () => cookie(`postern_display=${credential}`);

const row = (
  name: string,
  method: string,
  uri: string,
  expected: Expected,
  headers: () => Headers = () => [own()],
): Row => ({ name, request: () => ({ method, uri, headers: headers() }), expect: expected });

const picture = '/api/front_door/latest.jpg';

/** Who has the cookie of a display, or what looks like one. Session mode. */
export const displayRows: readonly Row[] = [
  // The measure of all the others.
  row('its camera', 'GET', picture, screen),
  row('another camera', 'GET', '/api/garage/latest.jpg', 'refused'),
  row('a recording of its camera', 'GET', '/api/front_door/recordings/summary', 'refused'),
  row('events', 'GET', '/api/events', 'refused'),
  row('the page of the recorder', 'GET', '/', 'refused'),
  row('its configuration', 'GET', '/api/config/raw', 'refused'),
  row('its configuration, masked', 'GET', '/api/config', 'refused'),
  row('the WebSocket with messages', 'GET', '/ws', 'refused'),
  ...['POST', 'PUT', 'PATCH', 'DELETE'].map((method) =>
    row(`${method} to its camera`, method, '/api/front_door/ptz', 'refused'),
  ),
  row('a change with the path of a picture', 'POST', picture, 'refused'),
  ...['/postern/account', '/postern/settings/users', '/postern/', '/postern/explore'].map((page) =>
    row(`the page ${page}`, 'GET', page, 'refused'),
  ),
  ...[
    ['GET', '/postern/api/displays'],
    ['POST', '/postern/api/displays'],
    ['DELETE', '/postern/api/displays/x'],
    ['POST', '/postern/api/invitations'],
    ['PUT', '/postern/api/account/email'],
    ['POST', '/postern/api/push'],
    ['POST', '/postern/api/access-requests'],
    ['GET', '/postern/api/access-requests/own'],
    ['GET', '/postern/api/tokens'],
    ['POST', '/postern/api/tokens'],
    ['POST', '/postern/api/shares'],
    ['GET', '/postern/api/sessions'],
    ['DELETE', '/postern/api/sessions'],
    ['PUT', '/api/users/vera/password'],
    ['POST', '/postern/api/step-up'],
  ].map(([method = '', path = '']) => row(`${method} ${path}`, method, path, 'refused')),

  row('a page of another site that shows its picture', 'GET', picture, 'refused', () => [
    own(),
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Mode', 'no-cors'],
  ]),
  row('a script of another site', 'GET', picture, 'refused', () => [
    own(),
    ['Origin', 'https://evil.example'],
  ]),
  row('another port of its site', 'GET', picture, 'refused', () => [own(), ['Sec-Fetch-Site', 'same-site']]),
  row('a script of its site, whatever a proxy makes of Host', 'GET', picture, screen, () => [
    own(),
    ['Origin', 'https://cameras.example:8443'],
    ['Sec-Fetch-Site', 'same-origin'],
  ]),
  row('someone who goes there from another site', 'GET', picture, screen, () => [
    own(),
    ['Sec-Fetch-Site', 'cross-site'],
    ['Sec-Fetch-Mode', 'navigate'],
  ]),

  row('its credential as a bearer', 'GET', picture, 'refused', () => [
    ['Authorization', `Bearer ${credential}`],
  ]),
  row('its credential as a password', 'GET', picture, 'refused', () => [
    ['Authorization', basic('token', credential)],
  ]),
  row('its credential as the session', 'GET', picture, 'refused', () => [
    cookie(`session_token=${credential}`),
  ]),
  ...['postern_x', 'a.b.c'].map((bearer) =>
    row(`beside the bearer ${bearer}, which is not valid`, 'GET', picture, 'refused', () => [
      own(),
      ['Authorization', `Bearer ${bearer}`],
    ]),
  ),
  row('a session as its credential', 'GET', picture, 'refused', () => [cookie(`postern_display=${session}`)]),
  row('beside a valid session', 'GET', '/api/garage/latest.jpg', vera, () => [
    cookie(`session_token=${session}; postern_display=${credential}`),
  ]),
  row('beside a session that is not valid', 'GET', picture, screen, () => [
    cookie(`session_token=x; postern_display=${credential}`),
  ]),
  row('two of them', 'GET', picture, 'refused', () => [
    cookie(`postern_display=${credential}; postern_display=display_${'A'.repeat(43)}`),
  ]),
  ...[
    ['cut short', () => credential.slice(0, -1)],
    ['one letter longer', () => `${credential}A`],
    ['in another case', () => credential.toUpperCase()],
    ['without its prefix', () => credential.slice('display_'.length)],
    ['with the prefix of a token', () => credential.replace('display', 'postern')],
    ['all zeroes', () => `display_${'A'.repeat(43)}`],
    ['wildcards of SQL', () => `display_${'_'.repeat(43)}`],
    ['of the next generation', () => credential.replace('.1.', '.2.')],
    ['of no generation', () => credential.replace('.1.', '.0.')],
    ['with another spelling of its generation', () => credential.replace('.1.', '.01.')],
    ['of another display', () => credential.replace(/[\da-f]/, (digit) => (digit === '0' ? '1' : '0'))],
    ['signed by no one', () => credential.replace(/[\w-]{43}$/, 'A'.repeat(43))],
  ].map(([name, value]) =>
    row(`a credential ${name as string}`, 'GET', picture, 'refused', () => [
      cookie(`postern_display=${(value as () => string)()}`),
    ]),
  ),
];
