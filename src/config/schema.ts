import * as v from 'valibot';
import { accessRules } from './access-rules.ts';
import { auth, proxy } from './sign-in-sections.ts';
import type { FeatureName } from '../policy/features.ts';
import { notifications } from './notifications-section.ts';
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
  names,
  seconds,
  storeUrl,
  text,
  wholeNumber,
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
            'The authenticated entry point. `off`: with another front.',
          ),
          internal: described(
            v.optional(listen, '127.0.0.1:5000'),
            'The internal entry point. Everyone who reaches it is admin.',
          ),
          metrics: described(
            v.optional(listen, 'off'),
            'Listener for `/healthz`, `/readyz` and `/metrics` only, without TLS. The internal entry point serves them too.',
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
          authenticated: described(v.optional(forwardAuth, 'off'), 'For the authenticated entry point.'),
          internal: described(v.optional(forwardAuth, 'off'), 'For the internal entry point.'),
        },
        'a section',
      ),
      {},
    ),
    'Listeners where other fronts ask for decisions. They must not face clients.',
  ),
  relay: described(
    v.nullish(
      v.object(
        {
          authenticated: described(v.optional(forwardAuth, 'off'), 'For the authenticated entry point.'),
          internal: described(v.optional(forwardAuth, 'off'), 'For the internal entry point.'),
        },
        'a section',
      ),
      {},
    ),
    'Listeners where other fronts send what Postern passes on to `upstream` itself, such as `/ws`. They must not face clients.',
  ),
  internal_hosts: described(
    v.optional(v.array(domain, 'a list of host names'), []),
    'Further host names that the internal entry point answers, besides addresses, `localhost`, names without a dot, and names below `local`, `lan`, `internal` and `home.arpa`. It refuses all others, against DNS rebinding.',
  ),
};

const fronts = {
  trusted: described(
    v.optional(v.array(cidr, 'a list of networks (CIDR)'), []),
    'Networks of fronts that may connect, besides Unix sockets and loopback. Without `fronts.secret`, others are cut.',
  ),
  secret: described(
    v.optional(v.string('text of at least 16 characters')),
    'What a front from anywhere else must send in `X-Front-Secret`.',
  ),
};

const tls = {
  enabled: described(v.optional(flag, true), 'TLS for clients of the authenticated entry point.'),
  certificate: described(
    v.optional(text('path of a PEM file')),
    'Path of the certificate chain. Default: a self-signed certificate that the first start makes.',
  ),
  key: described(v.optional(text('path of a PEM file')), 'Path of the private key.'),
};

const access = {
  rules: described(v.nullish(accessRules, []), 'Your own access rules (docs/access.md).'),
};

const events = {
  database: described(
    v.optional(text('path of a SQLite file')),
    "The recorder's SQLite file, opened read-only. Default: the bundled sample, or none if `upstream` is set.",
  ),
  listen: described(
    v.optional(v.string('unix:/path or host:port')),
    'Where the events app listens for the front; a host must be loopback. Default: a private Unix socket.',
  ),
};

const audit = {
  keep_days: described(
    v.optional(wholeNumber('days', 3_650), 90),
    'Days for which records are kept. 0: only the log has them, and existing ones are deleted.',
  ),
  keep_refusals: described(
    v.optional(wholeNumber('records', 10_000_000), 100_000),
    'How many of the newest refusals are kept. 0: only the log has them.',
  ),
  viewing: described(
    v.optional(v.union([v.boolean(), v.literal('required')], 'true, false or required'), false),
    'Records who watched which camera, and which time of its recordings. `required`: they are refused while this cannot be written.',
  ),
};

const limits = {
  header_timeout: described(
    v.optional(seconds(1), 30),
    'Seconds in which the headers of a request must arrive.',
  ),
  body_timeout: described(
    v.optional(seconds(1), 30),
    'Seconds after which Postern cuts a request whose body arrives with less than 256 bytes a second.',
  ),
  write_timeout: described(
    v.optional(seconds(1), 30),
    'Seconds after which Postern cuts a connection whose client reads less than 256 bytes a second.',
  ),
  connections_per_client: described(
    v.optional(count('connections'), 256),
    'Connections of one client address (with IPv6, one /64), except `auth.trusted_proxies`. More are closed at once.',
  ),
  upstream_connections: described(
    v.optional(count('connections'), 256),
    'Connections to the recorder in use at once; at most half of them for one client. Other requests wait up to 10 seconds, then get 503.',
  ),
};

const features = {
  api_tokens: described(v.optional(flag, true), 'API tokens (docs/api-tokens.md).'),
  shares: described(
    v.optional(flag, true),
    'Shares: links to one event, one export or a camera (docs/shares.md).',
  ),
  displays: described(
    v.optional(flag, true),
    'Screens that stay signed in (docs/displays.md). They need `features.api_tokens`.',
  ),
  invitations: described(
    v.optional(flag, true),
    'Invitations: links by which people make their own accounts (docs/invitations.md).',
  ),
  push: described(
    v.optional(flag, true),
    'Alerts of the recorder on phones and browsers (docs/notifications.md).',
  ),
  access_requests: described(
    v.optional(flag, true),
    'Users may ask admins for a camera (docs/notifications.md).',
  ),
} satisfies Record<FeatureName, v.GenericSchema>;

const shares = {
  enabled: described(v.optional(flag, true), '`false`: shares cannot be made or opened.'),
  longest: described(v.optional(lifetime, '30d'), 'How long a share may last.'),
  most_per_user: described(v.optional(count('shares'), 100), 'Shares of one user at once.'),
};

const store = {
  url: described(
    v.optional(storeUrl),
    'PostgreSQL 15 or later, for several gates (docs/growth.md). It needs `SERVICE_JWT_SECRET`. Default: SQLite files in the configuration directory.',
  ),
};

const cameras = described(
  v.nullish(
    v.union(
      [mapOf(v.string(), v.unknown(), 'a map'), names('camera names')],
      'a map keyed by camera name, or a list of names',
    ),
  ),
  'All cameras that roles can name, as in a recorder’s own file (with `live.streams`) or as a list. Default: the cameras and live streams of the recorder at `upstream`.',
);

export const configurationSchema = v.object({
  auth: described(v.nullish(v.object(auth, 'a section'), {}), 'Who may sign in, and with which role.'),
  proxy: described(
    v.nullish(v.object(proxy, 'a section'), {}),
    'The upstream proxy that authenticates users when `auth.enabled` is `false`.',
  ),
  networking: described(v.nullish(v.object(networking, 'a section'), {}), 'Where Postern listens.'),
  fronts: described(
    v.nullish(v.object(fronts, 'a section'), {}),
    'Which fronts may connect to `networking.forward_auth` and `networking.relay`.',
  ),
  tls: described(
    v.nullish(v.object(tls, 'a section'), {}),
    'The certificate of the embedded front. The internal entry point has no TLS.',
  ),
  events: described(
    v.nullish(v.object(events, 'a section'), {}),
    'How Postern finds the camera of an event: in the database of the recorder.',
  ),
  recorder: described(
    v.nullish(v.object(recorder, 'a section'), {}),
    'How Postern connects to the recorder at `upstream`.',
  ),
  store: described(v.nullish(v.object(store, 'a section'), {}), 'Where accounts are stored.'),
  audit: described(v.nullish(v.object(audit, 'a section'), {}), 'Who did what (docs/audit.md).'),
  notifications: described(
    v.nullish(v.object(notifications, 'a section'), {}),
    'Who is alerted to what (docs/notifications.md).',
  ),
  limits: described(
    v.nullish(v.object(limits, 'a section'), {}),
    'Limits for slow and greedy clients, of each process. If `ulimit -n` is too small, Postern lowers the numbers of connections.',
  ),
  features: described(
    v.nullish(v.object(features, 'a section'), {}),
    'Parts that you can switch off (docs/accounts.md).',
  ),
  shares: described(
    v.nullish(v.object(shares, 'a section'), {}),
    'Links to one event, one export, or a camera for a time (docs/shares.md).',
  ),
  ui: described(
    v.nullish(v.object(ui, 'a section'), {}),
    'Where people land, and how the pages look that guests see (docs/appearance.md).',
  ),
  access: described(v.nullish(v.object(access), {}), 'Who may reach which path.'),
  cameras,
  upstream,
  base_path: described(
    v.optional(basePath, ''),
    'Path prefix at which a proxy in front serves the site (docs/path-prefix.md).',
  ),
  frame_ancestors: described(
    v.nullish(v.array(frameOrigin, 'a list'), []),
    'Origins whose pages may show `/postern/wall` in a frame.',
  ),
  timezone: described(
    v.nullish(v.string('the name of an IANA time zone such as Europe/Berlin')),
    'IANA name of the time zone of all schedules, such as `Europe/Berlin`. Default: the environment variable `TZ`, else the zone of the system.',
  ),
  public_url: described(v.optional(publicUrl), 'Origin at which users reach the site, without `base_path`.'),
  shutdown_timeout: described(
    v.optional(seconds(0), 8),
    'Seconds that open requests have to end after SIGTERM. A second signal ends the process at once.',
  ),
  shutdown_delay: described(
    v.optional(seconds(0), 0),
    'Seconds for which Postern still answers after SIGTERM, while `/readyz` returns 503 to your load balancer (docs/growth.md). Then `shutdown_timeout` begins.',
  ),
  contact: described(
    v.optional(contact),
    'Whom to ask for access, shown to everyone on the login page and on refusals.',
  ),
  logout_url: described(v.nullish(logoutUrl), 'Where `/logout` leads. Default: `/login`.'),
});

export type ConfigurationFile = v.InferOutput<typeof configurationSchema>;
