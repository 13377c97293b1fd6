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
    'What the upstream proxy must send in `X-Proxy-Secret` on the authenticated entry point, with own accounts too. Without it Postern believes the headers of `header_map` from every client, and warns at the start when others than this machine may be clients. `{SERVICE_NAME}` or `{FRIGATE_NAME}` inside it is replaced from the environment variable of that name, or from a secret file of that name (in `CREDENTIALS_DIRECTORY`, without which it is `/run/secrets`). Other braces are refused.',
  ),
  header_map: described(
    v.nullish(
      v.object(
        {
          user: described(
            v.optional(header),
            'Header that carries the user name. When it is set, Postern refuses a request without it; otherwise every user is called `viewer`.',
          ),
          role: described(v.optional(header), 'Header that carries the roles or groups.'),
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
    'What separates several roles in the role header. Null: a blank.',
  ),
  default_role: described(
    v.nullish(text('a role name')),
    'Role of a user for whom neither a group nor `user_map` names a role. Without it, with `none` or with an undefined role, Postern refuses such a user.',
  ),
  role_map: described(
    v.nullish(roleMap),
    'The upstream groups of each role. Group names match exactly. A user with a group of `none` is refused; of several other roles `admin` wins, then `viewer`, then the first of `auth.roles`. Without it, or when it is empty, the role header holds role names, in upper or lower case.',
  ),
  user_map: described(
    v.nullish(userMap),
    'The role of each user, for an upstream proxy that sends no groups. User names match exactly the value of the header that `header_map.user` names, letter case included. It counts for a user whose groups map to no role; `none` refuses the user.',
  ),
  logout_url: described(v.nullish(logoutUrl), 'Another place for `logout_url`.'),
};
