import type { Clock } from '../../clock.ts';
import type { Configuration, OidcConfiguration } from '../../config/configuration.ts';
import { prepareRoleResolution, resolveParts, type RoleResolution } from '../../policy/role-map.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { createProvider, type Claims, type Provider } from './provider.ts';
import { parseEmail } from '../../policy/email-address.ts';
import { federatedUserName } from '../../policy/names.ts';

/** Sign-in at the provider, with one configuration and the current custom roles. */
export interface SignOn {
  readonly oidc: OidcConfiguration;
  readonly provider: Provider;
  readonly federatedUserOf: (claims: Claims) => FederatedUser | { readonly refused: FederatedUserRefusal };
}

/** @returns undefined when there is no provider */
export function createSignOn(
  { auth, publicUrl, basePath }: Pick<Configuration, 'auth' | 'publicUrl' | 'basePath'>,
  dependencies: { readonly clock: Clock; readonly logger: Pick<Logger, 'info' | 'warn'> },
): SignOn | undefined {
  const { oidc, roles } = auth;
  if (oidc === undefined || publicUrl === undefined) return undefined;
  const { roleMap, defaultRole } = oidc;
  const resolution = prepareRoleResolution({ separator: ',', roleMap, defaultRole, roles });
  return {
    oidc,
    provider: createProvider(oidc, { publicUrl, basePath, ...dependencies }),
    federatedUserOf: (claims) => federatedUserOf(claims, oidc, resolution),
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
 * Decides by the claims only. Groups mean the same as the role header in proxy mode, except that they are neither split nor
 * trimmed.
 */
export function federatedUserOf(
  claims: Claims,
  {
    userClaim,
    groupsClaim,
    allowedEmails,
  }: Pick<OidcConfiguration, 'userClaim' | 'groupsClaim' | 'allowedEmails'>,
  resolution: Pick<RoleResolution, 'rolesByPart' | 'caseSensitive' | 'defaultRole'>,
): FederatedUser | { readonly refused: FederatedUserRefusal } {
  const claimed = claims[userClaim];
  const name = typeof claimed === 'string' ? federatedUserName(claimed) : undefined;
  if (name === undefined) return { refused: 'oidc_name_invalid' };
  if (allowedEmails !== undefined && !isAllowed(claims, allowedEmails))
    return { refused: 'oidc_email_refused' };
  const resolved = resolveParts(groupsOf(claims[groupsClaim]), resolution);
  if (resolved === undefined) return { refused: 'oidc_no_role' };
  const { role, part } = resolved;
  const roleReason = part === undefined ? 'default_role' : `group ${part}`;
  return { subject: claims.sub, name, role, roleReason, email: emailOf(claims) };
}

/** A list of groups, or one group as text; anything else counts as none. */
function groupsOf(claim: unknown): readonly string[] {
  const groups: readonly unknown[] = Array.isArray(claim) ? claim : [claim];
  return groups.filter((group) => typeof group === 'string');
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
