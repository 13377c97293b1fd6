import * as v from 'valibot';
import type { Configuration } from './configuration.ts';
import { isLoopback, parseListenAddress, type ListenAddress } from './listen.ts';
import { ConfigurationError, typeOf, type Problem } from './problem.ts';
import { withoutRecorderKeys } from './recorder-keys.ts';
import { configurationSchema, type ConfigurationFile } from './schema.ts';
import { trustedHeaderLine } from './trusted-headers-file.ts';

export interface ResolveContext {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Lower-case. */
  readonly trustedHeaders: ReadonlySet<string>;
  readonly trustedHeadersFile: string;
  /** Path of the database that comes with the program. */
  readonly sampleDatabase: string;
}

/**
 * Turns the document of config.yml into a Configuration.
 * @throws ConfigurationError with every problem: those of single values, or when there are none those
 * of values that do not fit together
 */
export function resolveConfiguration(document: unknown, context: ResolveContext): Configuration {
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new ConfigurationError([{ path: 'config.yml', found: typeOf(document), allowed: 'a map' }]);
  }
  const known = withoutRecorderKeys(document as Record<string, unknown>);
  const parsed = v.safeParse(configurationSchema, known.document);
  if (!parsed.success) throw new ConfigurationError(parsed.issues.map(problemOf));
  return combine(parsed.output, context, known.warnings);
}

function problemOf(issue: v.BaseIssue<unknown>): Problem {
  const path = issue.path?.map(({ key }) => String(key)).join('.') ?? 'config.yml';
  const isUnknownKey = issue.type === 'strict_object' && issue.expected === 'never';
  if (isUnknownKey)
    return { path, found: 'an unknown key', allowed: 'only a key that docs/configuration.md lists' };
  return { path, found: typeOf(issue.input), allowed: issue.message };
}

/** What is found while single values are fitted together. */
interface Findings {
  readonly refuse: (path: string, found: string, allowed: string) => void;
  readonly warn: (warning: string) => void;
}

function combine(
  file: ConfigurationFile,
  context: ResolveContext,
  recorderWarnings: readonly string[],
): Configuration {
  const problems: Problem[] = [];
  const warnings = [...recorderWarnings];
  const findings: Findings = {
    refuse: (path, found, allowed) => problems.push({ path, found, allowed }),
    warn: (warning) => warnings.push(warning),
  };
  const cameras = cameraNames(file.cameras);
  const auth = resolveAuth(file, cameras, findings);
  const configuration: Configuration = {
    auth,
    proxy: resolveProxy(file, [...builtInRoles, ...auth.roles.keys()], context, findings),
    listen: resolveListeners(file, findings),
    tls: { enabled: file.tls.enabled, files: resolveTlsFiles(file, findings) },
    cameras,
    upstream: file.upstream === undefined ? undefined : new URL(file.upstream).origin,
    eventsDatabase: file.events.database ?? context.sampleDatabase,
    logoutUrl: onlyPlace('logout_url', file.logout_url, 'proxy.logout_url', file.proxy.logout_url, findings),
    warnings,
  };
  if (problems.length > 0) throw new ConfigurationError(problems);
  return configuration;
}

const builtInRoles = ['admin', 'viewer'];

function resolveAuth(
  { auth }: ConfigurationFile,
  cameras: readonly string[] | undefined,
  { refuse, warn }: Findings,
): Configuration['auth'] {
  const roles = new Map(Object.entries(auth.roles).map(([name, granted]) => [name, new Set(granted)]));
  const known = cameras === undefined ? undefined : new Set(cameras);
  for (const [name, granted] of roles) {
    if (builtInRoles.includes(name)) refuse(`auth.roles.${name}`, 'a built-in role', 'another name');
    for (const camera of known === undefined ? [] : granted.difference(known)) {
      refuse(
        `auth.roles.${name}`,
        `the unknown camera ${JSON.stringify(camera)}`,
        `one of ${cameras?.join(', ')}`,
      );
    }
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
    sessionLength: auth.session_length,
    refreshTime: auth.refresh_time ?? Math.min(1_800, longestRefresh),
    cookieName: auth.cookie_name,
    roles,
  };
}

function resolveProxy(
  { auth, proxy }: ConfigurationFile,
  roles: readonly string[],
  context: ResolveContext,
  findings: Findings,
): Configuration['proxy'] {
  const { refuse, warn } = findings;
  const { user, role, role_map: roleMapInside } = proxy.header_map;
  const roleMap = onlyPlace(
    'proxy.role_map',
    proxy.role_map,
    'proxy.header_map.role_map',
    roleMapInside,
    findings,
  );
  for (const name of Object.keys(roleMap ?? {})) {
    if (!roles.includes(name))
      refuse(`proxy.role_map.${name}`, 'a role that is not defined', roles.join(', '));
  }
  if (proxy.default_role !== undefined && !roles.includes(proxy.default_role)) {
    warn('proxy.default_role names no role: users for whom no role maps are refused');
  }
  if (!auth.enabled && user === undefined) {
    warn('auth.enabled is false and proxy.header_map.user is not set: every user is called viewer');
  }
  const requireTrusted = (path: string, header: string) => {
    if (context.trustedHeaders.has(header.toLowerCase())) return;
    const line = trustedHeaderLine(header);
    refuse(
      path,
      `the header ${header}, which is not trusted`,
      `a header of ${context.trustedHeadersFile}; to trust this one, add the line "${line}"`,
    );
  };
  if (user !== undefined) requireTrusted('proxy.header_map.user', user);
  if (role !== undefined) requireTrusted('proxy.header_map.role', role);
  if (proxy.auth_secret !== undefined) requireTrusted('proxy.auth_secret', 'X-Proxy-Secret');
  return {
    authSecret:
      proxy.auth_secret === undefined ? undefined : expandSecret(proxy.auth_secret, context, findings),
    userHeader: user?.toLowerCase(),
    roleHeader: role?.toLowerCase(),
    separator: proxy.separator,
    defaultRole: proxy.default_role,
    roleMap: roleMap && new Map(Object.entries(roleMap).map(([name, groups]) => [name, new Set(groups)])),
    trustedHeaders: context.trustedHeaders,
  };
}

function resolveListeners(
  { networking: { listen, forward_auth: forwardAuth }, events }: ConfigurationFile,
  { refuse, warn }: Findings,
): Configuration['listen'] {
  const read = (path: string, value: string | number | undefined): ListenAddress | undefined => {
    if (value === undefined || value === 'off') return undefined;
    const address = parseListenAddress(value);
    if (address === undefined) refuse(path, 'text', 'unix:/path, host:port, a port, or off');
    return address;
  };
  const listeners = {
    authenticated: read('networking.listen.authenticated', listen.authenticated),
    internal: read('networking.listen.internal', listen.internal),
    forwardAuthAuthenticated: read('networking.forward_auth.authenticated', forwardAuth.authenticated),
    forwardAuthInternal: read('networking.forward_auth.internal', forwardAuth.internal),
    events: read('events.listen', events.listen),
  };
  if (listeners.events !== undefined && !isLoopback(listeners.events)) {
    refuse(
      'events.listen',
      'an address that other machines can reach',
      'a Unix socket or a loopback address',
    );
  }
  if (listeners.internal !== undefined && !isLoopback(listeners.internal)) {
    warn('networking.listen.internal is reachable from other machines: everybody who reaches it is admin');
  }
  return listeners;
}

function resolveTlsFiles({ tls }: ConfigurationFile, { refuse }: Findings): Configuration['tls']['files'] {
  const { certificate, key } = tls;
  if (certificate !== undefined && key !== undefined) return { certificate, key };
  if (certificate !== undefined) refuse('tls.key', 'nothing', 'the key of tls.certificate');
  if (key !== undefined) refuse('tls.certificate', 'nothing', 'the certificate of tls.key');
  return undefined;
}

function cameraNames(cameras: ConfigurationFile['cameras']): readonly string[] | undefined {
  if (cameras === undefined || cameras === null) return undefined;
  return Array.isArray(cameras) ? cameras : Object.keys(cameras);
}

function onlyPlace<T>(
  path: string,
  value: T | undefined,
  otherPath: string,
  other: T | undefined,
  { refuse }: Findings,
): T | undefined {
  if (value !== undefined && other !== undefined) {
    refuse(otherPath, `a second ${path}`, 'one of the two places');
  }
  return value ?? other;
}

function expandSecret(secret: string, { environment }: ResolveContext, { refuse }: Findings): string {
  const expanded = secret.replace(/\{(SERVICE_[A-Za-z0-9_]*)\}/g, (_, name: string) => {
    const value = environment[name];
    if (value === undefined) {
      refuse('proxy.auth_secret', `{${name}}`, 'the name of an environment variable that is set');
    }
    return value ?? '';
  });
  if (expanded.trim() === '') {
    refuse('proxy.auth_secret', 'an empty secret', 'a secret, or no such key');
  }
  return expanded;
}
