import { expect, test } from 'vitest';
import {
  changesByGroup,
  changeByDefinition,
  changeOfAccess,
  isWider,
} from '../../../src/policy/role-changes.ts';
import type { Capability } from '../../../src/policy/capability.ts';
import type { Schedule } from '../../../src/policy/schedule.ts';
import type { DefinedRoles, RoleAccess, RoleDefinition } from '../../../src/policy/role-access.ts';

const house: DefinedRoles = {
  definitions: new Map([
    ['viewer', { cameras: [], access: { may: ['live'] } }],
    ['staff', { cameras: ['yard'] }],
    ['neighbour', { cameras: [], access: { groups: ['outside'] } }],
    ['gardener', { cameras: ['yard'], access: { groups: ['outside', 'sheds'] } }],
  ]),
  groups: new Map([
    ['outside', ['drive', 'porch']],
    ['sheds', ['shed', 'porch']],
  ]),
};

test.each<[cameras: string[], changes: string[]]>([
  [['drive', 'porch'], []],
  [['porch', 'drive'], []],
  [
    ['drive', 'porch', 'garage'],
    ['neighbour: +garage', 'gardener: +garage'],
  ],
  // The gardener has them anyway: from the role's own cameras, and from another group.
  [['drive', 'porch', 'yard', 'shed'], ['neighbour: +yard +shed']],
  [['drive'], ['neighbour: -porch']],
  [['garage'], ['neighbour: +garage -drive -porch', 'gardener: +garage -drive']],
  // No custom role gets the picture of all cameras.
  [['drive', 'porch', 'birdseye'], []],
])('outside with %j: %j', (cameras, expected) => {
  expect(inWords('outside', cameras)).toEqual(expected);
});

test('a new group changes no role', () => {
  expect(inWords('garden', ['garage'])).toEqual([]);
});

function inWords(group: string, cameras: readonly string[]): string[] {
  return changesByGroup(group, cameras, house).map(({ role, gains, loses }) =>
    [`${role}:`, ...gains.map((camera) => `+${camera}`), ...loses.map((camera) => `-${camera}`)].join(' '),
  );
}

const narrowed: DefinedRoles = {
  definitions: new Map([
    ['viewer', { cameras: [], access: { may: ['live', 'history'] } }],
    ['staff', { cameras: ['yard'] }],
    ['gardener', { cameras: ['yard'], access: { groups: ['outside'], may: ['live'] } }],
  ]),
  groups: new Map([['outside', ['drive', 'porch']]]),
};

test.each<[role: string, definition: RoleDefinition, change: string]>([
  ['staff', { cameras: ['yard'] }, ''],
  ['staff', { cameras: ['yard'], access: { hours: '07:00-19:00' } }, ''],
  ['staff', { cameras: ['yard', 'porch'] }, '+porch'],
  ['staff', { cameras: ['porch'] }, '+porch -yard'],
  ['staff', { cameras: ['yard'], access: { may: ['live', 'ptz'] } }, '+may:ptz -may:history -may:export'],
  ['staff', { cameras: ['yard'], access: { groups: ['outside'] } }, '+drive +porch'],
  // The group has the porch anyway.
  ['gardener', { cameras: ['yard', 'porch'], access: { groups: ['outside'], may: ['live'] } }, ''],
  ['gardener', { cameras: ['yard'] }, '-drive -porch +may:history +may:export'],
  // It sees every camera before and after.
  ['viewer', { cameras: [], access: { may: ['live'] } }, '-may:history'],
  ['viewer', { cameras: [] }, '+may:export +may:ptz +may:share +may:talk'],
  ['guest', { cameras: ['porch'] }, '+porch +may:live +may:history +may:export'],
])('%s with %j: %s', (role, definition, expected) => {
  const change = changeByDefinition(role, definition, narrowed);
  expect(
    [
      ...(change?.gains ?? []).map((camera) => `+${camera}`),
      ...(change?.loses ?? []).map((camera) => `-${camera}`),
      ...(change?.gainsMay ?? []).map((word) => `+may:${word}`),
      ...(change?.losesMay ?? []).map((word) => `-may:${word}`),
    ].join(' '),
  ).toBe(expected);
});

const someone = (cameras: 'all' | string[], may: Capability[], schedule?: Schedule): RoleAccess => ({
  cameras: cameras === 'all' ? cameras : new Set(cameras),
  may: new Set(may),
  schedule,
});

test.each<[previous: RoleAccess, next: RoleAccess, isWider: boolean]>([
  [someone(['yard'], ['live']), someone(['yard'], ['live']), false],
  [someone(['yard', 'drive'], ['live', 'history']), someone(['yard'], ['live']), false],
  [someone(['yard'], ['live']), someone(['drive'], ['live']), true],
  [someone(['yard'], ['live']), someone(['yard'], ['live', 'ptz']), true],
  [someone('all', ['live']), someone(['new'], ['live']), false],
  [someone(['yard'], ['live']), someone('all', ['live']), true],
  [someone(['yard'], ['live'], { until: '2026-05-31' }), someone(['yard'], ['live']), true],
  [someone(['yard'], ['live']), someone(['yard'], ['live'], { until: '2026-05-31' }), false],
])('from %o to %o is wider: %s', (previous, next, expected) => {
  expect(isWider(next, previous)).toBe(expected);
});

test('someone with every camera loses those that are left out', () => {
  const all = new Set(['yard', 'drive', 'shed']);
  expect(changeOfAccess(someone('all', ['live', 'share']), someone(['yard'], ['live', 'talk']), all)).toEqual(
    {
      gains: [],
      loses: ['drive', 'shed'],
      gainsMay: ['talk'],
      losesMay: ['share'],
    },
  );
});
