import { rolesOf } from '../../../support/roles.ts';
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareRoleResolution, resolveRole } from '../../../../src/policy/role-map.ts';
import { parse } from 'yaml';
import { createRolesFile, type RolesFile } from '../../../../src/accounts/roles/roles-file.ts';
import { temporaryDirectory } from '../../store/temporary-store.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const anyRole = () => undefined;

interface Place {
  readonly path: string;
  readonly roles: RolesFile;
  readonly read: () => string;
  /** Texts that were checked, then written. */
  readonly events: string[];
}

function place(text?: string, check: (text: string) => void = () => {}): Place {
  const directory = temporaryDirectory();
  const path = join(directory, 'config.yml');
  if (text !== undefined) writeFileSync(path, text);
  const events: string[] = [];
  const roles = createRolesFile(directory, (changed) => {
    check(changed);
    events.push('checked');
    return () => events.push(readFileSync(path, 'utf8') === changed ? 'written' : 'not written');
  });
  return { path, roles, events, read: () => readFileSync(path, 'utf8') };
}

/** Without a store. */
async function removeFrom(roles: RolesFile, role: string): Promise<void> {
  const { left } = await roles.remove(role, { commit: (prepare) => prepare(), alone: (put) => put() });
  if (left !== undefined) throw left;
}

const house = `# our house
mqtt: { host: broker } # the recorder's
auth:
  roles:
    # the workshop
    operator: [garage, "drive way"] # Olaf
    porch: [front_door]

  session_length: 3600
proxy:
  role_map:
    porch: [group_porch]
    operator: [group_operator]
  header_map: { role_map: { porch: [g] } }
`;

const changedHouse = `# our house
mqtt: {host: broker} # the recorder's
auth:
  roles:
    # the workshop
    operator: [shed] # Olaf
    garden: [back_yard, front_door]

  session_length: 3600
proxy:
  role_map:
    operator: [group_operator]
  header_map: {role_map: {none: []}}
`;

test('adds, changes and removes a role; the rest and its comments stay', async () => {
  const { roles, read, events } = place(house);
  await roles.set('garden', ['back_yard', 'front_door']);
  await roles.set('operator', ['shed']);
  await removeFrom(roles, 'porch');
  expect(read()).toBe(changedHouse);
  expect(events).toEqual(['checked', 'written', 'checked', 'written', 'checked', 'written']);
});

test('removing the last role leaves a role map that grants nothing: without one, groups would be roles', async () => {
  const { roles, read } = place('proxy:\n  role_map:\n    porch: [group_porch]\n');
  await removeFrom(roles, 'porch');
  const { role_map: left } = (parse(read()) as { proxy: { role_map: object } }).proxy;
  expect(left).toEqual({ none: [] });
  const roleMap = new Map(Object.entries(left).map(([name, groups]) => [name, new Set<string>(groups)]));
  const rules = { separator: ',', roleMap, defaultRole: undefined, roles: rolesOf() };
  expect(resolveRole('admin', prepareRoleResolution(rules))).toBeUndefined();
  expect(resolveRole('admin', prepareRoleResolution({ ...rules, roleMap: undefined }))).toBe('admin');
});

test.each<[what: string, text: string | undefined]>([
  ['no file', undefined],
  ['an empty file', ''],
  ['only a comment', '# nothing yet\n'],
  ['no section', 'cameras: [front]\n'],
  ['no roles', 'auth:\n  enabled: true\n'],
  ['an empty section', 'auth:\ncameras: [front]\n'],
  ['empty roles', 'auth:\n  roles:\n'],
  ['roles that are null', 'auth:\n  roles: null\n'],
  ['empty roles in braces', 'auth: {roles: {}}\n'],
])('the first role, with %s', async (_, text) => {
  const { roles, read } = place(text);
  await roles.set('family', ['front']);
  const before = (parse(text ?? '') ?? {}) as { auth?: object };
  expect(parse(read())).toEqual({ ...before, auth: { ...before.auth, roles: { family: ['front'] } } });
  await removeFrom(roles, 'family');
  expect(parse(read())).toEqual({ ...before, auth: { ...before.auth, roles: {} } });
});

test.each(['1', '7.5', '1e3', 'true', 'null', '0x10', 'no', '.', '...', '__proto__', 'constructor'])(
  'the role %s, that YAML may read as something else, is one like any other',
  async (role) => {
    for (const written of [role, JSON.stringify(role)]) {
      const { roles, read } = place(`auth:\n  roles:\n    ${written}: [front]\n    other: [yard]\n`);
      // A name that YAML parses as another one is not this role.
      if (!Object.hasOwn((parse(read()) as { auth: { roles: object } }).auth.roles, role)) continue;
      await roles.set(role, ['garage']);
      expect((read().match(/\[.*\]/g) ?? []).toSorted()).toEqual(['[garage]', '[yard]']);
      await removeFrom(roles, role);
      expect(parse(read())).toEqual({ auth: { roles: { other: ['yard'] } } });
    }
  },
);

test('writes, changes and removes the access of a role; undefined leaves it', async () => {
  const { roles, read } = place('auth:\n  roles:\n    porch: [front_door]\n');
  await roles.set('porch', ['front_door'], {
    from: '2026-12-20',
    hours: '07:00-19:00',
    may: ['live', 'ptz'],
  });
  const written = {
    roles: { porch: ['front_door'] },
    role_access: { porch: { from: '2026-12-20', hours: '07:00-19:00', may: ['live', 'ptz'] } },
  };
  expect(parse(read())).toEqual({ auth: written });
  await roles.set('porch', ['yard']);
  expect(parse(read())).toEqual({ auth: { ...written, roles: { porch: ['yard'] } } });
  await roles.set('porch', ['yard'], { hours: '22:00-06:00' });
  expect(parse(read())).toEqual({
    auth: { roles: { porch: ['yard'] }, role_access: { porch: { hours: '22:00-06:00' } } },
  });
  await roles.set('porch', ['yard'], null);
  expect(parse(read())).toEqual({ auth: { roles: { porch: ['yard'] }, role_access: {} } });
});

test('removes the access together with its role', async () => {
  const { roles, read } = place(
    'auth:\n  roles: {family: [yard], porch: [front]}\n  role_access: {porch: {hours: "07:00-19:00"}}\n',
  );
  await removeFrom(roles, 'porch');
  expect(parse(read())).toEqual({ auth: { roles: { family: ['yard'] }, role_access: {} } });
});

test('a role that has groups alone stands in role_access alone', async () => {
  const { roles, read } = place('auth:\n  roles:\n    porch: [front_door]\n');
  await roles.set('porch', [], { groups: ['outside'] });
  expect(parse(read())).toEqual({ auth: { roles: {}, role_access: { porch: { groups: ['outside'] } } } });
  await roles.set('porch', []);
  expect(parse(read())).toEqual({ auth: { roles: {}, role_access: { porch: { groups: ['outside'] } } } });
  await roles.set('porch', ['yard']);
  expect(parse(read())).toEqual({
    auth: { roles: { porch: ['yard'] }, role_access: { porch: { groups: ['outside'] } } },
  });
});

test.each([
  ['no access', 'auth:\n  roles: {porch: [front_door]}\n', undefined],
  ['no access any more', 'auth:\n  roles: {porch: [front]}\n  role_access: {porch: {groups: [a]}}\n', null],
  ['an access by null that it never had', 'auth:\n  roles: {porch: [front]}\n', null],
])('a role without cameras does not vanish: the check gets its empty list; %s', async (_, text, access) => {
  const checked: unknown[] = [];
  const { roles, read } = place(text, (changed) => {
    checked.push((parse(changed) as { auth: { roles: unknown } }).auth.roles);
    throw new Error('an empty list');
  });
  await expect(roles.set('porch', [], access)).rejects.toThrow('an empty list');
  expect([checked, read()]).toEqual([[{ porch: [] }], text]);
});

test("the viewer is narrowed beside a recorder's own list of it", async () => {
  const text = 'auth:\n  roles: {admin: [], viewer: []} # as the recorder has them\n';
  const { roles, read } = place(text);
  await roles.set('viewer', [], { may: ['live'] });
  expect(read()).toBe(`${text}  role_access:\n    viewer: {may: [live]}\n`);
  await roles.set('viewer', [], null);
  expect(parse(read())).toEqual({ auth: { roles: { admin: [], viewer: [] }, role_access: {} } });
});

const groupsOfHouse = `auth:
  # where the street is
  camera_groups:
    outside: [front_door, driveway] # towards the street
    yard: [shed]
  role_access:
    # until spring
    neighbour: {groups: [outside], may: [live]} # Nora
    gardener: {groups: [yard]}
`;

test('adds, changes and removes a group; the rest and its comments stay', async () => {
  const { roles, read } = place(groupsOfHouse);
  await roles.setGroup('outside', ['driveway'], anyRole);
  await roles.setGroup('cellar', ['cellar'], anyRole);
  await roles.removeGroup('yard');
  await roles.removeGroup('never');
  await roles.set('neighbour', [], {
    groups: ['outside'],
    may: ['live', 'history'],
    history: 'from',
    from: '2026-12-20',
  });
  await removeFrom(roles, 'gardener');
  expect(read()).toBe(`auth:
  # where the street is
  camera_groups:
    outside: [driveway] # towards the street
    cellar: [cellar]
  role_access:
    # until spring
    neighbour: {groups: [outside], may: [live, history], history: from, from: 2026-12-20} # Nora
`);
});

test.each<[what: string, change: (roles: RolesFile) => Promise<void>, kept: object]>([
  [
    'a group is changed',
    (roles) => roles.setGroup('a', ['x'], anyRole),
    { camera_groups: { a: ['x'], b: ['front'] } },
  ],
  ['a group is removed', (roles) => roles.removeGroup('a'), { camera_groups: { b: ['front'] } }],
  [
    'an access is changed',
    (roles) => roles.set('one', ['front'], { may: ['ptz'] }),
    { role_access: { one: { may: ['ptz'] }, two: { may: ['live'] } } },
  ],
  [
    'an access is removed',
    (roles) => roles.set('one', ['front'], null),
    { role_access: { two: { may: ['live'] } } },
  ],
])('what others have by an alias stays when %s', async (_, change, kept) => {
  const written = {
    camera_groups: { a: ['front'], b: ['front'] },
    roles: { one: ['front'], two: ['front'] },
    role_access: { one: { may: ['live'] }, two: { may: ['live'] } },
  };
  const { roles, read } = place(`auth:
  camera_groups: {a: &cameras [front], b: *cameras}
  roles: {one: [front], two: [front]}
  role_access: {one: &access {may: [live]}, two: *access}
`);
  await change(roles);
  expect(parse(read())).toEqual({ auth: { ...written, ...kept } });
});

test('definitions that do not count are removed, and nothing else', async () => {
  const { roles, read } = place(`auth:
  roles: {guest_0123456789ab: [front], two: [front]} # Roles
  role_access: {guest_0123456789ab: {may: [live]}}
proxy:
  role_map: {guest_0123456789ab: [staff]}
`);
  await roles.forget(['guest_0123456789ab', 'guest_ba9876543210']);
  expect(parse(read())).toEqual({
    auth: { roles: { two: ['front'] }, role_access: {} },
    proxy: { role_map: { guest_0123456789ab: ['staff'] } },
  });
  expect(read()).toContain('# Roles');
});

test('groups and accesses behind an alias are changed there', async () => {
  const { roles, read } = place(
    'x: &groups {a: [front]}\ny: &access {one: {may: [live]}}\nauth:\n  camera_groups: *groups\n  role_access: *access\n',
  );
  await roles.setGroup('b', ['yard'], anyRole);
  await roles.set('one', ['front'], { may: ['live', 'ptz'] });
  expect((parse(read()) as { auth: object }).auth).toEqual({
    camera_groups: { a: ['front'], b: ['yard'] },
    roles: { one: ['front'] },
    role_access: { one: { may: ['live', 'ptz'] } },
  });
});

test.each<[what: string, written: string, left: object | null]>([
  [
    'in lines',
    'ada: admin\n    nell: porch\n    vera: viewer\n    noa: porch',
    { ada: 'admin', vera: 'viewer' },
  ],
  ['as the only ones', 'nell: porch\n    noa: porch', {}],
  ['by an alias', 'nell: &role porch\n    noa: *role\n    vera: viewer', { vera: 'viewer' }],
  ['in another case', 'nell: Porch', { nell: 'Porch' }],
  ['named like another role', 'porch: viewer', { porch: 'viewer' }],
])('removes the users of a role from the user map: %s', async (_, written, left) => {
  const { roles, read } = place(`auth:\n  roles: {porch: []}\nproxy:\n  user_map:\n    ${written}\n`);
  await removeFrom(roles, 'porch');
  expect(parse(read())).toEqual({ auth: { roles: {} }, proxy: { user_map: left } });
});

test('keeps the role of another section that has it by an alias from the user map', async () => {
  const { roles, read } = place(
    'auth: {roles: {porch: []}}\nproxy:\n  user_map: {nell: &role porch}\n  default_role: *role\n',
  );
  await removeFrom(roles, 'porch');
  expect(parse(read())).toEqual({ auth: { roles: {} }, proxy: { user_map: {}, default_role: 'porch' } });
});

test('reads back camera names of any kind unchanged', async () => {
  const { roles, read } = place(house);
  await assertCases(
    fc.asyncProperty(
      fc.array(fc.string({ unit: 'grapheme', minLength: 1 }), { minLength: 1 }),
      async (cameras) => {
        await roles.set('family', cameras);
        const { auth } = parse(read()) as {
          auth: { roles: Record<string, unknown>; session_length: number };
        };
        expect([auth.roles['family'], auth.session_length]).toEqual([cameras, 3_600]);
      },
    ),
    { numRuns: 60 },
  );
});

test.each<[what: string, text: string]>([
  ['its cameras', 'auth:\n  roles:\n    family: &outside [front, yard]\n    guests: *outside\n'],
  [
    'one of them',
    'auth:\n  roles:\n    family: [&first front, &second yard]\n    guests: [*first, *second]\n',
  ],
])('a role is changed, and removed, of which another one has %s by an alias', async (_, text) => {
  const guests = { guests: ['front', 'yard'] };
  const changed = place(text);
  await changed.roles.set('family', ['back']);
  expect(parse(changed.read())).toEqual({ auth: { roles: { family: ['back'], ...guests } } });
  const removed = place(text);
  await removeFrom(removed.roles, 'family');
  expect(parse(removed.read())).toEqual({ auth: { roles: guests } });
});

test('keeps roles behind an alias', async () => {
  const text = 'shared: &roles {porch: [front], yard: [back]}\nauth:\n  roles: *roles\n';
  const rolesOf = (changed: string) => (parse(changed) as { auth: { roles: object } }).auth.roles;
  for (const [change, expected] of [
    [
      (roles: RolesFile) => roles.set('garden', ['shed']),
      { porch: ['front'], yard: ['back'], garden: ['shed'] },
    ],
    [(roles: RolesFile) => removeFrom(roles, 'porch'), { yard: ['back'] }],
  ] as const) {
    const { roles, read } = place(text);
    await change(roles);
    expect(rolesOf(read())).toEqual(expected);
  }
});

describe('a failed change leaves the file alone:', () => {
  test('an invalid configuration', async () => {
    const { roles, read, path, events } = place(house, (text) => {
      if (!text.includes('porch: [front_door]')) throw new Error('no porch');
    });
    await expect(removeFrom(roles, 'porch')).rejects.toThrow('no porch');
    expect([read(), events]).toEqual([house, []]);
    expect(readdirSync(join(path, '..'))).toEqual(['config.yml']);
  });

  const readOnly = { code: 'configuration_read_only' };

  test('a directory in the way of the new file', async () => {
    const { roles, read, path, events } = place(house);
    mkdirSync(`${path}.new`);
    await expect(roles.set('garden', ['shed'])).rejects.toThrow(expect.objectContaining(readOnly));
    expect([read(), events]).toEqual([house, ['checked']]);
  });

  test('a directory in place of config.yml', async () => {
    const { roles, path } = place();
    mkdirSync(path);
    await expect(roles.set('garden', ['shed'])).rejects.toThrow(expect.objectContaining(readOnly));
    expect(readdirSync(join(path, '..'))).toEqual(['config.yml']);
  });

  test('no configuration directory', async () => {
    const roles = createRolesFile(join(temporaryDirectory(), 'missing'), () => () => {});
    await expect(roles.set('garden', ['shed'])).rejects.toThrow(expect.objectContaining(readOnly));
  });
});

test.each([
  ['600', false],
  ['640', false],
  ['644', false],
  ['660', false],
  ['600', true],
])('the mode %s of the file stays; a new file that a crash left: %j', async (octal, isLeft) => {
  const { roles, path } = place(house);
  const mode = Number.parseInt(octal, 8);
  chmodSync(path, mode);
  if (isLeft) writeFileSync(`${path}.new`, 'half', { mode: 0o644 });
  await roles.set('garden', ['shed']);
  expect(statSync(path).mode & 0o777).toBe(mode);
});

test('a linked config.yml stays a link', async () => {
  const { roles, path } = place();
  const real = join(temporaryDirectory(), 'shared.yml');
  writeFileSync(real, house);
  symlinkSync(real, path);
  await roles.set('garden', ['back_yard']);
  expect(readFileSync(real, 'utf8')).toContain('garden: [back_yard]');
});

test.each<[what: string, before: string, after: string]>([
  [
    'lists and quotation marks',
    'auth: {roles: {a: ["porch", yard], b: [yard]}}',
    'auth: {roles: {a: ["street", yard], b: [yard]}}',
  ],
  ['groups', 'auth: {camera_groups: {a: [porch]}}', 'auth: {camera_groups: {a: [street]}}'],
  ['the list of cameras', 'cameras: [porch, yard]', 'cameras: [street, yard]'],
  [
    'the cameras with their streams',
    'cameras: {porch: {live: {streams: {a: porch}}}}',
    'cameras: {street: {live: {streams: {a: porch}}}}',
  ],
  ['both names in a list', 'auth: {roles: {a: [street, porch, yard]}}', 'auth: {roles: {a: [street, yard]}}'],
  ['both names as keys', 'cameras: {porch: {}, street: {live: {}}}', 'cameras: {street: {live: {}}}'],
  ['the name twice', 'auth: {roles: {a: [porch, yard, porch]}}', 'auth: {roles: {a: [street, yard]}}'],
  ['a list by its alias', 'x: &x [porch]\nauth: {roles: {a: *x}}', 'x: &x [street]\nauth: {roles: {a: *x}}'],
  [
    'a name by its alias',
    'x: &x porch\nauth: {roles: {a: [*x]}}',
    'x: &x porch\nauth: {roles: {a: [street]}}',
  ],
  [
    'a name with an anchor',
    'auth: {roles: {a: [&x porch]}, b: *x}',
    'auth: {roles: {a: [&x street]}, b: porch}',
  ],
  [
    'a merged map',
    'x: &x {a: [porch]}\nauth: {roles: {<<: *x}}',
    'x: &x {a: [porch]}\nauth: {roles: {a: [street]}}',
  ],
  [
    'roles, groups and values of that name',
    'auth: {roles: {porch: [yard]}, role_access: {a: {groups: [porch]}}}',
    'auth: {roles: {porch: [yard]}, role_access: {a: {groups: [porch]}}}',
  ],
  ['nothing there', 'mqtt: {host: porch}', 'mqtt: {host: porch}'],
])('a camera gets its new name: %s', async (_, text, expected) => {
  const { roles, read } = place(`${text}\n`);
  const { left } = await roles.renameCamera('porch', 'street', {
    commit: (prepare) => prepare(),
    alone: (put) => put(),
  });
  expect([left, read()]).toEqual([undefined, `${expected}\n`]);
});
