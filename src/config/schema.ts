import { isIP } from 'node:net';
import * as v from 'valibot';
import { accessRules } from './access-rules.ts';

/**
 * Every key of config.yml that is Postern's: type, default, unit and meaning.
 * docs/configuration.md is generated from here. sections.ts refuses unknown keys inside these sections;
 * keys that an existing recorder knows and Postern does not need are listed in recorder-keys.ts.
 */

const role = /^[A-Za-z0-9._]{1,64}$/;
const headerName = /^[A-Za-z0-9!#$%&'*+^`|~-]+$/;

const text = (allowed: string) =>
  v.pipe(v.string(`text: ${allowed}`), v.nonEmpty(`text that is not empty: ${allowed}`));
const names = (allowed: string) => v.array(text(allowed), `a list: ${allowed}`);
const flag = v.boolean('true or false');
const seconds = (least: number) =>
  v.pipe(
    v.number('a number of seconds'),
    v.integer('whole seconds'),
    v.minValue(least, `at least ${least} seconds`),
  );
const described = <S extends v.GenericSchema>(schema: S, description: string) =>
  v.pipe(schema, v.description(description));

const roleName = v.pipe(
  v.string(),
  v.regex(role, 'a role name: letters, digits, dots and underscores, at most 64'),
);
const header = v.pipe(
  v.string('a header name'),
  v.regex(headerName, 'a header name, with hyphens and no underscores'),
);
const portAllowed = 'a port, host:port, or off';
const listen = v.union([v.pipe(v.number(), v.check(isPort, portAllowed)), v.string()], portAllowed);
const forwardAuth = v.string('unix:/path, host:port, or off');
const cidr = v.pipe(
  v.string('a network'),
  v.check(isNetwork, 'a network such as 10.0.0.0/8 or fd00::/8, or an address'),
);

function isPort(value: number): boolean {
  return Number.isInteger(value) && value >= 0 && value <= 65_535;
}

function isNetwork(value: string): boolean {
  const [address = '', prefix, ...rest] = value.split('/');
  const bits = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  return (
    rest.length === 0 &&
    bits > 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits))
  );
}

/** valibot's own record takes a list for a map with the keys 0, 1, 2 …, and leaves out what JavaScript objects begin with. */
function mapOf<K extends v.GenericSchema<string, string>, V extends v.GenericSchema>(
  key: K,
  value: V,
  allowed: string,
) {
  return v.pipe(
    v.custom<Record<string, v.InferInput<V>>>(isPlainMap, allowed),
    v.check(
      (input) => !reservedKeys.some((reserved) => Object.hasOwn(input, reserved)),
      `no key ${reservedKeys.join(', ')}`,
    ),
    v.record(key, value),
  );
}

const reservedKeys = ['__proto__', 'constructor', 'prototype'];

export function isPlainMap(input: unknown): input is Record<string, unknown> {
  return typeof input === 'object' && input !== null && !Array.isArray(input);
}

const roleMap = mapOf(
  v.string(),
  names('names of upstream groups'),
  'a map from role to a list of upstream groups',
);
const logoutUrl = v.pipe(
  v.string('a URL'),
  v.check(isWebTarget, 'an http or https URL, or a path that begins with one slash'),
);

function isWebTarget(value: string): boolean {
  if (/^\/(?![/\\])/.test(value)) return !/[\s\\]/.test(value);
  return URL.canParse(value) && ['http:', 'https:'].includes(new URL(value).protocol) && !/\s/.test(value);
}

const auth = {
  enabled: described(
    v.optional(flag, true),
    'Postern authenticates users by its own accounts. `false`: an upstream proxy does, and its headers are believed.',
  ),
  reset_admin_password: described(
    v.optional(flag, false),
    'Gives `admin` a new generated password at the next start and prints it in the log.',
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
    'Networks whose `X-Forwarded-For` the embedded front passes on. From anybody else it is replaced by the address of the peer.',
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
  roles: described(
    v.nullish(mapOf(roleName, names('camera names'), 'a map from role name to a list of cameras'), {}),
    'Custom roles: each sees the cameras listed for it.',
  ),
};

const proxy = {
  auth_secret: described(
    v.optional(v.string('text')),
    'What the upstream proxy must send in `X-Proxy-Secret` on the authenticated edge, with own accounts too. `{SERVICE_NAME}` inside it is replaced from the environment variable of that name, which begins with `SERVICE_`.',
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

const cameras = described(
  v.nullish(
    v.union(
      [mapOf(v.string(), v.unknown(), 'a map'), names('camera names')],
      'a map keyed by camera name, or a list of names',
    ),
  ),
  'The cameras there are: a map keyed by name (of its values only `live.streams` counts: names of live streams that show the camera) or a list of names. When given, roles may name no others.',
);

const upstream = described(
  v.optional(
    v.pipe(
      v.string('a URL'),
      v.check(
        (value) =>
          URL.canParse(value) &&
          /^https?:$/.test(new URL(value).protocol) &&
          new URL(value).pathname === '/' &&
          !value.includes('?'),
        'an http or https URL without a path',
      ),
    ),
  ),
  "URL of the recorder's own internal API. Default: the embedded events app.",
);

export const configurationSchema = v.object({
  auth: described(v.nullish(v.object(auth, 'a section'), {}), 'Who may come in, and as what.'),
  proxy: described(
    v.nullish(v.object(proxy, 'a section'), {}),
    'The upstream proxy that authenticates users when `auth.enabled` is `false`.',
  ),
  networking: described(v.nullish(v.object(networking, 'a section'), {}), 'Where Postern listens.'),
  tls: described(
    v.nullish(v.object(tls, 'a section'), {}),
    'The certificate of the embedded front. The internal edge has no TLS.',
  ),
  events: described(
    v.nullish(v.object(events, 'a section'), {}),
    'The events app, which looks events up in the database of the recorder.',
  ),
  access: described(v.nullish(v.object(access), {}), 'Who may reach which path.'),
  cameras,
  upstream,
  logout_url: described(
    v.optional(logoutUrl),
    'Where `/logout` leads: an http or https URL, or a path of this site. Default: `/login`.',
  ),
});

export type ConfigurationFile = v.InferOutput<typeof configurationSchema>;
