import { assert, asyncProperty, constantFrom, integer } from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { createUsers, type Users } from '../../../src/accounts/users.ts';
import type { Store } from '../../../src/store/store.ts';
import { temporaryStore } from '../store/temporary-store.ts';
import { unconditional } from '../../../src/store/permit.ts';

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

test('a user that was added is found, and listed by name', async () => {
  expect(await users.add({ username: 'Zoe', role: 'viewer', passwordHash: 'h3' }, unconditional)).toEqual({
    username: 'Zoe',
    role: 'viewer',
  });
  expect(await users.find('Zoe')).toEqual({
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
    expect(await users.countByRole()).toEqual({ admin: 1, family: 4, viewer: 3 });
  });

  test('pages together are the list, of whatever size', async () => {
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

test.each(['nobody', 'ROOT', 'root ', '', "' OR 1=1 --", '%'])('there is no %j', async (name) => {
  expect(await users.find(name)).toBeUndefined();
  const unknown = { code: 'user_unknown' };
  await expect(users.setPassword(name, 'h', unconditional)).rejects.toMatchObject(unknown);
  await expect(users.setRole(name, 'viewer', unconditional)).rejects.toMatchObject(unknown);
  await expect(users.remove(name, unconditional)).rejects.toMatchObject(unknown);
  await expect(users.endSessions(name, unconditional)).rejects.toMatchObject(unknown);
  expect(await list()).toEqual(['olaf family', 'root admin']);
});

test('nobody is added twice, at once either', async () => {
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
    ['the end of the role', () => users.reassignRole('family', 'viewer', () => {}, unconditional), true],
    [
      'being made anew',
      async () => {
        await users.remove('olaf', unconditional);
        await users.add({ username: 'olaf', role: 'family', passwordHash: 'h2' }, unconditional);
      },
      true,
    ],
    ['a new hash of the same password', () => users.rehash('olaf', 'h2', 'h9'), false],
    ['a change of somebody else', () => users.setPassword('root', 'h9', unconditional), false],
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

test('only the hash that was outdated is replaced', async () => {
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

describe('the end of a role', () => {
  test('makes its users viewers, with what else is to be done', async () => {
    await users.add({ username: 'ann', role: 'family', passwordHash: 'h' }, unconditional);
    let done = 0;
    expect(await users.reassignRole('family', 'viewer', () => (done += 1), unconditional)).toBe(2);
    expect([done, ...(await list())]).toEqual([1, 'ann viewer', 'olaf viewer', 'root admin']);
    expect(await users.reassignRole('family', 'viewer', () => (done += 1), unconditional)).toBe(0);
    expect(done).toBe(2);
  });

  test('does nothing at all when the rest cannot be done', async () => {
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

test('a password that the log has told stays a generated one when it is used, until somebody changes it', async () => {
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
