import { expect, test } from 'vitest';
import { isGranted, narrowGrant } from '../../../src/policy/grant.ts';

const grant = new Set(['front_door', 'garden']);

test.each<[camera: string, granted: boolean]>([
  ['front_door', true],
  ['garden', true],
  ['front', false],
  ['front_door2', false],
  ['Front_Door', false],
  [' front_door', false],
  ['', false],
])('of the set, the camera %j is granted: %j', (camera, granted) => {
  expect(isGranted(grant, camera)).toBe(granted);
  expect(isGranted('all', camera)).toBe(true);
});

test.each<[cameras: readonly string[], narrowed: readonly string[]]>([
  [['garden'], ['garden']],
  [['garden', 'garage'], ['garden']],
  [['garage'], []],
  [[], []],
])('the set, narrowed to %j: %j', (cameras, narrowed) => {
  expect(narrowGrant(grant, new Set(cameras))).toEqual(new Set(narrowed));
  expect(narrowGrant('all', new Set(cameras))).toEqual(new Set(cameras));
});
