import { isNoRole } from '../../../policy/names.ts';
import { info, ok, type Finding } from '../probe.ts';
import { listIn, type Fields } from './provider-answer.ts';
import type { ProviderProbe } from './provider-examination.ts';

export const claimsProbe: ProviderProbe = {
  name: 'oidc-claims',
  meaning:
    'The provider lists the scopes of `auth.oidc.scopes`, and the claims of `user_claim` and `groups_claim`. Many providers do not list all that they have, so a missing one is only `info`.',
  change:
    '`auth.oidc.scopes`, `user_claim` and `groups_claim`; or at the provider the scope, mapper or policy that gives the claim to this client.',
  run: async ({ oidc, metadata }) => [
    ...oidc.scopes
      .split(' ')
      .filter((scope) => scope !== '')
      .map((scope) => listed(metadata, 'scopes_supported', scope, 'auth.oidc.scopes')),
    listed(metadata, 'claims_supported', oidc.userClaim, 'auth.oidc.user_claim'),
    listed(metadata, 'claims_supported', oidc.groupsClaim, 'auth.oidc.groups_claim'),
    ...(oidc.allowedEmails === undefined
      ? []
      : [listed(metadata, 'claims_supported', 'email_verified', 'auth.oidc.allowed_emails')]),
  ],
};

function listed(metadata: Fields, name: string, wanted: string, key: string): Finding {
  const sent = `${key}: ${wanted}`;
  const list = listIn(metadata, name);
  if (list?.includes(wanted) === true) return ok(sent, `in ${name}`, `in ${name}`);
  return info(
    sent,
    list === undefined ? `the provider says nothing of ${name}` : `not in ${name} of the provider`,
    `${key}, or what gives ${wanted} to this client at the provider`,
  );
}

export const rolesProbe: ProviderProbe = {
  name: 'oidc-roles',
  meaning:
    'Which groups of the provider give which role, what people of no such group get, and whether anybody of the provider can be admin.',
  change: '`auth.oidc.role_map` and `auth.oidc.default_role`.',
  run: async ({ oidc: { roleMap, defaultRole, groupsClaim } }) => {
    const map = roleMap ?? new Map<string, ReadonlySet<string>>();
    const givesRole = defaultRole !== undefined && !isNoRole(defaultRole);
    const hasAdmin = roleMap === undefined || (map.get('admin')?.size ?? 0) > 0 || defaultRole === 'admin';
    return [
      ...(roleMap === undefined
        ? [info('auth.oidc.role_map', `none: a group of ${groupsClaim} is the name of a role`)]
        : [...map].map(([role, groups]) => ofRole(role, groups))),
      info('people of no such group', givesRole ? defaultRole : 'refused: oidc_no_role'),
      ...(hasAdmin
        ? []
        : [info('admin', 'nobody of the provider: only local accounts can be', 'auth.oidc.role_map.admin')]),
    ];
  },
};

function ofRole(role: string, groups: ReadonlySet<string>): Finding {
  const sent = `auth.oidc.role_map.${role}`;
  return groups.size === 0
    ? info(sent, 'no group: nobody gets it', `${sent}: the groups that get it`)
    : info(sent, `the groups ${[...groups].join(', ')}`);
}
