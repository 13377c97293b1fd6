import { clockAt } from '../support/clock-at.ts';
import { createApiTokens, type NewApiToken } from '../../src/features/api-tokens/api-tokens.ts';
import { createUsers } from '../../src/accounts/users/users.ts';
import { openStore, storePath } from '../../src/store/sqlite/open-store.ts';
import { startFronts, type Fronts } from '../support/fronts.ts';
import { adminOf, goodPassword, userOf } from '../support/log-in.ts';
import type { RawRequest } from '../support/raw-http.ts';
import { basicRows } from './basic-rows.ts';
import { cameraScopeRows } from './camera-scope-rows.ts';
import { attackConfig, refusedElsewhere, type Expected, type Row } from './row.ts';
import { unconditional } from '../../src/store/permit.ts';

const kinds = {
  admin: { owner: 'admin', role: 'admin' },
  viewer: { owner: 'vera', role: 'viewer' },
  front: { owner: 'fred', role: 'front' },
  cameraScoped: { owner: 'vera', role: 'viewer', cameras: new Set(['front_door']) },
  other: { owner: 'vera', role: 'operator', cameras: new Set(['garage']) },
  expired: { owner: 'vera', role: 'viewer', expiresAt: 1_000_000 },
  revoked: { owner: 'vera', role: 'viewer' },
  removed: { owner: 'rita', role: 'viewer' },
  demoted: { owner: 'demi', role: 'admin' },
  widened: { owner: 'fred', role: 'operator' },
  undefined: { owner: 'admin', role: 'former' },
  cameraScopedAdmin: { owner: 'admin', role: 'admin', cameras: new Set(['front_door']) },
} satisfies Record<string, Pick<NewApiToken, 'owner' | 'role'> & Partial<NewApiToken>>;
type Kind = keyof typeof kinds;

const tokens = new Map<Kind, string>();
let session = '';
const tokenOf = (kind: Kind) => tokens.get(kind) ?? '';

/** Accounts, a session of vera, and a token of each kind. Some were good once. */
export async function startWithApiTokens(features: object): Promise<Fronts> {
  const { auth, cameras } = attackConfig;
  const fronts = await startFronts({ config: { auth: { ...auth, enabled: true }, cameras, features } });
  const admin = await adminOf(fronts.gateway);
  const address = fronts.gateway.addresses.authenticated ?? '';
  const roles = { vera: 'viewer', fred: 'front', rita: 'viewer', demi: 'admin' };
  for (const [username, role] of Object.entries(roles)) {
    const user = await userOf(admin, address, username, role);
    if (username === 'vera') session = user.token ?? '';
  }

  // Another process, which may keep what the API would refuse.
  const store = await openStore(storePath(fronts.gateway.directory), 5_000);
  const apiTokens = createApiTokens(store, { clock: clockAt(0), storeVersion: () => 0 });
  for (const [kind, wanted] of Object.entries(kinds)) {
    const { token, apiToken } = await apiTokens.add(
      {
        name: kind,
        cameras: undefined,
        expiresAt: undefined,
        ...wanted,
      },
      unconditional,
    );
    tokens.set(kind as Kind, token);
    if (kind === 'revoked') await apiTokens.revoke(apiToken.id, unconditional);
  }
  const users = createUsers(store, clockAt(0));
  await users.setRole('demi', 'viewer', unconditional);
  await users.remove('rita', unconditional);
  await store.destroy();
  await admin.send('POST', '/api/users', { username: 'rita', password: goodPassword, role: 'viewer' });
  return fronts;
}

const uri = '/api/events';
const bearer = (token: string) => ['Authorization', `Bearer ${token}`] as const;
const by = (kind: Kind) => () => [bearer(tokenOf(kind))];

const vera = { user: 'vera', role: 'viewer' };
const admin = { user: 'admin', role: 'admin' };
const fred = { user: 'fred', role: 'front' };

/** Tokens that are nearly good. */
const forged: ReadonlyArray<readonly [name: string, token: () => string]> = [
  ['the prefix alone', () => 'postern_'],
  ['cut short', () => tokenOf('viewer').slice(0, -1)],
  ['one letter longer', () => `${tokenOf('viewer')}A`],
  ['with padding', () => `${tokenOf('viewer')}=`],
  ['another prefix', () => tokenOf('viewer').replace('postern', 'pastern')],
  ['the prefix in another case', () => tokenOf('viewer').replace('postern', 'POSTERN')],
  ['all of it in another case', () => tokenOf('viewer').toUpperCase()],
  ['without the prefix', () => tokenOf('viewer').slice('postern_'.length)],
  ['another last letter', () => replaceLast(tokenOf('viewer'))],
  ['all zeroes', () => `postern_${'A'.repeat(43)}`],
  ['quoted', () => `"${tokenOf('viewer')}"`],
  ['two of them', () => `${tokenOf('viewer')} ${tokenOf('viewer')}`],
  ['two of them with a comma', () => `${tokenOf('viewer')}, ${tokenOf('admin')}`],
  ['percent-encoded', () => tokenOf('viewer').replace('_', '%5F')],
  ['wildcards of SQL', () => `postern_${'_'.repeat(43)}`],
  ['SQL', () => "postern_' OR '1'='1"],
  ['a session token behind the prefix', () => `postern_${session}`],
  ['64 KiB of it', () => `postern_${'A'.repeat(65_536)}`],
];

function replaceLast(token: string): string {
  return `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
}

/** No longer valid, for anyone. */
const bad: readonly Kind[] = [
  'expired',
  'revoked',
  'removed',
  'demoted',
  'widened',
  'undefined',
  'cameraScopedAdmin',
];

const changesOf = (
  kind: Kind,
  expected: Expected,
  ...requests: ReadonlyArray<readonly [method: string, uri: string, body?: object]>
): Row[] =>
  requests.map(([method, target, body]) => ({
    name: `${method} ${target} by a token of ${kind}`,
    request: () => ({
      method,
      uri: target,
      headers: [
        bearer(tokenOf(kind)),
        ...(body === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ],
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    }),
    expect: expected,
  }));

/** What a token could make itself permanent by, or wider. */
const requiresSession = [
  ['PUT', '/api/users/vera/password', { password: goodPassword, old_password: goodPassword }],
  ['PUT', '/api/users/admin/password', { password: goodPassword }],
  ['POST', '/api/users', { username: 'eve', password: goodPassword, role: 'admin' }],
  ['PUT', '/api/users/vera/role', { role: 'admin' }],
  ['DELETE', '/api/users/rita'],
  ['PUT', '/postern/api/users/rita/blocked', { blocked: true }],
  // The role gives its users all cameras.
  ['DELETE', '/postern/api/roles/front'],
  ['POST', '/postern/api/tokens', { name: 'again', role: 'viewer' }],
  ['GET', '/postern/api/tokens'],
  ['DELETE', '/postern/api/tokens/x'],
  ['GET', '/postern/api/displays'],
  ['POST', '/postern/api/displays', { user_code: 'BCDF-GHJK', name: 'x' }],
  ['DELETE', '/postern/api/displays/x'],
  ['POST', '/postern/api/invitations', { role: 'viewer' }],
  ['GET', '/postern/api/invitations'],
  ['PUT', '/postern/api/account/email', { email: 'thief@example.org' }],
  ['GET', '/postern/api/push'],
  ['POST', '/postern/api/access-requests', { camera: 'garage' }],
  ['GET', '/postern/api/access-requests/own'],
  ['GET', '/postern/api/sessions'],
  ['DELETE', '/postern/api/sessions/x'],
  ['DELETE', '/postern/api/users/rita/factors'],
  ['GET', '/postern/api/sign-in-methods'],
  ['POST', '/postern/api/passkeys', { name: 'x' }],
  ['POST', '/postern/api/one-time-code', { code: '123456' }],
  ['POST', '/postern/api/recovery-codes', {}],
  ['POST', '/postern/api/step-up', { password: goodPassword }],
] as const;

const row = (name: string, request: () => RawRequest, expected: Expected, but?: Row['but']): Row => ({
  name,
  request,
  expect: expected,
  ...(but === undefined ? {} : { but }),
});

/** Who carries an API token, or what looks like one. Session mode. */
export const apiTokenRows: readonly Row[] = [
  // The measure of all the others.
  row('a token of viewer', () => ({ uri, headers: by('viewer')() }), vera),
  row('a token of admin', () => ({ uri, headers: by('admin')() }), admin),
  row('a token of a custom role', () => ({ uri, headers: by('front')() }), fred),
  row(
    'a token whose role and cameras are both within its owner',
    () => ({ uri: '/api/garage/latest.jpg', headers: by('other')() }),
    { user: 'vera', role: 'operator' },
  ),
  row(
    'a camera of the role that is not one of the token',
    () => ({ uri: '/api/driveway/latest.jpg', headers: by('other')() }),
    'refused',
  ),
  row(
    'a camera of another role',
    () => ({ uri: '/api/garage/latest.jpg', headers: by('front')() }),
    'refused',
  ),
  row(
    'the scheme in another case',
    () => ({ uri, headers: [['Authorization', `bEARER ${tokenOf('viewer')}`]] }),
    vera,
  ),
  ...forged.map(([name, token]) => row(name, () => ({ uri, headers: [bearer(token())] }), 'refused')),
  ...bad.map((kind) => row(kind, () => ({ uri, headers: by(kind)() }), 'refused')),
  ...bad.map((kind) =>
    row(
      `${kind}, beside a good session`,
      () => ({ uri, headers: [...by(kind)(), ['Cookie', `session_token=${session}`]] }),
      'refused',
    ),
  ),
  row(
    'a token of admin beside the session of vera',
    () => ({ uri, headers: [...by('admin')(), ['Cookie', `session_token=${session}`]] }),
    admin,
  ),
  row(
    'two Authorization headers',
    () => ({ uri, headers: [...by('viewer')(), ...by('viewer')()] }),
    'refused',
  ),
  ...(['session_token', 'authorization', 'postern'] as const).map((name) =>
    row(
      `in the cookie ${name}`,
      () => ({ uri, headers: [['Cookie', `${name}=${tokenOf('viewer')}`]] }),
      'refused',
    ),
  ),
  ...(['token', 'access_token', 'api_key', 'session_token', 'authorization'] as const).map((name) =>
    row(
      `in the query as ${name}`,
      () => ({ uri: `${uri}?${name}=${tokenOf('viewer')}`, headers: [] }),
      'refused',
    ),
  ),
  ...(['Basic', 'Token', 'ApiKey', 'Bearer:', ''] as const).map((scheme) =>
    row(
      `with the scheme ${scheme || 'left out'}`,
      () => ({ uri, headers: [['Authorization', `${scheme} ${tokenOf('viewer')}`.trim()]] }),
      'refused',
    ),
  ),
  ...(['X-Api-Key', 'X-Auth-Token', 'Proxy-Authorization', 'X-Authorization'] as const).map((name) =>
    row(`as ${name}`, () => ({ uri, headers: [[name, `Bearer ${tokenOf('viewer')}`]] }), 'refused'),
  ),
  row(
    'identity headers beside a token',
    () => ({ uri, headers: [...by('viewer')(), ['Remote-User', 'admin'], ['Remote-Role', 'admin']] }),
    vera,
  ),
  row(
    'an identity header in another spelling beside a token',
    () => ({ uri, headers: [...by('viewer')(), ['Remote_Role', 'admin']] }),
    vera,
    refusedElsewhere,
  ),
  {
    name: 'a revoked token on the internal entry point, which needs no login',
    entryPoint: 'internal',
    request: () => ({ uri, headers: by('revoked')() }),
    expect: { user: 'anonymous', role: 'admin' },
  },

  ...(['admin', 'cameraScoped'] as const).flatMap((kind) => changesOf(kind, 'refused', ...requiresSession)),
  ...changesOf('admin', admin, ['POST', '/api/restart'], ['PUT', '/api/config/set']),
  ...changesOf(
    'viewer',
    'refused',
    ['POST', '/api/restart'],
    ['GET', '/api/config/raw'],
    ['GET', '/api/users'],
  ),
  ...changesOf('viewer', vera, ['POST', '/api/front_door/search/motion']),
  row(
    'a page of another site cannot send a token, so it counts wherever it comes from',
    () => ({
      method: 'POST',
      uri: '/api/restart',
      headers: [...by('admin')(), ['Origin', 'https://evil.example'], ['Sec-Fetch-Site', 'cross-site']],
    }),
    admin,
  ),

  ...cameraScopeRows(by('cameraScoped'), vera),
  ...basicRows({ tokenOf, session: () => session, forged }),
];
