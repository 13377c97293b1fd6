import { beforeEach, describe, expect, test } from 'vitest';
import { createApiTokens, type ApiTokens } from '../../../../src/features/api-tokens/api-tokens.ts';
import { createFederatedUsers, type FederatedUsers } from '../../../../src/accounts/users/federated-users.ts';
import { createInvitations } from '../../../../src/features/invitations/invitations.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { AppError } from '../../../../src/errors.ts';
import { addPerson } from '../../../support/add-person.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const now = 1_700_000_000_000;
const clock = { now: () => now };
const issuer = 'https://id.example';
let store: Store;
let users: Users;
let people: FederatedUsers;
let attempts = 0;

beforeEach(async () => {
  store = await temporaryStore();
  users = createUsers(store, clock);
  people = createFederatedUsers(store, clock);
  await users.add({ username: 'admin', role: 'admin', passwordHash: 'h' }, unconditional);
});

const arriving = (changes: object = {}) => ({
  issuer,
  subject: '2',
  name: 'rosa',
  role: 'family',
  roleReason: 'group family',
  state: `state ${(attempts += 1)}`,
  stateExpiresAt: now + 600_000,
  ...changes,
});
const arrive = (changes: object = {}, also: () => Promise<unknown> = async () => undefined) =>
  people.arrive(arriving(changes), also, unconditional);
const rows = () =>
  store
    .selectFrom('users')
    .select(['username', 'role', 'issuer', 'subject', 'role_reason', 'last_login_at', 'blocked'])
    .where('subject', 'is not', null)
    .orderBy('username')
    .execute();

test('adds a new user', async () => {
  const arrived = await arrive();
  expect(arrived).toMatchObject({
    user: { username: 'rosa', role: 'family', issuer, hasSecondFactor: false },
    former: undefined,
  });
  expect(await rows()).toEqual([
    {
      username: 'rosa',
      role: 'family',
      issuer,
      subject: '2',
      role_reason: 'group family',
      last_login_at: now / 1000,
      blocked: null,
    },
  ]);
  expect(await users.find('rosa')).toMatchObject({ passwordHash: '' });
});

test('the same subject of another provider is another person', async () => {
  await arrive();
  await arrive({ issuer: 'https://other.example', name: 'olga' });
  expect(await people.nameOf({ issuer, subject: '2' })).toBe('rosa');
  expect(await people.nameOf({ issuer: 'https://other.example', subject: '2' })).toBe('olga');
  expect(await people.nameOf({ issuer: 'https://third.example', subject: '2' })).toBeUndefined();
  // The store itself keeps no person twice.
  await expect(addPerson(store, 'rosa-2', { issuer, subject: '2' })).rejects.toThrow(AppError);
  await addPerson(store, 'ida', { issuer, subject: '3' });
});

test('the generation is the one that a session is held against', async () => {
  const arrived = await arrive();
  const { generation, notBefore } = (await users.find('rosa')) ?? {};
  expect(arrived).toMatchObject({ user: { generation, notBefore } });
  // Another login ends no session.
  expect(await arrive({ role: 'admin' })).toMatchObject({
    user: { generation },
    former: { name: 'rosa', role: 'family' },
  });
});

test.each<[what: string, change: () => Promise<unknown>, isOver: boolean]>([
  ['stays an admin', async () => undefined, false],
  ['had another role', () => arrive({ role: 'family' }), true],
  ['had another name', () => arrive({ role: 'admin', name: 'ruth' }), true],
])('the invitations of an admin who %s', async (_, change, isOver) => {
  const invitations = createInvitations(store, clock);
  await arrive({ role: 'admin' });
  const wanted = { name: undefined, role: 'viewer', madeBy: 'rosa' };
  const made = await invitations.add({ ...wanted, expiresAt: now + 60_000 }, unconditional);
  await change();
  await arrive({ role: 'admin' });
  const opened = invitations.open(made.invitation.id, made.secret);
  await (isOver
    ? expect(opened).rejects.toMatchObject({ code: 'invitation_over' })
    : expect(opened).resolves.toMatchObject({ madeBy: 'rosa' }));
});

describe('a name is taken', () => {
  test('by a local account', async () => {
    expect(await arrive({ name: 'admin' })).toEqual({ refused: 'oidc_name_taken' });
    expect(await rows()).toEqual([]);
  });

  test('by one that differs in upper and lower case alone', async () => {
    expect(await arrive({ name: 'Admin' })).toEqual({ refused: 'oidc_name_taken' });
    await arrive();
    expect(await arrive({ name: 'ROSA', subject: '3' })).toEqual({ refused: 'oidc_name_taken' });
    expect(await rows()).toMatchObject([{ username: 'rosa', subject: '2' }]);
  });

  test.each([
    ['Jörg', 'JÖRG'],
    ['Jörg', 'ＪÖＲＧ'],
    ['ａdmin', undefined],
    ['анна', 'АННА'],
  ])('by one that is written in another way: %s and %s', async (first, second) => {
    const arrived = await arrive({ name: first });
    if (second === undefined) return expect(arrived).toEqual({ refused: 'oidc_name_taken' });
    expect(arrived).toMatchObject({ user: { username: first } });
    expect(await arrive({ name: second, subject: '3' })).toEqual({ refused: 'oidc_name_taken' });
    expect(await users.findTyped(second)).toMatchObject({ username: first });
    expect(await users.listDetails({ search: second })).toMatchObject([{ username: first }]);
  });

  test('for a local account by one with letters that look alike', async () => {
    await arrive({ name: 'ａnna' });
    await expect(
      users.add({ username: 'Anna', role: 'viewer', passwordHash: 'h' }, unconditional),
    ).rejects.toMatchObject({ code: 'user_exists' });
  });

  test.each([
    ['аdmin', 'letters of two scripts'],
    ['ɑdmin', 'a letter that looks like another'],
    ['rosа smith', 'letters of two scripts in one word, and no one has the name'],
  ])('by what it looks like: %s, %s', async (name) => {
    expect(await arrive({ name })).toEqual({ refused: 'oidc_name_taken' });
    expect(await rows()).toEqual([]);
  });

  test('by another user of the provider that it looks like, whose script is another', async () => {
    await arrive({ name: 'coco' });
    expect(await arrive({ name: 'сосо', subject: '3' })).toEqual({ refused: 'oidc_name_taken' });
    expect(await arrive({ name: 'ϹΟϹΟ', subject: '3' })).toEqual({ refused: 'oidc_name_taken' });
    expect(await arrive({ name: 'анна', subject: '3' })).toMatchObject({ user: { username: 'анна' } });
    expect(await arrive({ name: 'aнна', subject: '4' })).toEqual({ refused: 'oidc_name_taken' });
  });

  test('never for someone who has an account', async () => {
    await addPerson(store, 'аdmin', { issuer, subject: '7' });
    expect(await arrive({ name: 'аdmin', subject: '7' })).toMatchObject({ user: { username: 'аdmin' } });
    // The previous name stays in place of one that looks like another.
    await arrive();
    const kept = { user: { username: 'rosa' }, former: { name: 'rosa' } };
    expect(await arrive({ name: 'аdmin2' })).toMatchObject(kept);
    expect(await arrive({ name: 'ɑdmin' })).toMatchObject(kept);
    const given: string[] = [];
    const noted = async (_: unknown, username: string) => given.push(username);
    await people.arrive(arriving({ name: 'ɑdmin' }), noted, unconditional);
    await people.arrive(arriving({ name: 'ROSA' }), noted, unconditional);
    expect(given).toEqual(['rosa', 'rosa']);
    // She looks like herself.
    expect(await arrive({ name: 'гоѕа' })).toMatchObject({ user: { username: 'гоѕа' } });
  });

  test('by another user, and by the same subject of another provider', async () => {
    await arrive();
    expect(await arrive({ subject: '3' })).toEqual({ refused: 'oidc_name_taken' });
    expect(await arrive({ issuer: 'https://other.example' })).toEqual({ refused: 'oidc_name_taken' });
    expect(await rows()).toMatchObject([{ issuer, subject: '2' }]);
  });

  test('when another user is renamed to it', async () => {
    await arrive();
    expect(await arrive({ name: 'admin', role: 'viewer' })).toEqual({ refused: 'oidc_name_taken' });
    expect(await rows()).toMatchObject([{ username: 'rosa', role: 'family' }]);
    expect(await users.find('admin')).toMatchObject({ role: 'admin', passwordHash: 'h' });
  });
});

describe('renamed at the provider', () => {
  let apiTokens: ApiTokens;
  beforeEach(() => {
    apiTokens = createApiTokens(store, { clock, storeVersion: () => Number.NaN });
  });

  test('the user stays the same, with the API tokens', async () => {
    await arrive();
    const token = { owner: 'rosa', name: 'script', role: 'family', cameras: undefined, expiresAt: undefined };
    await apiTokens.add(token, unconditional);
    expect(await arrive({ name: 'rosalie' })).toMatchObject({
      user: { username: 'rosalie' },
      former: { name: 'rosa' },
    });
    expect(await rows()).toMatchObject([{ username: 'rosalie', subject: '2' }]);
    const owners = await store.selectFrom('api_tokens').select('username').execute();
    expect(owners).toEqual([{ username: 'rosalie' }]);
  });

  test('in upper and lower case alone is no other name, and sessions stay', async () => {
    const before = await arrive();
    const after = await arrive({ name: 'Rosa', role: 'viewer' });
    expect(after).toMatchObject({
      user: { username: 'rosa', role: 'viewer' },
      former: { name: 'rosa', role: 'family' },
    });
    expect('user' in before && 'user' in after && after.user.generation).toBe(
      'user' in before && before.user.generation,
    );
    expect(await rows()).toMatchObject([{ username: 'rosa', role: 'viewer', subject: '2' }]);
  });

  test.each([
    ['Jörg', 'Anna', 'jörg'],
    ['anna', 'Jörg', 'ANNA'],
    ['Jörg', 'Özlem', 'JÖRG'],
  ])('from %s to %s: the former name is free', async (former, name, next) => {
    await arrive({ name: former });
    expect(await arrive({ name })).toMatchObject({ user: { username: name } });
    expect(await users.findTyped(name.toUpperCase())).toMatchObject({ username: name });
    expect(await arrive({ name: next, subject: '3' })).toMatchObject({ user: { username: next } });
  });

  test('a name that is written in another way is no other name', async () => {
    await arrive({ name: 'Jörg' });
    expect(await arrive({ name: 'JÖRG' })).toMatchObject({ user: { username: 'Jörg' } });
  });

  test('sessions of the former name stay over when the name comes back', async () => {
    const before = await arrive();
    await arrive({ name: 'rosalie' });
    const after = await arrive();
    expect('user' in before && 'user' in after && after.user.generation !== before.user.generation).toBe(
      true,
    );
  });

  test('another user may get the former name', async () => {
    const former = await arrive();
    await arrive({ name: 'rosalie' });
    const other = await arrive({ subject: '3' });
    expect('user' in other && 'user' in former && other.user.generation !== former.user.generation).toBe(
      true,
    );
    expect(await rows()).toMatchObject([
      { username: 'rosa', subject: '3' },
      { username: 'rosalie', subject: '2' },
    ]);
  });
});

describe('who is kept out', () => {
  const block = (blocked: 'admin' | 'provider') =>
    store.change(unconditional, (on) =>
      on.updateTable('users').set({ blocked }).where('username', '=', 'rosa').execute(),
    );

  test('by an admin stays out', async () => {
    await arrive();
    await block('admin');
    expect(await arrive({ role: 'viewer' })).toEqual({ refused: 'user_blocked' });
    expect(await rows()).toMatchObject([{ blocked: 'admin', role: 'family' }]);
    expect(await people.nameOf({ issuer, subject: '2' })).toBeUndefined();
  });

  test('by the provider comes in with the next role', async () => {
    await arrive();
    await block('provider');
    expect(await arrive()).toMatchObject({ former: { wasBlocked: true } });
    expect(await rows()).toMatchObject([{ blocked: null }]);
  });
});

describe('all of it, or nothing', () => {
  test('a state can be used once, by any user', async () => {
    await arrive({ state: 'one' });
    expect(await arrive({ state: 'one', subject: '3', name: 'olaf' })).toEqual({
      refused: 'oidc_attempt_unknown',
    });
    expect(await rows()).toMatchObject([{ username: 'rosa' }]);
  });

  test('if `also` fails, no user is added and the state stays unused', async () => {
    const fails = async () => {
      throw new Error('no session');
    };
    await expect(arrive({ state: 'one' }, fails)).rejects.toThrow('no session');
    expect(await rows()).toEqual([]);
    expect(await arrive({ state: 'one' })).toMatchObject({ user: { username: 'rosa' } });
  });

  test('without its permit nothing is written', async () => {
    const withdrawn = people.arrive(
      arriving(),
      async () => undefined,
      async () => {
        throw new Error('withdrawn');
      },
    );
    await expect(withdrawn).rejects.toThrow('withdrawn');
    expect(await rows()).toEqual([]);
  });

  test('two simultaneous first logins of one user add one user', async () => {
    const both = await Promise.all([arrive(), arrive()]);
    expect(both.map((arrived) => 'user' in arrived)).toEqual([true, true]);
    expect(await rows()).toHaveLength(1);
  });
});

describe('an issuer with and without the slash of an empty path is one', () => {
  test.each([
    ['https://id.example', 'https://id.example/'],
    ['https://id.example:8443/', 'https://id.example:8443'],
  ])('%s and %s', async (stored, current) => {
    await arrive({ issuer: stored });
    // As an earlier version has written it.
    await store.change(unconditional, (on) =>
      on.updateTable('users').set({ issuer: stored }).where('username', '=', 'rosa').execute(),
    );
    expect(await arrive({ issuer: current, role: 'viewer' })).toMatchObject({
      user: { username: 'rosa', role: 'viewer' },
      former: { name: 'rosa' },
    });
    expect(await people.nameOf({ issuer: current, subject: '2' })).toBe('rosa');
    expect(await users.count({ issuer: current })).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  test('but not that of any other path', async () => {
    await arrive({ issuer: 'https://id.example/realm' });
    expect(await arrive({ issuer: 'https://id.example/realm/' })).toEqual({ refused: 'oidc_name_taken' });
  });
});
