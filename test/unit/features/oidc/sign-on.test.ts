import { rolesOf } from '../../../support/roles.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareRoleResolution, resolveRole } from '../../../../src/policy/role-map.ts';
import { federatedUserOf } from '../../../../src/features/oidc/sign-on.ts';
import { assertCases } from '../../../support/assert-cases.ts';

const roles = rolesOf([
  ['night_watch', new Set(['driveway'])],
  ['Family', new Set(['front_door'])],
]);
const roleMap = new Map([
  ['Family', new Set(['family', 'guests'])],
  ['night_watch', new Set(['cn=night,ou=groups', 'guests'])],
  ['admin', new Set(['operators', 'Admins'])],
]);
const resolution = (mapped: boolean, defaultRole?: string) =>
  prepareRoleResolution({
    separator: ',',
    defaultRole,
    roles,
    roleMap: mapped ? roleMap : undefined,
  });
const oidc = {
  userClaims: ['preferred_username'],
  groupsClaim: 'groups',
  groupsSeparator: undefined,
  allowedEmails: undefined,
};
const rosa = { sub: '2', preferred_username: 'rosa' };

describe('groups determine the role, and the reason names the group', () => {
  test.each<[groups: unknown, role: string | undefined, reason?: string]>([
    [['operators'], 'admin', 'group operators'],
    [['family', 'operators'], 'admin', 'group operators'],
    [['guests'], 'night_watch', 'group guests'],
    ['family', 'Family', 'group family'],
    [['cn=night,ou=groups'], 'night_watch', 'group cn=night,ou=groups'],
    ['cn=night,ou=groups', 'night_watch', 'group cn=night,ou=groups'],
    ['family,operators', undefined],
    [' operators ', 'admin', 'group operators'],
    ['operators and others', undefined],
    [['family,operators'], undefined],
    [[' operators'], undefined],
    [['OPERATORS'], undefined],
    [[['operators']], undefined],
    [[{ name: 'operators' }, 7, null, 'family'], 'Family', 'group family'],
    [{ operators: true }, 'admin', 'group operators'],
    [{ operators: 0, family: { id: 1 } }, 'Family', 'group family'],
    [{ operators: 'false' }, undefined],
    ['{"operators": true}', undefined],
    ['{"__proto__": {}, "constructor": {}}', undefined],
    [7, undefined],
    [true, undefined],
    [['constructor', '__proto__'], undefined],
    [undefined, undefined],
    [null, undefined],
    [[], undefined],
  ])('%j is %s', (groups, role, reason) => {
    const person = federatedUserOf({ ...rosa, groups }, oidc, resolution(true));
    const expected = { subject: '2', name: 'rosa', role, roleReason: reason };
    expect(person).toEqual(role === undefined ? { refused: 'oidc_no_role' } : expected);
  });

  test('without a role map, groups are names of roles in any case', () => {
    expect(federatedUserOf({ ...rosa, groups: ['FAMILY'] }, oidc, resolution(false))).toMatchObject({
      role: 'Family',
    });
  });

  test('`none` wins over all others, and is no role', () => {
    for (const groups of [['none'], ['None', 'admin'], 'NONE'])
      expect(federatedUserOf({ ...rosa, groups }, oidc, resolution(false, 'viewer'))).toEqual({
        refused: 'oidc_no_role',
      });
    expect(federatedUserOf(rosa, oidc, resolution(true, 'none'))).toEqual({ refused: 'oidc_no_role' });
  });

  test('the default role applies when no group maps to a role', () => {
    expect(federatedUserOf({ ...rosa, groups: ['others'] }, oidc, resolution(true, 'viewer'))).toMatchObject({
      role: 'viewer',
      roleReason: 'default_role',
    });
    expect(federatedUserOf(rosa, oidc, resolution(true, 'nobody'))).toEqual({ refused: 'oidc_no_role' });
  });
});

const group = fc.oneof(
  fc.constantFrom('admin', 'Viewer', 'family', 'guests', 'operators', 'Admins', 'Family', '__proto__'),
  fc
    .string({ maxLength: 5 })
    .map((text) => text.replaceAll(/[, \t]/g, ''))
    .filter((text) => text.toLowerCase() !== 'none'),
);

test('a list of groups gives the same role as the role header of a proxy', () => {
  assertCases(
    fc.property(
      fc.array(group, { maxLength: 8 }),
      fc.boolean(),
      fc.constantFrom(undefined, 'viewer', 'Family', 'nobody'),
      (groups, mapped, defaultRole) => {
        const resolved = resolution(mapped, defaultRole);
        const person = federatedUserOf({ ...rosa, groups }, oidc, resolved);
        const role = 'role' in person ? person.role : undefined;
        expect(role).toBe(resolveRole(groups.join(','), resolved));
      },
    ),
  );
});

test('the order of the groups does not matter, and more groups never reduce access', () => {
  assertCases(
    fc.property(
      fc
        .array(group, { maxLength: 8 })
        .chain((all) => fc.tuple(fc.constant(all), fc.shuffledSubarray(all, { minLength: all.length }))),
      fc.boolean(),
      ([groups, others], mapped) => {
        const roleOf = (claim: readonly string[]) => {
          const person = federatedUserOf({ ...rosa, groups: claim }, oidc, resolution(mapped));
          return 'role' in person ? person.role : undefined;
        };
        expect(roleOf(others)).toBe(roleOf(groups));
        expect(roleOf([...groups, mapped ? 'operators' : 'admin'])).toBe('admin');
      },
    ),
  );
});

describe('the name', () => {
  test.each<[name: unknown, isGood: boolean]>([
    ['rosa', true],
    ['rosa.m@example.com', true],
    ['Rosa', true],
    ['', false],
    ['rosa m', true],
    ['rösa', true],
    ['rosa/m', false],
    ['anonymous', false],
    ['ANONYMOUS', false],
    ['Postern', false],
    ['.', false],
    ['..', false],
    ['x'.repeat(65), false],
    ['rosa\n', false],
    ['rosa:m', false],
    [7, false],
    [['rosa'], false],
    [undefined, false],
  ])('%j: %s', (name, isGood) => {
    const person = federatedUserOf(
      { sub: '2', groups: ['operators'], preferred_username: name },
      oidc,
      resolution(true),
    );
    expect('name' in person).toBe(isGood);
    if (!isGood) expect(person).toEqual({ refused: 'oidc_name_invalid' });
  });

  test.each<[claims: Readonly<Record<string, unknown>>, name: string | undefined]>([
    [{ preferred_username: 'rosa', email: 'rosa@example.com' }, 'rosa'],
    [{ email: 'rosa@example.com' }, 'rosa@example.com'],
    [{ preferred_username: '', email: 'rosa@example.com' }, 'rosa@example.com'],
    [{ preferred_username: 'home/rosa', email: 'rosa@example.com' }, 'rosa@example.com'],
    [{ preferred_username: ['rosa'], profile: { nick: 'Rosa M.' } }, 'Rosa M.'],
    [{ preferred_username: null, email: 7, profile: 'nick' }, undefined],
  ])('comes from the first claim of a list that gives one: %j', (claims, name) => {
    const several = { ...oidc, userClaims: ['preferred_username', 'email', 'profile.nick'] };
    const person = federatedUserOf({ sub: '2', groups: 'family', ...claims }, several, resolution(true));
    expect('name' in person ? person.name : undefined).toBe(name);
  });

  test('comes from the configured claim', () => {
    const claims = { sub: '2', upn: 'rosa', preferred_username: 'other', groups: 'operators' };
    expect(federatedUserOf(claims, { ...oidc, userClaims: ['upn'] }, resolution(true))).toMatchObject({
      name: 'rosa',
    });
  });
});

describe('the address, where some are allowed', () => {
  const allowed = { ...oidc, allowedEmails: ['rosa@example.com', '@house.example'] };
  test.each<[claims: Readonly<Record<string, unknown>>, isAllowed: boolean]>([
    [{ email: 'rosa@example.com' }, true],
    [{ email: 'ROSA@Example.COM' }, true],
    [{ email: 'rosa@example.com', email_verified: true }, true],
    [{ email: 'rosa@example.com', email_verified: 'true' }, true],
    [{ email: 'anybody@house.example' }, true],
    [{ email: 'rosa@example.com', email_verified: false }, false],
    [{ email: 'rosa@example.com', email_verified: 'false' }, false],
    [{ email: 'rosa@example.com', email_verified: 0 }, false],
    [{ email: 'rosa@example.com', email_verified: null }, false],
    [{ email: 'olaf@example.com' }, false],
    [{ email: 'mallory.rosa@example.com' }, false],
    [{ email: 'rosa@example.com.evil.test' }, false],
    [{ email: 'anybody@sub.house.example' }, false],
    [{ email: 'anybody@House.EXAMPLE' }, true],
    [{ email: 'anybody@house.example@evil.test' }, false],
    [{ email: 'x@evil.test@house.example' }, false],
    [{ email: '"x@evil.test"@house.example' }, false],
    [{ email: 'x,y@house.example' }, false],
    [{ email: '@house.example' }, false],
    [{ email: 'anybody@evilhouse.example' }, false],
    [{ email: 'house.example' }, false],
    [{ email: '@house.example.' }, false],
    [{ email: 'x @house.example' }, false],
    [{ email: 'anybody@\u212Aouse.example' }, false],
    [{ email: 'rosa@example.com\u0000' }, false],
    [{ email: ['rosa@example.com'] }, false],
    [{ email: '' }, false],
    [{}, false],
  ])('%j: %s', (claims, isAllowed) => {
    const person = federatedUserOf({ ...rosa, groups: ['operators'], ...claims }, allowed, resolution(true));
    expect('role' in person).toBe(isAllowed);
    if (!isAllowed) expect(person).toEqual({ refused: 'oidc_email_refused' });
  });

  test('and a Kelvin sign is not a k', () => {
    const kay = { ...oidc, allowedEmails: ['@k.example'] };
    const person = federatedUserOf(
      { ...rosa, groups: ['operators'], email: 'a@\u212A.example' },
      kay,
      resolution(true),
    );
    expect(person).toEqual({ refused: 'oidc_email_refused' });
  });
});
