import * as v from 'valibot';
import { roleAccess } from './role-access.ts';
import {
  cidr,
  described,
  domain,
  flag,
  groupName,
  mapOf,
  names,
  roleName,
  seconds,
  providerIssuer,
  text,
  header,
  logoutUrl,
} from './values.ts';
import { parseEmail } from '../policy/email-address.ts';
import { isClearName, isReservedUser } from '../policy/names.ts';

const claim = text('a claim');

const oneCharacter = v.pipe(
  v.string('one character'),
  v.check((value) => [...value].length === 1, 'exactly one character'),
);

/** The section `auth.oidc` of config.yml: an OpenID Connect provider. */
const oidc = {
  issuer: described(v.optional(providerIssuer), 'Issuer URL, as in the discovery document of the provider.'),
  client_id: described(v.optional(text('the client ID')), 'Client ID from the provider.'),
  client_secret: described(v.optional(v.string('text')), 'Client secret. Default: `SERVICE_OIDC_SECRET`.'),
  label: described(v.optional(text('a name'), 'single sign-on'), 'Name of the provider on the login page.'),
  scopes: described(
    v.optional(text('scopes, separated by spaces'), 'openid profile email groups'),
    'Scopes that Postern requests. `openid` is required.',
  ),
  user_claim: described(
    v.optional(
      v.union(
        [claim, v.pipe(v.array(claim), v.minLength(1, 'at least one claim'))],
        'a claim, or a list of claims',
      ),
      'preferred_username',
    ),
    'Claim with the user name, or a list of claims: the first that gives a valid name counts.',
  ),
  groups_claim: described(
    v.optional(claim),
    'Claim with the groups, or a path to it such as `realm_access.roles` (write a dot inside a name as `\\.`): a list, an object whose keys are the groups, or a text. Default: `groups`.',
  ),
  groups_separator: described(
    v.optional(oneCharacter),
    'Separator of several groups in a text, such as `,`; JSON in it is read too. Without it, a text is one group.',
  ),
  role_map: described(
    v.optional(mapOf(v.string(), names('names of groups'), 'a map from role to a list of groups')),
    'The groups of each role, as in `proxy.role_map`. Without it, groups are names of roles.',
  ),
  default_role: described(
    v.optional(text('a role name')),
    'Role of users whose groups map to no role. It requires `groups_claim` or `allowed_emails`: otherwise everyone with an account at the provider could sign in.',
  ),
  allowed_emails: described(
    v.optional(
      v.array(
        v.pipe(
          v.string('an address or a domain'),
          v.check(
            (value) => parseEmail(value) !== undefined,
            'an address such as olaf@example.org, or a domain such as @example.org',
          ),
        ),
        'a list of addresses and @domains',
      ),
    ),
    'Only users with one of these verified e-mail addresses, or `@domains`, can sign in.',
  ),
  automatic: described(
    v.optional(flag, false),
    '`/login` redirects to the provider, `/login?local` shows the form.',
  ),
  local_login: described(
    v.optional(flag, true),
    'The login page shows the form for local accounts. `false`: only `/login?local` does.',
  ),
};

/** The section `auth.second_factor` of config.yml. */
const secondFactor = {
  required_for: described(
    v.optional(
      v.array(v.union([v.picklist(['admin', 'viewer']), roleName], 'a role name'), 'a list of roles'),
      [],
    ),
    'Roles whose local users must set up a passkey or one-time codes first.',
  ),
};

/** The section `auth` of config.yml: who may sign in, with which role. */
export const auth = {
  enabled: described(
    v.optional(flag, true),
    'Users sign in at Postern. `false`: Postern trusts the headers of an upstream proxy. Then set `proxy.auth_secret` too: otherwise anyone who gets past the proxy can claim to be an admin.',
  ),
  reset_admin_password: described(
    v.optional(flag, false),
    'Gives `admin` a new password at every start, prints it in the log, and ends the sessions, API tokens and shares of `admin`.',
  ),
  failed_login_rate_limit: described(
    v.optional(
      v.nullable(
        v.pipe(
          v.string('rules such as 5/minute;20/hour'),
          v.regex(
            /^$|^\s*[1-9]\d*\/(second|minute|hour)\s*(;\s*[1-9]\d*\/(second|minute|hour)\s*)*$/,
            '<count>/<second|minute|hour>, several joined by semicolons',
          ),
        ),
      ),
      '5/minute;20/hour',
    ),
    'Failed logins allowed for each client address. Empty or null: no limit.',
  ),
  trusted_proxies: described(
    v.optional(v.array(cidr, 'a list of networks (CIDR)'), []),
    'Networks of proxies whose `X-Forwarded-For` the embedded front trusts.',
  ),
  session_length: described(
    v.optional(seconds(0), 86_400),
    'How long a session token is valid. 0: 30 seconds, never refreshed.',
  ),
  refresh_time: described(
    v.optional(seconds(0)),
    'A request refreshes its session when fewer seconds are left. Default: 1800, and at most half of `session_length`.',
  ),
  cookie_name: described(
    v.optional(
      v.pipe(
        v.string('a cookie name'),
        v.regex(/^[A-Za-z0-9_-]+$/, 'letters, digits, hyphens and underscores'),
      ),
      'session_token',
    ),
    'Name of the session cookie. The files of `docs/fronts` name it too.',
  ),
  return_domains: described(
    v.optional(v.array(domain, 'a list of domains'), []),
    'Domains, with their subdomains, to which signing in may lead back (`next` of the login page), by https on port 443.',
  ),
  camera_groups: described(
    v.nullish(
      mapOf(
        groupName,
        described(names('camera names'), 'The cameras of the group.'),
        'a map from group to a list of cameras',
      ),
      {},
    ),
    'Groups of cameras, for `groups` of `role_access`.',
  ),
  roles: described(
    v.nullish(
      mapOf(
        roleName,
        described(names('camera names'), 'The cameras of the role.'),
        'a map from role name to a list of cameras',
      ),
      {},
    ),
    'Custom roles, with the cameras of each. Names must differ in more than letter case; `none` is reserved.',
  ),
  role_access: described(
    v.nullish(
      mapOf(
        roleName,
        described(roleAccess, 'What the role may do, and when.'),
        'a map from role name to its access',
      ),
      {},
    ),
    'What roles may do (`groups`, `may`), and when (`from`, `until`, `hours`, `history`): docs/custom-roles.md. `viewer` can have only `may`.',
  ),
  oidc: described(
    v.nullish(v.object(oidc, 'a section')),
    'An OpenID Connect provider, beside or instead of local accounts (docs/sign-on.md). It needs `public_url`; the redirect URI is `{public_url}{base_path}/postern/oidc/callback`.',
  ),
  second_factor: described(
    v.nullish(v.object(secondFactor, 'a section'), {}),
    'Passkeys and one-time codes of local users. Passkeys need `public_url`.',
  ),
};

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
    v.optional(v.nullable(oneCharacter), ','),
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
