import { expect, test } from 'vitest';
import { addPersonalRole } from '../../../../src/accounts/users/personal-roles.ts';
import { createUsers } from '../../../../src/accounts/users/users.ts';
import type { Settings } from '../../../../src/access/settings/settings.ts';
import { changeAccess, type ChangeAccessDependencies } from '../../../../src/api/people/change-access.ts';
import { needsProof } from '../../../../src/api/require-step-up.ts';
import { AppError } from '../../../../src/errors.ts';
import { expandRoles, type DefinedRoles } from '../../../../src/policy/role-access.ts';
import { permissionBy, unconditional } from '../../../../src/store/permit.ts';
import { askEndpoint, sessionSettings } from '../ask-endpoint.ts';
import { temporaryStore } from '../../store/temporary-store.ts';

const defined: DefinedRoles = {
  definitions: new Map([
    ['family', { cameras: ['front'], access: { may: ['live', 'history'] } }],
    ['guest_gus', { cameras: ['front'], access: { may: ['live'], until: '2099-01-01' } }],
  ]),
  groups: new Map(),
};
const settings: Settings = {
  ...sessionSettings,
  defined,
  rules: { ...sessionSettings.rules, roles: expandRoles(defined) },
  proxyIdentity: {
    ...sessionSettings.proxyIdentity,
    rolesByUser: new Map([['pia', 'family']]),
  },
};

/** Nell and olaf have a role of the house, gus one of his own, vic a built-in one, and root is the admin. */
async function house(isProved: boolean) {
  const store = await temporaryStore();
  const users = createUsers(store, { now: () => 0 });
  for (const [username, role] of [
    ['root', 'admin'],
    ['nell', 'family'],
    ['olaf', 'family'],
    ['gus', 'guest_gus'],
    ['lost', 'removed'],
    ['vic', 'viewer'],
  ] as const)
    await users.add({ username, role, passwordHash: 'h' }, unconditional);
  await store.change(unconditional, (on) => addPersonalRole(on, 'guest_gus'));
  const written: string[] = [];
  const customRoles = {
    set: (role, { cameras }, permit) =>
      store.change(permit, () => {
        written.push(`${role}: ${cameras.join(' ')}`);
        return role as never;
      }),
    make: ({ cameras }, _former, give, permit) =>
      store.change(permit, async (on, permission) => {
        written.push(`guest_new: ${cameras.join(' ')}`);
        return give('guest_new', on, permission);
      }),
    preview: async () => undefined,
  } satisfies ChangeAccessDependencies['personalRoles'];
  const requireProof = () => {
    if (!isProved) throw new AppError('step_up_needed');
  };
  const { ask, recorded } = askEndpoint({
    endpoint: changeAccess,
    services: {
      settings,
      current: () => ({ settings }),
      users,
      customRoles,
      personalRoles: customRoles,
      ofPeople: [],
      read: store,
      requireCurrentRoles: async () => undefined,
    },
    user: 'root',
    role: 'admin',
    permit: async () => ({ settings, ...permissionBy(requireProof, (role) => needsProof(role, settings)) }),
  });
  const change = async (name: string, body: object, query = '') => {
    const { status, body: text } = await ask(`/postern/api/people/${name}/access${query}`, body);
    return { status, json: JSON.parse(text) as { code?: string; role?: string | null; schedule?: unknown } };
  };
  const rolesNow = async () =>
    (await store.selectFrom('users').select(['username', 'role']).orderBy('username').execute())
      .map(({ username, role }) => `${username} ${role}`)
      .join(', ');
  return { change, written, rolesNow, recorded };
}

const before = 'gus guest_gus, lost removed, nell family, olaf family, root admin, vic viewer';
const given = (name: string) => before.replace(new RegExp(`${name} \\w+`), `${name} guest_new`);
const body = (changes: object = {}) => ({ cameras: ['front'], may: ['live'], for: 'person', ...changes });
const narrow = body();
const wide = body({ cameras: ['front', 'garage'], may: ['live', 'history', 'export'] });
const ofRole = { for: 'role' };

test.each<[what: string, name: string, body: object, isProved: boolean, written: string, roles: string]>([
  ['less, for one of several', 'nell', narrow, false, 'guest_new: front', given('nell')],
  ['more, for one of several', 'nell', wide, true, 'guest_new: front garage', given('nell')],
  ['less, for all of a role', 'nell', { ...narrow, ...ofRole }, false, 'family: front', before],
  ['more, for all of a role', 'nell', { ...wide, ...ofRole }, true, 'family: front garage', before],
  ['less than a built-in role', 'vic', narrow, false, 'guest_new: front', given('vic')],
  ['the same, by a role of their own', 'gus', narrow, false, 'guest_gus: front', before],
  ['more, by a role of their own', 'gus', wide, true, 'guest_gus: front garage', before],
  ['something again, after their role was removed', 'lost', narrow, true, 'guest_new: front', given('lost')],
])('a person gets %s', async (_, name, change, isProved, written, roles) => {
  const found = await house(isProved);
  expect((await found.change(name, change)).status).toBe(200);
  expect([found.written, await found.rolesNow()]).toEqual([[written], roles]);
  const [role] = written.split(':');
  const made = { event: 'role_defined', object: role };
  const assigned = { event: 'user_role_changed', object: name, detail: { role } };
  expect(found.recorded).toMatchObject(role === 'guest_new' ? [made, assigned] : [made]);
});

test.each<[what: string, name: string, body: object, status: number, code?: string]>([
  ['more cameras', 'nell', body({ cameras: ['front', 'garage'] }), 403, 'step_up_needed'],
  ['more words', 'nell', body({ may: ['live', 'export'] }), 403, 'step_up_needed'],
  ['more, for all of a role', 'nell', { ...wide, ...ofRole }, 403, 'step_up_needed'],
  ['no end', 'gus', body({ schedule: null }), 403, 'step_up_needed'],
  ['a later end', 'gus', body({ schedule: { until: '2099-01-02' } }), 403, 'step_up_needed'],
  ['less than an admin', 'root', narrow, 403, 'step_up_needed'],
  ['anything, for all of a built-in role', 'vic', { ...narrow, ...ofRole }, 422],
  ['anything, for all of a removed role', 'lost', { ...narrow, ...ofRole }, 404, 'role_unknown'],
  ['no camera', 'nell', body({ cameras: [] }), 422],
  ['no word', 'nell', body({ may: [] }), 422],
  ['an unknown word', 'nell', body({ may: ['admin'] }), 422],
  ['an unknown time', 'nell', body({ schedule: { until: 'soon' } }), 422],
  ['anything, by a name that the proxy has', 'pia', narrow, 409, 'user_of_proxy'],
  ['anything, by an unknown name', 'eve', narrow, 404, 'user_unknown'],
])('without a proof, no one gets %s', async (_, name, change, status, code) => {
  const found = await house(false);
  const answer = await found.change(name, change);
  expect([answer.status, answer.json.code]).toEqual([status, code]);
  expect([found.written, await found.rolesNow(), found.recorded]).toEqual([[], before, []]);
});

test('the only admin stays one, with a proof too', async () => {
  const found = await house(true);
  expect((await found.change('root', narrow)).json.code).toBe('last_admin');
  expect((await found.change('root', narrow, '?preview')).json.code).toBe('last_admin');
  expect(await found.rolesNow()).toBe(before);
});

test('the schedule stays unless it is changed', async () => {
  const scheduleAfter = async (changes: object) =>
    (await (await house(true)).change('gus', body(changes))).json.schedule;
  expect(await scheduleAfter({})).toMatchObject({ until: '2099-01-01' });
  expect(await scheduleAfter({ schedule: null })).toBeNull();
  expect(await scheduleAfter({ schedule: { until: '2098-01-01' } })).toMatchObject({ until: '2098-01-01' });
});

test.each<[name: string, changes: object, role: string | null]>([
  ['nell', {}, null],
  ['nell', ofRole, 'family'],
  ['gus', {}, 'guest_gus'],
])('a preview for %s %j writes nothing, and needs no proof', async (name, changes, role) => {
  const found = await house(false);
  const { status, json } = await found.change(name, { ...wide, ...changes }, '?preview');
  expect([status, json.role]).toEqual([200, role]);
  expect([found.written, await found.rolesNow(), found.recorded]).toEqual([[], before, []]);
});
