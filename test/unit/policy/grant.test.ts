import { expect, test } from 'vitest';
import { currentRole, grantOf, isGranted } from '../../../src/policy/grant.ts';

const customRoles = new Map([
  ['family', new Set(['front_door', 'garden'])],
  ['nothing', new Set<string>()],
]);

test.each<[role: string, grant: 'all' | readonly string[]]>([
  ['admin', 'all'],
  ['viewer', 'all'],
  ['family', ['front_door', 'garden']],
  ['nothing', []],
  ['not_defined', []],
  ['Admin', []],
  ['', []],
  ['constructor', []],
])('the role %j is granted %j', (role, grant) => {
  expect(grantOf(role, customRoles)).toEqual(grant === 'all' ? 'all' : new Set(grant));
});

test.each<[role: string, now: string]>([
  ['admin', 'admin'],
  ['family', 'family'],
  ['not_defined', 'viewer'],
  ['Admin', 'viewer'],
  ['none', 'none'],
  ['NONE', 'NONE'],
])('a user with the role %j counts as %s', (role, now) => {
  expect(currentRole(role, customRoles)).toBe(now);
});

test.each<[camera: string, granted: boolean]>([
  ['front_door', true],
  ['garden', true],
  ['front', false],
  ['front_door2', false],
  ['Front_Door', false],
  [' front_door', false],
  ['', false],
])('of the set, the camera %j is granted: %j', (camera, granted) => {
  expect(isGranted(grantOf('family', customRoles), camera)).toBe(granted);
  expect(isGranted('all', camera)).toBe(true);
});
