import { expect, test } from 'vitest';
import { changesByGroup, changeByDefinition } from '../../../src/policy/role-changes.ts';
import type { DefinedRoles, RoleDefinition } from '../../../src/policy/role-access.ts';

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
