import { describe, expect, test } from 'vitest';
import { noCameras } from '../../../src/policy/grant.ts';
import { foldName, isNoRole, isRoleName, obstacleTo } from '../../../src/policy/names.ts';
import { prepareRoleResolution, resolveParts, resolveRole } from '../../../src/policy/role-map.ts';
import { accessOfRole, currentRole } from '../../../src/policy/role-access.ts';
import { isWithinOwner, scopeProblem, tokenRoles } from '../../../src/policy/token-scope.ts';
import { rolesOf } from '../../support/roles.ts';
import { lookAlikesOfNone, spellingsOfNone } from '../../support/spellings-of-none.ts';

const family = new Set(['front']);
const roles = rolesOf([
  ['family', family],
  ['no_cameras', new Set<string>()],
]);
const whole = (role: string) => ({ role, cameras: undefined });

describe.each(spellingsOfNone)('%s', (none) => {
  test('is no name of a role', () => {
    expect([isNoRole(none), isRoleName(none), roles.has(none)]).toEqual([true, false, false]);
    expect(accessOfRole(none, roles)).toEqual({ cameras: noCameras, may: new Set() });
  });

  test('stays what it is where an undefined role counts as viewer', () => {
    expect([currentRole(none, roles), currentRole('former', roles)]).toEqual([none, 'viewer']);
  });

  test('is never written to a recorder, nor deleted there', () => {
    expect(obstacleTo(none, family)).toBe('role_name_refused');
  });

  test('has no API tokens, and no one can give it to one', () => {
    expect(tokenRoles(none, roles)).toEqual([]);
    for (const role of ['admin', 'viewer', 'family', 'no_cameras', none]) {
      expect(isWithinOwner(whole(role), none, roles)).toBe(false);
      expect(isWithinOwner(whole(none), role, roles)).toBe(false);
      expect(scopeProblem(whole(none), role, roles, undefined)?.part).toBe('role');
    }
  });

  test.each<[what: string, header: string | undefined, roleMap?: ReadonlyMap<string, ReadonlySet<string>>]>([
    ['as the default role', undefined],
    ['as the default role of unknown groups', 'strangers'],
    ['as the default role of unknown groups, by a map', 'strangers', new Map([['family', family]])],
  ])('gives no role %s', (_, header, roleMap) => {
    const resolution = prepareRoleResolution({ separator: ',', roleMap, defaultRole: none, roles });
    expect(resolveRole(header, resolution)).toBeUndefined();
  });

  test.each<[what: string, header: string, mapped: boolean]>([
    ['alone', none, false],
    ['within white space', `\t ${none} `, false],
    ['before another role', `${none},admin`, false],
    ['after another role', `admin, viewer ,${none}`, false],
    ['by a map', 'leavers', true],
    ['by a map that gives the group another role too', 'family', true],
    ['by a map, after another group', 'operators,leavers', true],
  ])('wins over other roles and the default one: %s', (_, header, mapped) => {
    const roleMap = new Map([
      ['admin', new Set(['operators'])],
      ['family', new Set(['family'])],
      [none, new Set(['leavers', 'family'])],
    ]);
    const resolution = prepareRoleResolution({
      separator: ',',
      roleMap: mapped ? roleMap : undefined,
      defaultRole: 'viewer',
      roles,
    });
    expect(resolveRole(header, resolution)).toBeUndefined();
    const parts = header.split(',').map((part) => part.trim());
    expect(resolveParts(parts, resolution)).toBeUndefined();
  });
});

describe('what only looks like none', () => {
  test.each(lookAlikesOfNone)('%j is another name, of no role', (name) => {
    expect([isNoRole(name), isRoleName(name), roles.has(name)]).toEqual([false, false, false]);
    const resolution = prepareRoleResolution({
      separator: ',',
      roleMap: undefined,
      defaultRole: name,
      roles,
    });
    expect(resolveRole('strangers', resolution)).toBeUndefined();
  });

  test('no letter beyond ASCII becomes one of the word in another case', () => {
    const found: string[] = [];
    for (let point = 0x80; point <= 0x10ffff; point += 1) {
      const letter = String.fromCodePoint(point);
      const cases = [letter.toLowerCase(), letter.toUpperCase().toLowerCase(), foldName(letter)];
      if (cases.some((folded) => ['n', 'o', 'e'].includes(folded))) found.push(letter);
    }
    expect(found).toEqual([]);
  });
});
