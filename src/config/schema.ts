import * as v from 'valibot';
import { accessRules } from './access-rules.ts';
import { recorder, upstream } from './recorder-section.ts';
import {
  basePath,
  cidr,
  count,
  described,
  domain,
  flag,
  forwardAuth,
  header,
  listen,
  logoutUrl,
  mapOf,
  mebibytes,
  names,
  roleName,
  seconds,
  text,
  wholeNumber,
} from './values.ts';

/**
 * Every key of config.yml that is Postern's: type, default, unit and meaning.
 * docs/configuration.md is generated from here. sections.ts refuses unknown keys inside these sections;
 * keys that an existing recorder knows and Postern does not need are listed in recorder-keys.ts.
 */

const roleMap = mapOf(
  v.string(),
  names('names of upstream groups'),
  'a map from role to a list of upstream groups',
);
const auth = {
  enabled: described(
    v.optional(flag, true),
    'Postern authenticates users by its own accounts. `false`: an upstream proxy does, and its headers are believed. Then set `proxy.auth_secret` too, or whoever reaches the authenticated edge past the proxy is whom they say, an admin too.',
  ),
  reset_admin_password: described(
    v.optional(flag, false),
    'Gives `admin` a new generated password at every start and prints it in the log. Each time the sessions and the API tokens of `admin` end.',
  ),
  failed_login_rate_limit: described(
    v.optional(
      v.nullable(
        v.pipe(
          v.string('rules such as 5/minute;20/hour'),
          v.regex(
            /^$|^\s*[1-9]\d*\/(second|minute|hour)\s*(;\s*[1-9]\d*\/(second|minute|hour)\s*)*$/,
            '<count>/<second|minute|hour>, several joined by semicolons',
          ),
        ),
      ),
      '5/minute;20/hour',
    ),
    'Failed logins that one client address may make. Empty or null turns the limit off.',
  ),
  trusted_proxies: described(
    v.optional(v.array(cidr, 'a list of networks (CIDR)'), []),
    'Networks of proxies: the embedded front passes their `X-Forwarded-For` on, and many clients stand behind them (`limits.connections_per_client`). From anybody else the header is replaced by the address of the peer.',
  ),
  session_length: described(
    v.optional(seconds(0), 86_400),
    'How long a session token is good, in seconds. 0: for 30 seconds, never refreshed.',
  ),
  refresh_time: described(
    v.optional(seconds(0)),
    'A cookie session with less than this many seconds left is refreshed. Default: 1800, or half of `session_length` when that is less, which is also the most allowed.',
  ),
  cookie_name: described(
    v.optional(
      v.pipe(
        v.string('a cookie name'),
        v.regex(/^[A-Za-z0-9_-]+$/, 'letters, digits, hyphens and underscores'),
      ),
      'session_token',
    ),
    'Name of the cookie that carries the session token.',
  ),
  return_domains: described(
    v.optional(v.array(domain, 'a list of domains'), []),
    'Domains to whose pages, and to those below them, a login may lead back, besides this site: `next` of the login page may be an https URL there, on the port of https.',
  ),
  roles: described(
    v.nullish(mapOf(roleName, names('camera names'), 'a map from role name to a list of cameras'), {}),
    'Custom roles: each sees the cameras listed for it.',
  ),
};

const proxy = {
  auth_secret: described(
    v.optional(v.string('text')),
    'What the upstream proxy must send in `X-Proxy-Secret` on the authenticated edge, with own accounts too. Without it the headers of `header_map` are believed of every client, and the start warns of it where others than this machine may be clients. `{SERVICE_NAME}` inside it is replaced from the environment variable of that name, which begins with `SERVICE_`.',
  ),
  header_map: described(
    v.nullish(
      v.object(
        {
          user: described(
            v.optional(header),
            'Header that carries the user name. When it is set, a request without it is refused; when it is not, every user is called `viewer`.',
          ),
          role: described(v.optional(header), 'Header that carries the roles or groups.'),
          role_map: described(v.optional(roleMap), 'Another place for `proxy.role_map`.'),
        },
        'a section',
      ),
      {},
    ),
    'Headers of the upstream proxy, case-insensitive. Both must be in the trusted-headers file.',
  ),
  separator: described(
    v.optional(
      v.pipe(
        v.string('one character'),
        v.check((value) => [...value].length === 1, 'exactly one character'),
      ),
      ',',
    ),
    'What separates several roles in the role header.',
  ),
  default_role: described(
    v.optional(text('a role name')),
    'Role of a user for whom no role maps. Without it, or when it names no role that is defined, such a user is refused.',
  ),
  role_map: described(
    v.optional(roleMap),
    'Which upstream groups make which role: group names match exactly, and of several roles `admin` wins, then `viewer`, then the first of `auth.roles`. Without it the role header holds role names, in any case.',
  ),
  logout_url: described(v.optional(logoutUrl), 'Another place for `logout_url`.'),
};

const networking = {
  listen: described(
    v.nullish(
      v.object(
        {
          authenticated: described(
            v.optional(listen, 8971),
            'Client-facing listener of the authenticated edge: a port, `host:port`, or `off` when another front terminates the clients.',
          ),
          internal: described(
            v.optional(listen, '127.0.0.1:5000'),
            'Client-facing listener of the internal edge, likewise. Everybody who reaches it is admin.',
          ),
          metrics: described(
            v.optional(listen, 'off'),
            'Listener that serves `/healthz`, `/readyz` and `/metrics` and nothing else, without TLS: a port of loopback, `host:port`, `unix:/path`, or `off`. The internal edge serves them too.',
          ),
        },
        'a section',
      ),
      {},
    ),
    'The embedded front.',
  ),
  forward_auth: described(
    v.nullish(
      v.object(
        {
          authenticated: described(
            v.optional(forwardAuth, 'off'),
            'Where fronts ask about requests of the authenticated edge: `unix:/path` or `host:port`.',
          ),
          internal: described(v.optional(forwardAuth, 'off'), 'Likewise, for the internal edge of a front.'),
        },
        'a section',
      ),
      {},
    ),
    'Listeners for other fronts, which must not face clients.',
  ),
  internal_hosts: described(
    v.optional(v.array(domain, 'a list of host names'), []),
    'Names by which the internal edge may be called besides addresses, `localhost`, names without a dot, and names below `local`, `lan`, `internal` and `home.arpa`. A request for any other host is refused there, since a page of any site could make its name lead to the internal edge (DNS rebinding).',
  ),
};

const fronts = {
  trusted: described(
    v.optional(v.array(cidr, 'a list of networks (CIDR)'), []),
    'Networks of fronts that may ask on `networking.forward_auth`, besides Unix sockets and loopback. A connection from anywhere else is cut, unless there is a `fronts.secret`.',
  ),
  secret: described(
    v.optional(v.string('text of at least 16 characters')),
    'What a front from anywhere else must send in `X-Front-Secret`. `{SERVICE_NAME}` inside it is replaced from the environment variable of that name.',
  ),
};

const tls = {
  enabled: described(v.optional(flag, true), 'TLS on the client-facing authenticated edge.'),
  certificate: described(
    v.optional(text('path of a PEM file')),
    'Path of the certificate chain. Without it a self-signed certificate is made on first start.',
  ),
  key: described(v.optional(text('path of a PEM file')), 'Path of the private key.'),
};

const access = {
  rules: described(
    v.nullish(accessRules, []),
    'Rows of your own for the table of targets: `path`, `methods`, `having`, `require`, `changes`. They come after the rows that guard secrets and before all others; the first that matches decides. docs/access.md has the words.',
  ),
};

const events = {
  database: described(
    v.optional(text('path of a SQLite file')),
    "The recorder's SQLite file, opened read-only. Default: the bundled sample.",
  ),
  listen: described(
    v.optional(v.string('unix:/path or host:port')),
    'Where the events app listens for the front: `unix:/path` or `host:port` on loopback. Default: a private Unix socket.',
  ),
};

const cache = {
  sessions: described(
    v.optional(mebibytes, 64),
    'MiB for sessions that were checked: of these the signature and the user are not checked again until something changes. 64 hold about 48,000 sessions. 0: every request is checked anew.',
  ),
  verdicts: described(v.optional(mebibytes), 'Has no effect any more: every request is decided anew.'),
};

const audit = {
  keep_days: described(
    v.optional(wholeNumber('days', 3_650), 90),
    'Days for which audit records are kept. 0: they are in the log alone, and those that were kept go.',
  ),
  keep_refusals: described(
    v.optional(wholeNumber('records', 10_000_000), 100_000),
    'How many records of refusals are kept at most, the newest: anybody can cause them. 0: they are in the log alone.',
  ),
};

const limits = {
  header_timeout: described(
    v.optional(seconds(1), 30),
    'Seconds in which the header lines of a request must arrive, from their first byte or from the begin of the connection.',
  ),
  body_timeout: described(
    v.optional(seconds(1), 30),
    'Seconds after which a request whose body does not go on is cut, with 408 when nothing was answered yet. To go on is to send at least 256 bytes a second over that time, or all that is left.',
  ),
  write_timeout: described(
    v.optional(seconds(1), 30),
    'Seconds after which a connection is cut whose client does not go on reading what waits for it: the answer, a stream, a WebSocket. To go on is to take at least 256 bytes a second over that time.',
  ),
  connections_per_client: described(
    v.optional(count('connections'), 256),
    'Connections that one address may have to the client-facing listeners; of IPv6, one /64. What comes beyond that is closed at once. Addresses of `auth.trusted_proxies` have no such limit: many clients stand behind them.',
  ),
  upstream_connections: described(
    v.optional(count('connections'), 256),
    'Connections to the recorder that are in use at once: requests, streams and WebSockets. A client gets another one while it holds fewer than are free, so that one alone comes to half of them and some are left for the next. Others wait up to 10 seconds, at most as many as there are connections, and get 503 then.',
  ),
};

const cameras = described(
  v.nullish(
    v.union(
      [mapOf(v.string(), v.unknown(), 'a map'), names('camera names')],
      'a map keyed by camera name, or a list of names',
    ),
  ),
  'The cameras there are: a map keyed by name (of its values only `live.streams` counts: names of live streams that show the camera) or a list of names. When given, roles may name no others.',
);

export const configurationSchema = v.object({
  auth: described(v.nullish(v.object(auth, 'a section'), {}), 'Who may come in, and as what.'),
  proxy: described(
    v.nullish(v.object(proxy, 'a section'), {}),
    'The upstream proxy that authenticates users when `auth.enabled` is `false`.',
  ),
  networking: described(v.nullish(v.object(networking, 'a section'), {}), 'Where Postern listens.'),
  fronts: described(
    v.nullish(v.object(fronts, 'a section'), {}),
    'Which fronts may ask on `networking.forward_auth`.',
  ),
  tls: described(
    v.nullish(v.object(tls, 'a section'), {}),
    'The certificate of the embedded front. The internal edge has no TLS.',
  ),
  events: described(
    v.nullish(v.object(events, 'a section'), {}),
    'The events app, which looks events up in the database of the recorder.',
  ),
  recorder: described(
    v.nullish(v.object(recorder, 'a section'), {}),
    "How the gate asks the recorder at `upstream` what it knows of custom roles. It is Postern's section: a recorder's own file has none of this name.",
  ),
  cache: described(
    v.nullish(v.object(cache, 'a section'), {}),
    'What is remembered so that it need not be decided again.',
  ),
  audit: described(v.nullish(v.object(audit, 'a section'), {}), 'Who did what: docs/audit.md.'),
  limits: described(
    v.nullish(v.object(limits, 'a section'), {}),
    'How much of the gate one client may take, and for how long. They count for each process. When the process may not have enough files open (`ulimit -n`), the numbers of connections are lower, and the log says so.',
  ),
  access: described(v.nullish(v.object(access), {}), 'Who may reach which path.'),
  cameras,
  upstream,
  base_path: described(
    v.optional(basePath, ''),
    'Path prefix below which a proxy in front serves the site, such as `/cameras`, whether the proxy leaves it in the path or takes it away. A proxy of `auth.trusted_proxies` may say it in `X-Forwarded-Prefix` instead. Empty: the site is at the root.',
  ),
  shutdown_timeout: described(
    v.optional(seconds(0), 8),
    'Seconds that requests under way have to come to their end after SIGTERM; then they are cut. A second signal ends at once.',
  ),
  logout_url: described(
    v.optional(logoutUrl),
    'Where `/logout` leads: an http or https URL, or a path of this site. Default: `/login`.',
  ),
});

export type ConfigurationFile = v.InferOutput<typeof configurationSchema>;
