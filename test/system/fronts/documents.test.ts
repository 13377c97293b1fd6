import { guardedEndpoints, openEndpoints, ownPaths } from '../../support/every-endpoint.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { configurationReader } from '../../../src/config/load.ts';
import { identityHeaders } from '../../../src/policy/identity-headers.ts';
import { isBelowOwnBase } from '../../../src/api/own-paths.ts';
import { pages } from '../../../src/api/ui/pages.ts';
import { lockedRules } from '../../../src/policy/recorder/access-rules.ts';
import { isOwnCookie, ownCookies } from '../../../src/policy/own-cookies.ts';
import { namedBy } from '../../support/around-public-paths.ts';
import { projectRoot } from '../../support/start-gateway.ts';
import { recorderHeaders, setByFronts, trustedHeaders } from './spoofed-headers.ts';

const { isOwn: isOwnPath } = ownPaths;

const projectFile = (path: string) => readFileSync(join(projectRoot, path), 'utf8');
const document = (path: string) => projectFile(`docs/fronts/${path}`);
const readConfiguration = configurationReader(
  { SERVICE_TRUSTED_HEADERS_FILE: join(projectRoot, 'proxy_trusted_headers.conf') },
  projectRoot,
  'config.yml',
);
const all = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, found = '']) => found);
const lower = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase()));

interface Traefik {
  readonly http: {
    readonly routers: Record<
      string,
      { readonly rule: string; readonly middlewares: string[]; readonly service: string }
    >;
    readonly middlewares: Record<
      string,
      {
        readonly headers?: {
          readonly customRequestHeaders: Record<string, string>;
          readonly customResponseHeaders?: Record<string, string>;
        };
        readonly redirectRegex?: unknown;
        readonly forwardAuth?: Record<string, unknown> & { readonly authResponseHeaders: string[] };
      }
    >;
  };
}
const traefik = parse(document('traefik/dynamic.yml')) as Traefik;
const traefikDrops = (middleware: string) =>
  Object.entries(traefik.http.middlewares[middleware]?.headers?.customRequestHeaders ?? {})
    .filter(([, value]) => value === '')
    .map(([header]) => header);

interface Patterns {
  readonly patterns: ReadonlyArray<{
    readonly exact?: string;
    readonly safe_regex?: { readonly regex: string };
  }>;
}
interface EnvoyRoute {
  readonly match: {
    readonly safe_regex?: { readonly regex: string };
    readonly path?: string;
    readonly prefix?: string;
    readonly headers?: unknown;
  };
  readonly route: { readonly cluster: string };
  readonly typed_per_filter_config?: Record<string, { readonly disabled: boolean }>;
  readonly request_headers_to_remove?: string[];
  readonly response_headers_to_remove?: string[];
}
interface EnvoyManager {
  readonly use_remote_address: boolean;
  readonly normalize_path: boolean;
  readonly common_http_protocol_options: { readonly headers_with_underscores_action: string };
  readonly upgrade_configs: unknown;
  readonly route_config: {
    readonly virtual_hosts: ReadonlyArray<{ readonly routes: readonly EnvoyRoute[] }>;
  };
  readonly http_filters: ReadonlyArray<{
    readonly name: string;
    readonly typed_config: {
      readonly mutations?: { readonly request_mutations: ReadonlyArray<{ readonly remove: string }> };
      readonly failure_mode_allow?: boolean;
      readonly allowed_headers?: Patterns;
      readonly http_service?: {
        readonly path_prefix: string;
        readonly authorization_response: Record<string, Patterns>;
      };
    };
  }>;
}
const envoy = parse(document('envoy/envoy.yaml')) as {
  readonly static_resources: {
    readonly listeners: ReadonlyArray<{
      readonly filter_chains: ReadonlyArray<{
        readonly filters: ReadonlyArray<{ readonly typed_config: EnvoyManager }>;
      }>;
    }>;
  };
};
const manager = envoy.static_resources.listeners[0]?.filter_chains[0]?.filters[0]
  ?.typed_config as EnvoyManager;
const envoyFilter = (name: string) =>
  manager.http_filters.find((filter) => filter.name.endsWith(name))?.typed_config;
const envoyRoutes = manager.route_config.virtual_hosts[0]?.routes ?? [];
const exact = (patterns: Patterns | undefined) =>
  patterns?.patterns.flatMap(({ exact: name }) => name ?? []) ?? [];
const upstreamHeaders =
  envoyFilter('ext_authz')?.http_service?.authorization_response['allowed_upstream_headers'];

/** Headers of a client that a front's files take out of a permitted request, or set again. */
const settled: Readonly<Record<string, readonly string[]>> = {
  'Nginx Proxy Manager': all(
    document('nginx-proxy-manager/advanced.conf').split('\nlocation @postern_recorder {')[1] ?? '',
    /^ {2}proxy_set_header (\S+)/gm,
  ),
  // Caddy's reverse_proxy sets them by itself.
  Caddy: [...all(document('caddy/Caddyfile'), /^\s+request_header -?([\w-]+)/gm), ...setByFronts],
  HAProxy: [...all(document('haproxy/haproxy.cfg'), /^ {2}http-request (?:del|set)-header (\S+)/gm), 'Host'],
  // So do Traefik's entry point and its forwarder.
  Traefik: [
    ...traefikDrops('no-front-headers'),
    ...traefikDrops('no-client-identity'),
    ...(traefik.http.middlewares['ask']?.forwardAuth?.authResponseHeaders ?? []),
    ...setByFronts,
  ],
  // And `use_remote_address` of Envoy.
  Envoy: [
    ...(envoyFilter('header_mutation')?.mutations?.request_mutations.map(({ remove }) => remove) ?? []),
    ...(envoyRoutes.at(-1)?.request_headers_to_remove ?? []),
    ...exact(upstreamHeaders),
    ...setByFronts,
  ],
};

describe.each(Object.keys(settled))('%s', (front) => {
  test('leaves a client no header that nginx/postern/recorder.conf or the trusted-headers file names', () => {
    const names = lower(settled[front] ?? []);
    const wanted = new Set([...identityHeaders, ...trustedHeaders, ...recorderHeaders, 'x-front-secret']);
    expect([...wanted].filter((name) => !names.has(name))).toEqual([]);
  });
});

describe.each(['nginx', 'nginx-proxy-manager', 'traefik', 'caddy', 'envoy', 'haproxy'])('%s', (folder) => {
  test('has a configuration that the gateway takes', () => {
    const configuration = readConfiguration(document(`${folder}/config.yml`));
    expect(configuration.listen.authenticated).toBeUndefined();
    expect(configuration.listen.forwardAuthAuthenticated).toBeDefined();
  });

  test('names its files in its README, and describes how to check that it works', () => {
    const readme = document(`${folder}/README.md`);
    expect(readme).toMatch(/\n## Check it\n[^#]*script\/postern doctor --url https:/);
    expect(readme).toContain('config.yml');
    expect(readme).toContain('](../README.md#check-it)');
    expect(document('README.md').split('\n## Check it\n')[1]).toMatch(/^curl /m);
  });
});

/** The gate's own paths, as fronts pass them on. */
const own = [
  ...[...openEndpoints, ...guardedEndpoints].map(({ path }) => path.replaceAll(/:\w+/g, 'a-1.js')),
  ...pages.map((page) => `/postern/${page}`),
  ...lockedRules.filter(({ level }) => level === 'public').map(namedBy),
  '/postern',
  '/postern/what/comes/later',
].filter((path) => path !== '/auth');
const notOwn = [
  '/api',
  '/api/version',
  '/api/usersx',
  '/api/profile/x',
  '/api/login/',
  '/api/authz/forward-auth',
  '/api/authz/auth-request',
  '/api/authz/ext-authz/api/login',
  '/review',
  '/explore',
  '/settings/users',
  '/account',
  '/api/roles',
  '/api/cameras',
  '/clips/api/login',
  '/metrics',
  '/healthz',
  '/readyz',
  '/accounts',
  '/posternx',
  '/postern;x/',
  '/postern%2fapi/roles',
  '/POSTERN/',
  '//postern/',
  '/x/postern/',
  '/login/x',
];
/** The headers that every front sends to the relay. */
const relayed = [
  '/ws',
  '/wsx',
  '/live/mse/api/ws',
  '/live/jsmpeg/front_door',
  '/api/go2rtc/stream.mjpeg',
  '/api/go2rtc/api/ws',
  '/api/logs/nginx',
  '/api/reviews/viewed',
  '/api/exports/batch',
  '/api/export/front_door/start/1/end/2',
  '/api/config',
  '/api/stats',
  '/api/metrics',
];

test('the lists of paths are right', () => {
  expect(own.filter((path) => !isOwnPath(path, true))).toEqual([]);
  expect(notOwn.filter((path) => isOwnPath(path, false))).toEqual([]);
  const atTheRoot = own.filter((path) => !isBelowOwnBase(path));
  expect(new Set(atTheRoot.map((path) => path.replace(/^(\/api\/users)\/.*/, '$1/…')))).toEqual(
    new Set(['/login', '/logout', '/api/login', '/api/logout', '/api/profile', '/api/users', '/api/users/…']),
  );
});

/** Which paths a rule of Traefik takes: of the matchers that dynamic.yml uses for paths. */
function takes(rule: string, path: string): boolean {
  const matchers = [...rule.matchAll(/(Path|PathRegexp|PathPrefix)\(`([^`]*)`\)/g)];
  return matchers.some(([, kind, value = '']) => {
    if (kind === 'PathRegexp') return new RegExp(value).test(path);
    return kind === 'PathPrefix' ? path.startsWith(value) : path === value;
  });
}

// Traefik passes trailers on once something reads the body first; Envoy does so when configured to.
test('Traefik and Envoy are not configured to pass trailers on', () => {
  const middlewares = Object.values(traefik.http.middlewares).flatMap((middleware) =>
    Object.keys(middleware),
  );
  expect(new Set(middlewares)).toEqual(new Set(['redirectRegex', 'headers', 'forwardAuth']));
  expect(Object.keys(traefik.http.middlewares['ask']?.forwardAuth ?? {})).not.toContain('forwardBody');
  expect(document('envoy/envoy.yaml')).not.toMatch(/enable_trailers|http2_protocol_options|alpn_protocols/);
});

/*
 * What the files of the fronts do with the gate's cookies. What nginx, Caddy and HAProxy do with it is tried in
 * test/attack/credentials.test.ts.
 */
describe('the cookies of the gate', () => {
  const defaultName = readConfiguration('').auth.cookieName;
  const recorderName = (parse(projectFile('docs/recorder/config.yml')) as { auth: { cookie_name: string } })
    .auth.cookie_name;

  test.each([
    ['nginx/postern/own-cookies.conf', 1],
    ['docs/fronts/nginx-proxy-manager/advanced.conf', 8],
    ['docs/fronts/caddy/Caddyfile', 2],
  ])('%s knows them all by their names', (file, times) => {
    const patterns = all(projectFile(file), /\(\?:(\w+\|\w+\|postern_\S*?\])\*\)/g);
    expect(patterns).toEqual(Array<string>(times).fill(`${defaultName}|${recorderName}|postern_[^=;]`));
  });

  test('HAProxy names them all', () => {
    const names = all(document('haproxy/postern.lua'), /^ {2}\["(\w+)"\] = true/gm);
    expect(names.filter((name) => name.endsWith('_token'))).toEqual([defaultName, recorderName]);
    expect(document('haproxy/postern.lua')).toContain('name:sub(1, 8) == "postern_"');
  });

  test('and all cookies of the gate share a prefix', () => {
    const isOwn = isOwnCookie(defaultName);
    expect(Object.values(ownCookies).filter((name) => !isOwn(name) || !name.startsWith('postern_'))).toEqual(
      [],
    );
  });

  test('Traefik and Envoy, which cannot distinguish them from others, pass no cookie on and none back', () => {
    expect(traefikDrops('no-client-identity')).toEqual(expect.arrayContaining(['Cookie', 'Authorization']));
    expect(traefik.http.middlewares['no-client-identity']?.headers?.customResponseHeaders).toEqual({
      'Set-Cookie': '',
      'X-Postern-Assertion': '',
    });
    const route = envoyRoutes.at(-1);
    expect(route?.request_headers_to_remove).toEqual(expect.arrayContaining(['cookie', 'authorization']));
    expect(route?.response_headers_to_remove).toEqual(['set-cookie', 'x-postern-assertion']);
  });
});

describe('Traefik', () => {
  const { routers, middlewares } = traefik.http;

  test('sends what changes something to the relay', () => {
    expect(routers['change']).toMatchObject({
      rule: '!Method(`GET`) && !Method(`HEAD`)',
      middlewares: ['no-front-headers', 'no-upgrade'],
      service: 'relay',
    });
  });

  test('sends the paths of the gate, and no others, to the gate', () => {
    expect(own.filter((path) => !takes(routers['gate']?.rule ?? '', path))).toEqual([]);
    const others = [...notOwn, '/', '/auth'];
    expect(others.filter((path) => takes(routers['gate']?.rule ?? '', path))).toEqual([]);
    expect(routers['gate']?.middlewares).toEqual(['no-front-headers']);
  });

  test('sends to the relay what the gate passes on itself, and no path of the gate', () => {
    const { relay, 'relay-websocket': webSocket } = routers;
    expect(relayed.filter((path) => !takes(relay?.rule ?? '', path))).toEqual([]);
    const others = [...own, ...notOwn, '/', '/auth'];
    for (const router of [relay, webSocket]) {
      expect(others.filter((path) => takes(router?.rule ?? '', path))).toEqual([]);
      expect([router?.service, router?.middlewares[0]]).toEqual(['relay', 'no-front-headers']);
    }
  });

  test('leads from the root to the pages of the gate', () => {
    const { rule = '', middlewares: [name = '', ...others] = [] } = routers['root'] ?? {};
    expect([...own, ...notOwn, '/'].filter((path) => takes(rule, path))).toEqual(['/']);
    expect([middlewares[name]?.redirectRegex, others]).toEqual([
      { regex: '^.*$', replacement: 'postern/' },
      [],
    ]);
  });

  test('asks about everything that goes to the recorder, in this order', () => {
    const toRecorder = Object.values(routers).filter(({ service }) => service === 'recorder');
    expect(toRecorder).toHaveLength(2);
    for (const router of toRecorder) {
      const [first, upgrade, ...others] = router.middlewares;
      expect([first, ...others]).toEqual(['no-front-headers', 'ask', 'no-client-identity']);
      expect(['websocket', 'no-upgrade']).toContain(upgrade);
    }
    expect(middlewares['ask']?.forwardAuth).toEqual({
      address: 'http://127.0.0.1:8972/api/authz/forward-auth',
      trustForwardHeader: false,
      authResponseHeaders: ['Remote-User', 'Remote-Role', 'Remote-Groups', 'Remote-Email', 'Remote-Name'],
      addAuthCookiesToResponse: ['session_token'],
    });
  });

  test('passes the headers of an upstream proxy to the gate, and none to the recorder', () => {
    const before = lower(traefikDrops('no-front-headers'));
    expect(trustedHeaders.filter((name) => before.has(name))).toEqual([]);
    const identity = lower([...identityHeaders]);
    expect(traefikDrops('no-client-identity').filter((name) => identity.has(name.toLowerCase()))).toEqual([]);
  });
});

describe('Envoy', () => {
  test('sends the paths of the gate, and no others, to the gate unasked', () => {
    const [root, gate, visit, relay, change, rest] = envoyRoutes;
    const pattern = new RegExp(`^(?:${gate?.match.safe_regex?.regex})$`);
    expect(own.filter((path) => !pattern.test(path))).toEqual([]);
    expect([...notOwn, '/', '/auth'].filter((path) => pattern.test(path))).toEqual([]);
    expect(visit?.match.path).toBe('/auth');
    for (const route of [gate, visit]) expect(route?.route.cluster).toBe('gate');
    const relayPattern = new RegExp(`^(?:${relay?.match.safe_regex?.regex})$`);
    expect([...own, ...notOwn, '/', '/auth'].filter((path) => relayPattern.test(path))).toEqual([]);
    expect(relayed.filter((path) => !relayPattern.test(path))).toEqual([]);
    expect(relay?.route.cluster).toBe('relay');
    expect([change?.route.cluster, change?.match]).toEqual([
      'relay',
      {
        prefix: '/',
        headers: [
          { name: ':method', string_match: { safe_regex: { regex: 'GET|HEAD' } }, invert_match: true },
        ],
      },
    ]);
    for (const route of [root, gate, visit, relay, change]) {
      expect(route?.typed_per_filter_config?.['envoy.filters.http.ext_authz']?.disabled).toBe(true);
    }
    expect([rest?.route.cluster, rest?.typed_per_filter_config]).toEqual(['recorder', undefined]);
    expect(envoyRoutes).toHaveLength(6);
  });

  test('leads from the root to the pages of the gate', () => {
    expect(envoyRoutes[0]).toMatchObject({
      match: { path: '/' },
      direct_response: { status: 303 },
      response_headers_to_add: [{ header: { key: 'location', value: 'postern/' } }],
    });
  });

  test('asks after it took out what only a front may say, and fails closed', () => {
    expect(manager.http_filters.map(({ name }) => name.split('.').at(-1))).toEqual([
      'header_mutation',
      'ext_authz',
      'router',
    ]);
    const filter = envoyFilter('ext_authz');
    expect([filter?.failure_mode_allow, filter?.http_service?.path_prefix]).toEqual([
      false,
      '/api/authz/ext-authz',
    ]);
    expect([manager.use_remote_address, manager.normalize_path, manager.upgrade_configs]).toEqual([
      true,
      false,
      [{ upgrade_type: 'websocket' }],
    ]);
  });

  test('shows the gate what it decides by', () => {
    const shown = exact(envoyFilter('ext_authz')?.allowed_headers);
    const needed = [
      'accept',
      'authorization',
      'cookie',
      'origin',
      'sec-fetch-mode',
      'sec-fetch-site',
      'sec-websocket-key',
      'user-agent',
    ];
    const wanted = [...trustedHeaders, ...needed, 'x-forwarded-proto', 'x-forwarded-for'];
    expect(wanted.filter((name) => !shown.includes(name))).toEqual([]);
    const spellings = new RegExp(
      `^(?:${envoyFilter('ext_authz')?.allowed_headers?.patterns.at(-1)?.safe_regex?.regex})$`,
    );
    expect(['remote.user', 'remote~role'].filter((name) => !spellings.test(name))).toEqual([]);
    expect(manager.common_http_protocol_options.headers_with_underscores_action).toBe('DROP_HEADER');
  });

  test('passes the identity on, and the cookie back', () => {
    expect(new Set(exact(upstreamHeaders))).toEqual(new Set(identityHeaders));
    const response = envoyFilter('ext_authz')?.http_service?.authorization_response;
    expect(exact(response?.['allowed_client_headers_on_success'])).toEqual(['set-cookie']);
  });
});

test('the guide for an nginx with other sites lists every name that they could have too', () => {
  const files = document('nginx/cameras.conf') + projectFile('nginx/postern/credentials.conf');
  const names = all(files, /^(?:map \S+|upstream) (\S+) \{/gm);
  const guide = document('nginx/README.md');
  expect(names.filter((name) => !/^\$cookies_[1-8]$/.test(name) && !guide.includes(`\`${name}\``))).toEqual(
    [],
  );
});
