import * as v from 'valibot';
import { roleAccess } from './role-access.ts';
import { oidc, secondFactor } from './oidc-section.ts';
import { cidr, described, domain, flag, groupName, mapOf, names, roleName, seconds } from './values.ts';

/** The section `auth` of config.yml: who may sign in, with which role. */
export const auth = {
  enabled: described(
    v.optional(flag, true),
    'Postern authenticates users by its own accounts. `false`: an upstream proxy does, and Postern trusts its headers. Then set `proxy.auth_secret` too: otherwise anyone who gets past the proxy to the authenticated entry point can claim to be any user, even an admin.',
  ),
  reset_admin_password: described(
    v.optional(flag, false),
    'Gives `admin` a new generated password at every start and prints it in the log. This ends the sessions, the API tokens and the shares of `admin` each time.',
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
    'Failed logins that one client address may make. Empty or null turns the limit off.',
  ),
  trusted_proxies: described(
    v.optional(v.array(cidr, 'a list of networks (CIDR)'), []),
    'Networks of proxies: the embedded front passes their `X-Forwarded-For` on, and counts many clients behind them (`limits.connections_per_client`). For all other clients it replaces the header with the address of the peer.',
  ),
  session_length: described(
    v.optional(seconds(0), 86_400),
    'Seconds for which a session token is valid. 0: 30 seconds, never refreshed.',
  ),
  refresh_time: described(
    v.optional(seconds(0)),
    'A request refreshes its cookie session when less than this many seconds are left. At most half of `session_length`. Default: 1800, or that half when it is less.',
  ),
  cookie_name: described(
    v.optional(
      v.pipe(
        v.string('a cookie name'),
        v.regex(/^[A-Za-z0-9_-]+$/, 'letters, digits, hyphens and underscores'),
      ),
      'session_token',
    ),
    'Name of the cookie that carries the session token. The files of other fronts name it too (`docs/fronts`).',
  ),
  return_domains: described(
    v.optional(v.array(domain, 'a list of domains'), []),
    'Domains, with those below them, to whose pages a login may lead back besides this site: `next` of the login page may be an https URL there, on the port of https.',
  ),
  camera_groups: described(
    v.nullish(mapOf(groupName, names('camera names'), 'a map from group to a list of cameras'), {}),
    'Groups of cameras, for `groups` of `role_access`. The `camera_groups` of a recorder give no access.',
  ),
  roles: described(
    v.nullish(mapOf(roleName, names('camera names'), 'a map from role name to a list of cameras'), {}),
    'Custom roles: each sees the cameras listed for it. Names differ in more than upper and lower case, and `none` in any case is reserved: it stands for no access.',
  ),
  role_access: described(
    v.nullish(mapOf(roleName, roleAccess, 'a map from role name to its access'), {}),
    'What roles may do, and when. `groups` adds the cameras of groups; a role can have groups alone. `may` lists what a role may do: `live`, `history`, `export` and `ptz`; by default all but `ptz`. `from` and `until` (a date, or a date and a time; `until` includes its day) and `hours` of each day limit when the role works, in the gate’s time zone (`TZ`), and `history: from` hides recordings from before `from`. For `viewer`, only `may` can be set. See docs/custom-roles.md.',
  ),
  oidc: described(
    v.nullish(v.object(oidc, 'a section')),
    'A provider of OpenID Connect at which people sign in, beside or in place of local accounts. It needs `public_url`, and a client at the provider with the redirect URI `{public_url}{base_path}/postern/oidc/callback`. docs/sign-on.md has the steps.',
  ),
  second_factor: described(
    v.nullish(v.object(secondFactor, 'a section'), {}),
    'Passkeys and one-time codes of local users. Passkeys need `public_url`.',
  ),
};
