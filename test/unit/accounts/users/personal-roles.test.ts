import { beforeEach, describe, expect, test } from 'vitest';
import { customRolesInStore, type CustomRoleChanges } from '../../../../src/accounts/roles/custom-roles.ts';
import {
  addPersonalRole,
  adoptEarlierRoles,
  giveToInvitation,
  isOwnRole,
  newPersonalRole,
  readPersonalRoles,
} from '../../../../src/accounts/users/personal-roles.ts';
import { defineRoles, readStoredRoles } from '../../../../src/accounts/roles/role-definitions.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import type { DefinedRoles } from '../../../../src/policy/role-access.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { storeWithRoles } from './shared-store.ts';

let store: Store;
let users: Users;
let changes: CustomRoleChanges;
const nothing: DefinedRoles = { definitions: new Map(), groups: new Map() };
beforeEach(async () => {
  store = await storeWithRoles();
  users = createUsers(store, { now: () => 0 });
  changes = customRolesInStore({
    store,
    change: store.change,
    users,
    definitions: defineRoles(nothing, nothing),
    reading: { adopt: () => undefined },
    cameras: ['front', 'yard'],
  });
});
const stored = async () => Object.fromEntries((await readStoredRoles(store)).definitions);
const definition = { cameras: ['front'], access: { may: ['live'] } } as const;

test('has a name that Frigate takes, and that no other role has', () => {
  const names = Array.from({ length: 100 }, () => newPersonalRole(new Set()));
  for (const name of names) expect(name).toMatch(/^guest_[0-9a-f]{12}$/);
  expect(new Set(names).size).toBe(names.length);
});

describe('in a shared store', () => {
  const makeFor = async (username: string) =>
    changes
      .make(
        definition,
        async (role, on) => {
          await addPersonalRole(on, role);
          return role;
        },
        unconditional,
      )
      .then(async (role) => {
        await users.add({ username, role, passwordHash: 'h' }, unconditional);
        return role;
      });

  test('is made with what uses it, or not at all', async () => {
    const role = await makeFor('nell');
    expect(await stored()).toEqual({ [role]: definition });
    const fails = () => Promise.reject(new Error('too many'));
    await expect(changes.make(definition, fails, unconditional)).rejects.toThrow('too many');
    const unknown = { cameras: ['attic'] };
    await expect(changes.make(unknown, async () => undefined, unconditional)).rejects.toThrow('attic');
    expect(await stored()).toEqual({ [role]: definition });
  });

  test('gets a name, with which its person keeps it', async () => {
    const role = await makeFor('nell');
    await changes.set('family', { cameras: ['yard'] }, unconditional);
    const exists = { code: 'role_exists' };
    await expect(changes.name(role, 'family', unconditional)).rejects.toMatchObject(exists);
    await expect(changes.name(role, 'FAMILY', unconditional)).rejects.toThrow('family');
    await changes.name(role, 'neighbours', unconditional);
    expect(await stored()).toEqual({ family: { cameras: ['yard'] }, neighbours: definition });
    expect(await users.find('nell')).toMatchObject({ role: 'neighbours' });
    expect(await readPersonalRoles(store)).toEqual(new Set());
    // It is a role like others now.
    const unknown = { code: 'role_unknown' };
    await expect(changes.name('neighbours', 'more', unconditional)).rejects.toMatchObject(unknown);
  });
});

describe('an invitation of an earlier program', () => {
  const record = (role: unknown, cameras?: readonly string[]) => ({ detail: { role, cameras } });
  const records = [
    record('guest.nell', ['front']),
    record('guest.nell', ['front']),
    // To a role that an operator had written.
    record('guest.rob'),
    record('family', ['front']),
    record(5, ['front']),
  ];
  const adopt = () => adoptEarlierRoles(store, { find: async () => records as never });

  test('made the role that the audit has, and this is looked up once', async () => {
    await store.change(unconditional, (on) => addPersonalRole(on, ''));
    expect(await readPersonalRoles(store)).toEqual(new Set());
    await adopt();
    expect(await readPersonalRoles(store)).toEqual(new Set(['guest.nell']));
    await store.change(unconditional, (on) => on.deleteFrom('personal_roles').execute());
    await adopt();
    expect(await readPersonalRoles(store)).toEqual(new Set());
  });
});

describe('is given', () => {
  const addUser = (username: string, role: string) =>
    users.add({ username, role, passwordHash: 'h' }, unconditional);
  const addInvitation = (id: string, role: string) =>
    store.change(unconditional, (on, { grant }) =>
      on
        .insertInto('invitations')
        .values({
          invitation_id: id,
          name: id,
          role: grant(role),
          makes_role: 0,
          made_by: 'admin',
          created_at: 0,
          expires_at: 9_999_999_999,
          secret_hash: id,
        })
        .execute(),
    );
  const give = (username: string) =>
    changes.make(
      definition,
      async (role, on, permission) => {
        await users.giveOwnRole(username, role, on, permission);
        return role;
      },
      unconditional,
    );
  const rows = () => store.selectFrom('users').select(['username', 'role']).orderBy('username').execute();
  beforeEach(async () => {
    await addUser('admin', 'admin');
    await addUser('nell', 'viewer');
  });

  test('to a user, whose tokens with the previous role follow', async () => {
    await addUser('olaf', 'viewer');
    const addToken = (owner: string, role: string) =>
      store.change(unconditional, (on, { grant }) =>
        on
          .insertInto('api_tokens')
          .values({
            token_id: `${owner} ${role}`,
            token_hash: `${owner} ${role}`,
            name: role,
            username: owner,
            role: grant(role),
            created_at: 0,
          })
          .execute(),
      );
    for (const owner of ['nell', 'olaf']) for (const role of ['viewer', 'front']) await addToken(owner, role);
    const before = await users.find('nell');
    const role = await give('nell');
    const after = await users.find('nell');
    expect([after?.role, after?.generation === before?.generation]).toEqual([role, false]);
    expect(await isOwnRole(store, role, { user: 'nell' })).toBe(true);
    expect(await isOwnRole(store, role, { user: 'olaf' })).toBe(false);
    const tokens = await store.selectFrom('api_tokens').select(['token_id', 'role']).execute();
    expect(Object.fromEntries(tokens.map((token) => [token.token_id, token.role]))).toEqual({
      'nell viewer': role,
      'nell front': 'front',
      'olaf viewer': 'viewer',
      'olaf front': 'front',
    });
  });

  test.each([
    ['admin', 'last_admin'],
    ['nobody', 'user_unknown'],
    ['rosa', 'user_of_provider'],
  ])('not to %s: %s', async (username, code) => {
    await addUser('rosa', 'viewer');
    await store.change(unconditional, (on) =>
      on
        .updateTable('users')
        .set({ issuer: 'https://id.example', subject: '1' })
        .where('username', '=', 'rosa')
        .execute(),
    );
    const before = await rows();
    await expect(give(username)).rejects.toMatchObject({ code });
    await expect(users.requireOwnRolePossible(username, store)).rejects.toMatchObject({ code });
    expect([await rows(), await stored(), [...(await readPersonalRoles(store))]]).toEqual([before, {}, []]);
  });

  test('to an open invitation, and to one that has ended not at all', async () => {
    await addInvitation('i1', 'viewer');
    const giveInvited = (id: string) =>
      changes.make(
        definition,
        async (role, on, permission) => {
          await giveToInvitation(on, id, role, permission);
          return role;
        },
        unconditional,
      );
    const role = await giveInvited('i1');
    expect(await store.selectFrom('invitations').select(['role', 'makes_role']).execute()).toEqual([
      { role, makes_role: 1 },
    ]);
    expect(await isOwnRole(store, role, { invitation: 'i1' })).toBe(true);
    await addInvitation('i2', role);
    expect(await isOwnRole(store, role, { invitation: 'i1' })).toBe(false);
    await expect(giveInvited('i3')).rejects.toMatchObject({ code: 'invitation_unknown' });
    expect([...(await readPersonalRoles(store))]).toEqual([role]);
  });
});
