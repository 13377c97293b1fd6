import type { Kysely } from 'kysely';
import { beforeEach, describe, expect, test } from 'vitest';
import { customRolesInStore, type CustomRoleChanges } from '../../../src/accounts/custom-roles.ts';
import { defineRoles } from '../../../src/accounts/role-definitions.ts';
import { readStoredRoles } from '../../../src/accounts/stored-roles.ts';
import { createUsers, type Users } from '../../../src/accounts/users.ts';
import type { CustomRoles } from '../../../src/policy/grant.ts';
import { unconditional } from '../../../src/store/permit.ts';
import type { SharingTables } from '../../../src/store/sharing-schema.ts';
import type { Store } from '../../../src/store/store.ts';
import { storeWithRoles } from './shared-store.ts';

const declared = new Map([['staff', new Set(['front', 'yard'])]]);
let store: Store;
let users: Users;
let customRoles: CustomRoleChanges;
/** What this process was told of, change by change. */
let adopted: CustomRoles[];
beforeEach(async () => {
  store = await storeWithRoles();
  users = createUsers(store, { now: () => 0 });
  adopted = [];
  customRoles = customRolesInStore({
    change: store.change,
    users,
    definitions: defineRoles(declared, new Map()),
    reading: { adopt: (roles) => void adopted.push(roles) },
    cameras: ['front', 'yard'],
  });
});
const texts = (roles: CustomRoles) =>
  [...roles].map(([name, cameras]) => `${name}: ${[...cameras].join(' ')}`);
const kept = async () => texts(await readStoredRoles(store));
const sharing = (on: unknown) => on as Kysely<SharingTables>;
const insert = (name: string, cameras: string) =>
  store.change(unconditional, (on) =>
    sharing(on).insertInto('custom_roles').values({ name, cameras }).execute(),
  );
const notPermitted = () => Promise.reject(new Error('not permitted'));

describe('roles in the store', () => {
  test('stand in the order in which they were made, whatever is changed of them', async () => {
    await customRoles.set('guests', ['front'], unconditional);
    await customRoles.set('family', [], unconditional);
    await customRoles.set('guests', ['yard'], unconditional);
    expect(await kept()).toEqual(['guests: yard', 'family: ']);
    await customRoles.remove('guests', 'viewer', unconditional);
    await customRoles.set('guests', ['front'], unconditional);
    expect(await kept()).toEqual(['family: ', 'guests: front']);
  });

  test('are known to this process when the change is answered', async () => {
    await customRoles.set('guests', ['front'], unconditional);
    await customRoles.remove('guests', 'viewer', unconditional);
    expect(adopted.map(texts)).toEqual([['guests: front'], []]);
  });

  test.each(['viewer', 'admin', 'family'])(
    'leave their users %s, in the same transaction',
    async (successor) => {
      await users.add({ username: 'olaf', role: 'guests', passwordHash: 'h' }, unconditional);
      await users.add({ username: 'ann', role: 'staff', passwordHash: 'h' }, unconditional);
      await customRoles.set('guests', ['front'], unconditional);
      const before = await users.find('olaf');
      await expect(customRoles.remove('guests', successor, notPermitted)).rejects.toThrow('not permitted');
      expect([await kept(), await users.find('olaf')]).toEqual([['guests: front'], before]);
      expect(await customRoles.remove('guests', successor, unconditional)).toBe(1);
      expect(await kept()).toEqual([]);
      expect(await users.list()).toEqual([
        { username: 'ann', role: 'staff' },
        { username: 'olaf', role: successor },
      ]);
      expect((await users.find('olaf'))?.generation).not.toBe(before?.generation);
    },
  );

  test('have the version of their last change, by which other processes know of it', async () => {
    const version = () => sharing(store).selectFrom('store_version').select('roles').execute();
    expect(await version()).toEqual([{ roles: 1 }]);
    await customRoles.set('guests', ['front'], unconditional);
    expect(await version()).toEqual([{ roles: 7 }]);
  });

  test('are not changed without a permit, and nobody is told', async () => {
    await expect(customRoles.set('guests', ['front'], notPermitted)).rejects.toThrow('not permitted');
    expect([await kept(), adopted]).toEqual([[], []]);
  });

  test('name cameras of config.yml, when that lists them', async () => {
    await expect(customRoles.set('guests', ['front', 'garage'], unconditional)).rejects.toThrow('garage');
    expect(await kept()).toEqual([]);
  });

  test('are not those that config.yml declares', async () => {
    const refused = { code: 'role_declared' };
    await expect(customRoles.set('staff', ['front'], unconditional)).rejects.toMatchObject(refused);
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
])('what nobody has written by the gate grants nothing: %s', async (_, name, cameras, read) => {
  await insert(name, cameras);
  expect(await kept()).toEqual(read);
});

describe('the current roles', () => {
  const stored = new Map([
    ['guests', new Set(['yard'])],
    ['staff', new Set(['garage'])],
  ]);

  test('are the declared ones, and then those of the store, of which a declared name wins', () => {
    const { current, hidden, isFixed } = defineRoles(declared, stored);
    expect(texts(current)).toEqual(['staff: front yard', 'guests: yard']);
    expect([[...hidden], isFixed('staff'), isFixed('guests')]).toEqual([['staff'], true, false]);
  });

  test('are those of config.yml alone, which the gate writes, when no store is shared', () => {
    const { current, hidden, isFixed } = defineRoles(declared, undefined);
    expect([texts(current), [...hidden], isFixed('staff')]).toEqual([['staff: front yard'], [], false]);
  });
});
