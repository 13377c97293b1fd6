import { beforeEach, expect, test } from 'vitest';
import { createUsers, type Users } from '../../../../src/identity/users/users.ts';
import { createApiTokens, type ApiTokens } from '../../../../src/identity/api-tokens/api-tokens.ts';
import { apiToken } from '../../../../src/access/authentication/api-token.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
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
  apiTokens = createApiTokens(store, clock, versioned.version);
  await users.add({ username: 'olaf', role: 'family', passwordHash: 'h' }, unconditional);
  const cameras = new Set(['front']);
  const wanted = { name: 't', owner: 'olaf', role: 'family', cameras, expiresAt: now + 60_000 };
  const made = await apiTokens.add(wanted, unconditional);
  token = made.token;
  id = made.apiToken.id;
});

const roles = { customRoles: new Map([['family', new Set(['front'])]]), schedules: new Map() };
const ask = async (bearer = token, of = roles, issuer?: string) =>
  apiToken(apiTokens, of, issuer)({ headers: ['Authorization', `Bearer ${bearer}`] } as never);

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
  expect(await ask(token, roles, 'https://id.example')).toHaveProperty('identity');
  expect(await ask(token, roles, 'https://other.example')).toEqual({ refused: 'provider_removed' });
  expect(await ask()).toEqual({ refused: 'provider_removed' });
});

test('of a local account stays valid with a provider', async () => {
  expect(await ask(token, roles, 'https://id.example')).toHaveProperty('identity');
});

test('is refused if it is too wide, expired or unknown', async () => {
  expect(await ask(token, { ...roles, customRoles: new Map() })).toEqual({ refused: 'api_token_too_wide' });
  expect(await ask(`postern_${'x'.repeat(43)}`)).toEqual({ refused: 'api_token_unknown' });
  now += 60_000;
  expect(await ask()).toEqual({ refused: 'api_token_expired' });
});

test('is read in the given transaction', async () => {
  await ask();
  const strategy = apiToken(apiTokens, roles);
  const headers = ['Authorization', `Bearer ${token}`];
  const inside = await store.change(unconditional, async (on) => {
    await on.updateTable('users').set({ blocked: 'admin' }).execute();
    return strategy({ headers } as never, on);
  });
  expect(inside).toEqual({ refused: 'user_blocked' });
});

test('leaves other bearers, and cookies, to other strategies', async () => {
  const strategy = apiToken(apiTokens, roles);
  for (const headers of [[], ['Authorization', 'Bearer a.b.c'], ['Cookie', `session_token=${token}`]])
    expect(strategy({ headers } as never)).toBeUndefined();
});
