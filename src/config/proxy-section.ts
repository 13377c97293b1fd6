import * as v from 'valibot';
import { isClearName, isReservedUser } from '../policy/names.ts';
import { described, header, logoutUrl, mapOf, names, text } from './values.ts';

const roleMap = mapOf(
  v.string(),
  names('names of upstream groups'),
  'a map from role to a list of upstream groups',
);

const userMap = mapOf(
  v.pipe(
    v.string(),
    v.check(
      (user) => user !== '' && user.trim() === user && isClearName(user) && !isReservedUser(user),
      'a user name as the upstream proxy sends it',
    ),
  ),
  text('a role name'),
  'a map from user to role',
);

/** The section `proxy` of config.yml: the upstream proxy that authenticates users. */
export const proxy = {
  auth_secret: described(
    v.optional(v.string('text')),
    'What the upstream proxy must send in `X-Proxy-Secret` on the authenticated entry point, also with Postern’s own accounts. Without it, Postern trusts the headers of `header_map` from every client.',
  ),
  header_map: described(
    v.nullish(
      v.object(
        {
          user: described(
            v.optional(header),
            'Header with the user name, which is then required; otherwise every user is called `viewer`.',
          ),
          role: described(v.optional(header), 'Header with the roles or groups.'),
          role_map: described(v.nullish(roleMap), 'Another place for `proxy.role_map`.'),
        },
        'a section',
      ),
      {},
    ),
    'Headers of the upstream proxy, case-insensitive. Both must be in the trusted-headers file.',
  ),
  separator: described(
    v.optional(
      v.nullable(
        v.pipe(
          v.string('one character'),
          v.check((value) => [...value].length === 1, 'exactly one character'),
        ),
      ),
      ',',
    ),
    'Separator of several roles in the role header. Null: a blank.',
  ),
  default_role: described(
    v.nullish(text('a role name')),
    'Role of users who get none from their groups or `user_map`. Without it, they are refused.',
  ),
  role_map: described(
    v.nullish(roleMap),
    'The upstream groups of each role; names match exactly. A group of `none` refuses the user. Of several roles, `admin` wins, then `viewer`, then the first of `auth.roles`. Without it, the role header has role names, in any letter case.',
  ),
  user_map: described(
    v.nullish(userMap),
    'The role of each user whose groups map to no role. Names match exactly; `none` refuses the user.',
  ),
  logout_url: described(v.nullish(logoutUrl), 'Another place for `logout_url`.'),
};
