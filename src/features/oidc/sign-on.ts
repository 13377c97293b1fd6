import type { Clock } from '../../clock.ts';
import type { Configuration, OidcConfiguration } from '../../config/configuration.ts';
import { prepareRoleResolution, resolveParts, type RoleResolution } from '../../policy/role-map.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { createProvider, type Claims, type Provider } from './provider.ts';
import { parseEmail } from '../../policy/email-address.ts';
import { claimAt, isLeftOut, readGroups, shapeOf } from '../../policy/claims.ts';
import { federatedUserName, foldName } from '../../policy/names.ts';

/** Sign-in at the provider, with one configuration and the current custom roles. */
export interface SignOn {
  readonly oidc: OidcConfiguration;
  readonly provider: Provider;
  readonly federatedUserOf: (claims: Claims) => FederatedUser | { readonly refused: FederatedUserRefusal };
  /** Tells the operator which claims came, and which were looked for. */
  readonly explain: (claims: Claims) => ClaimsReport;
}

/** Names and types of claims, never their values. */
export interface ClaimsReport {
  readonly claims: readonly string[];
  readonly looked_for: readonly string[];
  /** Claims whose shape gives no name or no groups; undefined: all can be read. */
  readonly unreadable: string | undefined;
}

/** @returns undefined when there is no provider */
export function createSignOn(
  { auth, publicUrl, basePath }: Pick<Configuration, 'auth' | 'publicUrl' | 'basePath'>,
  { clock, logger }: { readonly clock: Clock; readonly logger: Pick<Logger, 'info' | 'warn'> },
): SignOn | undefined {
  const { oidc, roles } = auth;
  if (oidc === undefined || publicUrl === undefined) return undefined;
  const { roleMap, defaultRole } = oidc;
  const resolution = prepareRoleResolution({ separator: ',', roleMap, defaultRole, roles });
  const explain = (claims: Claims) => reportOf(claims, oidc, resolution);
  const warned = new Set<string>();
  return {
    oidc,
    provider: createProvider(oidc, { publicUrl, basePath, clock, logger }),
    federatedUserOf: (claims) => {
      const { unreadable, looked_for: lookedFor } = explain(claims);
      if (unreadable !== undefined && !warned.has(unreadable)) {
        warned.add(unreadable);
        logger.warn(
          { issuer: oidc.issuer, unreadable, looked_for: lookedFor },
          'the provider sends a claim in a form that gives no name or no groups',
        );
      }
      return federatedUserOf(claims, oidc, resolution);
    },
    explain,
  };
}

/** A user of the provider, as the claims describe them. */
export interface FederatedUser {
  /** `sub`, which never changes. */
  readonly subject: string;
  readonly name: string;
  readonly role: string;
  /** Reason for the role: `group nvr-admins`, or `default_role`. */
  readonly roleReason: string;
  /** Mail address; absent when the provider has not verified one, or has sent none. */
  readonly email: string | undefined;
}

/** Reason for rejecting a user who signed in at the provider. */
type FederatedUserRefusal = 'oidc_name_invalid' | 'oidc_email_refused' | 'oidc_no_role';

/**
 * Decides by the claims only. Groups mean the same as the role header in proxy mode, except that only a claim that is one text
 * is trimmed, and split where `groups_separator` says so.
 */
export function federatedUserOf(
  claims: Claims,
  {
    userClaims,
    allowedEmails,
    ...oidc
  }: Pick<OidcConfiguration, 'userClaims' | 'groupsClaim' | 'groupsSeparator' | 'allowedEmails'>,
  resolution: Pick<RoleResolution, 'rolesByPart' | 'caseSensitive' | 'defaultRole'>,
): FederatedUser | { readonly refused: FederatedUserRefusal } {
  const name = firstName(userClaims.map((claim) => claimAt(claims, claim)));
  if (name === undefined) return { refused: 'oidc_name_invalid' };
  if (allowedEmails !== undefined && !isAllowed(claims, allowedEmails))
    return { refused: 'oidc_email_refused' };
  const resolved = resolveParts(groupsIn(claims, oidc, resolution).groups, resolution);
  if (resolved === undefined) return { refused: 'oidc_no_role' };
  const { role, part } = resolved;
  const roleReason = part === undefined ? 'default_role' : `group ${part}`;
  return { subject: claims.sub, name, role, roleReason, email: emailOf(claims) };
}

function firstName(claimed: readonly unknown[]): string | undefined {
  for (const value of claimed) {
    const name = typeof value === 'string' ? federatedUserName(value) : undefined;
    if (name !== undefined) return name;
  }
  return undefined;
}

function groupsIn(
  claims: Claims,
  { groupsClaim, groupsSeparator }: Pick<OidcConfiguration, 'groupsClaim' | 'groupsSeparator'>,
  { rolesByPart, caseSensitive }: Pick<RoleResolution, 'rolesByPart' | 'caseSensitive'>,
) {
  return readGroups(
    claimAt(claims, groupsClaim),
    (group) => rolesByPart.has(caseSensitive ? group : foldName(group)),
    groupsSeparator,
  );
}

function reportOf(
  claims: Claims,
  oidc: Parameters<typeof federatedUserOf>[1],
  resolution: RoleResolution,
): ClaimsReport {
  const { userClaims, groupsClaim, allowedEmails } = oidc;
  const shapeAt = (claim: string) => shapeOf(claimAt(claims, claim));
  const looked = (key: string, claim: string) => `auth.oidc.${key}: ${claim} (${shapeAt(claim)})`;
  const { unreadable } = groupsIn(claims, oidc, resolution);
  const names = userClaims.filter((claim) => !['missing', 'text'].includes(shapeAt(claim)));
  const faults = [
    ...names.map((claim) => `${claim} (${shapeAt(claim)})`),
    ...(unreadable === undefined ? [] : [`${groupsClaim} (${unreadable})`]),
    ...(isLeftOut(claims, groupsClaim) ? [`${groupsClaim} (left out by the provider: too many)`] : []),
  ];
  return {
    claims: Object.entries(claims).map(([name, value]) => `${name} (${shapeOf(value)})`),
    looked_for: [
      ...userClaims.map((claim) => looked('user_claim', claim)),
      looked('groups_claim', groupsClaim),
      ...(allowedEmails === undefined
        ? []
        : ['email', 'email_verified'].map((claim) => looked('allowed_emails', claim))),
    ],
    unreadable: faults.length === 0 ? undefined : faults.join(', '),
  };
}

/**
 * An address without `email_verified` counts, because providers that verify all addresses may omit the claim.
 * @returns it in lower case
 */
function emailOf({ email, email_verified: verified }: Claims): string | undefined {
  if (verified !== undefined && verified !== true && verified !== 'true') return undefined;
  const address = typeof email === 'string' ? parseEmail(email) : undefined;
  return address === undefined || address.local === '' ? undefined : `${address.local}@${address.domain}`;
}

/** @param allowed lower-case addresses and `@domains` */
function isAllowed(claims: Claims, allowed: readonly string[]): boolean {
  const email = emailOf(claims);
  return (
    email !== undefined && (allowed.includes(email) || allowed.includes(email.slice(email.indexOf('@'))))
  );
}
