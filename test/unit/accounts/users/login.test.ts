import { pbkdf2Sync } from 'node:crypto';
import { beforeEach, expect, test } from 'vitest';
import { clockAt } from '../../../support/clock-at.ts';
import { createWindowsInMemory } from '../../../../src/accounts/limits/counted-windows.ts';
import { createFailureLimit } from '../../../../src/accounts/limits/failure-limit.ts';
import { BlockedLogin, createLogin, type Login } from '../../../../src/accounts/users/login.ts';
import { createPasswordHasher, type PasswordHasher } from '../../../../src/accounts/users/password-hash.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import type { Store } from '../../../../src/store/store.ts';
import { AppError } from '../../../../src/errors.ts';
import { temporaryStore } from '../../store/temporary-store.ts';
import { addPerson } from '../../../support/add-person.ts';
import { unconditional } from '../../../../src/store/permit.ts';

const hasher = createPasswordHasher({ iterations: 2_000 });
const address = '203.0.113.9';
const password = 'correct-horse-battery';
const outdated = `pbkdf2_sha256$1000$pepper$${pbkdf2Sync(password, 'pepper', 1_000, 32, 'sha256').toString('base64')}`;
const busy = async () => {
  throw new AppError('too_many_requests', { retryAfterSeconds: 5 });
};

let store: Store;
let users: Users;
let told: string[];
beforeEach(async () => {
  store = await temporaryStore();
  users = createUsers(store, clockAt(1_000_000));
  await users.add({ username: 'olaf', role: 'viewer', passwordHash: outdated }, unconditional);
  await users.add(
    { username: 'broken', role: 'viewer', passwordHash: 'pbkdf2_sha256$9999999999$x$y' },
    unconditional,
  );
  told = [];
});
const loginWith = (rules: string, changes: Partial<PasswordHasher & Users> = {}): Login =>
  createLogin({
    users: { ...users, ...changes },
    hasher: { ...hasher, ...changes },
    failureLimit: createFailureLimit(rules, createWindowsInMemory()),
    onError: (_, message) => told.push(message),
  });
const codeOf = (login: Promise<unknown>) =>
  login.then(
    () => 'in',
    (error: unknown) => (error instanceof AppError ? error.code : String(error)),
  );

test.each<[user: string, password: string, code: string]>([
  ['olaf', password, 'in'],
  ['olaf', `${password} `, 'login_failed'],
  ['olaf', '', 'login_failed'],
  ['Olaf', password, 'in'],
  ['OLAF', password, 'in'],
  ['OLAF', password.toUpperCase(), 'login_failed'],
  ['nobody', password, 'login_failed'],
  ['broken', password, 'login_failed'],
  ['', '', 'login_failed'],
])('%j with %j: %s', async (user, given, code) => {
  expect(await codeOf(loginWith('').verify(user, given, address))).toBe(code);
});

test('a blocked user fails as with a wrong password; the audit log gets the reason', async () => {
  await users.block('olaf', unconditional);
  const login = loginWith('2/minute');
  const refusal = await login.verify('olaf', password, address).catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(BlockedLogin);
  expect(refusal).toMatchObject({ code: 'login_failed', message: 'Login failed' });
  expect(await login.verify('olaf', 'wrong', address).catch((error: unknown) => error)).not.toBeInstanceOf(
    BlockedLogin,
  );
  expect(await codeOf(login.verify('olaf', password, address))).toBe('too_many_requests');
  // Nothing of it is written.
  expect((await users.find('olaf'))?.passwordHash).toBe(outdated);
  await users.unblock('olaf', unconditional);
  expect(await codeOf(loginWith('').verify('olaf', password, address))).toBe('in');
});

test('a user who is blocked during the comparison fails too', async () => {
  const verify: PasswordHasher['verify'] = async (given, stored) => {
    const verified = await hasher.verify(given, stored);
    await users.block('olaf', unconditional);
    return verified;
  };
  expect(await codeOf(loginWith('', { verify }).verify('olaf', password, address))).toBe('login_failed');
});

test.each<[what: string, code: string, change: () => Promise<unknown>]>([
  ['the role changes', 'in', () => users.setRole('olaf', 'admin', unconditional)],
  ['the role is deleted', 'in', () => users.reassignRole('viewer', 'family', () => undefined, unconditional)],
  ['all sessions are ended', 'in', () => users.endSessions('olaf', unconditional)],
  [
    'another login replaces the hash',
    'in',
    async () => users.rehash('olaf', outdated, await hasher.hash(password)),
  ],
  [
    'the hash and the role change',
    'in',
    async () => {
      await users.rehash('olaf', outdated, await hasher.hash(password));
      await users.setRole('olaf', 'admin', unconditional);
    },
  ],
  [
    'the same password is set again',
    'in',
    async () => users.setPassword('olaf', await hasher.hash(password), unconditional),
  ],
  [
    'the password changes',
    'login_failed',
    async () => users.setPassword('olaf', await hasher.hash('another good one'), unconditional),
  ],
  ['the user is deleted', 'login_failed', () => users.remove('olaf', unconditional)],
])('while the password is compared, %s: %s', async (_, code, change) => {
  const verify: PasswordHasher['verify'] = async (given, stored) => {
    const verified = await hasher.verify(given, stored);
    if (stored === outdated) await change();
    return verified;
  };
  const found = loginWith('', { verify }).verify('olaf', password, address);
  expect(await codeOf(found)).toBe(code);
  if (code !== 'in') return;
  const { role, generation } = (await users.find('olaf')) ?? {};
  // Its session counts at once.
  expect(await found).toMatchObject({ role, generation });
});

test('a user who is blocked while the password is compared did not type a wrong one', async () => {
  const verify: PasswordHasher['verify'] = async (given, stored) => {
    const verified = await hasher.verify(given, stored);
    await users.block('olaf', unconditional);
    return verified;
  };
  const refusal = await loginWith('', { verify })
    .verify('olaf', password, address)
    .catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(BlockedLogin);
});

test.each(['', 'x'])('rejects any password of a federated user: %j', async (given) => {
  await addPerson(store, 'petra');
  expect(await codeOf(loginWith('').verify('petra', given, address))).toBe('login_failed');
});

test('returns the user from the store', async () => {
  const { generation } = (await users.find('olaf')) ?? {};
  const found = await loginWith('').verify('olaf', password, address);
  expect(found).toMatchObject({ username: 'olaf', role: 'viewer', generation, notBefore: 1_000_000 });
});

test('returns the stored name for any typed case, and replaces an outdated hash', async () => {
  expect(await loginWith('').verify('OLAF', password, address)).toMatchObject({ username: 'olaf' });
  expect((await users.find('olaf'))?.passwordHash).not.toBe(outdated);
  expect(told).toEqual([]);
});

test('replaces an outdated hash at a login; sessions stay', async () => {
  const before = await users.find('olaf');
  await loginWith('').verify('olaf', password, address);
  const after = await users.find('olaf');
  expect(after?.passwordHash).toMatch(/^pbkdf2_sha256\$2000\$/);
  expect({ ...after, passwordHash: '' }).toEqual({ ...before, passwordHash: '' });
  expect(await codeOf(loginWith('').verify('olaf', password, address))).toBe('in');
});

test('succeeds even if an outdated hash cannot be replaced', async () => {
  expect(await codeOf(loginWith('', { hash: busy }).verify('olaf', password, address))).toBe('in');
  expect(told).toEqual([expect.stringContaining('hash')]);
  expect((await users.find('olaf'))?.passwordHash).toBe(outdated);
});

test('every failure counts; a success neither counts nor erases failures', async () => {
  const login = loginWith('3/minute');
  for (const user of ['olaf', 'nobody'])
    expect(await codeOf(login.verify(user, 'no', address))).toBe('login_failed');
  for (let i = 0; i < 3; i += 1) expect(await codeOf(login.verify('olaf', password, address))).toBe('in');
  expect(await codeOf(login.verify('broken', 'no', address))).toBe('login_failed');
  await expect(login.verify('olaf', password, address)).rejects.toMatchObject({
    code: 'too_many_requests',
    // The hashes before it take their time: 52 to 60.
    retryAfterSeconds: expect.closeTo(57, -1),
  });
  expect(await codeOf(login.verify('olaf', password, '203.0.113.10'))).toBe('in');
});

test('rejects a limited client before any work', async () => {
  let asked = 0;
  const matches = async () => {
    asked += 1;
    return { matches: false, outdated: false };
  };
  const login = loginWith('2/minute', { verify: matches });
  const codes = await Promise.all(
    Array.from({ length: 20 }, () => codeOf(login.verify('olaf', 'no', address))),
  );
  expect(codes.filter((code) => code === 'login_failed')).toHaveLength(2);
  expect(asked).toBe(2);
});

test.each<[what: string, changes: Partial<PasswordHasher & Users>]>([
  ['the queue is full', { verify: busy }],
  [
    'the store cannot be read',
    {
      find: async () => {
        throw new Error('locked');
      },
    },
  ],
])('a password that was not checked is no failure: %s', async (_, changes) => {
  let works = false;
  const real = { ...users, ...hasher };
  const login = loginWith('1/minute', {
    verify: (...given) => (works ? real : { ...real, ...changes }).verify(...given),
    find: (...given) => (works ? real : { ...real, ...changes }).find(...given),
  });
  expect(await codeOf(login.verify('olaf', password, address))).not.toBe('in');
  works = true;
  expect(await codeOf(login.verify('olaf', password, address))).toBe('in');
});
