import { expect, test } from 'vitest';
import { changesByGroup } from '../../../src/policy/group-changes.ts';
import type { DefinedRoles } from '../../../src/policy/role-access.ts';

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
