import { rolesOf } from '../../../support/roles.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import { createApiTokens, type ApiTokens } from '../../../../src/features/api-tokens/api-tokens.ts';
import { apiToken } from '../../../../src/features/api-tokens/strategy.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { basic } from '../../../support/basic.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';

let now: number;
let store: Store;
let users: Users;
let apiTokens: ApiTokens;
let token: string;
let id: string;
beforeEach(async () => {
  now = 1_000_000;
  const clock = { now: () => now };
  const versioned = await temporaryVersionedStore();
  store = versioned.store;
  users = createUsers(store, clock);
  apiTokens = createApiTokens(store, { clock, storeVersion: versioned.version });
  await users.add({ username: 'olaf', role: 'family', passwordHash: 'h' }, unconditional);
  const cameras = new Set(['front']);
  const wanted = { name: 't', owner: 'olaf', role: 'family', cameras, expiresAt: now + 60_000 };
  const made = await apiTokens.add(wanted, unconditional);
  token = made.token;
  id = made.apiToken.id;
});

const rules = {
  roles: rolesOf([['family', ['front']]]),
  issuer: undefined as string | undefined,
  isProtected: ({ secure }: { readonly secure: boolean }) => secure,
};
const ask = async (bearer = token, changes: Partial<typeof rules> = {}) =>
  apiToken(apiTokens, { ...rules, ...changes })({ headers: ['Authorization', `Bearer ${bearer}`] } as never);

test('identifies its owner, with its own role and cameras', async () => {
  const identity = {
    user: 'olaf',
    role: 'family',
    source: 'api-token',
    token: { id, cameras: new Set(['front']), expiresAt: now + 60_000 },
  };
  expect(await ask()).toMatchObject({ identity });
  // Cached by then.
  expect(await ask()).toMatchObject({ identity });
});

test('is refused while its owner is blocked, and valid again afterwards', async () => {
  await ask();
  await users.block('olaf', unconditional);
  for (let times = 0; times < 2; times += 1) expect(await ask()).toEqual({ refused: 'user_blocked' });
  await users.unblock('olaf', unconditional);
  expect(await ask()).toHaveProperty('identity');
});

test('of a federated user needs their provider', async () => {
  await store.change(unconditional, (on) =>
    on.updateTable('users').set({ issuer: 'https://id.example', subject: '1' }).execute(),
  );
  expect(await ask(token, { issuer: 'https://id.example' })).toHaveProperty('identity');
  expect(await ask(token, { issuer: 'https://other.example' })).toEqual({ refused: 'provider_removed' });
  expect(await ask()).toEqual({ refused: 'provider_removed' });
});

test('of a local account stays valid with a provider', async () => {
  expect(await ask(token, { issuer: 'https://id.example' })).toHaveProperty('identity');
});

test('is refused if it is too wide, expired or unknown', async () => {
  expect(await ask(token, { roles: rolesOf() })).toEqual({ refused: 'api_token_too_wide' });
  expect(await ask(`postern_${'x'.repeat(43)}`)).toEqual({ refused: 'api_token_unknown' });
  now += 60_000;
  expect(await ask()).toEqual({ refused: 'api_token_expired' });
});

test('is read in the given transaction', async () => {
  await ask();
  const strategy = apiToken(apiTokens, rules);
  const headers = ['Authorization', `Bearer ${token}`];
  const inside = await store.change(unconditional, async (on) => {
    await on.updateTable('users').set({ blocked: 'admin' }).execute();
    return strategy({ headers } as never, on);
  });
  expect(inside).toEqual({ refused: 'user_blocked' });
});

test('leaves other bearers, and cookies, to other strategies', async () => {
  const strategy = apiToken(apiTokens, rules);
  for (const headers of [
    [],
    ['Authorization', 'Bearer a.b.c'],
    ['Cookie', `session_token=${token}`],
    ['Authorization', basic('olaf', 'x')],
  ])
    expect(strategy({ headers } as never)).toBeUndefined();
});

describe('as the password of Basic', () => {
  const askBasic = async (authorization: string, secure = true) =>
    apiToken(apiTokens, rules)({ headers: ['Authorization', authorization], secure } as never);

  test.each(['olaf', 'OLAF', 'token', 'Token', 'TOKEN'])(
    'identifies its owner by the name %s',
    async (name) => {
      const identity = { user: 'olaf', role: 'family', source: 'api-token', token: { id }, scheme: 'basic' };
      for (let times = 0; times < 2; times += 1)
        expect(await askBasic(basic(name, token))).toMatchObject({ identity });
    },
  );

  test.each(['', 'olga', 'olaf ', ' olaf', 'tokens', 'ol\u00e4f', 'admin'])(
    'is refused by the name %j',
    async (name) => {
      for (let times = 0; times < 2; times += 1)
        expect(await askBasic(basic(name, token))).toEqual({ refused: 'api_token_unknown' });
    },
  );

  test('does not reveal by another name what is wrong with its owner', async () => {
    await users.block('olaf', unconditional);
    expect(await askBasic(basic('olga', token))).toEqual({ refused: 'api_token_unknown' });
    expect(await askBasic(basic('olaf', token))).toEqual({ refused: 'user_blocked' });
  });

  test('is refused without TLS, before it is looked up', async () => {
    for (const password of [token, `postern_${'x'.repeat(43)}`])
      expect(await askBasic(basic('olaf', password), false)).toEqual({
        refused: 'basic_over_http',
      });
  });

  test('is refused if other servers could decode something else', async () => {
    const spaced = basic('olaf', token).replace('b2', 'b 2');
    for (const authorization of [`${basic('olaf', token)},`, spaced, `${basic('olaf', token)} YTpi`])
      expect(await askBasic(authorization)).toEqual({ refused: 'api_token_unknown' });
  });

  test('is refused with more behind it', async () => {
    for (const more of ['A', '\0', ' ', ':', '\u00e9', ':x'])
      expect(await askBasic(basic('olaf', `${token}${more}`))).toEqual({ refused: 'api_token_unknown' });
  });

  test('identifies no one after its time, or once it is revoked', async () => {
    now += 60_000;
    expect(await askBasic(basic('olaf', token))).toEqual({ refused: 'api_token_expired' });
    await apiTokens.revoke(id, unconditional);
    expect(await askBasic(basic('olaf', token))).toEqual({ refused: 'api_token_unknown' });
  });
});
