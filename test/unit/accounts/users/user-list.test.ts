import { assert, asyncProperty, constantFrom, integer } from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryStore } from '../../store/temporary-store.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import { addPerson, issuer } from '../../../support/add-person.ts';
import { listedUser, type UserDetails } from '../../../../src/accounts/users/user-list.ts';

let store: Store;
let users: Users;
beforeEach(async () => {
  store = await temporaryStore();
  users = createUsers(store, { now: () => 1_000_000 });
  await users.add({ username: 'root', role: 'admin', passwordHash: 'h1' }, unconditional);
  await users.add({ username: 'olaf', role: 'family', passwordHash: 'h2' }, unconditional);
});

describe('a part of the list', () => {
  const names = ['Nell', 'anna', 'nell.2', 'penelope', 'x_y', 'x%y'];
  beforeEach(async () => {
    for (const [i, username] of names.entries())
      await users.add(
        { username, role: i % 2 === 0 ? 'viewer' : 'family', passwordHash: 'h' },
        unconditional,
      );
  });

  test.each<[search: string, found: readonly string[]]>([
    ['nell', ['Nell', 'nell.2']],
    ['NEL', ['Nell', 'nell.2', 'penelope']],
    ['_', ['x_y']],
    ['%', ['x%y']],
    ["'", []],
    ['é', []],
    ['', ['Nell', 'anna', 'nell.2', 'olaf', 'penelope', 'root', 'x%y', 'x_y']],
  ])('search %j finds %j', async (search, found) => {
    expect((await users.list({ search })).map(({ username }) => username)).toEqual(found);
    expect(await users.count({ search })).toBe(found.length);
  });

  test('of a role', async () => {
    expect(await users.list({ search: 'NN', role: 'family' })).toEqual([
      { username: 'anna', role: 'family' },
    ]);
    expect(await users.list({ role: 'nobody has it' })).toEqual([]);
    expect((await users.counts()).byRole).toEqual({ admin: 1, family: 4, viewer: 3 });
  });

  test('with one of several roles', async () => {
    const found = await users.listWith(['admin', 'family', 'nobody has it']);
    expect(found.map(({ username }) => username)).toEqual(['anna', 'olaf', 'penelope', 'root', 'x%y']);
    expect(await users.listWith([])).toEqual([]);
  });

  test('pages of any size add up to the list', async () => {
    const size = integer({ min: 1, max: 9 });
    const search = constantFrom('', 'e', 'N', 'x', 'nobody');
    const role = constantFrom(undefined, 'viewer', 'family');
    await assert(
      asyncProperty(size, search, role, async (limit, part, ofRole) => {
        const filter = { search: part, role: ofRole };
        const found: string[] = [];
        for (;;) {
          const page = await users.list({ ...filter, limit, after: found.at(-1) });
          found.push(...page.map(({ username }) => username));
          if (page.length < limit) break;
        }
        expect(found).toEqual((await users.list(filter)).map(({ username }) => username));
        expect(await users.count(filter)).toBe(found.length);
      }),
      { numRuns: 60 },
    );
  });
});

describe('what a list shows', () => {
  beforeEach(async () => {
    await addPerson(store, 'petra');
    await addPerson(store, 'paul', {
      role: 'admin',
      role_reason: null,
      last_login_at: null,
      blocked: 'provider',
    });
    await addPerson(store, 'quinn', { issuer: 'https://former.example' });
    await users.block('olaf', unconditional);
    await store.change(unconditional, async (on, { prove }) => {
      const passkey = { public_key: prove(''), counter: 0, transports: '[]', user_handle: '', created_at: 1 };
      for (const credential_id of ['one', 'two'])
        await on
          .insertInto('passkeys')
          .values({ ...passkey, credential_id, username: 'root', name: 'key' })
          .execute();
      for (const username of ['root', 'olaf'])
        await on
          .insertInto('one_time_codes')
          .values({ username, secret: prove(''), last_step: 0, created_at: 1 })
          .execute();
    });
  });
  const named = async (filter: Parameters<Users['list']>[0]) => {
    const found = (await users.listDetails(filter)).map(({ username }) => username);
    expect((await users.list(filter)).map(({ username }) => username)).toEqual(found);
    expect(await users.count(filter ?? {})).toBe(found.length);
    return found;
  };

  test('for each: provider, role with reason, last login, blocker, and second factors', async () => {
    const own = { issuer: undefined, roleReason: undefined, createdAt: 1_000_000, lastLoginAt: undefined };
    const person = { issuer, createdAt: 1_000_000, secondFactors: [] };
    expect(await users.listDetails()).toEqual([
      { ...own, username: 'olaf', role: 'family', blocked: 'admin', secondFactors: ['one_time_code'] },
      {
        ...person,
        username: 'paul',
        role: 'admin',
        roleReason: undefined,
        lastLoginAt: undefined,
        blocked: 'provider',
      },
      {
        ...person,
        username: 'petra',
        role: 'viewer',
        roleReason: 'group family',
        lastLoginAt: 2_000_000,
        blocked: undefined,
      },
      {
        ...person,
        username: 'quinn',
        issuer: 'https://former.example',
        role: 'viewer',
        roleReason: 'group family',
        lastLoginAt: 2_000_000,
        blocked: undefined,
      },
      {
        ...own,
        username: 'root',
        role: 'admin',
        blocked: undefined,
        secondFactors: ['passkey', 'one_time_code'],
      },
    ]);
  });

  test('by provider, and by whether they are blocked', async () => {
    expect(await named({ issuer })).toEqual(['paul', 'petra']);
    expect(await named({ issuer: null })).toEqual(['olaf', 'root']);
    expect(await named({ issuer: 'https://nobody.example' })).toEqual([]);
    expect(await named({ isBlocked: true })).toEqual(['olaf', 'paul']);
    expect(await named({ isBlocked: false })).toEqual(['petra', 'quinn', 'root']);
    expect(await named({ isBlocked: true, issuer, role: 'admin', search: 'AU' })).toEqual(['paul']);
    expect(
      (await users.listDetails({ issuer: null, limit: 1, after: 'olaf' })).map(({ username }) => username),
    ).toEqual(['root']);
  });

  test('in numbers', async () => {
    expect(await users.counts()).toEqual({
      byRole: { admin: 2, family: 1, viewer: 2 },
      byIssuer: { [issuer]: 2, 'https://former.example': 1 },
      blocked: 2,
      activeAdmins: 1,
    });
  });
});

describe('a user in a list', () => {
  const olaf: UserDetails = {
    username: 'olaf',
    role: 'viewer',
    issuer: undefined,
    roleReason: undefined,
    createdAt: 1_000_000,
    lastLoginAt: undefined,
    blocked: undefined,
    secondFactors: ['passkey'],
    email: 'olaf@home.example',
  };
  const petra: UserDetails = {
    ...olaf,
    username: 'petra',
    issuer,
    roleReason: 'group family',
    lastLoginAt: 5_000_000,
  };
  const provider = { issuer, label: 'Our house' };

  test('unknown values are null', () => {
    expect(listedUser(olaf, undefined, provider)).toEqual({
      username: 'olaf',
      role: 'viewer',
      provider: null,
      provider_label: null,
      role_reason: null,
      last_login: null,
      blocked: null,
      second_factors: ['passkey'],
    });
  });

  test('shows the label of a configured provider', () => {
    const labelled = (of: Parameters<typeof listedUser>[2]) => listedUser(petra, undefined, of);
    expect(labelled(provider)).toMatchObject({ provider: issuer, provider_label: 'Our house' });
    expect(labelled({ issuer: `${issuer}/other`, label: 'Other' })).toMatchObject({
      provider: issuer,
      provider_label: null,
    });
    expect(labelled({ issuer: undefined, label: undefined })).toMatchObject({
      provider: issuer,
      provider_label: null,
    });
  });

  test('shows the latest known login, but none of a former user with the name', () => {
    expect(listedUser(olaf, 2_000_500, provider).last_login).toBe(2_000);
    expect(listedUser(olaf, 999_999, provider).last_login).toBeNull();
    expect(listedUser(petra, 2_000_500, provider).last_login).toBe(5_000);
    expect(listedUser(petra, 6_000_500, provider).last_login).toBe(6_000);
  });
});
