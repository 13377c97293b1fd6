import { expect, test } from 'vitest';
import {
  capabilities,
  hasEverything,
  mayByDefault,
  mayEverything,
  mayNothing,
  narrowMay,
  type Capability,
} from '../../../src/policy/capability.ts';

test('to move a camera is the one thing that no one may by default', () => {
  expect(mayEverything.difference(mayByDefault)).toEqual(new Set(['ptz']));
  expect([...mayEverything]).toEqual([...capabilities]);
});

test.each<[may: readonly Capability[], everything: boolean]>([
  [['live', 'history', 'export', 'ptz'], true],
  [['ptz', 'export', 'history', 'live'], true],
  [['live', 'history', 'export'], false],
  [['live'], false],
  [[], false],
])('%j is everything: %s', (may, everything) => {
  expect(hasEverything(new Set(may))).toBe(everything);
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
