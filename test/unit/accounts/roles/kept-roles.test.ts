import { expect, test } from 'vitest';
import { keepRoles } from '../../../../src/accounts/roles/kept-roles.ts';
import { ConfigurationError } from '../../../../src/config/problem.ts';
import type { DefinedRoles, RoleDefinition } from '../../../../src/policy/role-access.ts';

const kid: RoleDefinition = { cameras: ['front'], access: { may: ['live'] } };
const grouped: RoleDefinition = { cameras: ['front'], access: { groups: ['street', 'yard'], may: ['live'] } };
const defined = (
  role: RoleDefinition | undefined,
  groups: Readonly<Record<string, readonly string[]>> = {},
): DefinedRoles => ({
  definitions: new Map(role === undefined ? [] : [['kid', role]]),
  groups: new Map(Object.entries(groups)),
});
const stays = ['the role kid stays as it is now, in the config.yml of the backup too'];

test.each<[what: string, present: DefinedRoles, restored: DefinedRoles, written: RoleDefinition[]]>([
  ['the backup lacks it', defined(kid), defined(undefined), [kid]],
  ['the backup has it wider', defined(kid), defined({ cameras: ['front', 'garage'] }), [kid]],
  ['both have the same', defined(kid), defined(kid), []],
  ['it is not defined now', defined(undefined), defined(kid), []],
  [
    'its groups are the same',
    defined(grouped, { street: ['a'], yard: ['b'] }),
    defined(undefined, { street: ['a'], yard: ['b'] }),
    [grouped],
  ],
  [
    'a group is another one, and one is not there',
    defined(grouped, { street: ['a'], yard: ['b'] }),
    defined(undefined, { street: ['a', 'c'] }),
    [{ cameras: ['front', 'a', 'b'], access: { may: ['live'] } }],
  ],
])('a role that users keep is written where %s', async (_, present, restored, written) => {
  const added: RoleDefinition[] = [];
  const file = {
    add: async (
      _which: unknown,
      _role: string,
      cameras: readonly string[],
      access?: RoleDefinition['access'],
    ) => void added.push({ cameras, access }),
  };
  const roles = ['kid', 'viewer', 'none', 'guest_0123456789ab'];
  expect(await keepRoles(roles, { present, restored }, file)).toEqual(written.length === 0 ? [] : stays);
  expect(added).toEqual(written);
});

test.each([
  [undefined, 'its users count as viewers, who see every camera'],
  [{ cameras: ['garage'] }, 'becomes that of the backup'],
])('the summary says what is true when it cannot be written: %j', async (then, said) => {
  const file = {
    add: () => Promise.reject(new ConfigurationError([{ path: 'p', found: 'f', allowed: 'a' }])),
  };
  const at = { present: defined(kid), restored: defined(then) };
  expect(await keepRoles(['kid'], at, file)).toEqual([expect.stringContaining(said)]);
});
