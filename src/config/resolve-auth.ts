import { expandRoles } from '../policy/role-access.ts';
import type { Configuration, OidcConfiguration } from './configuration.ts';
import { warnOfHostBits } from './host-bits.ts';
import type { Findings } from './problem.ts';
import { resolveRoles } from './resolve-roles.ts';
import type { ConfigurationFile } from './schema.ts';
import { expandSecret, givenSecret, type SecretsContext } from './environment.ts';
import { canonicalIssuer } from '../policy/issuer.ts';
import { isNoRole, isRoleName, twinOf } from '../policy/names.ts';
import { allowedSecret, secretFault } from './whole-secret.ts';

/** Resolves the section `auth`. */
export function resolveAuth(
  file: ConfigurationFile,
  cameras: readonly string[] | undefined,
  context: SecretsContext & { readonly roleOrder?: readonly string[] },
  findings: Findings,
): Configuration['auth'] {
  const { auth } = file;
  const { refuse } = findings;
  const defined = resolveRoles(file, cameras, context.roleOrder ?? [], findings);
  const roles = expandRoles(defined);
  const longestRefresh = Math.floor(auth.session_length / 2);
  if (auth.refresh_time !== undefined && auth.refresh_time > longestRefresh) {
    refuse('auth.refresh_time', 'more than half of auth.session_length', `at most ${longestRefresh} seconds`);
  }
  warnOfHostBits('auth.trusted_proxies', auth.trusted_proxies, findings);
  return {
    enabled: auth.enabled,
    resetAdminPassword: auth.reset_admin_password,
    failedLoginRateLimit: auth.failed_login_rate_limit || undefined,
    trustedProxies: auth.trusted_proxies,
    sessionLength: auth.session_length * 1_000,
    refreshTime: (auth.refresh_time ?? Math.min(1_800, longestRefresh)) * 1_000,
    cookieName: auth.cookie_name,
    returnDomains: auth.return_domains.map((domain) => domain.toLowerCase()),
    defined,
    roles,
    ...resolveSignOn(file, [...roles.keys()], context, findings),
  };
}

type OidcFile = NonNullable<ConfigurationFile['auth']['oidc']>;

/** Resolves `auth.oidc` and `auth.second_factor`. @param roles names of all roles that the file defines */
function resolveSignOn(
  file: ConfigurationFile,
  roles: readonly string[],
  context: SecretsContext,
  findings: Findings,
): Pick<Configuration['auth'], 'oidc' | 'secondFactor'> {
  const { enabled, oidc, second_factor: secondFactor } = file.auth;
  // The roles of a shared store are not known yet.
  const mayBeRole = (name: string) =>
    roles.includes(name) || (file.store.url !== undefined && mayBeInStore(name, roles));
  const requireRole = (path: string, name: string) => {
    if (!mayBeRole(name)) findings.refuse(path, 'a role that is not defined', roles.join(', '));
  };
  for (const [index, name] of secondFactor.required_for.entries())
    requireRole(`auth.second_factor.required_for.${index}`, name);
  const resolved = oidc ? resolveOidc(file, oidc, { context, requireRole }, findings) : undefined;
  if (!enabled) {
    for (const [path, isSet] of [
      ['auth.oidc', oidc !== null && oidc !== undefined],
      ['auth.second_factor', secondFactor.required_for.length > 0],
    ] as const)
      if (isSet) findings.warn(`${path} has no effect: auth.enabled is false, so that there are no accounts`);
    return { oidc: undefined, secondFactor: { requiredFor: new Set() } };
  }
  return { oidc: resolved, secondFactor: { requiredFor: new Set(secondFactor.required_for) } };
}

/** Whether a role that the file does not declare may exist in the store. @param roles that are declared */
export function mayBeInStore(name: string, roles: readonly string[]): boolean {
  return isRoleName(name) && twinOf(name, roles) === undefined;
}

function resolveOidc(
  { public_url: publicUrl }: ConfigurationFile,
  oidc: OidcFile,
  {
    context,
    requireRole,
  }: {
    readonly context: SecretsContext;
    readonly requireRole: (path: string, name: string) => void;
  },
  findings: Findings,
): OidcConfiguration | undefined {
  const { refuse } = findings;
  const { issuer, client_id: clientId, role_map: roleMap, default_role: defaultRole } = oidc;
  if (issuer === undefined) refuse('auth.oidc.issuer', 'nothing', 'the issuer URL of the provider');
  if (clientId === undefined)
    refuse('auth.oidc.client_id', 'nothing', 'the client ID that the provider gave Postern');
  if (publicUrl === undefined)
    refuse('public_url', 'nothing', 'the origin under which people reach the site: auth.oidc needs it');
  if (!oidc.scopes.split(' ').includes('openid'))
    refuse('auth.oidc.scopes', 'scopes without openid', 'openid and whatever else is wanted');
  for (const name of Object.keys(roleMap ?? {}))
    if (!isNoRole(name)) requireRole(`auth.oidc.role_map.${name}`, name);
  const givesRole = defaultRole !== undefined && !isNoRole(defaultRole);
  if (givesRole) requireRole('auth.oidc.default_role', defaultRole);
  if (givesRole && oidc.groups_claim === undefined && oidc.allowed_emails === undefined) {
    refuse(
      'auth.oidc.default_role',
      'a role for everyone who has an account at the provider',
      'with it, auth.oidc.groups_claim or auth.oidc.allowed_emails',
    );
  }
  const clientSecret = clientSecretOf(oidc, context, findings);
  if (issuer === undefined || clientId === undefined || clientSecret === undefined) return undefined;
  return {
    issuer: canonicalIssuer(issuer),
    clientId,
    clientSecret,
    label: oidc.label,
    scopes: oidc.scopes,
    userClaims: [oidc.user_claim].flat(),
    groupsClaim: oidc.groups_claim ?? 'groups',
    groupsSeparator: oidc.groups_separator,
    roleMap: roleMap && new Map(Object.entries(roleMap).map(([role, groups]) => [role, new Set(groups)])),
    defaultRole,
    allowedEmails: oidc.allowed_emails?.map((address) => address.toLowerCase()),
    automatic: oidc.automatic,
    localLogin: oidc.local_login,
  };
}

function clientSecretOf(
  { client_secret: written }: OidcFile,
  context: SecretsContext,
  findings: Findings,
): string | undefined {
  const path = 'auth.oidc.client_secret';
  const isNeeded = context.missingSecrets !== 'ignored';
  if (written !== undefined)
    return expandSecret(path, written, context, findings) ?? (isNeeded ? undefined : '');
  const given = givenSecret(context.environment, 'SERVICE_OIDC_SECRET');
  const found = given?.secret.trim();
  const fault = found === undefined || found === '' ? undefined : secretFault(found);
  if (given !== undefined && fault !== undefined && isNeeded)
    findings.refuse(given.source, fault, allowedSecret);
  else if ((found === undefined || found === '') && isNeeded)
    findings.refuse(
      path,
      'nothing',
      'the client secret, or SERVICE_OIDC_SECRET as an environment variable or a secret file',
    );
  return found ?? (isNeeded ? undefined : '');
}
