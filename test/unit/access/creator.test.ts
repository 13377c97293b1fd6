import { rolesOf } from '../../support/roles.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFederatedUsers } from '../../../src/accounts/users/federated-users.ts';
import { createUsers, type Users } from '../../../src/accounts/users/users.ts';
import { createApiTokens, type ApiTokens } from '../../../src/features/api-tokens/api-tokens.ts';
import { identityOfCreator } from '../../../src/access/creator.ts';
import type { Creator } from '../../../src/access/creator.ts';
import { unconditional } from '../../../src/store/permit.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryVersionedStore } from '../store/temporary-store.ts';

let now: number;
let store: Store;
let users: Users;
let apiTokens: ApiTokens;
const clock = { now: () => now };
beforeEach(async () => {
  now = 1_000_000;
  ({ store } = await temporaryVersionedStore());
  users = createUsers(store, clock);
  apiTokens = createApiTokens(store, { clock, storeVersion: () => Number.NaN });
  for (const [username, role] of [
    ['boss', 'admin'],
    ['olaf', 'family'],
  ] as const)
    await users.add({ username, role, passwordHash: 'h' }, unconditional);
});

const settings = {
  mode: 'session' as 'session' | 'proxy',
  issuer: undefined as string | undefined,
  secondFactorFor: new Set<string>(),
  rules: { roles: rolesOf([['family', new Set(['front'])]]) },
};
const olaf: Creator = { user: 'olaf', role: 'family', source: 'session', tokenId: undefined };
const find = (creator: Creator, changes: Partial<typeof settings> = {}) =>
  identityOfCreator(creator, { ...settings, ...changes }, { users, findToken: apiTokens.find, clock });

describe('an account as creator', () => {
  test('has its current role', async () => {
    expect(await find(olaf)).toMatchObject({ user: 'olaf', role: 'family', source: 'session' });
    await users.setRole('olaf', 'viewer', unconditional);
    expect(await find({ ...olaf, source: 'bearer' })).toMatchObject({ role: 'viewer', source: 'bearer' });
    expect(await find(olaf, { rules: { roles: rolesOf() } })).toMatchObject({ role: 'viewer' });
  });

  test.each<[what: string, changes: Partial<typeof settings>]>([
    ['accounts are none here any more', { mode: 'proxy' }],
    ['the role needs a second factor that the creator has not', { secondFactorFor: new Set(['family']) }],
  ])('has no access if %s', async (_, changes) => expect(await find(olaf, changes)).toBeUndefined());

  test('has no access while it is blocked, and once it is removed', async () => {
    await users.block('olaf', unconditional);
    expect(await find(olaf)).toBeUndefined();
    await users.unblock('olaf', unconditional);
    expect(await find(olaf)).toBeDefined();
    await users.remove('olaf', unconditional);
    expect(await find(olaf)).toBeUndefined();
  });

  test('of a provider has no access without that provider', async () => {
    const person = {
      issuer: 'https://idp.example',
      subject: '1',
      name: 'ida',
      role: 'viewer',
      roleReason: '',
    };
    const attempt = { state: 's', stateExpiresAt: now + 1_000 };
    await createFederatedUsers(store, clock).arrive(
      { ...person, ...attempt },
      () => Promise.resolve(),
      unconditional,
    );
    const ida = { ...olaf, user: 'ida' };
    expect(await find(ida, { issuer: person.issuer })).toBeDefined();
    expect(await find(ida, { issuer: 'https://other.example' })).toBeUndefined();
  });
});

describe('with a provider', () => {
  const issuer = 'https://idp.example';

  test('a local account keeps its identity', async () => {
    expect(await find(olaf, { issuer })).toMatchObject({ user: 'olaf', role: 'family' });
  });

  test('the API token of a federated user depends on the provider, that of a local account does not', async () => {
    const wanted = { name: 't', owner: 'olaf', role: 'family', cameras: undefined, expiresAt: undefined };
    const { apiToken } = await apiTokens.add(wanted, unconditional);
    const creator = { ...olaf, source: 'api-token', tokenId: apiToken.id } as const;
    expect(await find(creator, { issuer })).toBeDefined();
    await store.change(unconditional, (on) =>
      on.updateTable('users').set({ issuer, subject: '1' }).where('username', '=', 'olaf').execute(),
    );
    expect(await find(creator, { issuer })).toBeDefined();
    for (const other of [undefined, 'https://other.example'])
      expect(await find(creator, { issuer: other })).toBeUndefined();
    expect(await find(creator, { issuer, mode: 'proxy' })).toBeUndefined();
  });

  test('a federated user needs no second factor of the gate, a local account does', async () => {
    const secondFactorFor = new Set(['family']);
    await store.change(unconditional, (on) =>
      on.updateTable('users').set({ issuer, subject: '1' }).where('username', '=', 'olaf').execute(),
    );
    expect(await find(olaf, { issuer, secondFactorFor })).toBeDefined();
    expect(
      await find({ ...olaf, user: 'boss' }, { issuer, secondFactorFor: new Set(['admin']) }),
    ).toBeUndefined();
  });
});

describe('an API token as creator', () => {
  const made = async () => {
    const cameras = new Set(['front']);
    const scope = { name: 't', owner: 'olaf', role: 'family', cameras, expiresAt: now + 60_000 };
    const { apiToken } = await apiTokens.add(scope, unconditional);
    return { ...olaf, source: 'api-token', tokenId: apiToken.id } as const;
  };

  test('identifies its owner, with its role and cameras', async () => {
    const creator = await made();
    expect(await find(creator)).toMatchObject({
      role: 'family',
      token: { id: creator.tokenId, cameras: new Set(['front']) },
    });
  });

  test('has no access if it is expired, revoked or too wide, or its owner blocked or replaced', async () => {
    const creator = await made();
    expect(await find({ ...creator, user: 'boss' })).toBeUndefined();
    expect(await find({ ...creator, tokenId: undefined })).toBeUndefined();
    expect(await find(creator, { rules: { roles: rolesOf() } })).toBeUndefined();
    await users.block('olaf', unconditional);
    expect(await find(creator)).toBeUndefined();
    await users.unblock('olaf', unconditional);
    now += 60_000;
    expect(await find(creator)).toBeUndefined();
    now -= 60_000;
    expect(await find(creator)).toBeDefined();
    await apiTokens.revoke(creator.tokenId, unconditional);
    expect(await find(creator)).toBeUndefined();
  });
});

test('a user of a proxy keeps the role of the share’s creation, while a proxy authenticates', async () => {
  const proxied: Creator = { ...olaf, source: 'proxy', role: 'viewer' };
  expect(await find(proxied)).toBeUndefined();
  expect(await find(proxied, { mode: 'proxy' })).toMatchObject({
    user: 'olaf',
    role: 'viewer',
    source: 'proxy',
  });
});

test('a client of the internal entry point is admin', async () => {
  const internal: Creator = { ...olaf, user: 'anonymous', role: 'admin', source: 'internal' };
  expect(await find(internal)).toMatchObject({ user: 'anonymous', role: 'admin', source: 'internal' });
});
