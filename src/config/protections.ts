import { isIPv4 } from 'node:net';
import { bitsOfIPv6 } from './host-bits.ts';
import { isNoRole } from '../policy/names.ts';
import { listenerKeys } from './changes.ts';
import type { Configuration } from './configuration.ts';
import { isLoopback } from './listen.ts';
import { everyonesGroups, publicMailDomains, sharedDomains } from './open-to-everyone.ts';
import type { ConfigurationFile } from './schema.ts';

/** A configuration whose own warnings are not collected yet. */
export type Resolved = Omit<Configuration, 'warnings' | 'exposures'>;

interface Protection {
  /** The values that switch the protection off; for docs/configuration.md. */
  readonly values: string;
  /** @returns a warning with the consequence; undefined while the protection is on */
  readonly lack: (configuration: Resolved, file: ConfigurationFile) => string | undefined;
}

const hour = 3_600_000;
const year = 366 * 24 * hour;

/**
 * Every value of config.yml that is valid and switches a protection off, by its key. The log, `config check`, Home and the doctor show
 * each warning. Keys that only say what Postern offers, such as `features` or `networking.listen.metrics`, are none.
 */
export const protections = {
  'auth.enabled': {
    values: '`false`, without headers in `proxy.header_map` and with a `proxy.default_role`',
    lack: ({ auth, proxy, listen }) => {
      const { userHeader, roleHeader, authSecret, defaultRole } = proxy;
      const ways = waysPastProxy(listen);
      const isOpen = !auth.enabled && authSecret === undefined && (userHeader ?? roleHeader) === undefined;
      if (!isOpen || defaultRole === undefined || isNoRole(defaultRole) || ways === '') return undefined;
      return `auth.enabled is false and proxy.header_map is empty: everyone who reaches ${ways} is ${defaultRole}, without signing in`;
    },
  },
  'auth.failed_login_rate_limit': {
    values: 'empty, or more than 1,000 guesses an hour',
    lack: ({ auth: { failedLoginRateLimit: limit } }) => {
      if (limit === undefined)
        return 'auth.failed_login_rate_limit is off: passwords can be guessed without limit';
      const guesses = guessesPerHour(limit);
      if (guesses <= 1_000) return undefined;
      return `auth.failed_login_rate_limit allows ${guesses} guesses of a password an hour from each address: add a rule such as 20/hour`;
    },
  },
  'auth.trusted_proxies': {
    values: 'a network wider than /8, or /32 with IPv6, or several that are together wider than /7',
    lack: ({ auth }) =>
      wideOf(
        'auth.trusted_proxies',
        auth.trustedProxies,
        'every client there gets past auth.failed_login_rate_limit and limits.connections_per_client by writing another address into ' +
          'X-Forwarded-For. Write the addresses of your proxies',
      ),
  },
  'auth.session_length': {
    values: 'more than a year',
    lack: ({ auth }) =>
      auth.sessionLength <= year
        ? undefined
        : 'auth.session_length is more than a year: a stolen session cookie stays valid until someone ends the session',
  },
  'auth.reset_admin_password': {
    values: '`true`',
    lack: ({ auth }) =>
      !(auth.enabled && auth.resetAdminPassword)
        ? undefined
        : 'auth.reset_admin_password is true: each start writes a password of admin to the log. Remove the key once you have signed in',
  },
  'auth.return_domains': {
    values: 'a domain below which anyone can get a name, such as `duckdns.org`',
    lack: ({ auth }) => {
      const shared = auth.returnDomains.filter((domain) => sharedDomains.has(domain));
      if (shared.length === 0) return undefined;
      return `auth.return_domains has ${shared.join(', ')}, below which anyone can get a name: signing in may lead to their pages. Write your own name there`;
    },
  },
  'auth.oidc.default_role': {
    values: '`admin`',
    lack: ({ auth: { oidc } }) =>
      oidc?.defaultRole !== 'admin'
        ? undefined
        : 'auth.oidc.default_role is admin: everyone who may sign in and has no group of another role is admin',
  },
  'auth.oidc.role_map': {
    values: 'for `admin`, a group that everyone has, such as `everyone`',
    lack: ({ auth: { oidc } }) => groupsOfEveryone('auth.oidc.role_map.admin', oidc?.roleMap),
  },
  'auth.oidc.allowed_emails': {
    values: 'a public mail domain such as `@gmail.com`, with a `default_role`',
    lack: ({ auth: { oidc } }) => {
      const { allowedEmails = [], defaultRole } = oidc ?? {};
      const open = allowedEmails.filter((address) => publicMailDomains.has(address));
      if (open.length === 0 || defaultRole === undefined || isNoRole(defaultRole)) return undefined;
      return `auth.oidc.allowed_emails has ${open.join(', ')}, where anyone can get an address: whoever the provider knows by one is ${defaultRole}. Write whole addresses`;
    },
  },
  'proxy.auth_secret': {
    values: 'none, with `auth.enabled: false` and a header in `proxy.header_map`',
    lack: (configuration, file) =>
      file.proxy.auth_secret === undefined ? unprovenProxy(configuration) : undefined,
  },
  'proxy.default_role': {
    values: '`admin`, with `auth.enabled: false`',
    lack: ({ auth, proxy }) =>
      auth.enabled || proxy.defaultRole !== 'admin'
        ? undefined
        : 'proxy.default_role is admin: everyone whom the proxy lets pass and who has no group of another role is admin',
  },
  'proxy.role_map': {
    values: 'for `admin`, a group that everyone has, with `auth.enabled: false`',
    lack: ({ auth, proxy }) =>
      auth.enabled ? undefined : groupsOfEveryone('proxy.role_map.admin', proxy.roleMap),
  },
  'networking.listen.internal': {
    values: 'an address that other machines reach',
    lack: ({ listen: { internal } }) =>
      internal === undefined || isLoopback(internal)
        ? undefined
        : 'networking.listen.internal is reachable from other machines: everyone who reaches it is admin',
  },
  'fronts.trusted': {
    values: 'a network wider than /8, or /32 with IPv6, or several that are together wider than /7',
    lack: ({ fronts }) =>
      wideOf(
        'fronts.trusted',
        fronts.trusted,
        'every machine there may act as a front, and give any address as its client. Write the addresses of your fronts',
      ),
  },
  'tls.enabled': {
    values: '`false`, while other machines reach `networking.listen.authenticated`',
    lack: ({ auth, tls, listen: { authenticated } }) => {
      if (!auth.enabled || tls.enabled || authenticated === undefined || isLoopback(authenticated))
        return undefined;
      return (
        `tls.enabled is false, and other machines reach ${listenerKeys.authenticated}: passwords and session cookies cross the ` +
        'network in plain HTTP. Remove the key, or let Postern listen only on loopback, behind a proxy that speaks TLS'
      );
    },
  },
  'access.rules': {
    values:
      '`require: any` for all paths, or all below `/api`, `/vod`, `/live`, `/recordings`, `/clips` or `/exports`',
    lack: ({ accessRules }) => {
      const open = accessRules.filter(({ level, path }) => level === 'any' && everyPath.test(path));
      if (open.length === 0) return undefined;
      return `access.rules has ${open.map(({ path }) => path).join(', ')} with require: any: roles that are limited to cameras reach every camera there`;
    },
  },
  'limits.connections_per_client': {
    values: 'more than 8,192',
    lack: ({ limits }) =>
      limits.connectionsPerClient <= 8_192
        ? undefined
        : `limits.connections_per_client is ${limits.connectionsPerClient}: one client can take the connections of all others`,
  },
  'limits.header_timeout': slow('header_timeout', ({ headerTimeout }) => headerTimeout),
  'limits.body_timeout': slow('body_timeout', ({ bodyTimeout }) => bodyTimeout),
  'limits.write_timeout': slow('write_timeout', ({ writeTimeout }) => writeTimeout),
  'shares.longest': {
    values: 'more than a year',
    lack: ({ shares }) =>
      shares.longest <= year
        ? undefined
        : 'shares.longest is more than a year: whoever finds the link of a share can use it for as long',
  },
  'audit.keep_days': {
    values: '`0`',
    lack: ({ audit }) =>
      audit.keepDays > 0
        ? undefined
        : 'audit.keep_days is 0: only the log tells who signed in and who changed something',
  },
} as const satisfies Readonly<Record<string, Protection>>;

/** @returns a warning for each protection that is off, in the order of the table */
export function exposuresOf(configuration: Resolved, file: ConfigurationFile): readonly string[] {
  return Object.values<Protection>(protections).flatMap(({ lack }) => lack(configuration, file) ?? []);
}

function slow(key: string, timeOf: (limits: Configuration['limits']) => number): Protection {
  return {
    values: 'more than an hour',
    lack: ({ limits }) =>
      timeOf(limits) <= hour
        ? undefined
        : `limits.${key} is more than an hour: slow clients keep their connections, and a few of them can take all`,
  };
}

/** Guesses that all rules together allow in an hour. @param rules as `5/minute;20/hour` */
function guessesPerHour(rules: string): number {
  const windows: Readonly<Record<string, number>> = { second: 3_600, minute: 60, hour: 1 };
  return Math.min(
    ...rules.split(';').map((rule) => {
      const [count, unit = ''] = rule.trim().split('/');
      return Number(count) * (windows[unit] ?? 1);
    }),
  );
}

function wideOf(key: string, networks: readonly string[], consequence: string): string | undefined {
  const wide = networks.filter(isWide);
  if (wide.length > 0) return `${key} trusts ${wide.join(', ')}: ${consequence}`;
  return areWideTogether(networks)
    ? `${key} trusts ${networks.length} networks that are together wider than /7: ${consequence}`
    : undefined;
}

/** Whether IPv4 networks have more addresses than two of /8, which is more than all private networks. */
export function areWideTogether(networks: readonly string[]): boolean {
  const sizes = [...new Set(networks)].map((network) => {
    const [address = '', prefix = '32'] = network.split('/');
    return isIPv4(address) ? 2 ** -Number(prefix) : 0;
  });
  return sizes.reduce((sum, size) => sum + size, 0) > 2 ** -7;
}

/** Whether a network has more addresses than a household or a provider: wider than /8, or /32 with IPv6. */
export function isWide(network: string): boolean {
  const [address = '', prefix] = network.split('/');
  if (prefix === undefined) return false;
  if (isIPv4(address)) return Number(prefix) < 8;
  const hostBits = BigInt(128 - Math.min(Number(prefix), 96));
  const hasIPv4 = bitsOfIPv6(address) >> hostBits === mappedIPv4 >> hostBits;
  return Number(prefix) < 32 || (hasIPv4 && Number(prefix) < 96 + 8);
}

/** The first of the addresses that are IPv4 addresses, written as IPv6: `::ffff:0.0.0.0`. */
const mappedIPv4 = 0xffff_0000_0000n;

const everyPath = /^\/(?:(?:api|vod|live|recordings|clips|exports)\/)?\*\*$/;

function groupsOfEveryone(
  key: string,
  roleMap: ReadonlyMap<string, ReadonlySet<string>> | undefined,
): string | undefined {
  const open = [...(roleMap?.get('admin') ?? [])].filter((group) => everyonesGroups.has(group.toLowerCase()));
  return open.length === 0
    ? undefined
    : `${key} has ${open.join(', ')}, a group that sign-on products give to everyone: all of them are admin`;
}

/** @returns the listeners at which someone can get past the proxy; empty when there is none */
function waysPastProxy({
  authenticated,
  forwardAuthAuthenticated,
  relayAuthenticated,
}: Configuration['listen']): string {
  return [
    ...(authenticated === undefined || isLoopback(authenticated) ? [] : [listenerKeys.authenticated]),
    ...(forwardAuthAuthenticated === undefined ? [] : ['a front of networking.forward_auth.authenticated']),
    ...(relayAuthenticated === undefined ? [] : ['a front of networking.relay.authenticated']),
  ].join(' or ');
}

/**
 * Headers of an upstream proxy are trusted without a secret: a client that bypasses the proxy can send them too. A client-facing
 * listener on loopback is for a proxy on this machine; who reaches a front cannot be known here.
 */
function unprovenProxy({ auth, proxy, listen }: Resolved): string | undefined {
  const { userHeader, roleHeader } = proxy;
  const ways = waysPastProxy(listen);
  if (auth.enabled || (userHeader ?? roleHeader) === undefined || ways === '') return undefined;
  const claims = [
    ...(userHeader === undefined ? [] : [`any user by ${userHeader}`]),
    ...(roleHeader === undefined ? [] : [`admin by ${roleHeader}`]),
  ];
  return (
    `auth.enabled is false and proxy.auth_secret is not set: anyone who reaches ${ways} past the proxy is ` +
    `${claims.join(', ')}. Set proxy.auth_secret, and let the proxy send it in X-Proxy-Secret`
  );
}
