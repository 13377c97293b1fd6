import { rolesOf } from '../../support/roles.ts';
import { describe, expect, test } from 'vitest';
import { federatedUserOf } from '../../../src/features/oidc/sign-on.ts';
import { readStoredRoles } from '../../../src/accounts/roles/role-definitions.ts';
import { planImport } from '../../../src/accounts/users/import-users.ts';
import { prepareRoleResolution } from '../../../src/policy/role-map.ts';
import { unconditional } from '../../../src/store/permit.ts';
import { lookAlikesOfNone, spellingsOfNone } from '../../support/spellings-of-none.ts';
import { storeWithRoles } from './users/shared-store.ts';

const passwordHash = `pbkdf2_sha256$600000$salt$${'A'.repeat(43)}=`;
const cameras = new Set(['garage']);

describe.each([...spellingsOfNone, ...lookAlikesOfNone])('%j', (name) => {
  test.each<[where: string, roles: ReadonlyMap<string, ReadonlySet<string>> | undefined]>([
    ['when the recorder is not asked', undefined],
    ['when the recorder has no such role', new Map()],
    ['when the recorder has a role of this name', new Map([[name, cameras]])],
  ])('an import leaves out its users, and makes no such role: %s', (_, roles) => {
    const found = [
      { username: 'olaf', role: name, passwordHash },
      { username: 'vera', role: 'viewer', passwordHash },
    ];
    const plan = planImport(found, [], new Set(['admin', 'viewer']), roles && { roles, cameras: ['garage'] });
    expect(plan.imported.map(({ username }) => username)).toEqual(['vera']);
    expect([...plan.roles]).toEqual([]);
    expect(plan.skipped.map(({ name: user }) => user)).toEqual(['olaf']);
  });

  test('a row of this name in a shared store defines no role', async () => {
    const store = await storeWithRoles();
    await store.change(unconditional, (on) =>
      on
        .insertInto('custom_roles')
        .values([
          { name, cameras: '["garage"]', access: '{"hours":"00:00-24:00"}' },
          { name: 'family', cameras: '["garage"]', access: null },
        ])
        .execute(),
    );
    expect([...(await readStoredRoles(store)).definitions.keys()]).toEqual(['family']);
  });
});

describe.each(spellingsOfNone)('%s', (none) => {
  test('an import tells what the role means, and asks the recorder nothing', () => {
    const { skipped, lacksRoles } = planImport(
      [{ username: 'olaf', role: none, passwordHash }],
      [],
      new Set(['admin', 'viewer']),
    );
    expect(skipped).toEqual([{ name: 'olaf', why: `the role ${none} means no access` }]);
    expect(lacksRoles).toBe(false);
  });

  test.each<[what: string, groups: unknown, mapped: boolean]>([
    ['alone', none, false],
    ['in a list', [none], false],
    ['before another group', [none, 'admin'], false],
    ['after another group', ['admin', 'viewer', none], false],
    ['by a map', ['leavers'], true],
    ['by a map, after another group', ['operators', 'leavers'], true],
  ])('a claim is refused: %s', (_, groups, mapped) => {
    const roleMap = new Map([
      ['admin', new Set(['operators'])],
      [none, new Set(['leavers'])],
    ]);
    expect(userWith(groups, 'viewer', mapped ? roleMap : undefined)).toEqual({ refused: 'oidc_no_role' });
  });

  test('no claim, and a claim of strangers, are refused by it as the default role', () => {
    for (const groups of [undefined, [], ['strangers']])
      expect(userWith(groups, none, undefined)).toEqual({ refused: 'oidc_no_role' });
  });
});

function userWith(
  groups: unknown,
  defaultRole: string,
  roleMap: ReadonlyMap<string, ReadonlySet<string>> | undefined,
) {
  return federatedUserOf(
    { sub: '2', preferred_username: 'rosa', groups },
    {
      userClaims: ['preferred_username'],
      groupsClaim: 'groups',
      groupsSeparator: undefined,
      allowedEmails: undefined,
    },
    prepareRoleResolution({ separator: ',', roleMap, defaultRole, roles: rolesOf() }),
  );
}
