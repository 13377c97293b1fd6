import { streamOfAllCameras } from '../policy/cameras.ts';
import { foldName, isBuiltIn, isNoRole, isRoleName } from '../policy/names.ts';
import type { Configuration } from './configuration.ts';
import type { Findings } from './problem.ts';
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
  const { roleOrder = [] } = context;
  const { refuse, warn } = findings;
  const written = Object.entries(auth.roles).filter(([name, granted]) => !isOfRecorder(name, granted));
  const roles = new Map(
    written
      .toSorted(([one], [other]) => roleOrder.indexOf(one) - roleOrder.indexOf(other))
      .map(([name, granted]) => [name, new Set(granted.filter((camera) => camera !== streamOfAllCameras))]),
  );
  for (const [name, granted] of written) {
    if (granted.includes(streamOfAllCameras))
      warn(
        `auth.roles.${name} names ${streamOfAllCameras}, which shows all cameras: the role does not get it`,
      );
  }
  refuseNames(roles.keys(), findings);
  const known = cameras === undefined ? undefined : new Set(cameras);
  for (const [name, granted] of roles) {
    for (const camera of known === undefined ? [] : granted.difference(known)) {
      refuse(
        `auth.roles.${name}`,
        `the unknown camera ${JSON.stringify(camera)}`,
        `one of ${cameras?.join(', ')}`,
      );
    }
  }
  for (const name of Object.keys(auth.role_windows)) {
    if (isBuiltIn(name)) refuse(`auth.role_windows.${name}`, 'a built-in role', 'a role of auth.roles');
    else if (!roles.has(name))
      refuse(
        `auth.role_windows.${name}`,
        'a role that is not defined',
        [...roles.keys()].join(', ') || 'a role of auth.roles, which has none',
      );
  }
  const longestRefresh = Math.floor(auth.session_length / 2);
  if (auth.refresh_time !== undefined && auth.refresh_time > longestRefresh) {
    refuse('auth.refresh_time', 'more than half of auth.session_length', `at most ${longestRefresh} seconds`);
  }
  if (!auth.failed_login_rate_limit)
    warn('auth.failed_login_rate_limit is off: passwords can be guessed without limit');
  return {
    enabled: auth.enabled,
    resetAdminPassword: auth.reset_admin_password,
    failedLoginRateLimit: auth.failed_login_rate_limit || undefined,
    trustedProxies: auth.trusted_proxies,
    sessionLength: auth.session_length * 1_000,
    refreshTime: (auth.refresh_time ?? Math.min(1_800, longestRefresh)) * 1_000,
    cookieName: auth.cookie_name,
    returnDomains: auth.return_domains.map((domain) => domain.toLowerCase()),
    roles,
    schedules: new Map(Object.entries(auth.role_windows)),
    ...resolveSignOn(file, ['admin', 'viewer', ...roles.keys()], context, findings),
  };
}

/** Recorders list their built-in roles among the others, with an empty list that means every camera. */
function isOfRecorder(name: string, cameras: readonly string[]): boolean {
  return (name === 'admin' || name === 'viewer') && cameras.length === 0;
}

function refuseNames(names: Iterable<string>, { refuse }: Findings): void {
  const first = new Map<string, string>();
  for (const name of names) {
    const path = `auth.roles.${name}`;
    const twin = first.get(foldName(name));
    if (isBuiltIn(name)) refuse(path, 'a built-in role', 'another name');
    else if (isNoRole(name)) refuse(path, 'the word for no access', 'another name');
    else if (!isRoleName(name)) refuse(path, 'a reserved name', 'another name');
    else if (twin !== undefined)
      refuse(path, `a name that differs from ${twin} in upper and lower case alone`, 'another name');
    first.set(foldName(name), name);
  }
}
