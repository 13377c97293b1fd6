import { beforeEach, describe, expect, test } from 'vitest';
import {
  adoptEarlierRoles,
  copyDeclaredRoles,
  removeCopiedLines,
} from '../../../../src/accounts/roles/copied-roles.ts';
import { defineRoles, readStoredRoles } from '../../../../src/accounts/roles/role-definitions.ts';
import { addPersonalRole, readPersonalRoles } from '../../../../src/accounts/users/personal-roles.ts';
import type { DefinedRoles, RoleDefinition } from '../../../../src/policy/role-access.ts';
import { unconditional } from '../../../../src/store/permit.ts';
import type { Store } from '../../../../src/store/store.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const nell = 'guest_0123456789ab';
const olaf = 'guest.olaf';
const definition: RoleDefinition = { cameras: ['front'], access: { may: ['live'] } };
const declared: DefinedRoles = {
  definitions: new Map([
    [nell, definition],
    [olaf, definition],
    ['family', { cameras: ['front', 'yard'] }],
  ]),
  groups: new Map(),
};
const start = 1_800_000_000;
const day = 86_400;
let store: Store;
let now: number;
const clock = { now: () => now * 1000 };
beforeEach(async () => {
  store = await temporaryStore();
  now = start;
});

/** As the upgrade leaves them. */
const addEarlier = (...roles: readonly string[]) =>
  store.change(unconditional, async (on) => {
    for (const role of roles) await on.insertInto('personal_roles').values({ role, copied_at: 0 }).execute();
  });
const stored = async () => Object.fromEntries((await readStoredRoles(store)).definitions);
const personal = async () => [...(await readPersonalRoles(store))].sort();
const current = async (by: DefinedRoles) =>
  Object.fromEntries(defineRoles(by, await readStoredRoles(store)).current.definitions);

describe('the first start', () => {
  test('copies what config.yml has of personal roles, and of no other', async () => {
    await addEarlier(nell, olaf, 'guest_lost00000000');
    expect(await copyDeclaredRoles(store, declared, clock)).toEqual([nell, olaf]);
    expect(await stored()).toEqual({ [nell]: definition, [olaf]: definition });
    expect(await current(declared)).toEqual({
      family: { cameras: ['front', 'yard'] },
      [nell]: definition,
      [olaf]: definition,
    });
  });

  test('keeps what the store has already', async () => {
    await addEarlier(nell);
    await store.change(unconditional, (on) =>
      on.insertInto('custom_roles').values({ name: nell, cameras: '["yard"]' }).execute(),
    );
    expect(await copyDeclaredRoles(store, declared, clock)).toEqual([]);
    expect(await stored()).toEqual({ [nell]: { cameras: ['yard'] } });
  });

  test('is the only one', async () => {
    await addEarlier(nell, olaf);
    await copyDeclaredRoles(store, { ...declared, definitions: new Map([[olaf, definition]]) }, clock);
    expect(await copyDeclaredRoles(store, declared, clock)).toEqual([]);
    expect(await stored()).toEqual({ [olaf]: definition });
  });
});

describe('after that', () => {
  const wide = { cameras: ['front', 'yard'] };
  const wider: DefinedRoles = {
    definitions: new Map([
      [nell, wide],
      [olaf, wide],
    ]),
    groups: new Map(),
  };
  beforeEach(async () => {
    await addEarlier(nell, olaf);
    await copyDeclaredRoles(store, declared, clock);
  });

  test.each<[what: string, by: DefinedRoles]>([
    ['another', wider],
    ['no', { definitions: new Map(), groups: new Map() }],
    ['its access without limits', { ...declared, definitions: new Map([[nell, { cameras: ['front'] }]]) }],
  ])('%s definition in config.yml changes no guest', async (_, by) => {
    expect(await current(by)).toEqual({ [nell]: definition, [olaf]: definition });
  });

  test('config.yml defines no role whose person is gone', async () => {
    await store.change(unconditional, (on) => on.deleteFrom('custom_roles').execute());
    expect(await current(wider)).toEqual({});
  });

  test('config.yml loses the lines after 30 days, and only these', async () => {
    const forgotten: string[][] = [];
    const rolesFile = { forget: async (roles: readonly string[]) => void forgotten.push([...roles]) };
    const removeAt = async (at: number, by = declared) => {
      now = at;
      await removeCopiedLines(store, rolesFile, by, clock);
    };
    await removeAt(start + 30 * day - 1);
    expect(forgotten).toEqual([]);
    await removeAt(start + 30 * day);
    expect(forgotten).toEqual([[nell, olaf]]);
    await removeAt(start + 30 * day, { definitions: new Map(), groups: new Map() });
    expect(forgotten).toHaveLength(1);
    // The list keeps the names of roles that are gone for another day: other gates have lines too.
    await store.change(unconditional, (on) =>
      on.deleteFrom('custom_roles').where('name', '=', olaf).execute(),
    );
    await removeAt(start + 31 * day - 1);
    expect(await personal()).toEqual([olaf, nell]);
    await removeAt(start + 31 * day);
    expect(await personal()).toEqual([nell]);
  });

  test('what a file of yesterday has of a role that was made later goes at once', async () => {
    const made = 'guest_ba9876543210';
    await store.change(unconditional, (on) => addPersonalRole(on, made));
    const forgotten: string[][] = [];
    const rolesFile = { forget: async (roles: readonly string[]) => void forgotten.push([...roles]) };
    const by = { ...declared, definitions: new Map([[made, wide]]) };
    await removeCopiedLines(store, rolesFile, by, clock);
    expect(forgotten).toEqual([[made]]);
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
    const copied = { ...declared, definitions: new Map([['guest.nell', definition]]) };
    expect(await copyDeclaredRoles(store, copied, clock)).toEqual(['guest.nell']);
    await store.change(unconditional, (on) => on.deleteFrom('personal_roles').execute());
    await adopt();
    expect(await readPersonalRoles(store)).toEqual(new Set());
  });
});
