import { isDeepStrictEqual } from 'node:util';
import * as v from 'valibot';
import { parseConfigurationDocument } from '../config/document.ts';
import type { Environment } from '../config/environment.ts';
import { schemaName } from '../config/own-files.ts';
import { ConfigurationError, type Problem } from '../config/problem.ts';
import { resolveConfiguration } from '../config/resolve.ts';
import type { Configuration } from '../config/configuration.ts';
import { auth as authSchemas } from '../config/sign-in-sections.ts';
import { trustedHeaderLine } from '../config/trusted-headers-file.ts';
import { isPlainObject } from '../policy/json.ts';
import { isOn, type FrigateFile } from './frigate-file.ts';
import { contentOf, editSections, valueAt, type Edit } from './section-edits.ts';

/** A key that config.yml of Postern gets. */
export interface Wanted extends Edit {
  /** A value that is there already stays; `refuse`: it must be the same, since it decides who sees what. */
  readonly other: 'kept' | 'refused';
}

/** Facts that only the machine has, besides Frigate's file. */
export interface Around {
  /** URL at which Postern reaches Frigate. */
  readonly upstream: string;
  /** Path of Frigate's database, as Postern sees it. */
  readonly database: string;
  /** Time zone of the machine; undefined when it has none of its own. */
  readonly timeZone: string | undefined;
  readonly secret: string;
}

/** Keys of `auth` and `proxy` that mean the same to both. */
export const authKeys = [
  'session_length',
  'refresh_time',
  'failed_login_rate_limit',
  'trusted_proxies',
] as const;
const proxyKeys = [
  'auth_secret',
  'header_map',
  'role_map',
  'separator',
  'default_role',
  'logout_url',
] as const;

/**
 * @param before Frigate's file as it was before Postern
 * @param now the same file as it is; roles may have been added since
 */
export function wantedKeys(before: FrigateFile, now: FrigateFile, around: Around): readonly Wanted[] {
  const { auth } = before;
  const proxy = proxyOf(before);
  const set = (path: Wanted['path'], value: unknown, other: Wanted['other'] = 'kept'): Wanted[] =>
    value === undefined || value === null ? [] : [{ path, value, other }];
  return [
    ...set(['upstream'], around.upstream),
    ...set(['recorder', 'auth_secret'], around.secret),
    ...set(['events', 'database'], around.database, 'refused'),
    ...(before.signIn === 'proxy' ? set(['auth', 'enabled'], false) : []),
    ...set(['auth', 'cookie_name'], auth['cookie_name'] ?? 'frigate_token'),
    ...authKeys.flatMap((key) => (v.is(authSchemas[key], auth[key]) ? set(['auth', key], auth[key]) : [])),
    ...[...now.roles].flatMap(([role, cameras]) => set(['auth', 'roles', role], [...cameras], 'refused')),
    ...[...now.groups].flatMap(([group, cameras]) => set(['auth', 'camera_groups', group], [...cameras])),
    ...proxyKeys.flatMap((key) => set(['proxy', key], withoutEmpty(proxy[key]), 'refused')),
    // Frigate makes everyone a viewer whose groups give no role.
    ...(before.signIn === 'proxy' && (proxy['default_role'] ?? undefined) === undefined
      ? set(['proxy', 'default_role'], 'viewer', 'refused')
      : []),
    ...variablesIn(before).flatMap((name) => set(['environment_vars', name], before.variables[name])),
    ...(before.hasTls ? [] : set(['tls', 'enabled'], false)),
    ...set(['timezone'], isZone(before.timeZone) ? before.timeZone : around.timeZone),
  ];
}

/** @returns notes about keys of Frigate that mean nothing to Postern, in whose place its defaults apply */
export function leftOut({ auth, timeZone }: FrigateFile): readonly string[] {
  const keys = authKeys.filter((key) => auth[key] !== undefined && !v.is(authSchemas[key], auth[key]));
  return [
    ...keys.map((key) => `auth.${key} has a value that Postern does not know, and gets Postern's default`),
    ...(timeZone === undefined || isZone(timeZone) ? [] : ['ui.timezone is no time zone, and is left out']),
  ];
}

function isZone(name: string | undefined): boolean {
  try {
    return (
      name !== undefined &&
      new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== ''
    );
  } catch {
    return false;
  }
}

/** As it is written, but for Frigate's own logout, which is Postern's too, and the secret `None` of its full example. */
function proxyOf({ proxy, signIn }: FrigateFile): FrigateFile['proxy'] {
  const { logout_url: logout } = proxy;
  const isOwnLogout = typeof logout === 'string' && /^\/(?:api\/)?logout\/?$/.test(logout);
  const isNoSecret = signIn !== 'proxy' && proxy['auth_secret'] === 'None';
  return { ...proxy, ...(isOwnLogout && { logout_url: null }), ...(isNoSecret && { auth_secret: null }) };
}

function withoutEmpty(value: unknown): unknown {
  if (!isPlainObject(value)) return value;
  const filled = Object.entries(value).filter(([, part]) => part !== null);
  return filled.length === 0 ? undefined : Object.fromEntries(filled);
}

/** Variables of Frigate that its proxy secret is made of: in its file, or in its environment. */
export function variablesIn({ proxy }: Pick<FrigateFile, 'proxy'>): readonly string[] {
  const secret = proxy['auth_secret'];
  if (typeof secret !== 'string') return [];
  return [...secret.matchAll(/\{(FRIGATE_[A-Za-z0-9_]*)\}/g)].map(([, name = '']) => name);
}

const heading = (directory: string) =>
  `# yaml-language-server: $schema=${schemaName}
# Made by "postern adopt ${directory}" from Frigate's config.yml. All keys: docs/configuration.md\n`;

export interface OwnChange {
  readonly text: string;
  /** Keys that have another value already, which stays. */
  readonly kept: readonly string[];
}

/**
 * @param text of Postern's config.yml; undefined if there is none
 * @param file its path, for messages
 * @throws ConfigurationError with every key that must not have its present value
 */
export function mergeOwn(
  text: string | undefined,
  file: string,
  wanted: readonly Wanted[],
  frigateDirectory: string,
): OwnChange {
  const content = contentOf(text ?? '');
  const has = ({ path }: Edit) => valueAt(content, path) ?? undefined;
  const missing = wanted.filter((key) => has(key) === undefined);
  const differing = wanted.filter((key) => has(key) !== undefined && !isSame(has(key), key.value));
  const problems = differing
    .filter(({ other }) => other === 'refused')
    .map(({ path }): Problem => ({
      path: `${file} ${path.join('.')}`,
      found: 'another value than Frigate has',
      allowed: "Frigate's value, or no such key",
    }));
  if (problems.length > 0) throw new ConfigurationError(problems);
  return {
    text: editSections(text ?? heading(oneLine(frigateDirectory)), missing),
    kept: differing.map(({ path }) => path.join('.')),
  };
}

/** Cameras in another order are the same. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return isDeepStrictEqual(new Set(one), new Set(other));
  return isDeepStrictEqual(one, other);
}

function oneLine(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, '?');
}

interface Reading {
  readonly environment: Environment;
  readonly trustedHeaders: ReadonlySet<string>;
  readonly trustedHeadersFile: string;
}

/** Reads a text as the start will. @throws ConfigurationError */
export function readOwn(text: string, file: string, reading: Reading): Configuration {
  const { document, roleOrder } = parseConfigurationDocument(text, file);
  return resolveConfiguration(document, { ...reading, roleOrder, missingSecrets: 'ignored' });
}

/** Reads the file that is there. @throws ConfigurationError that names the file, since Frigate has a config.yml too */
export function readPresent(text: string, file: string, reading: Reading): Configuration {
  try {
    return readOwn(text, file, reading);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    // A problem of the environment, such as TZ, is in no file.
    const placeOf = (path: string) => (/^[a-z]/.test(path) ? `${file} ${path}` : path);
    throw new ConfigurationError(
      error.problems.map(({ path, found, allowed }) => ({ path: placeOf(path), found, allowed })),
    );
  }
}

/** @returns headers of Frigate's `header_map` that Postern would not read; lower-case */
export function missingHeaders(
  { proxy }: Pick<FrigateFile, 'proxy'>,
  trusted: ReadonlySet<string>,
): readonly string[] {
  const map = proxy['header_map'];
  if (!isPlainObject(map)) return [];
  const named = [map['user'], map['role']].filter(
    (name): name is string => typeof name === 'string' && /^[A-Za-z0-9-]+$/.test(name),
  );
  return [...new Set(named.map((name) => name.toLowerCase()))].filter((name) => !trusted.has(name));
}

/** @param text of the list that is in use */
export function withHeaders(text: string, headers: readonly string[]): string {
  const lines = headers.map((header) => `${trustedHeaderLine(header)}\n`).join('');
  return `${text.trimEnd()}\n\n# Of Frigate's proxy.header_map:\n${lines}`;
}

/** The only headers that Frigate may believe: its own list lacks the role, and has those of other proxies. */
export const frigateHeaders = `# Made by "postern adopt": mount it in Frigate's container as /usr/local/nginx/conf/proxy_trusted_headers.conf
${['X-Proxy-Secret', 'Remote-User', 'Remote-Role'].map(trustedHeaderLine).join('\n')}
`;

/** Whether Postern's accounts are on where Frigate trusts a proxy, or off where Frigate has its own. */
export function signInDiffers({ signIn }: FrigateFile, text: string): boolean {
  if (signIn === 'postern') return false;
  return isOn(valueAt(contentOf(text), ['auth', 'enabled']), true) !== (signIn !== 'proxy');
}
