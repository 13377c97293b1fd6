import { camerasByRole } from '../policy/role-access.ts';
import * as v from 'valibot';
import type { Configuration } from './configuration.ts';
import { expandSecret, type SecretsContext } from './environment.ts';
import { featureNames, featureNeeds, type Features } from '../policy/features.ts';
import { warnOfHostBits } from './host-bits.ts';
import { ConfigurationError, typeOf, type Findings, type Problem } from './problem.ts';
import { withoutRecorderKeys } from './recorder-keys.ts';
import { resolveAuth, mayBeInStore } from './resolve-auth.ts';
import { resolveNotifications } from './resolve-notifications.ts';
import { resolveListeners } from './resolve-listeners.ts';
import { exposuresOf, type Resolved } from './protections.ts';
import { resolveRecorder } from './resolve-recorder.ts';
import { resolveStore } from './resolve-store.ts';
import { configurationSchema, type ConfigurationFile } from './schema.ts';
import { misspeltSections, withoutRetiredSections, leaveOut, tidySections } from './sections.ts';
import { resolveTimeZone } from './time-zone.ts';
import { trustedHeaderLine } from './trusted-headers-file.ts';
import { isPlainObject } from '../policy/json.ts';
import { isNoRole } from '../policy/names.ts';
import { describeUnknownKey, describeWrongValue } from './wrong-value.ts';
import { millisecondsOf } from './values.ts';

export interface ResolveContext extends SecretsContext {
  /** Lower-case; undefined when the file could not be read, which is reported separately. */
  readonly trustedHeaders: ReadonlySet<string> | undefined;
  readonly trustedHeadersFile: string;
  /** As in `ConfigurationDocument`: JavaScript objects put names that look like numbers first. */
  readonly roleOrder?: readonly string[];
}

/**
 * Turns the document of config.yml into a Configuration.
 * @throws ConfigurationError with every problem: unknown keys, wrong values, and values that do not fit together
 */
export function resolveConfiguration(document: unknown, given: ResolveContext): Configuration {
  if (!isPlainObject(document)) {
    throw new ConfigurationError([{ path: 'config.yml', found: typeOf(document), allowed: 'a map' }]);
  }
  const context = { ...given, environment: { ...given.environment, ...recorderVariables(document) } };
  const current = withoutRetiredSections(document);
  const known = withoutRecorderKeys(current.document);
  const tidied = tidySections(known.document);
  const values = readValues(tidied.document);
  const problems = [
    ...current.problems,
    ...misspeltSections(current.document),
    ...tidied.problems,
    ...closingKeysWithoutValue(known.document),
    ...values.problems,
  ];
  const warnings = [...current.warnings, ...known.warnings];
  const isLeftOut = (path: string) => values.leftOut.includes(path);
  const isConsequence = (path: string) =>
    isLeftOut(path) || values.leftOut.some((place) => sharesTls(path, place));
  const configuration = combine(values.file, context, {
    refuse: (path, found, allowed) => {
      if (!isConsequence(path)) problems.push({ path, found, allowed });
    },
    warn: (warning) => warnings.push(warning),
    isLeftOut,
  });
  if (problems.length > 0) throw new ConfigurationError(problems);
  const exposures = exposuresOf(configuration, values.file);
  return { ...configuration, warnings: [...warnings, ...exposures], exposures };
}

/** Keys that restrict access. One without a value is a mistake of the program that wrote the file, such as a variable that was not set. */
export const closingKeys = [
  ['proxy', 'auth_secret'],
  ['fronts', 'secret'],
  ['auth', 'oidc', 'allowed_emails'],
  ['auth', 'oidc', 'role_map'],
  ['auth', 'second_factor', 'required_for'],
] as const;

function closingKeysWithoutValue(document: Record<string, unknown>): readonly Problem[] {
  const isEmpty = (path: readonly string[]) =>
    path.reduce<unknown>((value, key) => (isPlainObject(value) ? value[key] : undefined), document) === null;
  return closingKeys.filter(isEmpty).map((path) => ({
    path: path.join('.'),
    found: 'no value',
    allowed: 'a value, quoted where it begins with #, or no such key',
  }));
}

/** A recorder replaces `{FRIGATE_NAME}` by these before its environment. */
function recorderVariables({ environment_vars: variables }: Record<string, unknown>): Record<string, string> {
  if (!isPlainObject(variables)) return {};
  return Object.fromEntries(
    Object.entries(variables).filter(
      (entry): entry is [string, string] => entry[0].startsWith('FRIGATE_') && typeof entry[1] === 'string',
    ),
  );
}

/** When the key is wrong, the certificate's missing pair is not reported as a second problem. */
function sharesTls(path: string, place: string): boolean {
  return path.startsWith('tls.') && place.startsWith('tls.');
}

/** Reads every value; wrong ones are left out, so that the others can still be checked against each other. */
function readValues(document: Record<string, unknown>): {
  readonly file: ConfigurationFile;
  readonly problems: readonly Problem[];
  readonly leftOut: readonly string[];
} {
  const problems: Problem[] = [];
  const leftOut: string[] = [];
  for (;;) {
    const parsed = v.safeParse(configurationSchema, document);
    if (parsed.success) return { file: parsed.output, problems, leftOut };
    for (const issue of parsed.issues) {
      const path = (issue.path ?? []).map(({ key }) => String(key));
      const isUnknownKey = issue.type === 'strict_object' && issue.expected === 'never';
      const wrong = isUnknownKey ? describeUnknownKey(path, issue.message) : describeWrongValue(issue);
      problems.push({ path: path.join('.'), ...wrong });
      leftOut.push(leaveOut(document, path));
    }
  }
}

function combine(file: ConfigurationFile, context: ResolveContext, findings: Findings): Resolved {
  const cameras = cameraNames(file.cameras);
  const auth = resolveAuth(file, cameras, context, findings);
  const proxy = resolveProxy(file, [...auth.roles.keys()], context, findings);
  const listen = resolveListeners(file, findings);
  const tls = { enabled: file.tls.enabled, files: resolveTlsFiles(file, findings) };
  return {
    auth,
    proxy,
    listen,
    internalHosts: new Set(file.networking.internal_hosts.map((host) => host.toLowerCase())),
    fronts: resolveFronts(file, context, findings),
    tls,
    cameras,
    streams: streamsOf(file.cameras),
    accessRules: file.access.rules,
    ...resolveRecorder(file, { listen, customRoles: camerasByRole(auth.roles) }, context, findings),
    limits: limitsOf(file),
    store: resolveStore(file, context, findings),
    features: resolveFeatures(file, findings),
    shares: {
      enabled: file.shares.enabled,
      longest: millisecondsOf(file.shares.longest),
      mostPerUser: file.shares.most_per_user,
    },
    audit: {
      keepDays: file.audit.keep_days,
      keepRefusals: file.audit.keep_refusals,
      viewing: file.audit.viewing,
    },
    notifications: resolveNotifications(file, context, findings),
    basePath: file.base_path,
    publicUrl: file.public_url,
    timezone: resolveTimeZone(file.timezone ?? undefined, context.environment, findings),
    frameAncestors: file.frame_ancestors ?? [],
    ui: {
      name: file.ui.name ?? undefined,
      logo: file.ui.logo ?? undefined,
      accent: file.ui.accent ?? undefined,
      landing: file.ui.landing,
    },
    contact: file.contact,
    shutdownTimeout: file.shutdown_timeout * 1_000,
    shutdownDelay: file.shutdown_delay * 1_000,
    eventsDatabase: file.events.database,
    logoutUrl: onlyPlace(
      ['logout_url', file.logout_url ?? undefined],
      ['proxy.logout_url', file.proxy.logout_url ?? undefined],
      findings,
    ),
  };
}

function resolveProxy(
  { auth, proxy, store }: ConfigurationFile,
  roles: readonly string[],
  context: ResolveContext,
  findings: Findings,
): Configuration['proxy'] {
  const { refuse, warn } = findings;
  const { user, role, role_map: roleMapInside } = proxy.header_map;
  const roleMap = onlyPlace(
    ['proxy.role_map', filled(proxy.role_map)],
    ['proxy.header_map.role_map', filled(roleMapInside)],
    findings,
  );
  // The roles of a shared store are not known yet.
  const isOfStore = (name: string) => store.url !== undefined && mayBeInStore(name, roles);
  const requireRole = (path: string, name: string) => {
    if (roles.includes(name) || isNoRole(name)) return;
    if (isOfStore(name))
      warn(`${path} counts once the role ${name} is made in the UI: auth.roles has none of this name`);
    else refuse(path, 'a role that is not defined', roles.join(', '));
  };
  for (const name of Object.keys(roleMap ?? {})) requireRole(`proxy.role_map.${name}`, name);
  const userMap = filled(proxy.user_map);
  for (const [name, mapped] of Object.entries(userMap ?? {})) requireRole(`proxy.user_map.${name}`, mapped);
  if (userMap !== undefined && user === undefined)
    refuse('proxy.header_map.user', 'nothing', 'the header whose values proxy.user_map names');
  const byDefault = proxy.default_role ?? undefined;
  const givesRole = byDefault !== undefined && !isNoRole(byDefault);
  if (givesRole && !roles.includes(byDefault) && !isOfStore(byDefault)) {
    warn('proxy.default_role names no role: users for whom no role maps are refused');
  }
  if (!auth.enabled && user === undefined) {
    warn('auth.enabled is false and proxy.header_map.user is not set: every user is called viewer');
  }
  const requireTrusted = (path: string, header: string) => {
    if (context.trustedHeaders?.has(header.toLowerCase()) ?? true) return;
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
      proxy.auth_secret === undefined
        ? undefined
        : expandSecret('proxy.auth_secret', proxy.auth_secret, context, findings),
    userHeader: user?.toLowerCase(),
    roleHeader: role?.toLowerCase(),
    // A recorder treats null as Python's white space.
    separator: proxy.separator ?? ' ',
    defaultRole: byDefault,
    roleMap: roleMap && new Map(Object.entries(roleMap).map(([name, groups]) => [name, new Set(groups)])),
    userMap: userMap && new Map(Object.entries(userMap)),
    trustedHeaders: context.trustedHeaders ?? new Set(),
  };
}

/** Recorders treat an empty map as absent: the role header then contains names of roles. */
function filled<T extends object>(map: T | null | undefined): T | undefined {
  return map && Object.keys(map).length > 0 ? map : undefined;
}

function resolveFronts(
  { fronts }: ConfigurationFile,
  context: ResolveContext,
  findings: Findings,
): Configuration['fronts'] {
  const { trusted, secret } = fronts;
  warnOfHostBits('fronts.trusted', trusted, findings);
  return {
    trusted,
    secret: secret === undefined ? undefined : frontSecret(secret, context, findings),
  };
}

function resolveFeatures({ features }: ConfigurationFile, { refuse }: Findings): Features {
  for (const [name, needed] of featureNeeds)
    if (features[name] && !features[needed])
      refuse(`features.${name}`, `on, without features.${needed}`, `false, or features.${needed}: true`);
  return new Set(featureNames.filter((name) => features[name]));
}

function frontSecret(written: string, context: ResolveContext, findings: Findings): string | undefined {
  const secret = expandSecret('fronts.secret', written, context, findings);
  if (secret !== undefined && secret.trim() !== '' && secret.length < 16)
    findings.refuse('fronts.secret', 'a short secret', 'at least 16 characters');
  return secret;
}

function limitsOf({ limits }: ConfigurationFile): Configuration['limits'] {
  return {
    headerTimeout: limits.header_timeout * 1_000,
    bodyTimeout: limits.body_timeout * 1_000,
    writeTimeout: limits.write_timeout * 1_000,
    connectionsPerClient: limits.connections_per_client,
    upstreamConnections: limits.upstream_connections,
  };
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

/** @returns cameras by stream */
function streamsOf(cameras: ConfigurationFile['cameras']): ReadonlyMap<string, readonly string[]> {
  const streams = new Map<string, readonly string[]>();
  for (const [camera, value] of isPlainObject(cameras) ? Object.entries(cameras) : []) {
    const listed =
      isPlainObject(value) && isPlainObject(value['live']) ? value['live']['streams'] : undefined;
    for (const stream of isPlainObject(listed) ? Object.values(listed) : []) {
      if (typeof stream !== 'string') continue;
      streams.set(stream, [...new Set([...(streams.get(stream) ?? []), camera])]);
    }
  }
  return streams;
}

/** @returns the value of the one place that has it; a value in both is refused */
function onlyPlace<T>(
  [path, value]: readonly [path: string, value: T | undefined],
  [otherPath, other]: readonly [path: string, value: T | undefined],
  { refuse }: Findings,
): T | undefined {
  if (value !== undefined && other !== undefined) {
    refuse(otherPath, `a second ${path}`, 'one of the two places');
  }
  return value ?? other;
}
