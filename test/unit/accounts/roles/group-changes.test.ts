import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { configurationReader } from '../../../../src/config/load.ts';
import {
  customRolesInFile,
  customRolesInStore,
  type CustomRoleChanges,
} from '../../../../src/accounts/roles/custom-roles.ts';
import { defineRoles, readStoredRoles } from '../../../../src/accounts/roles/role-definitions.ts';
import { createRolesFile } from '../../../../src/accounts/roles/roles-file.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import type { DefinedRoles } from '../../../../src/policy/role-access.ts';
import { permissionBy, unconditional, type Permit } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { programDirectory } from '../../../../src/version.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';
import { noStoredRoles, storeWithRoles } from '../users/shared-store.ts';

interface Place {
  readonly changes: CustomRoleChanges;
  readonly groups: () => Promise<object>;
}

const cameras = ['drive', 'porch', 'yard'];
const notPermitted: Permit = () => Promise.reject(new Error('not permitted'));
const withoutProof: Permit = async () =>
  permissionBy(
    () => {
      throw new Error('a proof is needed');
    },
    (role) => role === 'guard',
  );

let store: Store;
let users: Users;
beforeEach(async () => {
  store = await storeWithRoles();
  users = createUsers(store, { now: () => 0 });
  for (const [username, role] of [
    ['anna', 'neighbour'],
    ['bert', 'neighbour'],
    ['carl', 'guard'],
  ] as const)
    await users.add({ username, role, passwordHash: '' }, unconditional);
});

function inFile(): Place {
  const directory = temporaryDirectory();
  const path = join(directory, 'config.yml');
  const read = configurationReader({ CONFIG_DIR: directory }, programDirectory, 'config.yml');
  writeFileSync(path, `cameras: [${cameras.join(', ')}]\ntls: { enabled: false }\n`);
  const defined = () => read(readFileSync(path, 'utf8')).auth.defined;
  const check = (text: string) => {
    read(text);
    return () => {};
  };
  return {
    changes: customRolesInFile({
      store,
      change: store.change,
      users,
      rolesFile: createRolesFile(directory, check),
      reading: { adopt: () => {} },
      defined,
    }),
    groups: async () => Object.fromEntries(defined().groups),
  };
}

function inStore(declared: DefinedRoles = { definitions: new Map(), groups: new Map() }): Place {
  let stored = noStoredRoles;
  const definitions = () => defineRoles(declared, stored);
  return {
    changes: customRolesInStore({
      store,
      change: store.change,
      users,
      definitions: {
        get current() {
          return definitions().current;
        },
        isFixed: (name) => definitions().isFixed(name),
        isFixedGroup: (name) => definitions().isFixedGroup(name),
      },
      reading: { adopt: (roles) => void (stored = roles) },
      cameras,
    }),
    groups: async () => Object.fromEntries((await readStoredRoles(store, true)).groups),
  };
}

describe.each([
  ['config.yml', inFile],
  ['the store', () => inStore()],
])('groups of cameras in %s', (_, placeOf) => {
  let place: Place;
  beforeEach(async () => {
    place = placeOf();
    await place.changes.setGroup('outside', ['drive'], unconditional);
    await place.changes.set(
      'guard',
      { cameras: ['porch'], access: { groups: ['outside'], may: ['live'] } },
      unconditional,
    );
    await place.changes.set('neighbour', { cameras: [], access: { groups: ['outside'] } }, unconditional);
  });
  const wider = [
    { role: 'guard', users: 1, gains: ['yard'], loses: ['drive'] },
    { role: 'neighbour', users: 2, gains: ['porch', 'yard'], loses: ['drive'] },
  ];

  test('a change returns what roles and how many users gain and lose', async () => {
    expect(await place.changes.setGroup('outside', ['porch', 'yard'], unconditional)).toEqual(wider);
    expect(await place.groups()).toEqual({ outside: ['porch', 'yard'] });
  });

  test('the preview returns the same, and writes nothing', async () => {
    expect(await place.changes.previewGroup('outside', ['porch', 'yard'])).toEqual(wider);
    expect(await place.changes.previewGroup('garden', ['yard'])).toEqual([]);
    expect(await place.groups()).toEqual({ outside: ['drive'] });
  });

  test.each([
    ['an unknown camera', 'outside', ['drive', 'cellar'], 'found the unknown camera "cellar"'],
    ['no camera', 'outside', [], 'found an empty list'],
    [
      'a name that differs in case alone',
      'OutSide',
      ['drive'],
      'differs from outside only in upper and lower',
    ],
  ])('neither change nor preview take %s', async (__, group, wanted, message) => {
    await expect(place.changes.setGroup(group, wanted, unconditional)).rejects.toThrow(message);
    await expect(place.changes.previewGroup(group, wanted)).rejects.toThrow(message);
    expect(await place.groups()).toEqual({ outside: ['drive'] });
  });

  test('the preview of a role returns who gains and loses what, and writes nothing', async () => {
    const { changes } = place;
    expect(
      await changes.preview('neighbour', { cameras: ['yard'], access: { may: ['live', 'ptz'] } }),
    ).toEqual({
      role: 'neighbour',
      users: 2,
      usernames: ['anna', 'bert'],
      gains: ['yard'],
      loses: ['drive'],
      gainsMay: ['ptz'],
      losesMay: ['history', 'export'],
    });
    // Without an access, the former one stays.
    expect(await changes.preview('guard', { cameras: ['porch', 'yard'] })).toMatchObject({
      usernames: ['carl'],
      gains: ['yard'],
      loses: [],
      losesMay: [],
    });
    expect(await changes.preview('guest', { cameras: ['yard'] })).toMatchObject({
      users: 0,
      gains: ['yard'],
    });
    const unchanged = { cameras: [], access: { groups: ['outside'], hours: '07:00-19:00' } };
    expect(await changes.preview('neighbour', unchanged)).toBeUndefined();
    // What the previews described is still a change.
    expect(await changes.preview('guard', { cameras: ['porch', 'yard'] })).toMatchObject({ gains: ['yard'] });
  });

  test.each([
    ['an unknown camera', 'guard', { cameras: ['cellar'] }, 'found the unknown camera "cellar"'],
    ['no camera', 'guard', { cameras: [], access: null }, 'found an empty list'],
    ['an unknown group', 'guard', { cameras: [], access: { groups: ['sheds'] } }, 'sheds'],
    [
      'a name that differs in case alone',
      'Guard',
      { cameras: ['drive'] },
      'differs from guard only in upper and lower',
    ],
  ])('the preview of a role does not take %s either', async (__, role, definition, message) => {
    await expect(place.changes.set(role, definition, unconditional)).rejects.toThrow(message);
    await expect(place.changes.preview(role, definition)).rejects.toThrow(message);
  });

  test('are written with a permit alone, and with a proof where a role with the group needs one', async () => {
    const { changes, groups } = place;
    await expect(changes.setGroup('outside', ['yard'], notPermitted)).rejects.toThrow('not permitted');
    await expect(changes.setGroup('outside', ['yard'], withoutProof)).rejects.toThrow('a proof is needed');
    await expect(changes.removeGroup('garden', notPermitted)).rejects.toThrow('not permitted');
    expect(await groups()).toEqual({ outside: ['drive'] });
    await changes.setGroup('garden', ['yard'], withoutProof);
    expect(await groups()).toEqual({ outside: ['drive'], garden: ['yard'] });
  });

  test('are removed once no role has them', async () => {
    const { changes, groups } = place;
    await expect(changes.removeGroup('outside', unconditional)).rejects.toMatchObject({
      code: 'camera_group_used',
      also: { roles: ['guard', 'neighbour'] },
    });
    await changes.remove('neighbour', 'viewer', unconditional);
    await changes.set('guard', { cameras: ['porch'], access: null }, unconditional);
    await changes.removeGroup('outside', unconditional);
    expect(await groups()).toEqual({});
  });
});

describe('a store beside declared roles and groups', () => {
  const declared: DefinedRoles = {
    definitions: new Map([['staff', { cameras: ['yard'] }]]),
    groups: new Map([['outside', ['drive']]]),
  };

  test('keeps no group that config.yml declares', async () => {
    const { changes, groups } = inStore(declared);
    const refused = { code: 'camera_group_declared' };
    await expect(changes.setGroup('outside', ['yard'], unconditional)).rejects.toMatchObject(refused);
    await expect(changes.previewGroup('outside', ['yard'])).rejects.toMatchObject(refused);
    await expect(changes.removeGroup('outside', unconditional)).rejects.toMatchObject(refused);
    await expect(changes.previewGroup('Outside', ['yard'])).rejects.toThrow('differs from outside');
    expect(await groups()).toEqual({});
  });

  test('previews no role that config.yml declares', async () => {
    const { changes } = inStore(declared);
    await expect(changes.preview('staff', { cameras: ['drive'] })).rejects.toMatchObject({
      code: 'role_declared',
    });
    await expect(changes.preview('Staff', { cameras: ['drive'] })).rejects.toThrow('differs from staff');
  });

  test('counts a declared group, and no stored role that a declared one replaces', async () => {
    const before = inStore();
    await before.changes.setGroup('garden', ['yard'], unconditional);
    const ofGroups = (groups: string[]) => ({ cameras: [], access: { groups } });
    await before.changes.set('staff', ofGroups(['garden']), unconditional);
    await before.changes.set('neighbour', ofGroups(['garden']), unconditional);
    const { changes } = inStore(declared);
    await changes.set('neighbour', ofGroups(['garden', 'outside']), unconditional);
    expect(await changes.previewGroup('garden', ['drive', 'porch'])).toEqual([
      { role: 'neighbour', users: 2, gains: ['porch'], loses: ['yard'] },
    ]);
  });
});
