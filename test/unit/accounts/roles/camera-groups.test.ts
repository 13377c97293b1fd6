import type { Kysely } from 'kysely';
import { mayEverything } from '../../../../src/policy/capability.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import {
  customRolesInFile,
  customRolesInStore,
  type CustomRoleChanges,
} from '../../../../src/accounts/roles/custom-roles.ts';
import { defineRoles, readStoredRoles } from '../../../../src/accounts/roles/role-definitions.ts';
import { createRolesFile } from '../../../../src/accounts/roles/roles-file.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import { camerasByRole, expandRoles, type DefinedRoles } from '../../../../src/policy/role-access.ts';
import { permissionBy, unconditional, type Permit } from '../../../../src/store/permit.ts';
import type { SharingTables } from '../../../../src/store/sharing-schema.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';
import { noStoredRoles, storeWithRoles } from '../users/shared-store.ts';

const declared: DefinedRoles = {
  definitions: new Map([['staff', { cameras: [], access: { groups: ['street'] } }]]),
  groups: new Map([['street', ['front']]]),
};
let store: Store;
let changes: CustomRoleChanges;
let adopted: DefinedRoles[];
beforeEach(async () => {
  store = await storeWithRoles();
  adopted = [];
  changes = customRolesInStore({
    store,
    change: store.change,
    users: createUsers(store, { now: () => 0 }),
    definitions: defineRoles(declared, noStoredRoles),
    reading: { adopt: (defined) => void adopted.push(defined) },
    cameras: ['front', 'yard', 'shed'],
  });
});

const sharing = () => store as unknown as Kysely<SharingTables>;
const groups = async () => Object.fromEntries((await readStoredRoles(store, true)).groups);
/** The cameras of the stored roles, by the groups of both. */
const granted = async () => {
  const { current } = defineRoles(declared, await readStoredRoles(store, true));
  return Object.fromEntries([...camerasByRole(expandRoles(current))].map(([role, of]) => [role, [...of]]));
};
const version = () => sharing().selectFrom('store_version').select('roles').executeTakeFirstOrThrow();
/** Of a caller without a fresh proof, which the roles named need. */
const unproven =
  (...guarded: string[]): Permit =>
  async () =>
    permissionBy(
      () => {
        throw new Error('no proof');
      },
      (role) => guarded.includes(role),
    );
const notPermitted = () => Promise.reject(new Error('not permitted'));

describe('groups in the store', () => {
  test('are made, changed and removed, with the version of roles, and known when the change returns', async () => {
    await changes.setGroup('yard', ['yard', 'shed'], unconditional);
    await changes.setGroup('street-2', ['front'], unconditional);
    await changes.setGroup('yard', ['yard'], unconditional);
    expect(await groups()).toEqual({ yard: ['yard'], 'street-2': ['front'] });
    await changes.removeGroup('street-2', unconditional);
    expect(await groups()).toEqual({ yard: ['yard'] });
    expect(adopted.map((defined) => [...defined.groups.keys()])).toEqual([
      ['yard'],
      ['yard', 'street-2'],
      ['yard', 'street-2'],
      ['yard'],
    ]);
    expect(await version()).toEqual({ roles: 7 });
  });

  test('give their cameras to the roles that name them, and what they lose these lose', async () => {
    await changes.setGroup('yard', ['yard', 'shed'], unconditional);
    await changes.set('guests', { cameras: ['front'], access: { groups: ['yard'] } }, unconditional);
    await changes.set('gardener', { cameras: [], access: { groups: ['yard', 'street'] } }, unconditional);
    expect(await granted()).toEqual({
      staff: ['front'],
      guests: ['front', 'yard', 'shed'],
      gardener: ['yard', 'shed', 'front'],
    });
    await changes.setGroup('yard', ['shed'], unconditional);
    expect(await granted()).toMatchObject({ guests: ['front', 'shed'], gardener: ['shed', 'front'] });
  });

  test.each<[what: string, group: string, cameras: string[], problem: string]>([
    [
      'a twin of a stored one',
      'Yard',
      ['yard'],
      'auth.camera_groups.Yard: found a name that differs from yard only in upper and lower case, allowed is another name',
    ],
    [
      'a twin of a declared one',
      'STREET',
      ['front'],
      'auth.camera_groups.STREET: found a name that differs from street only in upper and lower case, allowed is another name',
    ],
    [
      'an unknown camera',
      'others',
      ['front', 'garage'],
      'auth.camera_groups.others: found the unknown camera "garage", allowed is one of front, yard, shed',
    ],
    [
      'no camera',
      'others',
      [],
      'auth.camera_groups.others: found an empty list, allowed is at least one camera',
    ],
  ])('are refused and not written: %s', async (_, group, cameras, problem) => {
    await changes.setGroup('yard', ['yard'], unconditional);
    await expect(changes.setGroup(group, cameras, unconditional)).rejects.toThrow(
      expect.objectContaining({ message: problem }),
    );
    expect(await groups()).toEqual({ yard: ['yard'] });
  });

  test('of config.yml are neither changed nor removed', async () => {
    const refused = { code: 'camera_group_declared' };
    await expect(changes.setGroup('street', ['yard'], unconditional)).rejects.toMatchObject(refused);
    await expect(changes.removeGroup('street', unconditional)).rejects.toMatchObject(refused);
    expect([await groups(), adopted]).toEqual([{}, []]);
  });

  test('are not removed while a role names them', async () => {
    await changes.setGroup('yard', ['yard'], unconditional);
    for (const role of ['guests', 'gardener'])
      await changes.set(role, { cameras: ['front'], access: { groups: ['yard'] } }, unconditional);
    await expect(changes.removeGroup('yard', unconditional)).rejects.toMatchObject({
      code: 'camera_group_used',
      also: { roles: ['guests', 'gardener'] },
    });
    expect(await groups()).toEqual({ yard: ['yard'] });
    await changes.set('guests', { cameras: ['front'], access: null }, unconditional);
    await changes.remove('gardener', 'viewer', unconditional);
    await changes.removeGroup('yard', unconditional);
    expect(await groups()).toEqual({});
  });

  test('change without a fresh proof only if no role that needs one names them', async () => {
    await changes.setGroup('yard', ['yard'], unconditional);
    await changes.set('guests', { cameras: [], access: { groups: ['yard'] } }, unconditional);
    await expect(changes.setGroup('yard', ['yard', 'shed'], unproven('guests'))).rejects.toThrow('no proof');
    expect(await granted()).toMatchObject({ guests: ['yard'] });
    await changes.setGroup('yard', ['yard', 'shed'], unproven('staff'));
    await changes.setGroup('others', ['front'], unproven('guests'));
    expect(await granted()).toMatchObject({ guests: ['yard', 'shed'] });
  });

  test('do not change without a permit, and no one is notified', async () => {
    await changes.setGroup('yard', ['yard'], unconditional);
    await expect(changes.setGroup('yard', ['front'], notPermitted)).rejects.toThrow('not permitted');
    await expect(changes.removeGroup('yard', notPermitted)).rejects.toThrow('not permitted');
    expect([await groups(), adopted.length]).toEqual([{ yard: ['yard'] }, 1]);
  });

  test.each<[what: string, name: string, cameras: string, read: Record<string, string[]>]>([
    ['no name of a group', 'a b', '["front"]', {}],
    ['a reserved name', '__proto__', '["front"]', {}],
    ['a dot segment', '..', '["front"]', {}],
    ['no JSON', 'yard', 'front', { yard: [] }],
    ['no list', 'yard', '"front"', { yard: [] }],
    ['a list of anything', 'yard', '["front",1]', { yard: [] }],
  ])('an invalid row grants nothing: %s', async (_, name, cameras, read) => {
    await store.change(unconditional, (on) =>
      (on as unknown as Kysely<SharingTables>)
        .insertInto('camera_groups')
        .values({ name, cameras })
        .execute(),
    );
    expect(await groups()).toEqual(read);
  });
});

describe('a stored role', () => {
  test.each<[what: string, problem: string, access: object, cameras?: string[]]>([
    [
      'with a group that is not there',
      'auth.role_access.guests.groups: found the unknown group "gone", allowed is one of auth.camera_groups: street',
      { groups: ['street', 'gone'] },
    ],
    [
      'with a camera that is not there, beside a group',
      'auth.roles.guests: found the unknown camera "garage", allowed is one of front, yard, shed',
      { groups: ['street'] },
      ['garage'],
    ],
    [
      'with neither cameras nor groups',
      'auth.roles.guests: found an empty list, allowed is at least one camera; a role that has only groups belongs in auth.role_access',
      { may: ['live'] },
    ],
  ])('is refused and not written: %s', async (_, problem, access, cameras = []) => {
    await expect(changes.set('guests', { cameras, access }, unconditional)).rejects.toThrow(
      expect.objectContaining({ message: problem }),
    );
    expect((await readStoredRoles(store, true)).definitions).toEqual(new Map());
  });

  test('whose group is gone has no camera of it', async () => {
    await changes.setGroup('yard', ['yard'], unconditional);
    await changes.set('guests', { cameras: ['front'], access: { groups: ['yard'] } }, unconditional);
    await store.change(unconditional, (on) =>
      (on as unknown as Kysely<SharingTables>).deleteFrom('camera_groups').execute(),
    );
    expect(await granted()).toMatchObject({ guests: ['front'] });
  });
});

describe('the viewer in the store', () => {
  const viewer = async () => expandRoles(await readStoredRoles(store, true)).get('viewer');

  test('is narrowed by may, and gets everything back by null', async () => {
    await changes.set('viewer', { cameras: [], access: { may: ['live', 'ptz'] } }, unconditional);
    expect(await viewer()).toEqual({ cameras: 'all', may: new Set(['live', 'ptz']) });
    await changes.set('viewer', { cameras: [], access: null }, unconditional);
    expect(await viewer()).toEqual({ cameras: 'all', may: mayEverything });
  });

  test.each([
    { hours: '07:00-19:00' },
    { groups: ['street'] },
    { may: ['live'], until: '2027-01-05' } as const,
  ])('has no other limit: %j', async (access) => {
    await expect(changes.set('viewer', { cameras: [], access }, unconditional)).rejects.toThrow(
      'auth.role_access.viewer: found more than may',
    );
    expect((await viewer())?.may).toEqual(mayEverything);
  });

  test('whose access cannot be read may do nothing', async () => {
    await store.change(unconditional, (on) =>
      on
        .insertInto('custom_roles')
        .values({ name: 'viewer', cameras: '[]', access: '{"may":["all"]}' })
        .execute(),
    );
    expect((await viewer())?.may).toEqual(new Set());
  });
});

describe('current groups', () => {
  test('are the declared ones, then those of the store; a declared group wins', () => {
    const stored = {
      ...noStoredRoles,
      groups: new Map([
        ['yard', ['yard']],
        ['street', ['shed']],
      ] as const),
    };
    const { current, isFixedGroup } = defineRoles(declared, stored);
    expect([...current.groups]).toEqual([
      ['street', ['front']],
      ['yard', ['yard']],
    ]);
    expect([isFixedGroup('street'), isFixedGroup('yard')]).toEqual([true, false]);
    expect(defineRoles(declared, { ...stored, isShared: false }).isFixedGroup('street')).toBe(false);
  });
});

describe('groups in config.yml', () => {
  const inFile = () => {
    const texts: string[] = [];
    const rolesFile = createRolesFile(temporaryDirectory(), (text) => {
      texts.push(text);
      return () => {};
    });
    const users = createUsers(store, { now: () => 0 });
    const reading = { adopt: () => {} };
    const dependencies = {
      store,
      change: store.change,
      users,
      rolesFile,
      reading,
      defined: () => declared,
    };
    return { texts, changes: customRolesInFile(dependencies) };
  };

  test('are not removed while a role names them', async () => {
    const { texts, changes: file } = inFile();
    await expect(file.removeGroup('street', unconditional)).rejects.toMatchObject({
      code: 'camera_group_used',
      also: { roles: ['staff'] },
    });
    expect(texts).toEqual([]);
  });

  test('change without a fresh proof only if no role that needs one names them', async () => {
    const { texts, changes: file } = inFile();
    await expect(file.setGroup('street', ['front', 'yard'], unproven('staff'))).rejects.toThrow('no proof');
    expect(texts).toEqual([]);
    await file.setGroup('street', ['front', 'yard'], unproven('guests'));
    await file.setGroup('yard', ['yard'], unproven('staff'));
    expect(texts.at(-1)).toBe('auth:\n  camera_groups:\n    street: [front, yard]\n    yard: [yard]\n');
  });
});
