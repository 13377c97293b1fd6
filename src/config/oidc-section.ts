import * as v from 'valibot';
import { parseEmail } from '../policy/email-address.ts';
import { described, flag, mapOf, names, providerIssuer, roleName, text } from './values.ts';

/** The section `auth.oidc` of config.yml: an OpenID Connect provider. */
export const oidc = {
  issuer: described(v.optional(providerIssuer), 'Issuer URL, as in the discovery document of the provider.'),
  client_id: described(v.optional(text('the client ID')), 'Client ID from the provider.'),
  client_secret: described(v.optional(v.string('text')), 'Client secret. Default: `SERVICE_OIDC_SECRET`.'),
  label: described(v.optional(text('a name'), 'single sign-on'), 'Name of the provider on the login page.'),
  scopes: described(
    v.optional(text('scopes, separated by spaces'), 'openid profile email groups'),
    'Scopes that the gate requests. `openid` is required.',
  ),
  user_claim: described(v.optional(text('a claim'), 'preferred_username'), 'Claim with the user name.'),
  groups_claim: described(
    v.optional(text('a claim')),
    'Claim with the groups: a list, or one text. Default: `groups`.',
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
export const secondFactor = {
  required_for: described(
    v.optional(
      v.array(v.union([v.picklist(['admin', 'viewer']), roleName], 'a role name'), 'a list of roles'),
      [],
    ),
    'Roles whose local users must set up a passkey or one-time codes first.',
  ),
};
