import type { OidcConfiguration } from '../../../config/configuration.ts';
import { claimPath } from '../../../policy/claims.ts';
import { isNoRole } from '../../../policy/names.ts';
import { finding, info, type Finding } from '../check.ts';
import {
  type Fields,
  type ProviderCheck,
  type ReachedProvider,
  listIn,
  textIn,
} from './provider-examination.ts';

/* Checks of what federated users get: claims, a role, and a session. */

/** The provider lists the scopes and claims in the configuration; many providers do not list all of theirs. */
export const claims: ProviderCheck = {
  name: 'oidc-claims',
  needs: 'metadata',
  run: async ({ oidc, metadata }) => [
    ...oidc.scopes
      .split(' ')
      .filter((scope) => scope !== '')
      .map((scope) => listed(metadata, 'scopes_supported', scope, 'auth.oidc.scopes')),
    ...oidc.userClaims.map((claim) => listedClaim(metadata, claim, 'auth.oidc.user_claim')),
    listedClaim(metadata, oidc.groupsClaim, 'auth.oidc.groups_claim'),
    ...(oidc.allowedEmails === undefined
      ? []
      : [listed(metadata, 'claims_supported', 'email_verified', 'auth.oidc.allowed_emails')]),
  ],
};

function listed(metadata: Fields, name: string, wanted: string, key: string): Finding {
  const sent = `${key}: ${wanted}`;
  const list = listIn(metadata, name);
  if (list?.includes(wanted) === true) return finding(sent, `in ${name}`, `in ${name}`, false);
  return info(
    sent,
    list === undefined ? `the provider sends no ${name}` : `not in ${name} of the provider`,
    `${key}, or what gives ${wanted} to this client at the provider`,
  );
}

/** Providers list the first name of a path. */
function listedClaim(metadata: Fields, claim: string, key: string): Finding {
  const [first = claim] = claimPath(claim);
  const isListed = listIn(metadata, 'claims_supported')?.includes(claim) === true;
  return listed(metadata, 'claims_supported', isListed ? claim : first, key);
}

/** Which groups of the provider give which role. */
export const groups: ProviderCheck = {
  name: 'oidc-roles',
  needs: 'metadata',
  run: async ({ oidc: { roleMap, defaultRole, groupsClaim } }) => {
    const givesRole = defaultRole !== undefined && !isNoRole(defaultRole);
    const hasAdmin =
      roleMap === undefined || (roleMap.get('admin')?.size ?? 0) > 0 || defaultRole === 'admin';
    return [
      ...(roleMap === undefined
        ? [info('auth.oidc.role_map', `none: a group of ${groupsClaim} is the name of a role`)]
        : [...roleMap].map(([role, groups]) => ofRole(role, groups))),
      info('people of no such group', givesRole ? defaultRole : 'refused: oidc_no_role'),
      ...(hasAdmin
        ? []
        : [info('admin', 'no one at the provider: only local accounts can be', 'auth.oidc.role_map.admin')]),
    ];
  },
};

function ofRole(role: string, groups: ReadonlySet<string>): Finding {
  const sent = `auth.oidc.role_map.${role}`;
  return groups.size === 0
    ? info(sent, 'no group: no one gets it', `${sent}: the groups that get it`)
    : info(sent, `the groups ${[...groups].join(', ')}`);
}

/** Checks whether the provider offers long sessions. */
export const sessions: ProviderCheck = {
  name: 'oidc-sessions',
  needs: 'metadata',
  run: async ({ oidc, metadata, lengths }) => [
    refreshFinding(oidc, metadata),
    askedAgain(lengths),
    offers(
      metadata['backchannel_logout_supported'] === true,
      'back-channel logout',
      'not offered: a logout at the provider ends the session here at its next refresh at the earliest',
    ),
    offers(
      textIn(metadata, 'end_session_endpoint') !== undefined,
      'logout at the provider',
      'not offered: a logout here leaves the session at the provider; logout_url may lead to its logout page',
    ),
  ],
};

/** Whether to expect a refresh token; only a login proves it. */
function refreshFinding({ scopes }: OidcConfiguration, metadata: Fields): Finding {
  const name = 'refresh tokens';
  const grants = listIn(metadata, 'grant_types_supported');
  if (grants !== undefined && !grants.includes('refresh_token'))
    return info(name, `not offered: ${withoutRefresh}`);
  const needsScope = listIn(metadata, 'scopes_supported')?.includes('offline_access') === true;
  if (needsScope && !scopes.split(' ').includes('offline_access'))
    return info(
      name,
      `perhaps only with the scope offline_access; without one ${withoutRefresh}`,
      'auth.oidc.scopes: offline_access, where the guide of the provider asks for it, and the same for the client there',
    );
  return offers(grants !== undefined, name, `the provider lists none; without one ${withoutRefresh}`);
}

const withoutRefresh =
  'a session ends after auth.session_length, and the role is that of the login until then';

function offers(isOffered: boolean, name: string, otherwise: string): Finding {
  return isOffered ? finding(name, 'offered', 'offered', false) : info(name, otherwise);
}

/** A refresh token must last this long, and a change of groups takes this long to arrive. */
function askedAgain({ sessionLength, refreshTime }: ReachedProvider['lengths']): Finding {
  const minutes = [sessionLength - refreshTime, sessionLength].map((time) => Math.round(time / 60_000));
  return info(
    'how long until the provider is asked again',
    `${minutes.join(' to ')} minutes: a refresh token must last as long`,
    'auth.session_length and auth.refresh_time, or how long refresh tokens last at the provider',
  );
}
