import * as v from 'valibot';
import { roleAccess } from './role-access.ts';
import { oidc, secondFactor } from './oidc-section.ts';
import { cidr, described, domain, flag, groupName, mapOf, names, roleName, seconds } from './values.ts';

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
    v.nullish(mapOf(groupName, names('camera names'), 'a map from group to a list of cameras'), {}),
    'Groups of cameras, for `groups` of `role_access`.',
  ),
  roles: described(
    v.nullish(mapOf(roleName, names('camera names'), 'a map from role name to a list of cameras'), {}),
    'Custom roles, with the cameras of each. Names must differ in more than letter case; `none` is reserved.',
  ),
  role_access: described(
    v.nullish(mapOf(roleName, roleAccess, 'a map from role name to its access'), {}),
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
