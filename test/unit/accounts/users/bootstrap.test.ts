import { ConfigurationError } from '../../../../src/config/problem.ts';
import { firstAdminPassword, bootstrapAdmin } from '../../../../src/accounts/users/bootstrap.ts';
import { expect, test } from 'vitest';
import { clockAt } from '../../../support/clock-at.ts';
import type { PasswordHasher } from '../../../../src/accounts/users/password-hash.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { temporaryStore } from '../../store/temporary-store.ts';
import { addPerson } from '../../../support/add-person.ts';
import { unconditional } from '../../../../src/store/permit.ts';

// The password in the clear, to be seen in the store; the real one takes its time.
const hasher: Pick<PasswordHasher, 'hash'> = { hash: async (password) => password };

test.each<[what: string, existing: string[], reset: boolean, done: string | undefined, users: string[]]>([
  ['no users: adds admin', [], false, 'created', ['admin admin']],
  ['no users, with a reset: adds admin', [], true, 'created', ['admin admin']],
  ['admin', ['admin admin'], false, undefined, ['admin admin']],
  ['admin, with a reset', ['admin admin'], true, 'reset', ['admin admin']],
  ['admin who is none', ['admin viewer', 'b admin'], false, undefined, ['admin viewer', 'b admin']],
  ['admin who is none, with a reset', ['admin viewer'], true, 'reset', ['admin admin']],
  ['Admin, who is admin, with a reset', ['Admin viewer'], true, 'reset', ['Admin admin']],
  ['others', ['vera viewer', 'boss admin'], false, undefined, ['boss admin', 'vera viewer']],
  ['others, with a reset', ['vera viewer'], true, 'created', ['admin admin', 'vera viewer']],
])('%s: %j', async (_, existing, reset, done, expected) => {
  const users = createUsers(await temporaryStore(), clockAt(1_000_000));
  for (const line of existing) {
    const [username = '', role = ''] = line.split(' ');
    await users.add({ username, role, passwordHash: 'old' }, unconditional);
  }
  const before = await users.findTyped('admin');
  const bootstrapped = await bootstrapAdmin(users, hasher as PasswordHasher, reset);
  expect(bootstrapped?.done).toBe(done);
  expect((await users.list()).map(({ username, role }) => `${username} ${role}`)).toEqual(expected);
  const admin = await users.findTyped('admin');
  if (done === undefined) {
    expect(admin).toEqual(before);
  } else {
    expect({ generated: admin?.passwordHash }).toEqual(bootstrapped?.password);
    expect(admin?.passwordHash).toMatch(/^\w{24}$/);
    expect(admin?.generation).not.toBe(before?.generation);
  }
});

test('a reset unblocks the admin', async () => {
  const users = createUsers(await temporaryStore(), clockAt(1_000_000));
  for (const username of ['admin', 'other'])
    await users.add({ username, role: 'admin', passwordHash: 'old' }, unconditional);
  await users.block('admin', unconditional);
  expect(await bootstrapAdmin(users, hasher as PasswordHasher, true)).toMatchObject({ done: 'reset' });
  expect(await users.find('admin')).toMatchObject({ blocked: undefined });
});

test('a federated user with that name gets no password', async () => {
  const store = await temporaryStore();
  const users = createUsers(store, clockAt(1_000_000));
  await addPerson(store, 'admin', { role: 'admin' });
  expect(await bootstrapAdmin(users, hasher as PasswordHasher, false)).toBeUndefined();
  await expect(bootstrapAdmin(users, hasher as PasswordHasher, true)).rejects.toThrow(
    'auth.reset_admin_password',
  );
  expect((await users.find('admin'))?.passwordHash).toBe('');
});

test('a second start adds nothing', async () => {
  const users = createUsers(await temporaryStore(), clockAt(1_000_000));
  const first = await bootstrapAdmin(users, hasher as PasswordHasher, false);
  expect(await bootstrapAdmin(users, hasher as PasswordHasher, false)).toBeUndefined();
  expect({ generated: (await users.find('admin'))?.passwordHash }).toEqual(first?.password);
});

test('a given password means nothing beside another admin', async () => {
  const environment = { SERVICE_ADMIN_PASSWORD: 'a password of our own' };
  const users = createUsers(await temporaryStore(), clockAt(1_000_000));
  await users.add({ username: 'boss', role: 'admin', passwordHash: 'old' }, unconditional);
  const beside = await bootstrapAdmin(users, hasher as PasswordHasher, true, environment);
  expect(beside).toMatchObject({
    done: 'created',
    password: { generated: expect.stringMatching(/^\w{24}$/) },
  });
});

test('a given password is that of the first admin, which one of two starts makes', async () => {
  const environment = { SERVICE_ADMIN_PASSWORD: 'a password of our own' };
  const empty = createUsers(await temporaryStore(), clockAt(1_000_000));
  const starts = [1, 2].map(() => bootstrapAdmin(empty, hasher as PasswordHasher, false, environment));
  const made = (await Promise.all(starts)).filter((each) => each !== undefined);
  expect(made).toEqual([
    {
      done: 'created',
      password: { source: 'the environment variable SERVICE_ADMIN_PASSWORD' },
      ended: undefined,
    },
  ]);
  expect(await empty.find('admin')).toMatchObject({
    passwordHash: 'a password of our own',
    hasGeneratedPassword: false,
  });
});

test.each([
  ['too short', 'eleven char'],
  ['empty', ''],
  ['too long', 'x'.repeat(1_025)],
])('a first password that is %s is a problem, which does not repeat it', (_, password) => {
  const given = () => firstAdminPassword({ SERVICE_ADMIN_PASSWORD: password }, []);
  expect(given).toThrow(ConfigurationError);
  expect(given).toThrow(/^SERVICE_ADMIN_PASSWORD: found (?!.*eleven char|.*x{99})/);
  expect(firstAdminPassword({ SERVICE_ADMIN_PASSWORD: password }, [{ role: 'admin' }])).toBeUndefined();
});
