import { describe, expect, test } from 'vitest';
import { parseConfigurationDocument } from '../../../src/config/document.ts';
import type { ConfiguredAccess } from '../../../src/policy/role-access.ts';
import { rolesOf } from '../../support/roles.ts';
import { problemsOf, resolve } from './resolve-document.ts';

/** A role with cameras of its own, and this access. */
const family = (access: unknown) => ({
  auth: { roles: { family: ['front'] }, role_access: { family: access } },
});
/** A role that stands in `role_access` alone. */
const alone = (name: string, access: unknown = { groups: ['outside'] }) => ({
  auth: { camera_groups: { outside: ['front'] }, role_access: Object.fromEntries([[name, access]]) },
});
const groups = (camera_groups: unknown, more: object = {}) => ({ auth: { camera_groups }, ...more });
const roles = (written: unknown, more: object = {}) => ({ auth: { roles: written }, ...more });

const words = 'live, history, export, ptz, share, talk';
const listOfGroups = 'a list with at least one name of auth.camera_groups';
const accessKeys = 'a map with the keys groups, may, from, until, hours, history';
const anyAccess = 'at least one of groups, may, from, until and hours';
const roleForm = 'a role name: letters, digits, dots and underscores, at most 64';
const groupForm = 'a name: letters, digits, dots, hyphens and underscores, at most 64';
const day =
  'a date such as "2026-12-20", or a date and a time such as "2026-12-20T18:00", in the time zone of Postern';
const hours = 'hours of the day such as "07:00-19:00", or over midnight such as "22:00-06:00"';
const oneCamera = 'at least one camera';
const oneCameraOfRole = `${oneCamera}; a role that has only groups belongs in auth.role_access`;
const noReserved = 'no key __proto__, constructor, prototype';
const mapOfRoles = 'a map from role name to a list of cameras';
const twinOf = (name: string) => `a name that differs from ${name} only in upper and lower case`;

type Row = readonly [path: string, found: string, allowed: string, document: object];

describe('one mistake is one problem:', () => {
  test.each<Row>([
    ['roles', 'a list', mapOfRoles, roles([['front']])],
    ['roles.a-b', 'text', roleForm, roles({ 'a-b': ['front'] })],
    ['roles.family', 'text', 'a list: camera names', roles({ family: 'front' })],
    ['roles.family', 'null', 'a list: camera names', roles({ family: null })],
    ['roles.family.0', 'text', 'text that is not empty: camera names', roles({ family: [''] })],
    ['roles.family', 'an empty list', oneCameraOfRole, roles({ family: [] })],
    ['roles.Admin', 'a built-in role', 'another name', roles({ Admin: ['front'] })],
    ['roles.admin', 'a built-in role', 'another name', roles({ admin: ['front'] })],
    ['roles.viewer', 'a built-in role', 'another name', roles({ viewer: ['front'] })],
    ['roles.VIEWER', 'a built-in role', 'another name', roles({ VIEWER: ['front'] })],
    ['roles.none', 'the word for no access', 'another name', roles({ none: ['front'] })],
    ['roles.NONE', 'the word for no access', 'another name', roles({ NONE: ['front'] })],
    ['roles...', 'a reserved name', 'another name', roles({ '..': ['front'] })],
    ['roles', 'a map', noReserved, roles({ constructor: ['front'] })],
    ['roles', 'a map', noReserved, roles(JSON.parse('{"__proto__":["front"]}'))],
    ['roles.Constructor', 'a reserved name', 'another name', roles({ Constructor: ['front'] })],
    ['roles.Family', twinOf('family'), 'another name', roles({ family: ['front'], Family: ['front'] })],
    [
      'roles.family',
      'the unknown camera "fornt"',
      'one of front, yard (did you mean front?)',
      roles({ family: ['front', 'fornt'] }, { cameras: { front: 1, yard: 1 } }),
    ],
    [
      'roles.family',
      'the unknown camera "Front"',
      'one of front (did you mean front?)',
      roles({ family: ['Front'] }, { cameras: ['front'] }),
    ],
  ])('auth.%s: %s, not %s (%j)', expectOneProblem);

  test.each<Row>([
    ['camera_groups', 'a list', 'a map from group to a list of cameras', groups(['front'])],
    ['camera_groups.outside', 'an empty list', oneCamera, groups({ outside: [] })],
    ['camera_groups.outside', 'null', 'a list: camera names', groups({ outside: null })],
    ['camera_groups.outside.0', 'a number', 'text: camera names', groups({ outside: [1] })],
    ['camera_groups.out side', 'text', groupForm, groups({ 'out side': ['front'] })],
    ['camera_groups...', 'a reserved name', 'another name', groups({ '..': ['front'] })],
    ['camera_groups', 'a map', noReserved, groups({ prototype: ['front'] })],
    ['camera_groups', 'a map', noReserved, groups(JSON.parse('{"__proto__":["front"]}'))],
    [
      'camera_groups.Outside',
      twinOf('outside'),
      'another name',
      groups({ outside: ['front'], Outside: ['yard'] }),
    ],
    [
      'camera_groups.outside',
      'the unknown camera "yrad"',
      'one of front, yard (did you mean yard?)',
      groups({ outside: ['yrad'] }, { cameras: ['front', 'yard'] }),
    ],
  ])('auth.%s: %s, not %s (%j)', expectOneProblem);

  test.each<Row>([
    ['role_access', 'a list', 'a map from role name to its access', { auth: { role_access: [] } }],
    ['role_access.family', 'null', accessKeys, family(null)],
    ['role_access.family', 'text', accessKeys, family('live')],
    ['role_access.family', 'a map', anyAccess, family({})],
    ['role_access.family.days', 'an unknown key', accessKeys, family({ may: ['live'], days: 'Mo' })],
    [
      'role_access.family.cameras',
      'an unknown key',
      accessKeys,
      family({ may: ['live'], cameras: ['front'] }),
    ],
    ['role_access.family.may', 'text', `at least one of ${words}`, family({ may: 'live' })],
    ['role_access.family.may', 'null', `at least one of ${words}`, family({ may: null })],
    ['role_access.family.may', 'a list', `at least one of ${words}`, family({ may: [] })],
    ['role_access.family.may.1', '"record"', `one of ${words}`, family({ may: ['live', 'record'] })],
    ['role_access.family.may.0', '"Live"', `one of ${words} (did you mean live?)`, family({ may: ['Live'] })],
    ['role_access.family.groups', 'text', listOfGroups, family({ groups: 'outside' })],
    ['role_access.family.groups', 'a list', listOfGroups, family({ groups: [] })],
    ['role_access.family.groups.0', 'a map', listOfGroups, family({ groups: [{}] })],
    [
      'role_access.family.groups',
      'the unknown group "outside"',
      'one of auth.camera_groups: there are none',
      family({ groups: ['outside'] }),
    ],
    [
      'role_access.guard.groups',
      'the unknown group "Outside"',
      'one of auth.camera_groups: outside (did you mean outside?)',
      alone('guard', { groups: ['outside', 'Outside'] }),
    ],
    [
      'role_access.guard',
      'a role without cameras',
      'cameras in auth.roles.guard, or groups',
      alone('guard', { may: ['live'] }),
    ],
    [
      'role_access.famly',
      'a role without cameras',
      'cameras in auth.roles.famly, or groups (did you mean family?)',
      { auth: { roles: { family: ['front'] }, role_access: { famly: { may: ['live'] } } } },
    ],
    [
      'role_access.family.history',
      '"all"',
      'from, or nothing',
      family({ from: '2026-12-20', history: 'all' }),
    ],
    [
      'role_access.family',
      'a map',
      'history only beside from',
      family({ hours: '07:00-19:00', history: 'from' }),
    ],
    ['role_access.family', 'a map', 'history only beside from', family({ may: ['live'], history: 'from' })],
    [
      'role_access.family',
      'a map',
      'an until that is later than from',
      family({ from: '2026-12-20', until: '2026-12-19' }),
    ],
    [
      'role_access.family',
      'a map',
      'an until that is later than from',
      family({ from: '2026-12-20T18:00', until: '2026-12-20T18:00' }),
    ],
    ['role_access.family.from', 'text', day, family({ from: '2026-02-30' })],
    ['role_access.family.from', 'text', day, family({ from: '2026-02-30', until: '2026-02-20' })],
    ['role_access.family.until', 'text', day, family({ until: 'Christmas' })],
    ['role_access.family.hours', 'text', hours, family({ hours: '7-19' })],
    ['role_access.a-b', 'text', roleForm, alone('a-b')],
    ['role_access', 'a map', noReserved, alone('__proto__')],
    ['role_access', 'a map', noReserved, alone('prototype')],
    ['role_access.__PROTO__', 'a reserved name', 'another name', alone('__PROTO__')],
    ['role_access...', 'a reserved name', 'another name', alone('..')],
    ['role_access.none', 'the word for no access', 'another name', alone('none')],
    ['role_access.None', 'the word for no access', 'another name', alone('None', { may: ['live'] })],
    ['role_access.NONE', 'the word for no access', 'another name', alone('NONE', { groups: ['unknown'] })],
    [
      'role_access.admin',
      'the role that may do everything',
      'viewer, or a custom role',
      alone('admin', { may: ['live'] }),
    ],
    ['role_access.ADMIN', 'the role that may do everything', 'viewer, or a custom role', alone('ADMIN')],
    ['role_access.Viewer', twinOf('viewer'), 'viewer', alone('Viewer', { may: ['live'] })],
    ['role_access.VIEWER', twinOf('viewer'), 'viewer', alone('VIEWER')],
    ...[{ groups: ['outside'] }, { may: ['live'], hours: '07:00-19:00' }, { until: '2027-01-05' }].map(
      (access): Row => [
        'role_access.viewer',
        'more than may',
        'only may: the viewer always sees every camera',
        alone('viewer', access),
      ],
    ),
    [
      'role_access.FAMILY',
      twinOf('family'),
      'another name',
      { auth: { roles: { family: ['front'] }, role_access: { FAMILY: { may: ['live'] } } } },
    ],
    [
      'role_access.Guard',
      twinOf('guard'),
      'another name',
      {
        auth: {
          camera_groups: { outside: ['front'] },
          role_access: { guard: { groups: ['outside'] }, Guard: { groups: ['outside'] } },
        },
      },
    ],
  ])('auth.%s: %s, not %s (%j)', expectOneProblem);

  const access = { family: { groups: ['outside'], may: ['live'] } };
  test.each<Row>([
    [
      'camera_groups.outside',
      'text',
      'a list: camera names',
      { auth: { camera_groups: { outside: 'front' }, roles: { family: ['front'] }, role_access: access } },
    ],
    [
      'camera_groups',
      'a list',
      'a map from group to a list of cameras',
      { auth: { camera_groups: [], roles: { family: ['front'] }, role_access: access } },
    ],
    [
      'camera_groups.outside',
      'an empty list',
      oneCamera,
      { auth: { camera_groups: { outside: [] }, roles: { family: ['front'] }, role_access: access } },
    ],
    [
      'roles.family',
      'text',
      'a list: camera names',
      { auth: { roles: { family: 'front' }, role_access: { family: { may: ['live'] } } } },
    ],
    ['roles', 'a list', mapOfRoles, { auth: { roles: [], role_access: { family: { may: ['live'] } } } }],
    [
      'roles.family',
      'an empty list',
      oneCameraOfRole,
      { auth: { roles: { family: [] }, role_access: { family: { may: ['live'] } } } },
    ],
    [
      'roles.none',
      'the word for no access',
      'another name',
      { auth: { roles: { none: ['front'] }, role_access: { none: { may: ['live'] } } } },
    ],
  ])('also where others depend on it: auth.%s: %s, not %s (%j)', expectOneProblem);

  function expectOneProblem(path: string, found: string, allowed: string, document: object): void {
    expect(problemsOf(document)).toEqual([{ path: `auth.${path}`, found, allowed }]);
  }
});

test('role_windows is no key any more', () => {
  const document = {
    auth: { roles: { family: ['front'] }, role_windows: { family: { hours: '07:00-19:00' } } },
  };
  expect(problemsOf(document)).toEqual([
    {
      path: 'auth.role_windows',
      found: 'an unknown key',
      allowed: 'a key of auth (docs/configuration.md#auth)',
    },
  ]);
});

test('several mistakes are reported at once', () => {
  const document = {
    auth: {
      camera_groups: { outside: [], '..': ['front'] },
      roles: { family: ['front'], Family: ['front'] },
      role_access: {
        family: { may: ['all'] },
        viewer: { hours: '07:00-19:00' },
        guard: { groups: ['gone'] },
      },
    },
  };
  expect(problemsOf(document).map(({ path }) => path.replace('auth.', ''))).toEqual([
    'role_access.family.may.0',
    'camera_groups...',
    'roles.Family',
    'camera_groups.outside',
    'role_access.viewer',
    'role_access.guard.groups',
  ]);
});

describe('resolved', () => {
  const outside = ['driveway', 'front_door'];
  const neighbour: ConfiguredAccess = {
    groups: ['outside'],
    may: ['live'],
    from: '2026-12-20',
    history: 'from',
  };

  test('a role has its own cameras and those of its groups, and a role may have groups alone', () => {
    const { auth } = resolve({
      auth: {
        camera_groups: { outside, yard: ['shed'], unused: ['cellar'] },
        roles: { guard: ['garage', 'driveway'] },
        role_access: { guard: { groups: ['outside', 'yard'], may: ['live', 'ptz'] }, neighbour },
      },
    });
    const guard = { groups: ['outside', 'yard'], may: ['live', 'ptz'] } as const;
    expect(auth.defined).toEqual({
      definitions: new Map<string, unknown>([
        ['guard', { cameras: ['garage', 'driveway'], access: guard }],
        ['neighbour', { cameras: [], access: neighbour }],
      ]),
      groups: new Map([
        ['outside', outside],
        ['yard', ['shed']],
        ['unused', ['cellar']],
      ]),
    });
    expect(auth.roles.get('guard')).toEqual({
      cameras: new Set(['garage', 'driveway', 'front_door', 'shed']),
      may: new Set(['live', 'ptz']),
      schedule: undefined,
    });
    expect(auth.roles.get('neighbour')).toMatchObject({
      cameras: new Set(outside),
      may: new Set(['live']),
      schedule: { from: '2026-12-20', history: 'from' },
    });
  });

  test('a custom role without may has neither ptz nor share nor talk, and the viewer has everything', () => {
    const { roles: resolved } = resolve(family({ hours: '07:00-19:00' })).auth;
    expect(resolved.get('family')?.may).toEqual(new Set(['live', 'history', 'export']));
    expect(resolved.get('viewer')?.may).toEqual(
      new Set(['live', 'history', 'export', 'ptz', 'share', 'talk']),
    );
  });

  test('the viewer is narrowed by may, beside the empty lists that recorders have', () => {
    const { auth } = resolve({
      cameras: ['front'],
      auth: { roles: { admin: [], viewer: [] }, role_access: { viewer: { may: ['live', 'history'] } } },
    });
    expect([...auth.roles]).toEqual([
      ['admin', { cameras: 'all', may: new Set(['live', 'history', 'export', 'ptz', 'share', 'talk']) }],
      ['viewer', { cameras: 'all', may: new Set(['live', 'history']) }],
    ]);
  });

  test('empty lists of the built-in roles define nothing', () => {
    expect(resolve(roles({ admin: [], viewer: [] })).auth.defined.definitions).toEqual(new Map());
  });

  test.each([null, undefined, {}])('sections without content: %j', (empty) => {
    const { auth } = resolve({ auth: { camera_groups: empty, roles: empty, role_access: empty } });
    expect(auth.roles).toEqual(rolesOf());
  });

  test('a group with the stream of all cameras gives no custom role that stream, and warns', () => {
    const { auth, warnings } = resolve(groups({ outside: ['front', 'birdseye'] }));
    expect(auth.defined.groups.get('outside')).toEqual(['front', 'birdseye']);
    expect(warnings).toEqual([
      'auth.camera_groups.outside names birdseye, which shows all cameras: no custom role gets it',
    ]);
  });
});

describe('the order of precedence is that of auth.roles, then of auth.role_access,', () => {
  const groupOf = 'camera_groups: {g: [front]}';
  test.each<[what: string, yaml: string, order: string[]]>([
    [
      'for roles of both kinds',
      `${groupOf}\n  role_access: {z: {groups: [g]}, a: {may: [live]}, y: {groups: [g]}}\n  roles: {b: [front], a: [front]}`,
      ['b', 'a', 'z', 'y'],
    ],
    [
      'for names that look like numbers',
      `${groupOf}\n  roles: {b: [front], 7: [front]}\n  role_access: {c: {groups: [g]}, 3: {groups: [g]}}`,
      ['b', '7', 'c', '3'],
    ],
  ])('%s', (_, yaml, order) => {
    expect(orderOf(`auth:\n  ${yaml}\n`)).toEqual(order);
  });

  test('where a section stands behind an alias', () => {
    const written = 'x: &roles {b: [front], 7: [front], a: [front]}\n';
    expect(orderOf(`${written}auth:\n  roles: *roles\n  role_access: {b: {may: [live]}}\n`)).toEqual([
      'b',
      '7',
      'a',
    ]);
  });

  function orderOf(yaml: string): string[] {
    const { document, roleOrder } = parseConfigurationDocument(yaml, 'config.yml');
    return [...resolve(document, {}, undefined, roleOrder).auth.defined.definitions.keys()];
  }
});
