import * as v from 'valibot';
import { parseEmail } from '../policy/email-address.ts';
import { described, flag, mapOf, names, providerIssuer, roleName, text } from './values.ts';

/** The section `auth.oidc` of config.yml: an OpenID Connect provider. */
export const oidc = {
  issuer: described(
    v.optional(providerIssuer),
    'Issuer URL of the provider, as its discovery document has it: https, or http on loopback.',
  ),
  client_id: described(v.optional(text('the client ID')), 'Client ID that the provider gave the gate.'),
  client_secret: described(
    v.optional(v.string('text')),
    'Client secret. `{SERVICE_NAME}` inside it is replaced as in `proxy.auth_secret`. Default: the secret file `SERVICE_OIDC_SECRET` in `CREDENTIALS_DIRECTORY`.',
  ),
  label: described(
    v.optional(text('a name'), 'single sign-on'),
    'What the login page calls the provider: "Sign in with …".',
  ),
  scopes: described(
    v.optional(text('scopes, separated by spaces'), 'openid profile email groups'),
    'Scopes that the gate asks for. `openid` must be one of them.',
  ),
  user_claim: described(
    v.optional(text('a claim'), 'preferred_username'),
    'Claim that holds the user name. A value that is no user name of the gate is refused.',
  ),
  groups_claim: described(
    v.optional(text('a claim')),
    'Claim that holds the groups: a list, or one text. Default: `groups`.',
  ),
  role_map: described(
    v.optional(mapOf(v.string(), names('names of groups'), 'a map from role to a list of groups')),
    'The groups of each role, as in `proxy.role_map`. Without it a group is the name of a role.',
  ),
  default_role: described(
    v.optional(text('a role name')),
    'Role of a person whose groups map to no role, as `proxy.default_role`. With one that gives access, `groups_claim` or `allowed_emails` must be written: otherwise everyone with an account at the provider would come in.',
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
    'Only people with one of these verified e-mail addresses, or one of these `@domains`, come in. For providers that know no groups.',
  ),
  automatic: described(
    v.optional(flag, false),
    '`/login` leads straight to the provider. `/login?local` shows the login of local accounts.',
  ),
  local_login: described(
    v.optional(flag, true),
    'The login page has the form for local accounts. `false` hides it; at `/login?local` it stays, as the way back in when the provider is lost.',
  ),
};

/** The section `auth.second_factor` of config.yml. */
export const secondFactor = {
  required_for: described(
    v.optional(
      v.array(v.union([v.picklist(['admin', 'viewer']), roleName], 'a role name'), 'a list of roles'),
      [],
    ),
    'Roles whose local users need a second factor: a passkey, or one-time codes. Users who have none are led to set one up, and can do nothing else.',
  ),
};
