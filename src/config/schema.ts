import * as v from 'valibot';
import { accessRules } from './access-rules.ts';
import { assertion } from './assertion-section.ts';
import { auth } from './auth-section.ts';
import { notifications } from './notifications-section.ts';
import { proxy } from './proxy-section.ts';
import { recorder, upstream } from './recorder-section.ts';
import { ui } from './ui-section.ts';
import {
  basePath,
  frameOrigin,
  publicUrl,
  cidr,
  contact,
  count,
  described,
  domain,
  flag,
  forwardAuth,
  lifetime,
  listen,
  logoutUrl,
  mapOf,
  mebibytes,
  names,
  seconds,
  storeUrl,
  text,
  wholeNumber,
  workers,
} from './values.ts';

/**
 * Every key of config.yml that is Postern's own: type, default, unit and meaning. docs/configuration.md is generated
 * from it.
 * sections.ts refuses unknown keys inside these sections; recorder-keys.ts lists recorders' keys that Postern ignores.
 */

const networking = {
  listen: described(
    v.nullish(
      v.object(
        {
          authenticated: described(
            v.optional(listen, 8971),
            'Client-facing listener of the authenticated entry point: a port, `host:port`, or `off` when another front terminates the clients.',
          ),
          internal: described(
            v.optional(listen, '127.0.0.1:5000'),
            'Client-facing listener of the internal entry point, in the same form. Everyone who reaches it is admin.',
          ),
          metrics: described(
            v.optional(listen, 'off'),
            'Listener that serves only `/healthz`, `/readyz` and `/metrics`, without TLS: a port of loopback, `host:port`, `unix:/path`, or `off`. The internal entry point serves them too.',
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
            'Where fronts ask about requests of the authenticated entry point: `unix:/path` or `host:port`.',
          ),
          internal: described(
            v.optional(forwardAuth, 'off'),
            'Where fronts ask about requests of the internal entry point.',
          ),
        },
        'a section',
      ),
      {},
    ),
    'Listeners for other fronts, which must not face clients.',
  ),
  relay: described(
    v.nullish(
      v.object(
        {
          authenticated: described(
            v.optional(forwardAuth, 'off'),
            'Where fronts send requests of the authenticated entry point that the gate passes on to `upstream` itself: `unix:/path` or `host:port`.',
          ),
          internal: described(
            v.optional(forwardAuth, 'off'),
            'Where fronts send such requests of the internal entry point.',
          ),
        },
        'a section',
      ),
      {},
    ),
    'Listeners for other fronts, which must not face clients. The gate decides about a request and passes it on, as the embedded front does. The fronts of `docs/fronts` send what has to be seen whole there: `/ws`, live pictures, and the changes whose body names cameras.',
  ),
  internal_hosts: described(
    v.optional(v.array(domain, 'a list of host names'), []),
    'Host names that the internal entry point answers besides addresses, `localhost`, names without a dot, and names below `local`, `lan`, `internal` and `home.arpa`. It refuses a request for any other host, since a page of any site could point its name there (DNS rebinding).',
  ),
};

const fronts = {
  trusted: described(
    v.optional(v.array(cidr, 'a list of networks (CIDR)'), []),
    'Networks of fronts that may ask on `networking.forward_auth` and `networking.relay`, besides Unix sockets and loopback. Postern cuts a connection from anywhere else, unless `fronts.secret` is set.',
  ),
  secret: described(
    v.optional(v.string('text of at least 16 characters')),
    'What a front from anywhere else must send in `X-Front-Secret`. `{SERVICE_NAME}` inside it is replaced as in `proxy.auth_secret`.',
  ),
};

const tls = {
  enabled: described(v.optional(flag, true), 'TLS on the client-facing authenticated entry point.'),
  certificate: described(
    v.optional(text('path of a PEM file')),
    'Path of the certificate chain. Without it the first start makes a self-signed certificate.',
  ),
  key: described(v.optional(text('path of a PEM file')), 'Path of the private key.'),
};

const access = {
  rules: described(
    v.nullish(accessRules, []),
    'Access rules of your own: `path`, `methods`, `having`, `require`, `may`, `changes`. They come after the rules that guard secrets and before all others; the first that matches decides. docs/access.md explains them.',
  ),
};

const events = {
  database: described(
    v.optional(text('path of a SQLite file')),
    "The recorder's SQLite file, opened read-only. Default: the bundled sample, or none once `upstream` is set.",
  ),
  listen: described(
    v.optional(v.string('unix:/path or host:port')),
    'Where the events app listens for the front: `unix:/path` or `host:port` on loopback. Default: a private Unix socket.',
  ),
};

const cache = {
  sessions: described(
    v.optional(mebibytes, 64),
    'MiB for remembered sessions, whose signature and user are checked again only when something changes. 64 hold about 108,000 sessions. 0: every request is checked again.',
  ),
};

const audit = {
  keep_days: described(
    v.optional(wholeNumber('days', 3_650), 90),
    'Days for which audit records are kept. 0: they are in the log alone, and existing records are deleted.',
  ),
  keep_refusals: described(
    v.optional(wholeNumber('records', 10_000_000), 100_000),
    'How many records of refusals are kept, the newest ones: anyone can cause them. 0: they are only in the log.',
  ),
  viewing: described(
    v.optional(v.union([v.boolean(), v.literal('required')], 'true, false or required'), false),
    'Whether the audit records who watched which camera, and which time of its recordings. `required`: live pictures and recordings are refused while that cannot be written.',
  ),
};

const server = {
  workers: described(
    v.optional(workers, 1),
    'Processes that answer, or `auto`: one for each core, as far as the system gives the program that many. With more than one, a further process begins them, takes the connections in and hands them out: docs/growth.md.',
  ),
};

const limits = {
  header_timeout: described(
    v.optional(seconds(1), 30),
    'Seconds in which the header lines of a request must arrive, from their first byte or from the beginning of the connection.',
  ),
  body_timeout: described(
    v.optional(seconds(1), 30),
    'Seconds after which Postern cuts a request whose body stalls, with 408 when nothing was answered yet. A body goes on while at least 256 bytes a second arrive over that time, or all that is left.',
  ),
  write_timeout: described(
    v.optional(seconds(1), 30),
    'Seconds after which Postern cuts a connection whose client stops reading what waits for it: the answer, a stream, a WebSocket. A client goes on while it takes at least 256 bytes a second over that time.',
  ),
  connections_per_client: described(
    v.optional(count('connections'), 256),
    'Connections that one address (of IPv6, one /64) may have to the client-facing listeners. Further ones are closed at once. Addresses of `auth.trusted_proxies` have no such limit: many clients stand behind them.',
  ),
  upstream_connections: described(
    v.optional(count('connections'), 256),
    'Connections to the recorder that are in use at once: requests, streams and WebSockets. A client gets another one while it holds fewer than are free: alone it gets up to half of them, and some are left for the next. Other requests wait up to 10 seconds, at most as many as there are connections; then they get 503.',
  ),
};

const shares = {
  enabled: described(
    v.optional(flag, true),
    'Users who may see something may share it by a link. `false`: no one can make a share, and none can be opened.',
  ),
  longest: described(
    v.optional(lifetime, '30d'),
    'How long a share may last at most: days, hours or minutes, such as `30d`, `12h` or `90m`.',
  ),
  most_per_user: described(v.optional(count('shares'), 100), 'Shares that one user may have at once.'),
};

const store = {
  url: described(
    v.optional(storeUrl),
    'Where the accounts, the audit and the roles of the UI are kept when several gates share them: `postgres://user:password@host/database`, PostgreSQL 15 or later (docs/growth.md). `{SERVICE_NAME}` inside it is replaced as in `proxy.auth_secret`. A JWT secret must be given then. Default: SQLite files in the configuration directory.',
  ),
};

const cameras = described(
  v.nullish(
    v.union(
      [mapOf(v.string(), v.unknown(), 'a map'), names('camera names')],
      'a map keyed by camera name, or a list of names',
    ),
  ),
  'All cameras: a map keyed by name, or a list of names. Of the values of a map only `live.streams` counts: names of live streams that show the camera. Roles may then name only these cameras. Default: the cameras of the recorder at `upstream`; its live streams count too for a camera that has none here.',
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
    'Which fronts may ask on `networking.forward_auth` and `networking.relay`.',
  ),
  tls: described(
    v.nullish(v.object(tls, 'a section'), {}),
    'The certificate of the embedded front. The internal entry point has no TLS.',
  ),
  events: described(
    v.nullish(v.object(events, 'a section'), {}),
    'The events app, which looks events up in the database of the recorder.',
  ),
  recorder: described(
    v.nullish(v.object(recorder, 'a section'), {}),
    "How the gate asks the recorder at `upstream` what it knows of custom roles. This section is Postern's own: no recorder's file has it.",
  ),
  store: described(v.nullish(v.object(store, 'a section'), {}), 'Where the gate keeps what it keeps.'),
  cache: described(
    v.nullish(v.object(cache, 'a section'), {}),
    'What is remembered so that it need not be decided again.',
  ),
  assertion: described(
    v.nullish(v.object(assertion, 'a section'), {}),
    'How what stands behind the gate checks that the gate has asked: docs/assertion.md.',
  ),
  audit: described(v.nullish(v.object(audit, 'a section'), {}), 'Who did what: docs/audit.md.'),
  notifications: described(
    v.nullish(v.object(notifications, 'a section'), {}),
    'Who is alerted to what: docs/notifications.md.',
  ),
  limits: described(
    v.nullish(v.object(limits, 'a section'), {}),
    'How much of the gate one client may take, and for how long. Each process counts for itself. When the process may not have enough files open (`ulimit -n`), the numbers of connections are lower, and a line in the log names them.',
  ),
  shares: described(
    v.nullish(v.object(shares, 'a section'), {}),
    'Links to one event, one export, or a camera for a time: docs/shares.md.',
  ),
  server: described(v.nullish(v.object(server, 'a section'), {}), 'The processes of the gate.'),
  ui: described(
    v.nullish(v.object(ui, 'a section'), {}),
    'What the pages outside the gate look like: docs/appearance.md.',
  ),
  access: described(v.nullish(v.object(access), {}), 'Who may reach which path.'),
  cameras,
  upstream,
  base_path: described(
    v.optional(basePath, ''),
    'Path prefix below which a proxy in front serves the site, such as `/cameras`, whether the proxy keeps it in the path or strips it. A proxy of `auth.trusted_proxies` may send it in `X-Forwarded-Prefix` instead. Empty: the site is at the root.',
  ),
  frame_ancestors: described(
    v.nullish(v.array(frameOrigin, 'a list'), []),
    'Origins such as `https://home.example` whose pages may show `/postern/wall` in a frame. No other page can be framed.',
  ),
  public_url: described(
    v.optional(publicUrl),
    'Origin under which people reach the site, such as `https://cameras.example`; `base_path` comes behind it. `script/postern doctor --config` examines it when no `--url` is given.',
  ),
  shutdown_timeout: described(
    v.optional(seconds(0), 8),
    'Seconds that requests under way have to end after SIGTERM; then they are cut. A second signal ends the process at once.',
  ),
  shutdown_delay: described(
    v.optional(seconds(0), 0),
    'Seconds in which the gate keeps running after SIGTERM, while `/readyz` returns 503 and each answer ends its connection: as long as the load balancer in front of several gates takes to notice ([growth.md](growth.md)). `shutdown_timeout` begins after it.',
  ),
  contact: described(
    v.optional(contact),
    'Whom to ask if you cannot sign in or are refused: the login page and the pages of refusals show it to everyone. A `mailto:` or https address becomes a link, any other text stays one.',
  ),
  logout_url: described(
    v.nullish(logoutUrl),
    'Where `/logout` leads: an http or https URL, or a path of this site. Default: `/login`.',
  ),
});

export type ConfigurationFile = v.InferOutput<typeof configurationSchema>;
