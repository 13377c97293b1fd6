import { expect, test } from 'vitest';
import { changeByDefinition } from '../../../src/policy/definition-change.ts';
import type { DefinedRoles, RoleDefinition } from '../../../src/policy/role-access.ts';

const house: DefinedRoles = {
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
  const change = changeByDefinition(role, definition, house);
  expect(
    [
      ...(change?.gains ?? []).map((camera) => `+${camera}`),
      ...(change?.loses ?? []).map((camera) => `-${camera}`),
      ...(change?.gainsMay ?? []).map((word) => `+may:${word}`),
      ...(change?.losesMay ?? []).map((word) => `-may:${word}`),
    ].join(' '),
  ).toBe(expected);
});
