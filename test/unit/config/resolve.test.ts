import { ownRules } from '../../support/every-endpoint.ts';
import { everyFeature } from '../../../src/policy/features.ts';
import { alertEvents } from '../../../src/config/notifications-section.ts';
import { describe, expect, test } from 'vitest';
import { lockedRules, recorderRules } from '../../../src/policy/recorder/access-rules.ts';
import { rolesOf } from '../../support/roles.ts';
import { problemText, problemsOf, resolve } from './resolve-document.ts';

test('an empty document has the defaults of the contract', () => {
  expect(resolve({})).toEqual({
    accessRules: [],
    ui: { name: undefined, logo: undefined, accent: undefined, landing: 'home' },
    audit: { keepDays: 90, keepRefusals: 100_000, viewing: false },
    notifications: { targets: [], events: new Set(Object.keys(alertEvents)), pushServices: [] },
    streams: new Map(),
    auth: {
      enabled: true,
      resetAdminPassword: false,
      failedLoginRateLimit: '5/minute;20/hour',
      trustedProxies: [],
      sessionLength: 86_400_000,
      refreshTime: 1_800_000,
      cookieName: 'session_token',
      returnDomains: [],
      defined: { definitions: new Map(), groups: new Map() },
      roles: rolesOf(),
      oidc: undefined,
      secondFactor: { requiredFor: new Set() },
    },
    proxy: {
      authSecret: undefined,
      userHeader: undefined,
      roleHeader: undefined,
      separator: ',',
      defaultRole: undefined,
      roleMap: undefined,
      trustedHeaders: new Set(['remote-user', 'remote-groups', 'x-proxy-secret']),
    },
    listen: {
      authenticated: { host: undefined, port: 8971 },
      internal: { host: '127.0.0.1', port: 5000 },
      metrics: undefined,
      forwardAuthAuthenticated: undefined,
      forwardAuthInternal: undefined,
      relayAuthenticated: undefined,
      relayInternal: undefined,
      events: undefined,
    },
    internalHosts: new Set(),
    fronts: { trusted: [], secret: undefined },
    tls: { enabled: true, files: undefined },
    cameras: undefined,
    upstream: undefined,
    frontsReachEvents: false,
    recorder: { authSecret: undefined, certificate: undefined, checkInterval: 60_000, manageRoles: false },
    store: { url: undefined },
    features: everyFeature,
    shares: { enabled: true, longest: 2_592_000_000, mostPerUser: 100 },
    limits: {
      headerTimeout: 30_000,
      bodyTimeout: 30_000,
      writeTimeout: 30_000,
      connectionsPerClient: 256,
      upstreamConnections: 256,
    },
    basePath: '',
    publicUrl: undefined,
    timezone: expect.any(String),
    frameAncestors: [],
    shutdownTimeout: 8_000,
    shutdownDelay: 0,
    eventsDatabase: undefined,
    logoutUrl: undefined,
    contact: undefined,
    warnings: [],
    exposures: [],
  });
});

describe('values in their final form', () => {
  test.each<[what: string, document: object, configuration: object]>([
    ['sections without content', { auth: null, proxy: null, tls: null, networking: null, events: null }, {}],
    [
      'header names in lower case',
      { proxy: { header_map: { user: 'Remote-User', role: 'REMOTE-groups' } } },
      { proxy: { userHeader: 'remote-user', roleHeader: 'remote-groups' } },
    ],
    ['cameras by a list', { cameras: ['front', 'back'] }, { cameras: ['front', 'back'] }],
    [
      'cameras by a map, values ignored',
      { cameras: { front: { detect: 1 }, back: null } },
      { cameras: ['front', 'back'] },
    ],
    [
      'roles',
      { auth: { roles: { b: ['front'], a: ['yard'] } } },
      {
        auth: {
          roles: rolesOf([
            ['b', ['front']],
            ['a', ['yard']],
          ]),
        },
      },
    ],
    [
      'no failure limit, by an empty text',
      { auth: { failed_login_rate_limit: '' } },
      { auth: { failedLoginRateLimit: undefined } },
    ],
    [
      'no failure limit, by null',
      { auth: { failed_login_rate_limit: null } },
      { auth: { failedLoginRateLimit: undefined } },
    ],
    [
      'the limits of spec.md',
      { auth: { failed_login_rate_limit: '1/second;5/minute;20/hour' } },
      { auth: { failedLoginRateLimit: '1/second;5/minute;20/hour' } },
    ],
    [
      'a short session: refreshed at its half',
      { auth: { session_length: 61 } },
      { auth: { refreshTime: 30_000 } },
    ],
    ['a session of no length', { auth: { session_length: 0 } }, { auth: { refreshTime: 0 } }],
    [
      'the latest refresh there is',
      { auth: { session_length: 60, refresh_time: 30 } },
      { auth: { refreshTime: 30_000 } },
    ],
    [
      'trusted proxies',
      { auth: { trusted_proxies: ['10.0.0.0/8', 'fd00::/8', '::1'] } },
      { auth: { trustedProxies: ['10.0.0.0/8', 'fd00::/8', '::1'] } },
    ],
    [
      'listeners that are off',
      { networking: { listen: { authenticated: 'off', internal: 'off' } } },
      { listen: { authenticated: undefined, internal: undefined } },
    ],
    [
      'forward-auth by socket and port',
      {
        networking: { forward_auth: { authenticated: 'unix:/a', internal: '10.0.0.1:1' } },
        fronts: { trusted: ['10.0.0.0/24'] },
      },
      {
        listen: {
          forwardAuthAuthenticated: { path: '/a' },
          forwardAuthInternal: { host: '10.0.0.1', port: 1 },
        },
        fronts: { trusted: ['10.0.0.0/24'], secret: undefined },
      },
    ],
    [
      'relays by socket and port',
      {
        networking: { relay: { authenticated: 'unix:/r', internal: '10.0.0.1:2' } },
        fronts: { secret: 'a secret of all fronts' },
      },
      { listen: { relayAuthenticated: { path: '/r' }, relayInternal: { host: '10.0.0.1', port: 2 } } },
    ],
    [
      'certificate files',
      { tls: { certificate: 'a.pem', key: 'b.pem' } },
      { tls: { enabled: true, files: { certificate: 'a.pem', key: 'b.pem' } } },
    ],
    ['an upstream', { upstream: 'http://recorder.test:5001/' }, { upstream: 'http://recorder.test:5001' }],
    ['an events database', { events: { database: '/db/r.db' } }, { eventsDatabase: '/db/r.db' }],
    [
      'a listener for metrics, whose port alone is of loopback',
      { networking: { listen: { metrics: 9464 } } },
      { listen: { metrics: { host: '127.0.0.1', port: 9464 } } },
    ],
    [
      'a listener for metrics that other machines can reach',
      { networking: { listen: { metrics: '0.0.0.0:9464' } } },
      { listen: { metrics: { host: '0.0.0.0', port: 9464 } } },
    ],
    [
      'a listener for metrics on a Unix socket',
      { networking: { listen: { metrics: 'unix:/run/postern/metrics.sock' } } },
      { listen: { metrics: { path: '/run/postern/metrics.sock' } } },
    ],
    [
      'an events listener',
      { events: { listen: '[::1]:5001' } },
      { listen: { events: { host: '::1', port: 5001 } } },
    ],
    ['a separator beyond ASCII', { proxy: { separator: '😀' } }, { proxy: { separator: '😀' } }],
  ])('%s', (_, document, configuration) => {
    expect(resolve(document)).toMatchObject(configuration);
  });

  const roleMap = { viewer: ['staff'] };
  test.each<[what: string, document: object]>([
    ['proxy.role_map', { proxy: { role_map: roleMap } }],
    ['proxy.header_map.role_map', { proxy: { header_map: { role_map: roleMap } } }],
  ])('the role map at %s', (_, document) => {
    expect(resolve(document).proxy.roleMap).toEqual(new Map([['viewer', new Set(['staff'])]]));
  });

  const named = { header_map: { user: 'remote-user' } };
  test.each<
    [what: string, userMap: object | null | undefined, roles: ReadonlyArray<[string, string]> | undefined]
  >([
    ['absent', undefined, undefined],
    ['null', null, undefined],
    ['empty', {}, undefined],
    ['of one user', { 'ada@example.org': 'admin' }, [['ada@example.org', 'admin']]],
    [
      'of two users who differ in case',
      { Ada: 'admin', ada: 'viewer' },
      [
        ['Ada', 'admin'],
        ['ada', 'viewer'],
      ],
    ],
    ['with a user who is refused', { ada: 'None' }, [['ada', 'None']]],
    ['with letters beyond ASCII', { 'Søren Ø': 'viewer' }, [['Søren Ø', 'viewer']]],
    ['with a number as the name', { 7: 'viewer' }, [['7', 'viewer']]],
  ])('a user map that is %s', (_, userMap, roles) => {
    const { proxy, warnings } = resolve({ proxy: { ...named, user_map: userMap } });
    expect([proxy.userMap, warnings]).toEqual([roles && new Map(roles), []]);
  });

  test('a user map that names a role of the store warns until there is the role', () => {
    const { proxy, warnings } = resolve({
      store: { url: 'postgres://host/db' },
      proxy: { ...named, user_map: { ada: 'porch' }, role_map: { yard: ['gardeners'] } },
    });
    expect(proxy.userMap).toEqual(new Map([['ada', 'porch']]));
    expect(warnings).toEqual([
      expect.stringMatching(/^proxy\.role_map\.yard counts once the role yard is made/),
      expect.stringMatching(/^proxy\.user_map\.ada counts once the role porch is made/),
    ]);
  });

  test.each<[what: string, document: object, url: string]>([
    ['logout_url', { logout_url: 'https://idp.test/out?a=b' }, 'https://idp.test/out?a=b'],
    ['proxy.logout_url', { proxy: { logout_url: '/oauth2/sign_out' } }, '/oauth2/sign_out'],
  ])('the logout URL at %s', (_, document, url) => {
    expect(resolve(document).logoutUrl).toBe(url);
  });

  test.each([
    'Olaf, 0171 2345, in the office',
    'Olaf: ask me at lunch',
    '<b>Olaf & co.</b>',
    'عمر',
    'mailto:olaf@home.example',
    'mailto:olaf@home.example?subject=Cameras',
    'https://home.example/help?a=b#c',
  ])('contact: %s', (contact) => {
    expect(resolve({ contact: ` ${contact} ` }).contact).toBe(contact);
  });
});

describe('the proxy secret', () => {
  const environment = {
    SERVICE_SECRET: 's3cret',
    SERVICE_EMPTY: '',
    SERVICE_A: '{SERVICE_B}',
    SERVICE_BRACES: 'a{b}c',
    FRIGATE_SECRET: 'of the recorder',
    OTHER: 'x',
  };
  const secretOf = (secret: string) =>
    resolve({ proxy: { auth_secret: secret } }, environment).proxy.authSecret;

  test.each<[written: string, secret: string]>([
    ['plain', 'plain'],
    ['{SERVICE_SECRET}', 's3cret'],
    ['a-{SERVICE_SECRET}-{SERVICE_SECRET}-{SERVICE_EMPTY}', 'a-s3cret-s3cret-'],
    ['{SERVICE_A}', '{SERVICE_B}'],
    ['{FRIGATE_SECRET}', 'of the recorder'],
    ['{SERVICE_BRACES}', 'a{b}c'],
    ['$& $1', '$& $1'],
  ])('%s', (written, secret) => {
    expect(secretOf(written)).toBe(secret);
  });

  test.each<[written: unknown, found: string]>([
    ['', 'an empty secret'],
    ['  ', 'an empty secret'],
    ['{SERVICE_EMPTY}', 'an empty secret'],
    ['a{SERVICE_MISSING}', '{SERVICE_MISSING}'],
    ['{FRIGATE_PROXY_SECRET}', '{FRIGATE_PROXY_SECRET}'],
    ['{OTHER}', 'braces that are no placeholder'],
    ['{service_secret}', 'braces that are no placeholder'],
    ['{ SERVICE_SECRET }', 'braces that are no placeholder'],
    ['{{SERVICE_SECRET}}', 'braces that are no placeholder'],
    ['{SERVICE_SECRET', 'braces that are no placeholder'],
    ['SERVICE_SECRET}', 'braces that are no placeholder'],
    ['{SERVICE_SECRET!r}', 'braces that are no placeholder'],
    ['a{}b', 'braces that are no placeholder'],
    ['{{', 'braces that are no placeholder'],
    [12_345_678, 'a number'],
  ])('not %j', (written, found) => {
    const problems = problemsOf({ proxy: { auth_secret: written } }, environment);
    expect(problems).toMatchObject([{ path: 'proxy.auth_secret', found }]);
  });
});

test('what closes something is refused without a value', () => {
  const problems = problemsOf({
    proxy: { auth_secret: null },
    fronts: { secret: null },
    auth: { oidc: { allowed_emails: null, role_map: null }, second_factor: { required_for: null } },
  });
  expect(problems.filter(({ found }) => found === 'no value').map(({ path }) => path)).toEqual([
    'proxy.auth_secret',
    'fronts.secret',
    'auth.oidc.allowed_emails',
    'auth.oidc.role_map',
    'auth.second_factor.required_for',
  ]);
});

describe('every secret with a placeholder', () => {
  const oidc = { issuer: 'https://id.example', client_id: 'cameras' };
  const places: Readonly<Record<string, readonly [document: (secret: string) => object, ready: string]>> = {
    'proxy.auth_secret': [(auth_secret) => ({ proxy: { auth_secret } }), '{0}'],
    'recorder.auth_secret': [
      (auth_secret) => ({ upstream: 'http://recorder:8971', recorder: { auth_secret } }),
      '{0}',
    ],
    'fronts.secret': [(secret) => ({ fronts: { secret } }), 'sixteen characters {0}'],
    'auth.oidc.client_secret': [
      (client_secret) => ({
        public_url: 'https://cameras.example',
        auth: { oidc: { ...oidc, client_secret } },
      }),
      '{0}',
    ],
    'store.url': [(url) => ({ store: { url } }), 'postgres://gate:{0}@db/gate'],
  };
  const secretsOf = ({ proxy, recorder, fronts, auth, store }: ReturnType<typeof resolve>) => [
    proxy.authSecret,
    recorder.authSecret,
    fronts.secret,
    auth.oidc?.clientSecret,
    store.url,
  ];

  test.each(Object.entries(places))('%s', (path, [document, ready]) => {
    const written = (text: string) => document(ready.replace('{0}', text));
    for (const name of ['SERVICE_WORD', 'FRIGATE_WORD'])
      expect(secretsOf(resolve(written(`{${name}}`), { [name]: 'w0rd' }))).toContain(
        ready.replace('{0}', 'w0rd'),
      );
    for (const name of ['{SERVICE_NONE}', '{FRIGATE_NONE}'])
      expect(problemsOf(written(name))).toEqual([
        {
          path,
          found: name,
          allowed: 'the name of an environment variable that is set, or of a secret file',
        },
      ]);
    for (const odd of ['{PROXY_SECRET}', '{frigate_word}', '{hunter2}', '{{SERVICE_WORD}}', 'a{b']) {
      const problems = problemsOf(written(odd), { SERVICE_WORD: 'w0rd' });
      expect(problems).toMatchObject([{ path, found: 'braces that are no placeholder' }]);
      expect(JSON.stringify(problems)).not.toContain('hunter2');
    }
  });
});

test.each<[what: string, document: object]>([
  ['on loopback', { networking: { listen: { authenticated: '127.0.0.1:8971' } } }],
  [
    'where a front asks',
    {
      networking: {
        listen: { authenticated: 'off' },
        forward_auth: { authenticated: 'unix:/run/auth.sock' },
      },
    },
  ],
  [
    'where a proxy logs people in',
    { auth: { enabled: false }, proxy: { header_map: { user: 'Remote-User' }, auth_secret: 's3cret' } },
  ],
])('does not warn of plain HTTP %s', (_, document) => {
  expect(resolve({ tls: { enabled: false }, ...document }).warnings).toEqual([]);
});

const headerMap = { header_map: { user: 'Remote-User', role: 'Remote-Groups' } };

test.each<[what: string, document: object]>([
  ['with the secret', { auth: { enabled: false }, proxy: { ...headerMap, auth_secret: 's3cret' } }],
  ['with own accounts, which do not look at them', { proxy: headerMap }],
  [
    'for a proxy on this machine alone',
    {
      auth: { enabled: false },
      proxy: headerMap,
      networking: { listen: { authenticated: '127.0.0.1:8971' } },
    },
  ],
])('does not warn of headers of a proxy %s', (_, document) => {
  expect(resolve(document).warnings).toEqual([]);
});

test.each<[what: string, warning: RegExp, document: object]>([
  ['no failure limit', /^auth\.failed_login_rate_limit is off/, { auth: { failed_login_rate_limit: '' } }],
  ['an undefined default role', /^proxy\.default_role/, { proxy: { default_role: 'nobody' } }],
  ['every user called viewer', /proxy\.header_map\.user/, { auth: { enabled: false } }],
  ['no listener', /^every listener/, { networking: { listen: { authenticated: 'off', internal: 'off' } } }],
  [
    'passwords in plain HTTP',
    /^tls\.enabled is false, and other machines reach networking\.listen\.authenticated: passwords/,
    { tls: { enabled: false } },
  ],
  [
    'passwords in plain HTTP on one address',
    /^tls\.enabled is false/,
    { tls: { enabled: false }, networking: { listen: { authenticated: '192.0.2.1:8971' } } },
  ],
  [
    'an open internal entry point',
    /^networking\.listen\.internal/,
    { networking: { listen: { internal: 5000 } } },
  ],
  [
    'unproven headers of a proxy',
    /anyone who reaches networking\.listen\.authenticated past the proxy is any user by remote-user, admin by remote-groups\. Set proxy\.auth_secret/,
    { auth: { enabled: false }, proxy: headerMap },
  ],
  [
    'the same by a front',
    /anyone who reaches a front of networking\.forward_auth\.authenticated past the proxy is any user by remote-user\. Set/,
    {
      auth: { enabled: false },
      proxy: { header_map: { user: 'Remote-User' } },
      networking: { listen: { authenticated: '127.0.0.1:8971' }, forward_auth: { authenticated: 'unix:/s' } },
    },
  ],
  ["a recorder's key", /^auth\.cookie_secure/, { auth: { cookie_secure: true } }],
])('warns of %s', (_, warning, document) => {
  expect(resolve(document).warnings).toEqual([expect.stringMatching(warning)]);
});

describe('values that recorders treat specially', () => {
  test('an empty role map and null count as none: the header contains names of roles', () => {
    for (const proxy of [
      { role_map: {} },
      { role_map: null },
      { header_map: { role_map: {} } },
      { header_map: { role_map: null } },
      { role_map: {}, header_map: { role_map: { viewer: ['a'] } } },
    ])
      expect(resolve({ proxy }).proxy.roleMap?.size).toBe(
        (proxy.header_map?.role_map as object | undefined)?.hasOwnProperty('viewer') ? 1 : undefined,
      );
  });

  test('a null default role is none, and a null separator is white space', () => {
    const { proxy, logoutUrl, warnings } = resolve({
      proxy: { default_role: null, separator: null, logout_url: null },
    });
    expect([proxy.defaultRole, proxy.separator, logoutUrl, warnings]).toEqual([
      undefined,
      ' ',
      undefined,
      [],
    ]);
    expect(resolve({}).proxy.separator).toBe(',');
  });

  test('built-in roles may be listed, with every camera', () => {
    const { auth, warnings } = resolve({
      cameras: { front: {} },
      auth: { roles: { admin: [], family: ['front'], viewer: [] } },
    });
    expect(auth.roles).toEqual(rolesOf([['family', ['front']]]));
    expect(warnings).toEqual([]);
  });
});

test('`none` means no access, as a default and in the maps', () => {
  const oidc = {
    issuer: 'https://id.example',
    client_id: 'cameras',
    client_secret: 's',
    default_role: 'none',
    role_map: { None: ['leavers'] },
  };
  const { proxy, warnings } = resolve({
    public_url: 'https://cameras.example',
    auth: { oidc },
    proxy: { default_role: 'None', role_map: { none: ['leavers'] } },
  });
  expect(proxy.defaultRole).toBe('None');
  expect(proxy.roleMap).toEqual(new Map([['none', new Set(['leavers'])]]));
  expect(warnings).toEqual([]);
});

test("accepts a recorder's own file", () => {
  const configuration = resolve({
    version: '0.17-0',
    mqtt: { enabled: false, password: '{RECORDER_MQTT}' },
    detectors: { cpu: { type: 'cpu' } },
    go2rtc: { streams: { front: 'rtsp://10.0.0.2/1' } },
    database: { path: '/config/recorder.db' },
    cameras: { front: { ffmpeg: { inputs: [] } }, garage: { enabled: false } },
    tls: { enabled: false },
    networking: { ipv6: { enabled: false }, listen: { internal: '127.0.0.1:5000', external: 8971 } },
    auth: {
      enabled: false,
      cookie_name: 'frigate_token',
      cookie_secure: false,
      session_length: 604_800,
      refresh_time: 1800,
      failed_login_rate_limit: '1/second;5/minute;20/hour',
      trusted_proxies: ['172.18.0.0/16'],
      hash_iterations: 600_000,
      roles: { family: ['front'] },
    },
    proxy: {
      header_map: { user: 'remote-user', role: 'remote-groups', role_map: { family: ['home'] } },
      logout_url: 'https://idp.test/logout',
      auth_secret: 's3cret',
      default_role: 'viewer',
      separator: '|',
    },
  });
  expect(configuration.cameras).toEqual(['front', 'garage']);
  expect(configuration.auth.roles).toEqual(rolesOf([['family', ['front']]]));
  expect(configuration.warnings.map((warning) => warning.split(' ')[0])).toEqual([
    'auth.cookie_secure',
    'auth.hash_iterations',
    'networking.ipv6',
    'networking.listen.external',
  ]);
});

test.each([
  ['write_timeout', 0, 'at least 1 seconds'],
  ['body_timeout', 0.5, 'whole seconds'],
  ['header_timeout', 'long', 'a number of seconds'],
  ['connections_per_client', 0, 'at least 1'],
  ['upstream_connections', 65_537, 'at most 65536 connections'],
  ['connections', 1, 'one of header_timeout'],
])('limits.%s: %j is refused', (key, value, allowed) => {
  expect(problemText({ limits: { [key]: value } })).toContain(`limits.${key}: `);
  expect(problemText({ limits: { [key]: value } })).toContain(allowed);
});

describe('public_url', () => {
  test.each([
    ['https://cameras.example', 'https://cameras.example'],
    ['https://cameras.example/', 'https://cameras.example'],
    ['http://192.168.1.5:8971', 'http://192.168.1.5:8971'],
    ['https://[fd00::5]:8971', 'https://[fd00::5]:8971'],
  ])('%s is %s', (written, read) => {
    expect(resolve({ public_url: written }).publicUrl).toBe(read);
  });

  test.each([
    'cameras.example',
    'https://cameras.example/cameras',
    'https://olaf@cameras.example',
    'https://Cameras.example',
    'https://cameras.example:443',
    'https://cameras.example?x',
    'ftp://cameras.example',
    'https://',
    '',
  ])('%j is no origin', (written) => {
    expect(problemText({ public_url: written })).toContain('an origin such as https://cameras.example');
  });
});

describe('base_path', () => {
  test.each([
    ['', ''],
    ['/', ''],
    ['/cameras', '/cameras'],
    ['/home/cameras/', '/home/cameras'],
    ['/.well-hidden', '/.well-hidden'],
  ])('"%s" is "%s"', (written, read) => {
    expect(resolve({ base_path: written }).basePath).toBe(read);
  });

  test.each([
    'cameras',
    '//evil.test',
    '/a//b',
    '/a/../b',
    '/a b',
    '/a%20b',
    'https://a.test/',
    '/a;b',
    '/a?b',
  ])('"%s" is refused', (written) => {
    expect(problemsOf({ base_path: written })).toMatchObject([{ path: 'base_path' }]);
  });

  test('cannot begin like paths of the gate or a recorder', () => {
    const paths = [...ownRules, ...lockedRules, ...recorderRules]
      .map(({ path }) => path)
      .filter((path) => path !== '/**');
    const roots = new Set(paths.map((path) => path.split('/')[1] ?? ''));
    for (const root of [...roots, 'account', 'settings', 'explore']) {
      expect(problemsOf({ base_path: `/${root}/x` }), root).toMatchObject([{ path: 'base_path' }]);
    }
  });
});

test('no role may have birdseye, which shows all cameras', () => {
  const { auth, warnings } = resolve({ auth: { roles: { family: ['front', 'birdseye'] } } });
  expect(auth.roles).toEqual(rolesOf([['family', ['front']]]));
  expect(warnings).toContain(
    'auth.roles.family names birdseye, which shows all cameras: no custom role gets it',
  );
});
