import { beforeEach, describe, expect, test } from 'vitest';
import { createUsers, type Users } from '../../../src/accounts/users.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryStore } from '../store/temporary-store.ts';

let now: number;
let store: Store;
let users: Users;
beforeEach(async () => {
  now = 1_000;
  store = await temporaryStore();
  users = createUsers(store, () => now);
  await users.add({ username: 'root', role: 'admin', passwordHash: 'h1' });
  await users.add({ username: 'olaf', role: 'family', passwordHash: 'h2' });
});
const list = async () => (await users.list()).map(({ username, role }) => `${username} ${role}`);

test('a user that was added is found, and listed by name', async () => {
  expect(await users.add({ username: 'Zoe', role: 'viewer', passwordHash: 'h3' })).toEqual({
    username: 'Zoe',
    role: 'viewer',
  });
  expect(await users.find('Zoe')).toEqual({
    username: 'Zoe',
    role: 'viewer',
    passwordHash: 'h3',
    generation: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
    notBefore: 1_000,
    generatedPasswordUnused: false,
  });
  expect(await list()).toEqual(['Zoe viewer', 'olaf family', 'root admin']);
});

test.each(['nobody', 'ROOT', 'root ', '', "' OR 1=1 --", '%'])('there is no %j', async (name) => {
  expect(await users.find(name)).toBeUndefined();
  const unknown = { code: 'user_unknown' };
  await expect(users.setPassword(name, 'h')).rejects.toMatchObject(unknown);
  await expect(users.setRole(name, 'viewer')).rejects.toMatchObject(unknown);
  await expect(users.remove(name)).rejects.toMatchObject(unknown);
  await expect(users.endSessions(name)).rejects.toMatchObject(unknown);
  expect(await list()).toEqual(['olaf family', 'root admin']);
});

test('nobody is added twice, at once either', async () => {
  const again = { username: 'olaf', role: 'admin', passwordHash: 'stolen' };
  await expect(users.add(again)).rejects.toMatchObject({ code: 'user_exists' });
  expect(await users.find('olaf')).toMatchObject({ role: 'family', passwordHash: 'h2' });
  const outcomes = await Promise.allSettled(
    ['a', 'b', 'c'].map((passwordHash) => users.add({ username: 'new', role: 'viewer', passwordHash })),
  );
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
});

describe('what ends the sessions of a user', () => {
  test.each<[what: string, change: () => Promise<unknown>, ends: boolean]>([
    ['a new password', () => users.setPassword('olaf', 'h9'), true],
    ['a new role', () => users.setRole('olaf', 'viewer'), true],
    ['the same role again', () => users.setRole('olaf', 'family'), true],
    ['the end of the sessions', () => users.endSessions('olaf'), true],
    ['the end of the role', () => users.reassignRole('family', () => {}), true],
    [
      'being made anew',
      async () => {
        await users.remove('olaf');
        await users.add({ username: 'olaf', role: 'family', passwordHash: 'h2' });
      },
      true,
    ],
    ['a new hash of the same password', () => users.rehash('olaf', 'h2', 'h9'), false],
    ['a change of somebody else', () => users.setPassword('root', 'h9'), false],
    ['the end of another role', () => users.reassignRole('operator', () => {}), false],
  ])('%s: %j', async (_, change, ends) => {
    const before = await users.find('olaf');
    const others = await users.find('root');
    // The clock may stand still or step back: the generation ends them all the same.
    now = 500;
    await change();
    const after = await users.find('olaf');
    expect(after?.generation !== before?.generation).toBe(ends);
    expect(after?.notBefore).toBe(ends ? 500 : 1_000);
    if (ends) expect(await users.find('root')).toEqual(others);
  });
});

test('only the hash that was outdated is replaced', async () => {
  await users.rehash('olaf', 'another', 'h9');
  expect((await users.find('olaf'))?.passwordHash).toBe('h2');
  await users.rehash('olaf', 'h2', 'h9');
  expect((await users.find('olaf'))?.passwordHash).toBe('h9');
});

describe('the last admin', () => {
  test('cannot go or be demoted; others can', async () => {
    await expect(users.remove('root')).rejects.toMatchObject({ code: 'last_admin' });
    await expect(users.setRole('root', 'viewer')).rejects.toMatchObject({ code: 'last_admin' });
    await users.setRole('root', 'admin');
    await users.setRole('olaf', 'viewer');
    await users.remove('olaf');
    expect(await list()).toEqual(['root admin']);
  });

  test('stays when two admins take the role from each other at once', async () => {
    await users.setRole('olaf', 'admin');
    const outcomes = await Promise.allSettled([users.setRole('olaf', 'viewer'), users.remove('root')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await list()).filter((line) => line.endsWith('admin'))).toHaveLength(1);
  });
});

describe('the end of a role', () => {
  test('makes its users viewers, with what else is to be done', async () => {
    await users.add({ username: 'ann', role: 'family', passwordHash: 'h' });
    let done = 0;
    expect(await users.reassignRole('family', () => (done += 1))).toBe(2);
    expect([done, ...(await list())]).toEqual([1, 'ann viewer', 'olaf viewer', 'root admin']);
    expect(await users.reassignRole('family', () => (done += 1))).toBe(0);
    expect(done).toBe(2);
  });

  test('does nothing at all when the rest cannot be done', async () => {
    const before = await users.find('olaf');
    const refused = users.reassignRole('family', () => {
      throw new Error('read-only');
    });
    await expect(refused).rejects.toThrow('read-only');
    expect(await users.find('olaf')).toEqual(before);
  });
});
