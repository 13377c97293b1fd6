import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { customRolesInStore, type CustomRoleChanges } from '../../../../src/accounts/roles/custom-roles.ts';
import { defineRoles, readStoredRoles } from '../../../../src/accounts/roles/role-definitions.ts';
import { createUsers, type Users } from '../../../../src/accounts/users/users.ts';
import {
  camerasByRole,
  expandRoles,
  type ConfiguredAccess,
  type DefinedRoles,
} from '../../../../src/policy/role-access.ts';
import { scheduleAt } from '../../../../src/policy/schedule.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { SharingTables } from '../../../../src/store/sharing-schema.ts';
import type { Store } from '../../../../src/store/store.ts';
import { noStoredRoles, storeWithRoles } from '../users/shared-store.ts';

const declared: DefinedRoles = {
  definitions: new Map([['staff', { cameras: ['front', 'yard'], access: { hours: '07:00-19:00' } }]]),
  groups: new Map(),
};
let store: Store;
let users: Users;
let customRoles: CustomRoleChanges;
/** The changes this process was notified of. */
let adopted: DefinedRoles[];
beforeEach(async () => {
  store = await storeWithRoles();
  users = createUsers(store, { now: () => 0 });
  adopted = [];
  customRoles = customRolesInStore({
    store,
    change: store.change,
    users,
    definitions: defineRoles(declared, noStoredRoles),
    reading: { adopt: (roles) => void adopted.push(roles) },
    cameras: ['front', 'yard'],
  });
});
const texts = (defined: DefinedRoles) =>
  [...camerasByRole(expandRoles(defined))].map(([name, cameras]) => `${name}: ${[...cameras].join(' ')}`);
const accessIn = ({ definitions }: DefinedRoles) =>
  Object.fromEntries([...definitions].map(([name, { access }]) => [name, access]));
const kept = async () => texts(await readStoredRoles(store));
const sharing = (on: unknown) => on as Kysely<SharingTables>;
const insert = (name: string, cameras: string, access: string | null = null) =>
  store.change(unconditional, (on) =>
    on.insertInto('custom_roles').values({ name, cameras, access }).execute(),
  );
const notPermitted = () => Promise.reject(new Error('not permitted'));

describe('roles in the store', () => {
  test('keep the order in which they were made when they change', async () => {
    await customRoles.set('guests', { cameras: ['front'] }, unconditional);
    await customRoles.set('family', { cameras: ['yard', 'front'] }, unconditional);
    await customRoles.set('guests', { cameras: ['yard'] }, unconditional);
    expect(await kept()).toEqual(['guests: yard', 'family: yard front']);
    await customRoles.remove('guests', 'viewer', unconditional);
    await customRoles.set('guests', { cameras: ['front'] }, unconditional);
    expect(await kept()).toEqual(['family: yard front', 'guests: front']);
  });

  test('need names that differ in more than case, also from declared ones', async () => {
    await customRoles.set('guests', { cameras: ['front'] }, unconditional);
    for (const [name, twin] of [
      ['Guests', 'guests'],
      ['STAFF', 'staff'],
    ] as const)
      await expect(customRoles.set(name, { cameras: ['front'] }, unconditional)).rejects.toThrow(
        `auth.roles.${name}: found a name that differs from ${twin} only in upper and lower case`,
      );
    await expect(insert('GUESTS', '["front"]')).rejects.toThrow();
    expect(await kept()).toEqual(['guests: front']);
  });

  test.each(['none', 'None', 'admin', '.', '..', '__proto__'])(
    'are not read by the name %s, even when it was written',
    async (name) => {
      await insert(name, '["front"]');
      expect(await kept()).toEqual([]);
    },
  );

  test('are known to this process when the change returns', async () => {
    await customRoles.set('guests', { cameras: ['front'] }, unconditional);
    await customRoles.remove('guests', 'viewer', unconditional);
    expect(adopted.map(texts)).toEqual([['guests: front'], []]);
  });

  test.each(['viewer', 'admin', 'family'])(
    'leave their users %s, in the same transaction',
    async (successor) => {
      await users.add({ username: 'olaf', role: 'guests', passwordHash: 'h' }, unconditional);
      await users.add({ username: 'ann', role: 'staff', passwordHash: 'h' }, unconditional);
      await customRoles.set('guests', { cameras: ['front'] }, unconditional);
      const before = await users.find('olaf');
      await expect(customRoles.remove('guests', successor, notPermitted)).rejects.toThrow('not permitted');
      expect([await kept(), await users.find('olaf')]).toEqual([['guests: front'], before]);
      expect(await customRoles.remove('guests', successor, unconditional)).toEqual({ reassigned: 1 });
      expect(await kept()).toEqual([]);
      expect(await users.list()).toEqual([
        { username: 'ann', role: 'staff' },
        { username: 'olaf', role: successor },
      ]);
      expect((await users.find('olaf'))?.generation).not.toBe(before?.generation);
    },
  );

  test('have the version of their last change, for other processes', async () => {
    const version = () => sharing(store).selectFrom('store_version').select('roles').execute();
    expect(await version()).toEqual([{ roles: 1 }]);
    await customRoles.set('guests', { cameras: ['front'] }, unconditional);
    expect(await version()).toEqual([{ roles: 7 }]);
  });

  test('do not change without a permit, and no one is notified', async () => {
    await expect(customRoles.set('guests', { cameras: ['front'] }, notPermitted)).rejects.toThrow(
      'not permitted',
    );
    expect([await kept(), adopted]).toEqual([[], []]);
  });

  test('may name only cameras of config.yml, if it lists any', async () => {
    await expect(customRoles.set('guests', { cameras: ['front', 'garage'] }, unconditional)).rejects.toThrow(
      'garage',
    );
    expect(await kept()).toEqual([]);
  });

  test('cannot have the name of a declared role', async () => {
    const refused = { code: 'role_declared' };
    await expect(customRoles.set('staff', { cameras: ['front'] }, unconditional)).rejects.toMatchObject(
      refused,
    );
    await expect(customRoles.remove('staff', 'viewer', unconditional)).rejects.toMatchObject(refused);
    expect(await kept()).toEqual([]);
  });
});

test.each<[what: string, name: string, cameras: string, read: string[]]>([
  ['a role that every gate has', 'admin', '["front"]', []],
  ['in capitals too', 'Viewer', '["front"]', []],
  ['no name of a role', 'a b', '["front"]', []],
  ['no JSON', 'guests', 'front', ['guests: ']],
  ['no list', 'guests', '{"front":1}', ['guests: ']],
  ['a list of anything', 'guests', '["front",1]', ['guests: ']],
  ['the stream of all cameras', 'guests', '["front","birdseye"]', ['guests: front']],
])('an invalid row grants nothing: %s', async (_, name, cameras, read) => {
  await insert(name, cameras);
  expect(await kept()).toEqual(read);
});

describe('the access of a role in the store', () => {
  const access = async () => accessIn(await readStoredRoles(store));
  const set = (wanted?: ConfiguredAccess | null) =>
    customRoles.set('guests', { cameras: ['front'], access: wanted }, unconditional);

  test('is stored with the role, stays when its cameras change, and can be removed', async () => {
    await set({ may: ['live', 'ptz'], from: '2026-12-20', hours: '07:00-19:00' });
    await set();
    expect(await access()).toEqual({
      guests: { may: ['live', 'ptz'], from: '2026-12-20', hours: '07:00-19:00' },
    });
    await set({ until: '2027-01-05' });
    expect(await access()).toEqual({ guests: { until: '2027-01-05' } });
    await set(null);
    expect([await access(), await kept()]).toEqual([{ guests: undefined }, ['guests: front']]);
  });

  test.each([
    ['no JSON', 'always'],
    ['nothing', 'null'],
    ['no key', '{}'],
    ['a key that is not known', '{"hours":"07:00-19:00","days":"Mo"}'],
    ['a date that there is not', '{"until":"2027-02-30"}'],
    ['an unknown word of may', '{"may":["live","delete"]}'],
    ['no word of may', '{"may":[]}'],
    ['no group', '{"groups":[]}'],
    ['an end before its begin', '{"from":"2026-12-20","until":"2026-12-19"}'],
  ])('grants nothing, and never opens, if it is invalid: %s', async (_, text) => {
    await insert('guests', '["front"]', text);
    const guests = expandRoles(await readStoredRoles(store)).get('guests');
    expect(guests).toMatchObject({ cameras: new Set(), may: new Set() });
    expect(scheduleAt(guests?.schedule ?? {}, Date.now(), 'UTC')).toMatchObject({
      isOpen: false,
      until: Number.POSITIVE_INFINITY,
    });
  });
});

describe('the current roles', () => {
  const stored = {
    ...noStoredRoles,
    definitions: new Map([
      ['guests', { cameras: ['yard'], access: { until: '2027-01-05' } }],
      ['staff', { cameras: ['garage'], access: { until: '2027-01-05' } }],
    ]),
  };

  test('are the declared ones, then those of the store; a declared role wins', () => {
    const { current, hidden, isFixed } = defineRoles(declared, stored);
    expect(texts(current)).toEqual(['staff: front yard', 'guests: yard']);
    expect([[...hidden], isFixed('staff'), isFixed('guests')]).toEqual([['staff'], true, false]);
    expect(accessIn(current)).toEqual({
      staff: { hours: '07:00-19:00' },
      guests: { until: '2027-01-05' },
    });
  });

  test('a declared role without access does not get that of a stored role with its name', () => {
    const staff = { ...declared, definitions: new Map([['staff', { cameras: ['front'] }]]) };
    expect(accessIn(defineRoles(staff, stored).current)).toEqual({
      staff: undefined,
      guests: { until: '2027-01-05' },
    });
  });

  test('are those of config.yml alone when no store is shared', () => {
    const { current, hidden, isFixed } = defineRoles(declared, { ...noStoredRoles, isShared: false });
    expect([texts(current), [...hidden], isFixed('staff')]).toEqual([['staff: front yard'], [], false]);
  });
});
