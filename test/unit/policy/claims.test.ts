import { expect, test } from 'vitest';
import { claimAt, completeClaims, isLeftOut, readGroups, shapeOf } from '../../../src/policy/claims.ts';

const claims = {
  groups: ['a'],
  'realm.admin': 'flat',
  realm: { admin: 'deep', roles: ['b'], none: undefined },
  clients: [{ roles: ['c'] }, { roles: ['d'] }, {}],
};

test.each<[claim: string, value: unknown]>([
  ['groups', ['a']],
  ['realm.roles', ['b']],
  ['realm.admin', 'flat'],
  [String.raw`realm\.admin`, 'flat'],
  ['realm.none', undefined],
  ['clients.roles', ['c', 'd']],
  ['clients.names', undefined],
  ['groups.length', undefined],
  ['toString', undefined],
  ['realm.toString', undefined],
  ['', undefined],
])('the claim %s is %j', (claim, value) => {
  expect(claimAt(claims, claim)).toEqual(value);
});

test.each<[signed: object, more: object, completed: object]>([
  [{ sub: 'a' }, { groups: ['b'] }, { sub: 'a', groups: ['b'] }],
  [
    { sub: 'a', groups: [] },
    { sub: 'z', groups: ['b'] },
    { sub: 'a', groups: [] },
  ],
  [{ realm: { x: 1 } }, { realm: { roles: ['c'] } }, { realm: { roles: ['c'] } }],
  [{ realm: { roles: ['d'] } }, { realm: { roles: ['c'] } }, { realm: { roles: ['d'] } }],
])('%j, completed by %j, is %j', (signed, more, completed) => {
  expect(completeClaims({ ...signed }, { ...more }, ['groups', 'realm.roles'])).toEqual(completed);
});

test.each<[claim: unknown, groups: readonly string[], unreadable?: string]>([
  [undefined, []],
  [null, [], 'null'],
  ['', []],
  ['a, b', ['a', 'b']],
  ['[a, b]', ['a', 'b']],
  ['[a', ['[a']],
  ['a]', ['a]']],
  [' ["a", "b, c"] ', ['a', 'b, c']],
  ['"a,b"', ['a', 'b']],
  ['known, group', ['known, group']],
  [' known, group ', ['known, group']],
  [['a', 1], ['a'], 'list of text and number'],
  [
    {
      a: true,
      b: false,
      c: null,
      d: {},
      e: { id: 'home' },
      f: ['x'],
      g: [],
      h: 'true',
      i: 'false',
      j: 0,
      k: 1,
      l: '',
      m: 'TRUE',
      n: 'yes',
    },
    ['a', 'e', 'f', 'h'],
  ],
  ['{"a": true, "b": false}', ['a']],
  [7, [], 'number'],
])('the groups of %j, separated by commas, are %j', (claim, groups, unreadable) => {
  const isKnown = (group: string) => group === 'known, group';
  expect(readGroups(claim, isKnown, ',')).toEqual({
    groups,
    ...(unreadable !== undefined && { unreadable }),
  });
});

test.each<[claim: string, separator: string | undefined, groups: readonly string[]]>([
  ['', undefined, []],
  ['  ', undefined, []],
  [' a ', undefined, ['a']],
  ['a,nvr-admins', undefined, ['a,nvr-admins']],
  ['[a, nvr-admins]', undefined, ['[a, nvr-admins]']],
  ['["nvr-admins"]', undefined, ['["nvr-admins"]']],
  ['{"nvr-admins": true}', undefined, ['{"nvr-admins": true}']],
  ['a b,c', ' ', ['a', 'b,c']],
  ['a|b, c', '|', ['a', 'b, c']],
])('the groups of the text %j with the separator %j are %j', (claim, separator, groups) => {
  expect(readGroups(claim, () => false, separator)).toEqual({ groups });
});

test.each<[claims: object, claim: string, isOut: boolean]>([
  [{ _claim_names: { groups: 'src' } }, 'groups', true],
  [{ _claim_names: { groups: 'src' } }, 'roles', false],
  [{ _claim_names: { groups: 'src' }, groups: [] }, 'groups', false],
  [{ _claim_names: 'groups' }, 'groups', false],
  [{ hasgroups: true }, 'groups', true],
  [{ hasgroups: false }, 'groups', false],
  [{ hasgroups: true }, 'roles', false],
  [{ hasgroups: true, groups: ['a'] }, 'groups', false],
  [{}, 'groups', false],
])('%j leaves out %s: %j', (sent, claim, isOut) => {
  expect(isLeftOut({ ...sent }, claim)).toBe(isOut);
});

test.each<[value: unknown, shape: string]>([
  [undefined, 'missing'],
  [null, 'null'],
  ['', 'empty text'],
  ['a', 'text'],
  [[], 'empty list'],
  [['a', 'b', ['c'], {}], 'list of text and list and empty object'],
  [{}, 'empty object'],
  [{ a: 1 }, 'object'],
  [true, 'boolean'],
])('the shape of %j is %s', (value, shape) => {
  expect(shapeOf(value)).toBe(shape);
});
