import { isApiToken } from '../../../../src/policy/authorization-header.ts';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import * as v from 'valibot';
import {
  apiTokenName,
  createApiTokens,
  type ApiTokens,
  type NewApiToken,
} from '../../../../src/features/api-tokens/api-tokens.ts';
import { addPersonalRole } from '../../../../src/accounts/users/personal-roles.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import type { VersionedStore } from '../../../../src/store/store.ts';
import { openVersionedStore, storePath } from '../../../../src/store/sqlite/open-store.ts';
import { isOnPostgres, temporaryDirectory, temporaryVersionedStore } from '../../store/temporary-store.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { assertCases } from '../../../support/assert-cases.ts';

let now: number;
let directory: string;
let versioned: VersionedStore;
let users: Users;
let apiTokens: ApiTokens;
beforeEach(async () => {
  now = 1_000_000;
  directory = temporaryDirectory();
  versioned = await temporaryVersionedStore(directory);
  users = createUsers(versioned.store, { now: () => now });
  apiTokens = createApiTokens(versioned.store, {
    clock: { now: () => now },
    storeVersion: versioned.version,
  });
  await users.add({ username: 'olaf', role: 'viewer', passwordHash: 'h1' }, unconditional);
  await users.add({ username: 'anna', role: 'family', passwordHash: 'h2' }, unconditional);
});
const wanted = (changes: Partial<NewApiToken> = {}): NewApiToken => ({
  name: 'grafana',
  owner: 'olaf',
  role: 'viewer',
  cameras: undefined,
  expiresAt: undefined,
  ...changes,
});

describe('a new token', () => {
  test("has no role that was made for someone else, but may have its owner's own", async () => {
    await versioned.store.change(unconditional, (on) => addPersonalRole(on, 'guest_0123456789ab'));
    await users.add({ username: 'nell', role: 'guest_0123456789ab', passwordHash: 'h3' }, unconditional);
    const ofNell = wanted({ role: 'guest_0123456789ab' });
    await expect(apiTokens.add(ofNell, unconditional)).rejects.toMatchObject({ code: 'role_unknown' });
    await apiTokens.add({ ...ofNell, owner: 'nell' }, unconditional);
    expect((await apiTokens.list(undefined)).map(({ owner }) => owner)).toEqual(['nell']);
  });

  test('has the prefix that scanners search for, and 256 random bits', async () => {
    const { token, apiToken } = await apiTokens.add(wanted({ cameras: new Set(['front']) }), unconditional);
    expect(token).toMatch(/^postern_[A-Za-z0-9_-]{43}$/);
    expect(Buffer.from(token.slice('postern_'.length), 'base64url')).toHaveLength(32);
    expect(apiToken).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      name: 'grafana',
      owner: 'olaf',
      ownerRole: 'viewer',
      isOwnerBlocked: false,
      ownerIssuer: undefined,
      role: 'viewer',
      cameras: new Set(['front']),
      createdAt: 1_000_000,
      expiresAt: undefined,
    });
    expect(await apiTokens.check(token)).toEqual({ apiToken });
    expect(await apiTokens.find(apiToken.id)).toEqual(apiToken);
    expect((await apiTokens.add(wanted({ name: 'other' }), unconditional)).token).not.toBe(token);
  });

  test('keeps what it may do of its role, and when', async () => {
    const may = new Set(['live'] as const);
    const schedule = { until: '2027-01-05', hours: '07:00-19:00' };
    const { token, apiToken } = await apiTokens.add(wanted({ may, schedule }), unconditional);
    expect(apiToken).toMatchObject({ may, schedule });
    expect(await apiTokens.check(token)).toEqual({ apiToken });
    // Neither limits the other.
    const alone = await apiTokens.add(wanted({ name: 'alone', may }), unconditional);
    expect([alone.apiToken.may, alone.apiToken.schedule]).toEqual([may, undefined]);
  });

  test.each(['nonsense', '{}', '{"may":["admin"]}', '{"groups":["outside"]}', '[]', '{"hours":"all day"}'])(
    'with an access that cannot be read (%s) grants nothing',
    async (access) => {
      const { token } = await apiTokens.add(wanted(), unconditional);
      await versioned.store.change(unconditional, (on) =>
        on.updateTable('api_tokens').set({ access }).execute(),
      );
      expect(await apiTokens.check(token)).toMatchObject({
        apiToken: { may: new Set(), schedule: { until: '0001-01-01' } },
      });
    },
  );

  test.skipIf(isOnPostgres())('is stored only as its hash', async () => {
    const { token } = await apiTokens.add(wanted(), unconditional);
    const row = await versioned.store.selectFrom('api_tokens').selectAll().executeTakeFirstOrThrow();
    expect(row.token_hash).toBe(createHash('sha256').update(token).digest('hex'));
    const files = ['', '-wal'].map((suffix) => readFileSync(`${storePath(directory)}${suffix}`));
    expect(files.some((file) => file.includes(String(row.token_hash)))).toBe(true);
    expect(files.some((file) => file.includes(token.slice('postern_'.length)))).toBe(false);
  });

  test.each<[what: string, changes: Partial<NewApiToken>, code: string]>([
    ['a name that its owner has given already', {}, 'api_token_exists'],
    ['an owner that there is not', { owner: 'nobody' }, 'user_unknown'],
  ])('%s: refused', async (_, changes, code) => {
    await apiTokens.add(wanted(), unconditional);
    await expect(apiTokens.add(wanted(changes), unconditional)).rejects.toMatchObject({ code });
    expect(await apiTokens.list()).toHaveLength(1);
  });

  test("may have the name of another user's token", async () => {
    await apiTokens.add(wanted(), unconditional);
    await apiTokens.add(wanted({ owner: 'anna', role: 'family' }), unconditional);
    expect((await apiTokens.list()).map(({ owner }) => owner)).toEqual(['anna', 'olaf']);
    expect((await apiTokens.list('anna')).map(({ owner }) => owner)).toEqual(['anna']);
  });

  test('is rejected when the user has a hundred', async () => {
    for (let i = 0; i < 100; i += 1) await apiTokens.add(wanted({ name: `n${i}` }), unconditional);
    await expect(apiTokens.add(wanted(), unconditional)).rejects.toMatchObject({
      code: 'too_many_api_tokens',
    });
    await apiTokens.add(wanted({ owner: 'anna' }), unconditional);
    await apiTokens.revoke((await apiTokens.list('olaf'))[0]?.id ?? '', unconditional);
    await apiTokens.add(wanted(), unconditional);
  });
});

test.each<[name: string, isGood: boolean]>([
  ['grafana', true],
  ['Home Assistant (garage) – 2', true],
  ['ü', true],
  ['x'.repeat(64), true],
  ['x'.repeat(65), false],
  ['😀'.repeat(32), true],
  ['😀'.repeat(33), false],
  ['', false],
  [' ', false],
  [' grafana', false],
  ['grafana ', false],
  ['a\nb', false],
  ['a\u0000b', false],
  ['a\u202eb', false],
  ['a\u00a0b', false],
  ['a\u2028b', false],
])('the name %j: %s', (name, isGood) => {
  expect(v.safeParse(apiTokenName, name).success).toBe(isGood);
});

describe('a presented token', () => {
  test('expires at its exact second', async () => {
    const { token, apiToken } = await apiTokens.add(wanted({ expiresAt: 2_000_000 }), unconditional);
    for (const [at, expected] of [
      [1_999_900, { apiToken }],
      [2_000_000, { problem: 'api_token_expired' }],
      [1_500_000, { apiToken }],
    ] as const) {
      now = at;
      expect(await apiTokens.check(token)).toEqual(expected);
      expect(apiTokens.recall(token)).toEqual(expected);
    }
  });

  test('is remembered until the store changes', async () => {
    const { token, apiToken } = await apiTokens.add(wanted(), unconditional);
    expect(apiTokens.recall(token)).toBeUndefined();
    await apiTokens.check(token);
    expect(apiTokens.recall(token)).toEqual({ apiToken });
    await users.setRole('olaf', 'family', unconditional);
    expect(apiTokens.recall(token)).toBeUndefined();
    expect(await apiTokens.check(token)).toEqual({ apiToken: { ...apiToken, ownerRole: 'family' } });
    expect(apiTokens.recall(token)).toBeDefined();
    expect(await apiTokens.revoke(apiToken.id, unconditional)).toBe(true);
    expect(apiTokens.recall(token)).toBeUndefined();
    expect(await apiTokens.check(token)).toEqual({ problem: 'api_token_unknown' });
    expect(await apiTokens.revoke(apiToken.id, unconditional)).toBe(false);
  });

  test.skipIf(isOnPostgres())('is not remembered after another process changed the store', async () => {
    const { token, apiToken } = await apiTokens.add(wanted(), unconditional);
    await apiTokens.check(token);
    const other = await openVersionedStore(storePath(directory), 5_000);
    await createApiTokens(other.store, { clock: { now: () => now }, storeVersion: other.version }).revoke(
      apiToken.id,
      unconditional,
    );
    await other.store.destroy();
    // A change of another process is seen within a millisecond.
    await new Promise((resolve) => setTimeout(resolve, 2));
    expect(apiTokens.recall(token)).toBeUndefined();
    expect(await apiTokens.check(token)).toEqual({ problem: 'api_token_unknown' });
  });

  test('is deleted with its owner, and not valid for a new user of the name', async () => {
    const { token } = await apiTokens.add(wanted({ owner: 'anna', role: 'family' }), unconditional);
    await users.add({ username: 'root', role: 'admin', passwordHash: 'h3' }, unconditional);
    await users.remove('anna', unconditional);
    expect(await apiTokens.list()).toEqual([]);
    await users.add({ username: 'anna', role: 'family', passwordHash: 'h4' }, unconditional);
    expect(await apiTokens.check(token)).toEqual({ problem: 'api_token_unknown' });
  });

  test("is revoked when its owner's password changes, unless it is kept", async () => {
    const { token, apiToken } = await apiTokens.add(wanted(), unconditional);
    const { token: second } = await apiTokens.add(wanted({ name: 'second' }), unconditional);
    const { token: ofAnna } = await apiTokens.add(wanted({ owner: 'anna', role: 'family' }), unconditional);
    const kept = await users.setPassword('olaf', 'h5', unconditional, { keep: ['api_tokens'] });
    expect(kept.ended.api_tokens_ended).toBe(0);
    expect(await apiTokens.check(token)).toEqual({ apiToken });
    const changed = await users.setPassword('olaf', 'h6', unconditional);
    expect(changed.ended.api_tokens_ended).toBe(2);
    for (const ended of [token, second])
      expect(await apiTokens.check(ended)).toEqual({ problem: 'api_token_unknown' });
    expect(await apiTokens.check(ofAnna)).toHaveProperty('apiToken');
  });

  test('is valid in one spelling only', async () => {
    const { token } = await apiTokens.add(wanted(), unconditional);
    const changed = fc
      .tuple(fc.nat(token.length), fc.nat(2), fc.string({ minLength: 1, maxLength: 2 }))
      .map(([at, cut, text]) => `${token.slice(0, at)}${text}${token.slice(at + cut)}`);
    await assertCases(
      fc.asyncProperty(changed, async (other) => {
        fc.pre(other !== token);
        expect(await apiTokens.check(other)).toEqual({ problem: 'api_token_unknown' });
        expect(apiTokens.recall(other) ?? {}).not.toHaveProperty('apiToken');
      }),
      { numRuns: 500, reaching: 0.9 },
    );
  });
});

test('no JWT begins like an API token', () => {
  assertCases(
    fc.property(fc.object(), fc.constantFrom('', ' ', '\n', '\t'), (header, before) => {
      expect(isApiToken(Buffer.from(`${before}${JSON.stringify(header)}`).toString('base64url'))).toBe(false);
    }),
  );
});
