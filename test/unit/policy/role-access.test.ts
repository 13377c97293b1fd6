import { describe, expect, test } from 'vitest';
import { capabilities, type Capability } from '../../../src/policy/capability.ts';
import {
  accessOfRole,
  camerasByRole,
  currentRole,
  expandRoles,
  rolesWith,
  scheduleIn,
  type ConfiguredAccess,
  type DefinedRoles,
} from '../../../src/policy/role-access.ts';
import type { Schedule } from '../../../src/policy/schedule.ts';

type Written = readonly [role: string, cameras: readonly string[], access?: ConfiguredAccess | undefined];

const groups = new Map([
  ['outside', ['driveway', 'front_door']],
  ['all_doors', ['front_door', 'back_door', 'front_door']],
  ['with_birdseye', ['birdseye', 'attic']],
  ['empty', []],
]);
const defined = (...roles: readonly Written[]): DefinedRoles => ({
  definitions: new Map(roles.map(([name, cameras, access]) => [name, { cameras, access }])),
  groups,
});
const expand = (...roles: readonly Written[]) => expandRoles(defined(...roles));

describe('the cameras of a role', () => {
  test.each<[what: string, cameras: string[], groups: string[] | undefined, granted: string[]]>([
    ['are those of auth.roles', ['garage'], undefined, ['garage']],
    ['are those of a group alone', [], ['outside'], ['driveway', 'front_door']],
    ['are those of both', ['garage'], ['outside'], ['garage', 'driveway', 'front_door']],
    [
      'are those of several groups, each once',
      ['back_door'],
      ['outside', 'all_doors'],
      ['back_door', 'driveway', 'front_door'],
    ],
    [
      'have none of an unknown group',
      ['garage'],
      ['inside', 'outside'],
      ['garage', 'driveway', 'front_door'],
    ],
    ['are none with an unknown group alone', [], ['inside'], []],
    ['have none of a group in other letters', [], ['Outside'], []],
    ['have none of a group called like a key of every object', [], ['constructor'], []],
    ['are none with an empty group', [], ['empty'], []],
    ['never have birdseye', ['birdseye', 'garage'], undefined, ['garage']],
    ['never have birdseye of a group', [], ['with_birdseye'], ['attic']],
    ['are none', [], undefined, []],
  ])('%s', (_, cameras, ofGroups, granted) => {
    const { cameras: found } = accessOfRole('guard', expand(['guard', cameras, { groups: ofGroups }]));
    expect(found).toEqual(new Set(granted));
  });
});

describe('what a role may do', () => {
  const byDefault: readonly Capability[] = ['live', 'history', 'export'];
  test.each<[what: string, role: string, written: readonly Written[], may: readonly Capability[]]>([
    ['admin: everything', 'admin', [], capabilities],
    ['viewer: everything', 'viewer', [], capabilities],
    ['viewer, narrowed', 'viewer', [['viewer', [], { may: ['live'] }]], ['live']],
    ['viewer with an entry that has no may', 'viewer', [['viewer', [], {}]], capabilities],
    ['a custom role: no moving of cameras', 'guard', [['guard', ['garage']]], byDefault],
    [
      'a custom role with an entry that has no may',
      'guard',
      [['guard', [], { groups: ['outside'] }]],
      byDefault,
    ],
    ['a custom role, narrowed', 'guard', [['guard', ['garage'], { may: ['live'] }]], ['live']],
    [
      'a custom role that may move cameras',
      'guard',
      [['guard', ['garage'], { may: ['ptz', 'live'] }]],
      ['live', 'ptz'],
    ],
    ['a custom role with every word', 'guard', [['guard', ['garage'], { may: capabilities }]], capabilities],
    // The configuration refuses an empty list; this is closed all the same.
    ['a custom role without any word', 'guard', [['guard', ['garage'], { may: [] }]], []],
    ['viewer without any word', 'viewer', [['viewer', [], { may: [] }]], []],
    [
      'another role than the narrowed viewer',
      'guard',
      [
        ['viewer', [], { may: ['live'] }],
        ['guard', []],
      ],
      byDefault,
    ],
    ['a role that there is not', 'former', [['guard', ['garage']]], []],
  ])('%s', (_, role, written, may) => {
    expect(accessOfRole(role, expand(...written)).may).toEqual(new Set(may));
  });
});

describe('built-in roles', () => {
  const access: ConfiguredAccess = { groups: ['outside'], hours: '07:00-19:00', may: ['live'] };
  test('see all cameras, always, whatever an entry has', () => {
    const roles = expand(['admin', ['garage'], access], ['viewer', ['garage'], access]);
    expect(roles.get('admin')).toStrictEqual({ cameras: 'all', may: new Set(capabilities) });
    expect(roles.get('viewer')).toStrictEqual({ cameras: 'all', may: new Set(['live']) });
  });

  test('in other letters are no roles', () => {
    const roles = expand(['Admin', ['garage'], access], ['VIEWER', [], access]);
    expect([...roles.keys()]).toEqual(['admin', 'viewer']);
    expect(roles.get('viewer')?.may).toEqual(new Set(capabilities));
  });
});

test('roles stand in order of precedence: admin, viewer, then as they are written', () => {
  const written: readonly Written[] = [
    ['zoe', ['garage']],
    ['viewer', [], { may: ['live'] }],
    ['guard', [], { groups: ['outside'] }],
    ['anna', ['attic']],
  ];
  expect([...expand(...written).keys()]).toEqual(['admin', 'viewer', 'zoe', 'guard', 'anna']);
  expect([...expand().keys()]).toEqual(['admin', 'viewer']);
});

describe('the schedule of a role', () => {
  test.each<[what: string, access: ConfiguredAccess | undefined, schedule: Schedule | undefined]>([
    ['no access', undefined, undefined],
    ['an empty one', {}, undefined],
    ['without times', { groups: ['outside'], may: ['live'] }, undefined],
    [
      'with undefined times',
      { may: ['live'], from: undefined, until: undefined, hours: undefined },
      undefined,
    ],
    ['from', { from: '2026-12-20' }, { from: '2026-12-20' }],
    ['until', { until: '2026-12-20' }, { until: '2026-12-20' }],
    ['hours', { hours: '07:00-19:00' }, { hours: '07:00-19:00' }],
    [
      'all of it, without the rest of the entry',
      {
        groups: ['outside'],
        may: ['live'],
        from: '2026-12-20',
        until: '2027-01-05',
        hours: '07:00-19:00',
        history: 'from',
      },
      { from: '2026-12-20', until: '2027-01-05', hours: '07:00-19:00', history: 'from' },
    ],
    ['without the keys that are undefined', { from: '2026-12-20', until: undefined }, { from: '2026-12-20' }],
  ])('%s', (_, access, schedule) => {
    expect(scheduleIn(access)).toStrictEqual(schedule);
    expect(accessOfRole('guard', expand(['guard', ['garage'], access])).schedule).toStrictEqual(schedule);
  });
});

describe('the access of a role', () => {
  const roles = expand(['family', ['front_door', 'garden']], ['nothing', []]);
  test.each<[role: string, cameras: 'all' | readonly string[], may: readonly Capability[]]>([
    ['admin', 'all', capabilities],
    ['viewer', 'all', capabilities],
    ['family', ['front_door', 'garden'], ['live', 'history', 'export']],
    ['nothing', [], ['live', 'history', 'export']],
    ['not_defined', [], []],
    ['Admin', [], []],
    ['none', [], []],
    ['', [], []],
    ['constructor', [], []],
  ])('%j', (role, cameras, may) => {
    const access = accessOfRole(role, roles);
    expect(access.cameras).toEqual(cameras === 'all' ? 'all' : new Set(cameras));
    expect(access.may).toEqual(new Set(may));
    expect(access.schedule).toBeUndefined();
  });

  test.each<[role: string, now: string]>([
    ['admin', 'admin'],
    ['viewer', 'viewer'],
    ['family', 'family'],
    ['not_defined', 'viewer'],
    ['Admin', 'viewer'],
    ['Family', 'viewer'],
    ['', 'viewer'],
    ['none', 'none'],
    ['NONE', 'NONE'],
  ])('a user with the role %j counts as %j', (role, now) => {
    expect(currentRole(role, roles)).toBe(now);
  });

  test.each([
    ['guest_0123456789ab', 'guest_0123456789ab'],
    ['guest.nell', 'guest.nell'],
    // Named, and not made for one person.
    ['guest.rob', 'viewer'],
    ['guest_0123456789aB', 'viewer'],
    ['guest_0123456789abc', 'viewer'],
  ])('a person whose role %j has no definition counts as %j', (role, now) => {
    const personal = new Set(['guest.nell']);
    const defined = expandRoles({ definitions: new Map(), groups, personal });
    expect(currentRole(role, defined)).toBe(now);
    expect(accessOfRole('guest.nell', defined)).toMatchObject({ cameras: new Set(), may: new Set() });
  });
});

test('cameras that are not there give nothing, and groups neither', () => {
  const definitions = new Map([
    ['family', { cameras: ['attic', 'gone'], access: { groups: ['outside', 'unknown'] } }],
  ]);
  const roles = expandRoles({ definitions, groups }, ['attic', 'driveway']);
  expect(roles.get('family')?.cameras).toEqual(new Set(['attic', 'driveway']));
});

test('recorders know the custom roles alone, by plain cameras, in their order', () => {
  const roles = expand(
    ['viewer', [], { may: ['live'] }],
    ['guard', ['garage'], { groups: ['outside'], may: ['live'], hours: '07:00-19:00' }],
    ['family', ['birdseye', 'attic']],
    ['nothing', []],
  );
  expect([...camerasByRole(roles)]).toEqual([
    ['guard', new Set(['garage', 'driveway', 'front_door'])],
    ['family', new Set(['attic'])],
    ['nothing', new Set()],
  ]);
  expect(camerasByRole(expand()).size).toBe(0);
});

test.each<[group: string, roles: readonly string[]]>([
  ['outside', ['guard', 'family']],
  ['all_doors', ['family']],
  ['empty', []],
  ['unknown', []],
  ['Outside', []],
])('the roles with the group %s: %j', (group, roles) => {
  const written = defined(
    ['guard', ['garage'], { groups: ['outside'] }],
    ['plain', ['driveway', 'front_door']],
    ['family', [], { groups: ['all_doors', 'outside'] }],
  );
  expect(rolesWith(group, written)).toEqual(roles);
});
