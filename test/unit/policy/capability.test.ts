import { expect, test } from 'vitest';
import {
  capabilities,
  isLimited,
  mayByDefault,
  mayEverything,
  mayNothing,
  narrowMay,
  type Capability,
} from '../../../src/policy/capability.ts';

test('moving cameras, sharing and talking are granted, never assumed', () => {
  expect(mayEverything.difference(mayByDefault)).toEqual(new Set(['ptz', 'share', 'talk']));
  expect([...mayEverything]).toEqual([...capabilities]);
});

test.each<[may: readonly Capability[], limited: boolean]>([
  [capabilities, false],
  [['share', 'ptz', 'export', 'history', 'live'], false],
  [['live', 'history', 'export', 'ptz'], false],
  [['live', 'history', 'export'], true],
  [['live', 'history', 'export', 'share'], true],
  [['share'], true],
  [['live', 'history', 'export', 'talk'], true],
  [[], true],
])('%j is limited: %s', (may, limited) => {
  expect(isLimited(new Set(may))).toBe(limited);
});

test.each<[to: readonly Capability[] | undefined, narrowed: readonly Capability[]]>([
  [undefined, ['live', 'history', 'export']],
  [['live'], ['live']],
  [['live', 'ptz'], ['live']],
  [['ptz'], []],
  [[], []],
])('the default, narrowed to %j: %j', (to, narrowed) => {
  expect(narrowMay(mayByDefault, to && new Set(to))).toEqual(new Set(narrowed));
  expect(narrowMay(mayNothing, to && new Set(to))).toEqual(new Set());
});
