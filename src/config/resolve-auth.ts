import { expandRoles } from '../policy/role-access.ts';
import type { Configuration } from './configuration.ts';
import { warnOfHostBits } from './host-bits.ts';
import type { Findings } from './problem.ts';
import { resolveRoles } from './resolve-roles.ts';
import { resolveSignOn } from './resolve-sign-on.ts';
import type { ConfigurationFile } from './schema.ts';

/** Resolves the section `auth`. */
export function resolveAuth(
  file: ConfigurationFile,
  cameras: readonly string[] | undefined,
  context: Parameters<typeof resolveSignOn>[2] & { readonly roleOrder?: readonly string[] },
  findings: Findings,
): Configuration['auth'] {
  const { auth } = file;
  const { refuse, warn } = findings;
  const defined = resolveRoles(file, cameras, context.roleOrder ?? [], findings);
  const roles = expandRoles(defined);
  const longestRefresh = Math.floor(auth.session_length / 2);
  if (auth.refresh_time !== undefined && auth.refresh_time > longestRefresh) {
    refuse('auth.refresh_time', 'more than half of auth.session_length', `at most ${longestRefresh} seconds`);
  }
  if (!auth.failed_login_rate_limit)
    warn('auth.failed_login_rate_limit is off: passwords can be guessed without limit');
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
