import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  federatedUserName,
  foldName,
  foldUserName,
  isBuiltIn,
  isClearName,
  isNoRole,
  isReservedUser,
  isRoleName,
  isSameUserName,
  isUserName,
  twinOf,
  obstacleTo,
} from '../../../src/policy/names.ts';
import { assertCases } from '../../support/assert-cases.ts';

describe('a user', () => {
  test.each([
    ['olaf', true],
    ['Olaf.S_9@home-2', true],
    ['admin', true],
    ['viewer', true],
    ['none', true],
    ['...', true],
    ['.olaf', true],
    ['x'.repeat(64), true],
    ['x'.repeat(65), false],
    ['', false],
    ['.', false],
    ['..', false],
    ['anonymous', false],
    ['Anonymous', false],
    ['ANONYMOUS', false],
    ['postern', false],
    ['Postern', false],
    ['anonymous2', true],
    ['a b', false],
    ['a/b', false],
    ['%2e', false],
    ['süd', false],
    ['olaf\n', false],
    ['olaf\u200b', false],
  ])('%j: %s', (name, isGood) => {
    expect(isUserName(name)).toBe(isGood);
  });
});

describe('a custom role', () => {
  test.each([
    ['guard', true],
    ['night.watch_2', true],
    ['7', true],
    ['...', true],
    ['.', false],
    ['..', false],
    ['admin', false],
    ['Admin', false],
    ['VIEWER', false],
    ['none', false],
    ['None', false],
    ['NONE', false],
    ['none_', true],
    ['__proto__', false],
    ['Constructor', false],
    ['night-watch', false],
    ['x'.repeat(65), false],
    ['', false],
  ])('%j: %s', (name, isGood) => {
    expect(isRoleName(name)).toBe(isGood);
  });
});

test('the reserved names, in any casing', () => {
  expect(['admin', 'Viewer', 'VIEWER', 'none'].map(isBuiltIn)).toEqual([true, true, true, false]);
  expect(['none', 'NoNe', 'nonesuch', 'admin'].map(isNoRole)).toEqual([true, true, false, false]);
  expect(['anonymous', 'Postern', 'ａｎｏｎｙｍｏｕｓ', 'anonymouſ', 'olaf'].map(isReservedUser)).toEqual([
    true,
    true,
    true,
    true,
    false,
  ]);
});

describe('a clear name', () => {
  test.each([
    ['olaf', true],
    ['Olaf Sørensen', true],
    ['鍵', true],
    ['😀', true],
    ['עמר', true],
    ['o\u0301laf', true],
    ['olaf\u200b', false],
    ['olaf\u200d', false],
    ['\u202efalo', false],
    ['olaf\u2066', false],
    ['\ufeffolaf', false],
    ['o\u00adlaf', false],
    ['olaf\u2028', false],
    ['olaf\u2029', false],
    ['olaf\u00a0', false],
    ['olaf\u3164', false],
    ['olaf\u2800', false],
    ['olaf\u034f', false],
    ['olaf\ufe0f', false],
    ['olaf\u{e0041}', false],
    ['olaf\ue000', false],
    ['olaf\uffff', false],
    ['olaf\ud800', false],
    ['o\tlaf', false],
    ['olaf\u0085', false],
  ])('%j: %s', (name, isClear) => {
    expect(isClearName(name)).toBe(isClear);
  });
});

const ascii = fc.stringMatching(/^[A-Za-z0-9._@-]{1,64}$/);

/** The same name in another letter case. */
const recased = (name: string) =>
  fc
    .array(fc.boolean(), { minLength: name.length, maxLength: name.length })
    .map((ups) =>
      [...name].map((letter, i) => letter[ups[i] === true ? 'toUpperCase' : 'toLowerCase']()).join(''),
    );

test('names are the same if they differ in letter case only', () => {
  assertCases(
    fc.property(
      ascii.chain((name) => fc.tuple(fc.constant(name), recased(name), ascii)),
      ([name, same, other]) => {
        expect(foldName(same)).toBe(foldName(name));
        expect(isSameUserName(name, same)).toBe(true);
        expect(isUserName(same)).toBe(isUserName(name));
        expect(isRoleName(same)).toBe(isRoleName(name));
        expect(twinOf(name, [same])).toBe(same === name ? undefined : same);
        expect(isSameUserName(name, other)).toBe(name.toLowerCase() === other.toLowerCase());
      },
    ),
  );
});

test('letters of other scripts differ from ASCII letters in names of roles', () => {
  expect(foldName('\u212Aay')).not.toBe('kay');
  expect(foldName('\u0130')).toBe('\u0130');
});

test.each([
  ['J\u00d6RG', 'j\u00f6rg', true],
  ['Jo\u0308rg', 'J\u00f6rg', true],
  ['\uff41nna', 'anna', true],
  ['\u212Aay', 'kay', true],
  ['o\ufb03ce', 'office', true],
  ['\u0410\u041d\u041d\u0410', '\u0430\u043d\u043d\u0430', true],
  ['\u0430nna', 'anna', false],
  ['jorg', 'j\u00f6rg', false],
])('users %s and %s have the same name: %s', (one, other, same) => {
  expect(isSameUserName(one, other)).toBe(same);
  expect(foldUserName(one) === foldUserName(other)).toBe(same);
});

describe('a federated user', () => {
  test.each([
    ['rosa'],
    ['rosa.m+cameras@example.com'],
    ['J\u00f6rg M\u00fcller'],
    ['O\'Brien, Pat #2 & Co. (x) "y" <b>'],
    ['\u5c71\u7530 \u592a\u90ce'],
    ['\u05d3\u05d5\u05d3'],
    ['x'.repeat(64)],
    ['\u{1f600}'.repeat(64)],
  ])('may be called %s', (name) => {
    expect(federatedUserName(name)).toBe(name);
  });

  test('gets the composed form of the name', () => {
    expect(federatedUserName('Jo\u0308rg')).toBe('J\u00f6rg');
    expect(federatedUserName('o\u0308'.repeat(64))).toBe('\u00f6'.repeat(64));
  });

  test.each([
    [''],
    ['x'.repeat(65)],
    ['\u{1f600}'.repeat(65)],
    ...[...'/\\%:?;'].map((character) => [`ro${character}sa`]),
    ['.'],
    ['..'],
    ['\u2024'],
    [' rosa'],
    ['rosa '],
    ['rosa  m'],
    ['\u0308rosa'],
    ['ro\u00a0sa'],
    ['ro\u200bsa'],
    ['ro\u202esa'],
    ['ro\u0000sa'],
    ['rosa\n'],
    ['ro\ud800sa'],
    ['anonymous'],
    ['\uff21nonymous'],
    ['POSTERN'],
  ])('may not be called %j', (name) => {
    expect(federatedUserName(name)).toBeUndefined();
  });

  test('has a name of accounts too', () => {
    assertCases(
      fc.property(ascii, (name) => {
        expect(federatedUserName(name) !== undefined).toBe(isUserName(name));
      }),
    );
  });
});

test('every valid name fits into a path: a URL parser leaves it unchanged', () => {
  const odd = fc.oneof(
    ascii,
    fc.stringMatching(/^[.@_-]{1,4}$/),
    fc.constantFrom('.', '..', '...', '.a', 'a.'),
  );
  assertCases(
    fc.property(odd, (name) => {
      for (const isName of [isUserName, isRoleName]) {
        if (!isName(name)) continue;
        expect(new URL(`https://gate.test/api/users/${name}/role`).pathname).toBe(`/api/users/${name}/role`);
      }
    }),
    { numRuns: 1_000, reaching: 0.3 },
  );
});

describe('a recorder accepts', () => {
  const cameras = new Set(['x']);
  test.each(['guest', 'Guest_2', '_a', 'a_', '2nd', 'a'.repeat(64)])('the name %s', (name) => {
    expect(obstacleTo(name, cameras)).toBeUndefined();
  });
  test.each(['', '7', '1_000', '_', '__', 'a.b', '.', 'a-b', 'ä', 'a b', 'a\n', 'Admin', 'VIEWER'])(
    'no name %j',
    (name) => {
      expect(obstacleTo(name, cameras)).toBe('role_name_refused');
    },
  );
  test('no role without cameras', () => {
    expect(obstacleTo('guest', new Set())).toBe('role_without_cameras');
    expect(obstacleTo('a.b', new Set())).toBe('role_name_refused');
  });
});
