import { beforeEach, describe, expect, test } from 'vitest';
import { customRolesInStore, type CustomRoleChanges } from '../../../../src/accounts/roles/custom-roles.ts';
import {
  addPersonalRole,
  adoptEarlierRoles,
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
  const adopt = () =>
    adoptEarlierRoles({ read: store, change: store.change }, { find: async () => records as never });

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
