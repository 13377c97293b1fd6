import { rolesOf } from '../../support/roles.ts';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { prepareRoleResolution, resolveRole } from '../../../src/policy/role-map.ts';
import { assertCases } from '../../support/assert-cases.ts';

const roles = rolesOf([
  ['night_watch', new Set(['driveway'])],
  ['Family', new Set(['front_door'])],
  ['a.neighbour', new Set<string>()],
]);
const roleMap = new Map([
  ['Family', new Set(['family', 'guests'])],
  ['night_watch', new Set(['security', 'guests'])],
  ['viewer', new Set(['staff', 'guests of honour'])],
  ['admin', new Set(['operators', 'Admins'])],
]);

interface Options {
  readonly separator?: string;
  readonly mapped?: boolean;
  readonly defaultRole?: string;
}
const resolution = ({ separator = ',', mapped = false, defaultRole }: Options) =>
  prepareRoleResolution({ separator, defaultRole, roles, roleMap: mapped ? roleMap : undefined });

type RoleRow = [header: string | undefined, role: string | undefined, options?: Options];

describe('without a role map the parts are role names, in any case', () => {
  test.each<RoleRow>([
    ['admin', 'admin'],
    ['ADMIN', 'admin'],
    ['Viewer', 'viewer'],
    ['family', 'Family'],
    ['NIGHT_WATCH', 'night_watch'],
    ['  viewer\t', 'viewer'],
    ['viewer,admin', 'admin'],
    ['Family,viewer', 'viewer'],
    ['Family,night_watch', 'night_watch'],
    [',,Family,', 'Family'],
    ['unknown,Family', 'Family'],
    ['administrator', undefined],
    ['viewer|admin', 'admin', { separator: '|' }],
    ['viewer,admin', undefined, { separator: '|' }],
    ['viewer admin', 'admin', { separator: ' ' }],
    ['viewer.admin', 'admin', { separator: '.' }],
    ['none', undefined],
    ['none', undefined, { defaultRole: 'viewer' }],
    ['None,admin', undefined, { defaultRole: 'viewer' }],
    ['viewer, NONE', undefined],
  ])('%j is %s (%j)', (header, role, options = {}) => {
    expect(resolveRole(header, resolution(options))).toBe(role);
  });
});

describe('with a role map the parts are groups and match exactly', () => {
  test.each<RoleRow>([
    ['operators', 'admin'],
    ['Operators', undefined],
    ['admins', undefined],
    ['Admins', 'admin'],
    ['family', 'Family'],
    ['guests of honour', 'viewer'],
    ['family , security', 'night_watch'],
    ['guests', 'night_watch'],
    ['family,staff,security', 'viewer'],
    ['family,staff,operators', 'admin'],
    ['admin', undefined],
    ['viewer', undefined],
    ['Family', undefined],
  ])('%j is %s', (header, role) => {
    expect(resolveRole(header, resolution({ mapped: true }))).toBe(role);
  });
});

describe('the default role applies if nothing maps', () => {
  test.each<RoleRow>([
    [undefined, undefined],
    ['', undefined],
    [undefined, 'viewer', { defaultRole: 'viewer' }],
    ['', 'Family', { defaultRole: 'Family' }],
    ['unknown', 'viewer', { defaultRole: 'viewer' }],
    ['Family', 'Family', { defaultRole: 'viewer' }],
    ['Family', 'Family', { defaultRole: 'admin' }],
    ['stranger', 'viewer', { defaultRole: 'viewer', mapped: true }],
    [undefined, undefined, { defaultRole: 'stranger' }],
    [undefined, undefined, { defaultRole: 'family' }],
    [undefined, undefined, { defaultRole: 'ADMIN' }],
    [undefined, undefined, { defaultRole: 'none' }],
    ['unknown', undefined, { defaultRole: 'NONE', mapped: true }],
  ])('%j is %s (%j)', (header, role, options = {}) => {
    expect(resolveRole(header, resolution(options))).toBe(role);
  });
});

describe('groups of none refuse, regardless of other groups', () => {
  const mapped = (header: string | undefined, role: string) =>
    resolveRole(
      header,
      prepareRoleResolution({
        separator: ',',
        defaultRole: 'viewer',
        roles,
        roleMap: new Map([...roleMap, [role, new Set(['leavers', 'Family'])]]),
      }),
    );
  test.each([
    ['leavers', undefined],
    ['operators,leavers', undefined],
    ['Family,operators', undefined],
    ['Leavers', 'viewer'],
    ['none', 'viewer'],
    [undefined, 'viewer'],
    ['operators', 'admin'],
  ])('%j is %s', (header, role) => {
    expect(mapped(header, 'none')).toBe(role);
    expect(mapped(header, 'NONE')).toBe(role);
  });
});

const part = fc.oneof(
  fc.constantFrom('admin', 'Viewer', 'family', 'guests', 'security', 'staff', 'operators', 'Family', ''),
  fc.constantFrom('constructor', '__proto__', 'toString'),
  fc
    .string({ maxLength: 5 })
    .map((text) => text.replaceAll(',', ''))
    .filter((text) => text.trim().toLowerCase() !== 'none'),
);
const anyResolution = fc
  .record({ mapped: fc.boolean(), defaultRole: fc.constantFrom('viewer', 'Family', 'stranger') })
  .map(resolution);
const shuffled = fc
  .array(part, { maxLength: 8 })
  .chain((parts) => fc.tuple(fc.constant(parts), fc.shuffledSubarray(parts, { minLength: parts.length })));

test('the order in the header makes no difference, and the role is a defined one or none', () => {
  const defined = [undefined, 'admin', 'viewer', ...roles.keys()];
  assertCases(
    fc.property(shuffled, anyResolution, ([parts, others], resolved) => {
      const role = resolveRole(parts.join(','), resolved);
      expect(resolveRole(others.join(','), resolved)).toBe(role);
      expect(defined).toContain(role);
    }),
  );
});

test('another part never reduces access, and admin takes precedence', () => {
  assertCases(
    fc.property(fc.array(part), fc.boolean(), (parts, mapped) => {
      const header = [...parts, mapped ? 'operators' : 'ADMIN'].join(',');
      expect(resolveRole(header, resolution({ mapped }))).toBe('admin');
    }),
  );
});

describe('with a user map, a user whose groups map to nothing has the role of the map', () => {
  const userMap = new Map([
    ['ada@example.org', 'admin'],
    ['nell', 'Family'],
    ['Nell', 'viewer'],
    ['lou', 'none'],
    ['leo', 'NONE'],
    ['sam', 'stranger'],
    ['vic', 'VIEWER'],
  ]);
  const roleOf = (
    user: string,
    header: string | undefined,
    { mapped = false, defaultRole }: Options = {},
  ) => {
    const rules = { separator: ',', userMap, defaultRole, roles };
    return resolveRole(
      header,
      prepareRoleResolution({ ...rules, roleMap: mapped ? roleMap : undefined }),
      user,
    );
  };

  test.each<[user: string, header: string | undefined, role: string | undefined, options?: Options]>([
    ['ada@example.org', undefined, 'admin'],
    ['ada@example.org', '', 'admin'],
    ['nell', undefined, 'Family'],
    ['Nell', undefined, 'viewer'],
    // Exactly.
    ['NELL', undefined, undefined],
    ['nell ', undefined, undefined],
    ['ADA@example.org', undefined, undefined],
    ['ada', undefined, undefined],
    ['constructor', undefined, undefined],
    ['', undefined, undefined],
    ['eve', undefined, 'viewer', { defaultRole: 'viewer' }],
    ['ada@example.org', undefined, 'admin', { defaultRole: 'viewer' }],
    ['nell', undefined, 'Family', { defaultRole: 'admin' }],
    // `none` refuses, whatever the default.
    ['lou', undefined, undefined, { defaultRole: 'viewer' }],
    ['leo', undefined, undefined, { defaultRole: 'viewer' }],
    // A role that is not defined maps to nothing, as in a role map.
    ['sam', undefined, undefined],
    ['sam', undefined, 'viewer', { defaultRole: 'viewer' }],
    ['vic', undefined, undefined],
    // Groups first.
    ['ada@example.org', 'viewer', 'viewer'],
    ['nell', 'unknown', 'Family'],
    ['lou', 'viewer', 'viewer'],
    ['ada@example.org', 'none', undefined],
    ['ada@example.org', 'staff', 'viewer', { mapped: true }],
    ['nell', 'operators', 'admin', { mapped: true }],
    ['nell', 'viewer', 'Family', { mapped: true }],
    ['eve', 'nell', undefined],
  ])('%j with the groups %j is %s (%j)', (user, header, role, options) => {
    expect(roleOf(user, header, options)).toBe(role);
  });

  test('a group that maps gives the same role with a user map as without', () => {
    assertCases(
      fc.property(fc.array(part), fc.constantFrom(...userMap.keys(), 'eve'), (parts, user) => {
        const header = parts.join(',');
        const byGroups = resolveRole(header, resolution({ mapped: true }));
        if (byGroups !== undefined) expect(roleOf(user, header, { mapped: true })).toBe(byGroups);
      }),
      { reaching: 0.1 },
    );
  });
});
