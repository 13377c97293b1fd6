import { beforeEach, describe, expect, test, vi } from 'vitest';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryStore } from '../../store/temporary-store.ts';
import { addPerson, issuer } from '../../../support/add-person.ts';
import { unconditional } from '../../../../src/store/permit.ts';

let now: number;
let store: Store;
let users: Users;
beforeEach(async () => {
  now = 1_000_000;
  store = await temporaryStore();
  users = createUsers(store, { now: () => now });
  await users.add({ username: 'root', role: 'admin', passwordHash: 'h1' }, unconditional);
  await users.add({ username: 'olaf', role: 'family', passwordHash: 'h2' }, unconditional);
});
const list = async () => (await users.list()).map(({ username, role }) => `${username} ${role}`);

test('finds an added user, and lists users by name', async () => {
  expect(await users.add({ username: 'Zoe', role: 'viewer', passwordHash: 'h3' }, unconditional)).toEqual({
    username: 'Zoe',
    role: 'viewer',
  });
  expect(await users.find('Zoe')).toEqual({
    id: expect.any(String) as string,
    username: 'Zoe',
    role: 'viewer',
    passwordHash: 'h3',
    generation: expect.stringMatching(/^[0-9a-f]{32}$/) as string,
    notBefore: 1_000_000,
    issuer: undefined,
    hasSecondFactor: false,
    blocked: undefined,
    generatedPasswordUnused: false,
    hasGeneratedPassword: false,
  });
  expect(await list()).toEqual(['Zoe viewer', 'olaf family', 'root admin']);
});

test.each(['nobody', 'ROOT', 'root ', '', "' OR 1=1 --", '%'])('there is no %j', async (name) => {
  expect(await users.find(name)).toBeUndefined();
  const unknown = { code: 'user_unknown' };
  await expect(users.setPassword(name, 'h', unconditional)).rejects.toMatchObject(unknown);
  await expect(users.setRole(name, 'viewer', unconditional)).rejects.toMatchObject(unknown);
  await expect(users.remove(name, unconditional)).rejects.toMatchObject(unknown);
  await expect(users.endSessions(name, unconditional)).rejects.toMatchObject(unknown);
  await expect(users.block(name, unconditional)).rejects.toMatchObject(unknown);
  await expect(users.unblock(name, unconditional)).rejects.toMatchObject(unknown);
  expect(await list()).toEqual(['olaf family', 'root admin']);
});

test('a name is taken in any case', async () => {
  for (const username of ['OLAF', 'Olaf', 'Root'])
    await expect(
      users.add({ username, role: 'admin', passwordHash: 'h' }, unconditional),
    ).rejects.toMatchObject({ code: 'user_exists' });
  expect(await list()).toEqual(['olaf family', 'root admin']);
});

test('the store itself has no two names that differ in case alone, in whatever way they are written', async () => {
  const again = (username: string) =>
    store.change(unconditional, (on, { grant }) =>
      on
        .insertInto('users')
        .values({
          username,
          user_id: username,
          role: grant('admin'),
          password_hash: 'h',
          created_at: 0,
          session_generation: 'g',
          sessions_not_before: 0,
        })
        .execute(),
    );
  await expect(again('OLAF')).rejects.toThrow();
  await again('olaf2');
  expect(await list()).toEqual(['olaf family', 'olaf2 admin', 'root admin']);
});

test('finds a typed name in any case', async () => {
  for (const typed of ['olaf', 'Olaf', 'OLAF'])
    expect(await users.findTyped(typed)).toMatchObject({ username: 'olaf', role: 'family' });
  for (const typed of ['ol', 'olaf ', 'o%', '', 'ol\u0430f', '\u00d2laf'])
    expect(await users.findTyped(typed)).toBeUndefined();
});

test('adds no user twice, even at once', async () => {
  const again = { username: 'olaf', role: 'admin', passwordHash: 'stolen' };
  await expect(users.add(again, unconditional)).rejects.toMatchObject({ code: 'user_exists' });
  expect(await users.find('olaf')).toMatchObject({ role: 'family', passwordHash: 'h2' });
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c'].map((passwordHash) =>
      users.add({ username: 'new', role: 'viewer', passwordHash }, unconditional),
    ),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

describe('what ends the sessions of a user', () => {
  test.each<[what: string, change: () => Promise<unknown>, ends: boolean]>([
    ['a new password', () => users.setPassword('olaf', 'h9', unconditional), true],
    ['a new role', () => users.setRole('olaf', 'viewer', unconditional), true],
    ['the same role again', () => users.setRole('olaf', 'family', unconditional), true],
    ['the end of the sessions', () => users.endSessions('olaf', unconditional), true],
    ['a block', () => users.block('olaf', unconditional), true],
    ['the end of the role', () => users.reassignRole('family', 'viewer', () => {}, unconditional), true],
    [
      'removal, and another user of that name',
      async () => {
        await users.remove('olaf', unconditional);
        await users.add({ username: 'olaf', role: 'family', passwordHash: 'h2' }, unconditional);
      },
      true,
    ],
    ['a new hash of the same password', () => users.rehash('olaf', 'h2', 'h9'), false],
    ['a change of another user', () => users.setPassword('root', 'h9', unconditional), false],
    [
      'the end of another role',
      () => users.reassignRole('operator', 'viewer', () => {}, unconditional),
      false,
    ],
  ])('%s: %j', async (_, change, ends) => {
    const before = await users.find('olaf');
    const others = await users.find('root');
    // The clock may stand still or step back: the generation ends them all the same.
    now = 500_000;
    await change();
    const after = await users.find('olaf');
    expect(after?.generation !== before?.generation).toBe(ends);
    expect(after?.notBefore).toBe(ends ? 500_000 : 1_000_000);
    if (ends) expect(await users.find('root')).toEqual(others);
  });
});

test('replaces only the outdated hash', async () => {
  await users.rehash('olaf', 'another', 'h9');
  expect((await users.find('olaf'))?.passwordHash).toBe('h2');
  await users.rehash('olaf', 'h2', 'h9');
  expect((await users.find('olaf'))?.passwordHash).toBe('h9');
});

describe('the last admin', () => {
  test('cannot go or be demoted; others can', async () => {
    await expect(users.remove('root', unconditional)).rejects.toMatchObject({ code: 'last_admin' });
    await expect(users.setRole('root', 'viewer', unconditional)).rejects.toMatchObject({
      code: 'last_admin',
    });
    await users.setRole('root', 'admin', unconditional);
    await users.setRole('olaf', 'viewer', unconditional);
    await users.remove('olaf', unconditional);
    expect(await list()).toEqual(['root admin']);
  });

  test('is no federated user of a former provider', async () => {
    await addPerson(store, 'petra', { role: 'admin' });
    const refused = { code: 'last_admin' };
    await expect(users.remove('root', unconditional)).rejects.toMatchObject(refused);
    await expect(users.block('root', unconditional)).rejects.toMatchObject(refused);
    const withProvider = createUsers(store, { now: () => now }, () => issuer);
    expect((await users.counts()).activeAdmins).toBe(1);
    expect((await withProvider.counts()).activeAdmins).toBe(2);
    await withProvider.remove('root', unconditional);
    await expect(withProvider.block('petra', unconditional)).rejects.toMatchObject(refused);
  });

  test('stays when two admins take the role from each other at once', async () => {
    await users.setRole('olaf', 'admin', unconditional);
    const outcomes = await Promise.allSettled([
      users.setRole('olaf', 'viewer', unconditional),
      users.remove('root', unconditional),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await list()).filter((line) => line.endsWith('admin'))).toHaveLength(1);
  });
});

describe('a blocked user', () => {
  const blocked = async (name = 'olaf') => (await users.find(name))?.blocked;

  test('stays blocked until unblocked; a second block changes nothing', async () => {
    const olaf = { username: 'olaf', role: 'family' };
    expect(await users.unblock('olaf', unconditional)).toEqual({ ...olaf, isChanged: false });
    expect(await users.block('olaf', unconditional)).toEqual({ ...olaf, isChanged: true });
    const before = await users.find('olaf');
    expect(before?.blocked).toBe('admin');
    expect(await users.block('olaf', unconditional)).toEqual({ ...olaf, isChanged: false });
    expect(await users.find('olaf')).toEqual(before);
    expect(await users.unblock('olaf', unconditional)).toEqual({ ...olaf, isChanged: true });
    expect(await blocked()).toBeUndefined();
    // Another program with the secret may have issued a token meanwhile.
    expect((await users.find('olaf'))?.generation).not.toBe(before?.generation);
  });

  test('does not count as the last admin', async () => {
    await expect(users.block('root', unconditional)).rejects.toMatchObject({ code: 'last_admin' });
    await users.setRole('olaf', 'admin', unconditional);
    await users.block('olaf', unconditional);
    for (const change of [
      () => users.block('root', unconditional),
      () => users.setRole('root', 'viewer', unconditional),
      () => users.remove('root', unconditional),
    ])
      await expect(change()).rejects.toMatchObject({ code: 'last_admin' });
    // A blocked admin may be removed.
    await users.setRole('olaf', 'viewer', unconditional);
    await users.setRole('olaf', 'admin', unconditional);
    await users.unblock('olaf', unconditional);
    await users.block('root', unconditional);
    expect([await blocked('root'), await blocked('olaf')]).toEqual(['admin', undefined]);
  });

  test('is one of two admins who block each other at once', async () => {
    await users.setRole('olaf', 'admin', unconditional);
    const outcomes = await Promise.allSettled([
      users.block('olaf', unconditional),
      users.block('root', unconditional),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });
});

describe('a federated user', () => {
  beforeEach(() => addPerson(store, 'petra', { role: 'family' }));
  const find = async () => (await users.listDetails({ search: 'petra' }))[0];

  test('keeps the role and the password of the provider', async () => {
    const before = await users.find('petra');
    const refused = { code: 'user_of_provider' };
    await expect(users.setPassword('petra', 'h9', unconditional)).rejects.toMatchObject(refused);
    await expect(users.setRole('petra', 'admin', unconditional)).rejects.toMatchObject(refused);
    expect(await users.find('petra')).toEqual(before);
  });

  test('can be blocked and unblocked', async () => {
    await users.block('petra', unconditional);
    expect(await find()).toMatchObject({ blocked: 'admin', roleReason: 'group family' });
    await users.unblock('petra', unconditional);
    expect(await find()).toMatchObject({ blocked: undefined, role: 'family', roleReason: 'group family' });
  });

  test('cannot be unblocked by an admin when blocked by the provider', async () => {
    await addPerson(store, 'paul', { blocked: 'provider' });
    const refused = { code: 'user_of_provider' };
    await expect(users.unblock('paul', unconditional)).rejects.toMatchObject(refused);
    await users.block('paul', unconditional);
    expect(await users.find('paul')).toMatchObject({ blocked: 'admin' });
    await users.unblock('paul', unconditional);
    expect(await users.find('paul')).toMatchObject({ blocked: 'provider' });
    await expect(users.unblock('paul', unconditional)).rejects.toMatchObject(refused);
  });

  test('becomes viewer when the role is removed, with the reason', async () => {
    await users.reassignRole('family', 'viewer', () => {}, unconditional);
    expect(await find()).toMatchObject({ role: 'viewer', roleReason: 'role_removed' });
    expect((await users.listDetails({ search: 'olaf' }))[0]).toMatchObject({
      role: 'viewer',
      roleReason: undefined,
    });
  });

  test('can be removed', async () => {
    await users.remove('petra', unconditional);
    expect(await find()).toBeUndefined();
  });
});

describe('the end of a role', () => {
  test('makes its users viewers, and runs `also`', async () => {
    await users.add({ username: 'ann', role: 'family', passwordHash: 'h' }, unconditional);
    let done = 0;
    expect(await users.reassignRole('family', 'viewer', () => (done += 1), unconditional)).toBe(2);
    expect([done, ...(await list())]).toEqual([1, 'ann viewer', 'olaf viewer', 'root admin']);
    expect(await users.reassignRole('family', 'viewer', () => (done += 1), unconditional)).toBe(0);
    expect(done).toBe(2);
  });

  test('changes nothing if `also` fails', async () => {
    const before = await users.find('olaf');
    const refused = users.reassignRole(
      'family',
      'viewer',
      () => {
        throw new Error('read-only');
      },
      unconditional,
    );
    await expect(refused).rejects.toThrow('read-only');
    expect(await users.find('olaf')).toEqual(before);
  });
});

test('a generated password stays generated when it is used, until it is changed', async () => {
  await users.add({ username: 'admin', role: 'admin', passwordHash: 'h', generated: true }, unconditional);
  const found = async () => {
    const { generatedPasswordUnused, hasGeneratedPassword, ...user } = (await users.find('admin')) ?? fail();
    return { unused: generatedPasswordUnused, generated: hasGeneratedPassword, user };
  };
  expect(await found()).toMatchObject({ unused: true, generated: true });
  await users.markGeneratedPasswordUsed((await found()).user);
  expect(await found()).toMatchObject({ unused: false, generated: true });
  await users.setPassword('admin', 'other', unconditional);
  expect(await found()).toMatchObject({ unused: false, generated: false });
  await users.setPassword('admin', 'another', unconditional, { generated: true });
  expect(await found()).toMatchObject({ unused: true, generated: true });
});

function fail(): never {
  throw new Error('there is no such user');
}

test('visitors of the sign-in page ask the store once for each of its versions', async () => {
  let version = 1;
  const ofGate = createUsers(store, { now: () => now }, undefined, () => version);
  const asked = vi.spyOn(store, 'selectFrom');
  const see = () => Promise.all(Array.from({ length: 50 }, () => ofGate.havePasskeys()));
  expect(new Set(await see())).toEqual(new Set([false]));
  expect(asked).toHaveBeenCalledTimes(1);
  version = 2;
  await see();
  expect(asked).toHaveBeenCalledTimes(2);
});
