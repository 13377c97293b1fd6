import type { Creator } from '../../../../src/access/creator.ts';
import { isSecretOf } from '../../../../src/accounts/users/credentials.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { createFederatedUsers } from '../../../../src/accounts/users/federated-users.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { createApiTokens } from '../../../../src/features/api-tokens/api-tokens.ts';
import {
  createShares,
  type Shares,
  listedShare,
  type Share,
} from '../../../../src/features/shares/shares.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryVersionedStore } from '../../store/temporary-store.ts';

let now: number;
let store: Store;
let shares: Shares;
const clock = { now: () => now };
const creator: Creator = { user: 'olaf', role: 'viewer', source: 'session', tokenId: undefined };
beforeEach(async () => {
  now = 1_000_000;
  ({ store } = await temporaryVersionedStore());
  shares = createShares(store, clock);
  await createUsers(store, clock).add({ username: 'olaf', role: 'viewer', passwordHash: 'h' }, unconditional);
});

const add = async (by: Creator = creator, most = 100, expiresAt = now + 60_000) => {
  const wanted = { kind: 'event', object: 'e', camera: 'front', from: 1_000, until: 2_000 } as const;
  const more = { passwordHash: undefined, label: undefined, creator: by, expiresAt };
  return shares.add({ ...wanted, ...more }, most, unconditional);
};

describe('a new share', () => {
  test('has a secret of 256 random bits, stored only as its hash', async () => {
    const { share, secret } = await add();
    expect(Buffer.from(secret, 'base64url')).toHaveLength(32);
    expect(share.id).toMatch(/^[\w-]{20}$/);
    expect(await shares.find(share.id)).toEqual(share);
    expect(JSON.stringify(await store.selectFrom('shares').selectAll().execute())).not.toContain(secret);
    expect([isSecretOf(share, secret), isSecretOf(share, ''), isSecretOf(undefined, secret)]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test('counts against the limit of its creator, without those that are over', async () => {
    await add(creator, 1);
    await expect(add(creator, 1)).rejects.toMatchObject({ code: 'too_many_shares' });
    await add({ ...creator, user: 'proxied', source: 'proxy' }, 1);
    now += 60_000;
    await add(creator, 1);
  });
});

describe('shares are deleted', () => {
  test('when their time is over, without a write if there are none', async () => {
    await add();
    const { share: later } = await add(creator, 100, now + 120_000);
    now += 60_000;
    expect((await shares.list('all')).map(({ id }) => id)).toEqual([later.id]);
    expect(await shares.prune()).toEqual(new Set([later.id]));
    expect(await store.selectFrom('shares').select('share_id').execute()).toHaveLength(1);
    const change = store.change;
    Object.assign(store, { change: () => Promise.reject(new Error('written')) });
    expect(await shares.prune()).toEqual(new Set([later.id]));
    Object.assign(store, { change });
  });

  test('with the account, and with the API token', async () => {
    const tokens = createApiTokens(store, { clock, storeVersion: () => Number.NaN });
    const scope = { name: 't', owner: 'olaf', role: 'viewer', cameras: undefined, expiresAt: undefined };
    const { apiToken } = await tokens.add(scope, unconditional);
    await add({ ...creator, source: 'api-token', tokenId: apiToken.id });
    await add();
    await add({ ...creator, source: 'proxy' });
    await tokens.revoke(apiToken.id, unconditional);
    expect(await shares.list('all')).toHaveLength(2);
    await createUsers(store, clock).add({ username: 'x', role: 'admin', passwordHash: 'h' }, unconditional);
    await createUsers(store, clock).remove('olaf', unconditional);
    expect((await shares.list('all')).map(({ creator: by }) => by.source)).toEqual(['proxy']);
  });

  test('of one user, or of all', async () => {
    await add();
    await add({ ...creator, user: 'anonymous', source: 'internal' });
    expect(await shares.endAll('olaf', unconditional)).toBe(1);
    expect(await shares.endAll(undefined, unconditional)).toBe(1);
  });
});

test('a person of a provider who is called otherwise keeps the shares', async () => {
  const people = createFederatedUsers(store, clock);
  const person = { issuer: 'https://idp.example', subject: '1', role: 'viewer', roleReason: 'default' };
  const arrive = (name: string) =>
    people.arrive(
      { ...person, name, state: name, stateExpiresAt: now + 1_000 },
      () => Promise.resolve(),
      unconditional,
    );
  await arrive('before');
  await add({ ...creator, user: 'before' });
  await arrive('after');
  expect((await shares.list('all')).map(({ creator: by }) => by.user)).toEqual(['after']);
  expect(await shares.list({ ...creator, user: 'after' })).toHaveLength(1);
});

test('the owner of a share depends on how its creator signed in', async () => {
  await add();
  await add({ ...creator, source: 'proxy' });
  await add({ ...creator, source: 'internal', user: 'anonymous', role: 'admin' });
  const sources = async (whose: Creator) => (await shares.list(whose)).map(({ creator: by }) => by.source);
  expect(await sources({ ...creator, source: 'bearer' })).toEqual(['session']);
  expect(await sources({ ...creator, source: 'proxy' })).toEqual(['proxy']);
  expect(await sources({ ...creator, source: 'api-token', tokenId: 't' })).toEqual([]);
  expect(await sources({ ...creator, user: 'anonymous', source: 'internal' })).toEqual(['internal']);
});

const share: Share = {
  id: 'a-share-of-olaf-1',
  secretHash: 'ab'.repeat(32),
  kind: 'event',
  object: 'e1',
  camera: 'front',
  from: 1_000_900,
  until: 2_000_900,
  passwordHash: undefined,
  label: undefined,
  creator: { user: 'olaf', role: 'family', source: 'session', tokenId: undefined },
  needsWord: true,
  createdAt: 3_000_900,
  expiresAt: 4_000_900,
};

test('a listed share has its properties, in whole seconds, and no secrets', () => {
  expect(listedShare(share, undefined)).toEqual({
    id: 'a-share-of-olaf-1',
    kind: 'event',
    event: 'e1',
    cameras: ['front'],
    label: null,
    has_password: false,
    from: 1_000,
    until: 2_000,
    made_by: 'olaf',
    made_at: 3_000,
    expires_at: 4_000,
    openings: 0,
    last_opened_at: null,
  });
});

test('a listed share shows how often it was opened, and that it has a password', () => {
  const unlocks = { count: 3, lastAt: 3_500_900, address: '192.0.2.1' };
  expect(listedShare({ ...share, passwordHash: 'h', label: 'for the postman' }, unlocks)).toMatchObject({
    label: 'for the postman',
    has_password: true,
    openings: 3,
    last_opened_at: 3_500,
  });
});

test.each([
  ['export', { export: 'e1' }],
  ['camera', { camera: 'front' }],
] as const)('of an %s, the id or the name is named so', (kind, named) => {
  const listed = listedShare({ ...share, kind }, undefined);
  expect(listed).toMatchObject({ kind, ...named });
  expect(listed).not.toHaveProperty('event');
});
