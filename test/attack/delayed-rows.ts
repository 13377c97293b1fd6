import { expect } from 'vitest';
import { unconditional } from '../../src/store/permit.ts';
import { hashOfRecoveryCode } from '../../src/accounts/second-factor/codes.ts';
import { authenticator, codeOf, site } from '../support/factor-person.ts';
import { goodPassword as password, visitor } from '../support/log-in.ts';
import { browserKeys } from '../support/push-service.ts';
import type { RawAnswer } from '../support/raw-http.ts';
import { hashOf, startDelayedGate, type DelayedGate, type Place } from '../support/start-delayed-gate.ts';

/*
 * Permitted, then delayed: a request waits, and what it was permitted by is taken away meanwhile. Nothing of it may take
 * effect, and nothing that it would have got is handed out.
 */

const cameras = ['front', 'garage'];
export const auth = {
  enabled: true,
  roles: { family: ['front'] },
  camera_groups: { outside: ['front'], unused: ['garage'] },
  role_access: { family: { groups: ['outside'] } },
  failed_login_rate_limit: null,
};
export const accounts = { auth, cameras, tls: { enabled: false }, public_url: site };
export const proxied = {
  ...accounts,
  auth: { ...auth, enabled: false },
  proxy: {
    auth_secret: 'a secret between proxy and gate',
    header_map: { user: 'remote-user', role: 'remote-groups', role_map: { admin: ['admins'] } },
  },
};
const fromProxy = [
  ['X-Proxy-Secret', 'a secret between proxy and gate'],
  ['Remote-User', 'boss'],
  ['Remote-Groups', 'admins'],
] as const;

/** Who asks: `thief` is an admin and `vera` a viewer, whose sessions and tokens may have been stolen. */
export type Asker = 'thief' | 'vera' | 'proxy' | 'token';

export interface House {
  readonly gate: DelayedGate;
  readonly send: (asker: Asker, method: string, uri: string, body?: object) => Promise<RawAnswer>;
  /** Ids that are in the paths of requests. */
  readonly ids: Readonly<Record<'session' | 'other' | 'token' | 'apiToken', string>>;
}

export async function house(): Promise<House> {
  const gate = await startDelayedGate(accounts);
  const { apiTokens } = gate;
  const { users } = gate.services;
  for (const [username, role] of Object.entries({
    admin: 'admin',
    thief: 'admin',
    vera: 'viewer',
    anna: 'family',
  }))
    await users.add({ username, role, passwordHash: hashOf(password) }, unconditional);
  const logIn = async (username: string) => {
    const user = visitor(gate.address, false);
    expect((await user.logIn(username, password)).status).toBe(200);
    const claims = (user.token ?? '').split('.')[1] ?? '';
    const { sid } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { sid: string };
    return { user, sid };
  };
  const thief = await logIn('thief');
  const vera = await logIn('vera');
  const other = await logIn('vera');
  const token = (owner: string, role: string) =>
    apiTokens.add(
      { name: 'script', owner, role, cameras: undefined, expiresAt: Date.now() + 3_600_000 },
      unconditional,
    );
  const [ofThief, ofVera] = [await token('thief', 'admin'), await token('vera', 'viewer')];
  const plain = visitor(gate.address, false);
  return {
    gate,
    send: (asker, method, uri, body) => {
      if (asker === 'thief') return thief.user.send(method, uri, body);
      if (asker === 'vera') return vera.user.send(method, uri, body);
      const bearer = [['Authorization', `Bearer ${ofThief.token}`] as const];
      return plain.send(method, uri, body, asker === 'proxy' ? fromProxy : bearer);
    },
    ids: { session: thief.sid, other: other.sid, token: ofThief.apiToken.id, apiToken: ofVera.apiToken.id },
  };
}

export type Change = readonly [
  what: string,
  method: string,
  uri: string | ((ids: House['ids']) => string),
  body?: object | ((all: House) => Promise<object>),
];

const recoveryCode = 'abcd-efgh-jkmn-pqrs';

/** Requests of vera, who got factors without an end of her sessions. */
const withFactors =
  (body: object) =>
  async ({ gate: { services } }: House): Promise<object> => {
    const made = { username: 'vera', created_at: 0 };
    const key = { name: 'key', counter: 0, transports: '[]', user_handle: 'x' };
    await services.change(unconditional, async (on, { prove }) => {
      await on
        .insertInto('passkeys')
        .values({ credential_id: 'of-vera', ...made, ...key, public_key: prove(''), last_used_at: null })
        .execute();
      await on
        .insertInto('one_time_codes')
        .values({ ...made, secret: prove(''), last_step: 0 })
        .execute();
      const code_hash = prove(hashOfRecoveryCode(recoveryCode));
      await on.insertInto('recovery_codes').values({ code_hash, username: 'vera' }).execute();
    });
    return body;
  };

const asked = async <T>({ send }: House, asker: Asker, uri: string) =>
  JSON.parse((await send(asker, 'POST', uri, {})).body) as T;

async function newPasskey(all: House): Promise<object> {
  type Ceremony = { options: Parameters<typeof authenticator.create>[0]; state: string };
  const { options, state } = await asked<Ceremony>(all, 'thief', '/postern/api/passkeys/options');
  return { name: 'of a thief', state, response: authenticator.create(options).response };
}

async function newOneTimeCode(all: House): Promise<object> {
  const uri = '/postern/api/one-time-code/setup';
  const { secret, state } = await asked<{ secret: string; state: string }>(all, 'vera', uri);
  return { state, code: codeOf(secret, all.gate.services.clock.now()) };
}

async function newScreen({ gate: { pairingCodes } }: House): Promise<object> {
  const codes = await pairingCodes.begin({ address: '192.0.2.9', agent: undefined });
  return { user_code: codes?.userCode, name: 'Hall' };
}

const aCamera = { kind: 'camera', camera: 'front' } as const;
const ownShare = 'a-share-of-vera-s-own';

const withShare =
  (body: object) =>
  async ({ gate: { services } }: House): Promise<object> => {
    const [now, never] = [Math.floor(Date.now() / 1000), 9_999_999_999];
    await services.change(unconditional, (on) =>
      on
        .insertInto('shares')
        .values({
          share_id: ownShare,
          secret_hash: '',
          ...aCamera,
          starts_at: now,
          ends_at: never,
          username: 'vera',
          account: 'vera',
          role: 'viewer',
          source: 'session',
          created_at: now,
          expires_at: never,
        })
        .execute(),
    );
    return body;
  };

const accessFor = (who: 'role' | 'person') => ({ cameras, may: ['live', 'talk'], for: who });

const newSubscription = { endpoint: 'https://push.example.org/a', keys: browserKeys().keys };

/** Each way to take a right away is tried with the first change of each asker. The others are permitted alike: one way stands for all. */
export const changes: Partial<Record<Asker, readonly Change[]>> = {
  thief: [
    ['adds an admin', 'POST', '/api/users', { username: 'ghost', password, role: 'admin' }],
    ["sets another's password", 'PUT', '/api/users/admin/password', { password }],
    [
      'sets the own password',
      'PUT',
      '/api/users/thief/password',
      { password: `${password}!`, old_password: password },
    ],
    ['gives a role', 'PUT', '/api/users/vera/role', { role: 'admin' }],
    ['gives a person a role of their own', 'PUT', '/postern/api/people/anna/access', accessFor('person')],
    ['widens the role of a person', 'PUT', '/postern/api/people/anna/access', accessFor('role')],
    ['removes a user', 'DELETE', '/api/users/vera'],
    ['blocks a user', 'PUT', '/postern/api/users/vera/blocked', { blocked: true }],
    ['defines a role', 'PUT', '/postern/api/roles/guests', { cameras }],
    ['widens a role', 'PUT', '/postern/api/roles/family', { cameras }],
    ['defines a group of cameras', 'PUT', '/postern/api/camera-groups/garden', { cameras }],
    ['widens a role by a group', 'PUT', '/postern/api/camera-groups/outside', { cameras }],
    ['removes a group of cameras', 'DELETE', '/postern/api/camera-groups/unused'],
    ['removes a role', 'DELETE', '/postern/api/roles/family'],
    ['makes admins of a role', 'DELETE', '/postern/api/roles/family?reassign_to=admin'],
    ['makes an API token', 'POST', '/postern/api/tokens', { name: 'for ever', role: 'admin' }],
    ["revokes another's API token", 'DELETE', ({ apiToken }) => `/postern/api/tokens/${apiToken}`],
    ['invites an admin', 'POST', '/postern/api/invitations', { role: 'admin' }],
    ["ends another's session", 'DELETE', ({ other }) => `/postern/api/sessions/${other}`],
    ["ends another's sessions", 'DELETE', '/postern/api/sessions?user=vera'],
    ['ends all own sessions', 'DELETE', '/postern/api/sessions'],
    ['ends the own session', 'DELETE', ({ session }) => `/postern/api/sessions/${session}`],
    ['adds the first passkey', 'POST', '/postern/api/passkeys', newPasskey],
    ["takes another's factors away", 'DELETE', '/postern/api/users/vera/factors'],
    ['gives the house another face', 'PUT', '/postern/api/appearance', { house: 'Evil', accent: null }],
    ['changes the time zone', 'PUT', '/postern/api/settings/timezone', { value: 'Asia/Tokyo' }],
    ['notes that the steps were seen', 'POST', '/postern/api/first-run', { fact: 'shown' }],
  ],
  vera: [
    [
      'sets the own password',
      'PUT',
      '/api/users/vera/password',
      { password: `${password}!`, old_password: password, keep_api_tokens: true },
    ],
    ['makes an API token', 'POST', '/postern/api/tokens', { name: 'for ever', role: 'viewer' }],
    ['revokes an API token', 'DELETE', ({ apiToken }) => `/postern/api/tokens/${apiToken}`],
    ['approves a screen', 'POST', '/postern/api/displays', newScreen],
    ['sends the own alerts elsewhere', 'PUT', '/postern/api/account/email', { email: 'thief@example.org' }],
    ['gets pushes', 'POST', '/postern/api/push', newSubscription],
    ['sets up one-time codes', 'POST', '/postern/api/one-time-code', newOneTimeCode],
    ['proves again who it is', 'POST', '/postern/api/step-up', withFactors({ recovery_code: recoveryCode })],
    ['ends another session', 'DELETE', ({ other }) => `/postern/api/sessions/${other}`],
    ['ends all sessions', 'DELETE', '/postern/api/sessions'],
    ['shares a camera', 'POST', '/postern/api/shares', { ...aCamera, expires_in: 600 }],
    ['ends a share', 'DELETE', `/postern/api/shares/${ownShare}`, withShare({})],
    ['removes a passkey', 'DELETE', '/postern/api/passkeys/of-vera', withFactors({})],
    ['removes the one-time codes', 'DELETE', '/postern/api/one-time-code', withFactors({})],
    ['makes recovery codes', 'POST', '/postern/api/recovery-codes', withFactors({})],
  ],
  token: [['defines a role', 'PUT', '/postern/api/roles/guests', { cameras }]],
  proxy: [
    ['adds an admin', 'POST', '/api/users', { username: 'ghost', password, role: 'admin' }],
    ["sets another's password", 'PUT', '/api/users/admin/password', { password }],
    ['removes a user', 'DELETE', '/api/users/vera'],
    ['defines a role', 'PUT', '/postern/api/roles/guests', { cameras }],
    ["ends another's sessions", 'DELETE', '/postern/api/sessions?user=vera'],
  ],
};

type Taking = readonly [
  how: string,
  take: (house: House, asker: string) => unknown,
  status: number,
  reason: string | RegExp,
];

export const usersOf = ({ gate }: House) => gate.services.users;
export const remake = async (all: House, asker: string) => {
  const found = await usersOf(all).find(asker);
  await usersOf(all).remove(asker, unconditional);
  const { role = '', passwordHash = '' } = found ?? {};
  await usersOf(all).add({ username: asker, role, passwordHash }, unconditional);
};

const takenFromSessions: readonly Taking[] = [
  [
    'a new password',
    (all, asker) => usersOf(all).setPassword(asker, 'new', unconditional),
    401,
    'token_revoked',
  ],
  [
    'another role',
    (all, asker) => usersOf(all).setRole(asker, 'family', unconditional),
    401,
    'token_revoked',
  ],
  [
    'the end of all sessions',
    (all, asker) => usersOf(all).endSessions(asker, unconditional),
    401,
    'token_revoked',
  ],
  ['a block', (all, asker) => usersOf(all).block(asker, unconditional), 401, 'token_revoked'],
  ['a removal', (all, asker) => usersOf(all).remove(asker, unconditional), 401, 'user_unknown'],
  ['a removal, and a user of that name', remake, 401, 'token_revoked'],
  ['the time', ({ gate }) => gate.advance(86_401), 401, 'token_expired'],
  ['another JWT secret', ({ gate }) => gate.reload(accounts, 'another secret'), 401, 'token_invalid'],
  [
    'a proxy that logs in',
    ({ gate }) => gate.reload({ ...proxied, proxy: { default_role: 'admin' } }),
    403,
    'identity_changed',
  ],
];

export const taken: Record<Asker, readonly Taking[]> = {
  thief: [
    ...takenFromSessions,
    [
      'a logout',
      ({ gate, ids }) =>
        gate.services.revocations.revoke(ids.session, Date.now() + 99_999_000, unconditional),
      401,
      'token_revoked',
    ],
  ],
  vera: takenFromSessions,
  token: [
    [
      'a revocation',
      ({ gate, ids }) => gate.apiTokens.revoke(ids.token, unconditional),
      401,
      'api_token_unknown',
    ],
    [
      'a new password of its owner',
      (all) => usersOf(all).setPassword('thief', 'new', unconditional),
      401,
      'api_token_unknown',
    ],
    [
      'another role of its owner',
      (all) => usersOf(all).setRole('thief', 'viewer', unconditional),
      401,
      'api_token_too_wide',
    ],
    ['a block of its owner', (all) => usersOf(all).block('thief', unconditional), 401, 'user_blocked'],
    ['the time', ({ gate }) => gate.advance(3_601), 401, 'api_token_expired'],
  ],
  proxy: [
    [
      'another role map',
      ({ gate }) =>
        gate.reload({
          ...proxied,
          proxy: {
            ...proxied.proxy,
            header_map: { ...proxied.proxy.header_map, role_map: { viewer: ['admins'] } },
          },
        }),
      403,
      /^(?:admin_only|identity_changed)$/,
    ],
    [
      'another proxy secret',
      ({ gate }) => gate.reload({ ...proxied, proxy: { ...proxied.proxy, auth_secret: 'another one' } }),
      401,
      'proxy_secret_mismatch',
    ],
    ['accounts of our own', ({ gate }) => gate.reload(accounts), 401, 'no_session'],
  ],
};

/** Sends a change, and does something else while it waits at a place. */
export async function whileWaiting(
  all: House,
  [asker, [, method, uri, body]]: readonly [Asker, Change],
  meanwhile: () => unknown,
  place: Place = 'change',
) {
  const { gate, send, ids } = all;
  const given = typeof body === 'function' ? await body(all) : body;
  const waiting = gate.delay(place);
  const answer = send(asker, method, typeof uri === 'string' ? uri : uri(ids), given);
  const early = answer.then(({ status, body: text }) => {
    throw new Error(`answered before it had to wait: ${status} ${text}`);
  });
  await Promise.race([waiting.reached, early]);
  early.catch(() => undefined);
  await meanwhile();
  const before = await gate.kept();
  waiting.release();
  return { answer: await answer, before, after: await gate.kept() };
}

export const begin = async (asker: Asker) => {
  const all = await house();
  if (asker === 'proxy') all.gate.reload(proxied);
  return all;
};
