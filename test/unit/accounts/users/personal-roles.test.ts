import { beforeEach, describe, expect, test } from 'vitest';
import { customRolesInStore, type CustomRoleChanges } from '../../../../src/accounts/roles/custom-roles.ts';
import {
  addPersonalRole,
  giveToInvitation,
  isOwnRole,
  newPersonalRole,
  readPersonalRoles,
} from '../../../../src/accounts/users/personal-roles.ts';
import { defineRoles, readStoredRoles } from '../../../../src/accounts/roles/role-definitions.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import type { DefinedRoles, RoleDefinition } from '../../../../src/policy/role-access.ts';
import {
  type PersonalRoleChanges,
  personalRolesInStore,
} from '../../../../src/accounts/roles/personal-role-changes.ts';
import { AppError } from '../../../../src/errors.ts';
import { permissionBy, type Permit, unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { noStoredRoles, storeWithRoles } from './shared-store.ts';

let store: Store;
let users: Users;
let changes: CustomRoleChanges;
let personal: PersonalRoleChanges;
const nothing: DefinedRoles = {
  definitions: new Map([['front', { cameras: ['front'] }]]),
  groups: new Map([['street', ['front']]]),
};
const cameras = ['front', 'yard'];
const reading = { adopt: () => undefined };
beforeEach(async () => {
  store = await storeWithRoles();
  users = createUsers(store, { now: () => 0 });
  const { change } = store;
  const definitions = defineRoles(nothing, noStoredRoles);
  changes = customRolesInStore({ store, change, users, definitions, reading, cameras });
  personal = personalRolesInStore({ store, change, reading, defined: () => nothing, cameras });
});
const stored = async () => Object.fromEntries((await readStoredRoles(store)).definitions);
/** Of a caller without a fresh proof. */
const unproven: Permit = async () =>
  permissionBy(() => {
    throw new AppError('step_up_needed');
  });
const definition = { cameras: ['front'], access: { may: ['live'] } } as const;

test('has a name that Frigate takes, and that no other role has', () => {
  const names = Array.from({ length: 100 }, () => newPersonalRole(new Set()));
  for (const name of names) expect(name).toMatch(/^guest_[0-9a-f]{12}$/);
  expect(new Set(names).size).toBe(names.length);
});

describe('a role of one person', () => {
  const makeFor = async (username: string) =>
    personal
      .make(
        definition,
        undefined,
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
    await expect(personal.make(definition, undefined, fails, unconditional)).rejects.toThrow('too many');
    const unknown = { cameras: ['attic'] };
    await expect(personal.make(unknown, undefined, async () => undefined, unconditional)).rejects.toThrow(
      'attic',
    );
    expect(await stored()).toEqual({ [role]: definition });
  });

  test('is changed, and only with a fresh proof if its access may become wider', async () => {
    const role = await makeFor('nell');
    const needed = { code: 'step_up_needed' };
    const wider = [
      { cameras: ['front', 'yard'], access: { may: ['live'] } },
      { cameras: ['front'], access: { may: ['live', 'history'] } },
      { cameras: ['yard'], access: { may: ['live'] } },
      { cameras: [], access: { groups: ['street'], may: ['live', 'ptz'] } },
    ] as const;
    for (const next of wider) await expect(personal.set(role, next, unproven)).rejects.toMatchObject(needed);
    expect(await stored()).toEqual({ [role]: definition });
    const same = { cameras: [], access: { groups: ['street'], may: ['live'] } } as const;
    await personal.set(role, same, unproven);
    expect(await stored()).toEqual({ [role]: same });
    await personal.set(role, wider[0], unconditional);
    expect(await stored()).toEqual({ [role]: wider[0] });
  });

  test.each<[former: string | undefined, wider: boolean]>([
    ['viewer', false],
    ['front', false],
    ['gone', false],
    ['guest_0123456789ab', true],
    [undefined, true],
  ])('is made in place of %s: needs a proof %s', async (former, isWider) => {
    const made = personal.make(definition, former, async (role) => role, unproven);
    if (isWider) await expect(made).rejects.toMatchObject({ code: 'step_up_needed' });
    else {
      const role = await made;
      expect(await stored()).toEqual({ [role]: definition });
    }
  });

  test.each<[what: string, definition: RoleDefinition, message: string]>([
    ['an unknown camera', { cameras: ['attic'] }, 'attic'],
    ['an unknown group', { cameras: [], access: { groups: ['garden'] } }, 'garden'],
    ['no camera', { cameras: [] }, 'at least one camera'],
  ])('is not given %s', async (_, next, message) => {
    const role = await makeFor('nell');
    await expect(personal.set(role, next, unconditional)).rejects.toThrow(message);
    await expect(personal.preview(role, next)).rejects.toThrow(message);
    expect(await stored()).toEqual({ [role]: definition });
  });

  test('is removed once no one has it', async () => {
    const role = await makeFor('nell');
    expect(await personal.remove(role, unconditional)).toBe(false);
    expect(await stored()).toEqual({ [role]: definition });
    await users.remove('nell', unconditional).catch(() => undefined);
    expect(await personal.remove(role, unconditional)).toBe(true);
    expect([await stored(), await readPersonalRoles(store)]).toEqual([{}, new Set()]);
  });

  test('is no role for those who change named ones', async () => {
    const role = await makeFor('nell');
    const unknown = { code: 'role_unknown' };
    for (const change of [
      () => changes.set(role, { cameras: ['front', 'yard'] }, unconditional),
      () => changes.preview(role, { cameras: ['yard'] }),
      () => changes.remove(role, 'viewer', unconditional),
    ])
      await expect(change()).rejects.toMatchObject(unknown);
    await changes.set('family', { cameras: ['front'] }, unconditional);
    await expect(personal.set('family', definition, unconditional)).rejects.toMatchObject(unknown);
    await expect(personal.preview('family', definition)).rejects.toMatchObject(unknown);
    expect([(await stored())[role], (await users.find('nell'))?.role]).toEqual([definition, role]);
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
    personal.make(
      definition,
      undefined,
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
    expect([after?.role, after?.generation === before?.generation]).toEqual([role, true]);
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
      personal.make(
        definition,
        undefined,
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
