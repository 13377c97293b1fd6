export type Header = readonly [name: string, value: string];

/** A request as a product sends it, and the expected result. */
export interface Recording {
  readonly name: string;
  readonly headers: readonly Header[];
  /** The user that the upstream must get, or the status of the refusal. */
  readonly expect: { readonly user: string; readonly role: string } | 401 | 403;
}

const keycloakDefaults = 'role:offline_access,role:uma_authorization,role:default-roles-home';
const encoded = (text: string) => Buffer.from(text, 'utf8').toString('latin1');

/** Header names and forms from the document named with each; the values are invented. */
export const products: ReadonlyArray<readonly [product: string, recordings: readonly Recording[]]> = [
  [
    // Authelia, "Trusted Header SSO": names, and groups with commas.
    'authelia',
    [
      {
        name: 'a user of several groups',
        headers: [
          ['Remote-User', 'ada'],
          ['Remote-Groups', 'choir,family'],
          ['Remote-Name', encoded('Ada Jørgensen')],
          ['Remote-Email', 'ada@example.com'],
        ],
        expect: { user: 'ada', role: 'admin' },
      },
      {
        name: 'a user of one group',
        headers: [
          ['Remote-User', 'nell'],
          ['Remote-Groups', 'street'],
          ['Remote-Name', 'Nell'],
          ['Remote-Email', ''],
        ],
        expect: { user: 'nell', role: 'neighbour' },
      },
      {
        name: 'a user without groups',
        headers: [
          ['Remote-User', 'mallory'],
          ['Remote-Groups', ''],
          ['Remote-Name', 'Mallory'],
          ['Remote-Email', 'mallory@example.com'],
        ],
        expect: 403,
      },
      {
        // nginx leaves out empty headers.
        name: 'a request that a bypass rule lets through',
        headers: [],
        expect: 401,
      },
    ],
  ],
  [
    // authentik, "Proxy provider", headers: groups with bars, and headers about the application.
    'authentik',
    [
      {
        name: 'a user of several groups',
        headers: [
          ['X-authentik-username', 'akadmin'],
          ['X-authentik-groups', 'choir|authentik Admins|street'],
          ['X-authentik-entitlements', ''],
          ['X-authentik-email', 'root@localhost'],
          ['X-authentik-name', 'authentik Default Admin'],
          ['X-authentik-uid', '5f0c2a7e5f0c2a7e5f0c2a7e5f0c2a7e5f0c2a7e5f0c2a7e5f0c2a7e5f0c2a7e'],
          ['X-authentik-meta-outpost', 'authentik Embedded Outpost'],
          ['X-authentik-meta-provider', 'cameras'],
          ['X-authentik-meta-app', 'cameras'],
          ['X-authentik-meta-version', 'goauthentik.io/outpost/2026.8.1'],
        ],
        expect: { user: 'akadmin', role: 'admin' },
      },
      {
        name: 'a user of one group',
        headers: [
          ['X-authentik-username', 'nell'],
          ['X-authentik-groups', 'street'],
        ],
        expect: { user: 'nell', role: 'neighbour' },
      },
      {
        name: 'a group with commas in its name',
        headers: [
          ['X-authentik-username', 'mallory'],
          ['X-authentik-groups', 'choir,authentik Admins,friends'],
        ],
        expect: 403,
      },
    ],
  ],
  [
    // oauth2-proxy, "Configuration overview", pass-user-headers; what nginx.conf makes of X-Auth-Request- has the same names.
    'oauth2-proxy',
    [
      {
        name: 'a user of several groups',
        headers: [
          ['X-Forwarded-User', '7c1e9a52-40a1-4f5e-9d8c-2b6d6d3f8a10'],
          ['X-Forwarded-Groups', 'choir,family'],
          ['X-Forwarded-Email', 'ada@example.com'],
          ['X-Forwarded-Preferred-Username', 'ada'],
        ],
        expect: { user: 'ada', role: 'admin' },
      },
      {
        name: 'a user without groups',
        headers: [
          ['X-Forwarded-User', '0b1f6c0e-1d1e-4f0e-8f57-3d2f7ab1c9aa'],
          ['X-Forwarded-Email', 'mallory@example.com'],
          ['X-Forwarded-Preferred-Username', 'mallory'],
        ],
        expect: 403,
      },
      {
        name: 'a user of a provider that gives no names',
        headers: [
          ['X-Forwarded-User', '104286339101273612345'],
          ['X-Forwarded-Groups', 'family'],
          ['X-Forwarded-Email', 'ada@example.com'],
        ],
        expect: 401,
      },
    ],
  ],
  [
    // oauth2-proxy, "Keycloak OIDC": realm roles, client roles, and groups with their path.
    'keycloak',
    [
      {
        name: 'a realm role',
        headers: [
          ['X-Forwarded-User', '2d0c8f6a-95a9-4c0c-a7f0-51b0f0c2a7e1'],
          ['X-Forwarded-Groups', `/village/street,${keycloakDefaults},role:cameras-admin`],
          ['X-Forwarded-Email', 'ada@example.com'],
          ['X-Forwarded-Preferred-Username', 'ada'],
        ],
        expect: { user: 'ada', role: 'admin' },
      },
      {
        name: 'a role of a client',
        headers: [
          ['X-Forwarded-Groups', `${keycloakDefaults},role:account:view-profile,role:postern:viewer`],
          ['X-Forwarded-Preferred-Username', 'vera'],
        ],
        expect: { user: 'vera', role: 'viewer' },
      },
      {
        name: 'a group',
        headers: [
          ['X-Forwarded-Groups', `/village/street,${keycloakDefaults}`],
          ['X-Forwarded-Preferred-Username', 'nell'],
        ],
        expect: { user: 'nell', role: 'neighbour' },
      },
      {
        name: 'only the roles that all users have',
        headers: [
          ['X-Forwarded-Groups', keycloakDefaults],
          ['X-Forwarded-Preferred-Username', 'mallory'],
        ],
        expect: 403,
      },
      {
        name: 'groups and roles of other places with the same names',
        headers: [
          ['X-Forwarded-Groups', '/cameras-admin,/elsewhere/street,role:account:viewer'],
          ['X-Forwarded-Preferred-Username', 'mallory'],
        ],
        expect: 403,
      },
    ],
  ],
  [
    // Cloudflare One, "Authorization cookie" and "HTTP headers" of Access: the address and the signed token.
    'cloudflare-access',
    [
      {
        name: 'an address that is listed',
        headers: [
          ['Cf-Access-Authenticated-User-Email', 'ada@example.com'],
          ['Cf-Access-Jwt-Assertion', 'eyJhbGciOiJSUzI1NiJ9.eyJlbWFpbCI6ImFkYSJ9.c2ln'],
          ['Cf-Connecting-Ip', '192.0.2.7'],
          ['X-Forwarded-Proto', 'https'],
        ],
        expect: { user: 'ada@example.com', role: 'admin' },
      },
      {
        name: 'anyone else whom the policy lets in',
        headers: [['Cf-Access-Authenticated-User-Email', 'vera@example.com']],
        expect: { user: 'vera@example.com', role: 'viewer' },
      },
      {
        name: 'an address with commas',
        headers: [['Cf-Access-Authenticated-User-Email', '"x,ada@example.com,y"@example.net']],
        expect: { user: '"x,ada@example.com,y"@example.net', role: 'viewer' },
      },
      {
        name: 'a service token, which has no address',
        headers: [['Cf-Access-Jwt-Assertion', 'eyJhbGciOiJSUzI1NiJ9.eyJjb21tb25fbmFtZSI6IngifQ.c2ln']],
        expect: 401,
      },
    ],
  ],
  [
    // Tailscale, "Tailscale Serve", identity headers: ASCII, or encoded as in RFC 2047.
    'tailscale-serve',
    [
      {
        name: 'a login that is listed',
        headers: [
          ['Tailscale-User-Login', 'nell@github'],
          ['Tailscale-User-Name', '=?utf-8?q?Nell_Bj=C3=B6rk?='],
          ['Tailscale-User-Profile-Pic', 'https://pictures.example.com/nell'],
          ['Tailscale-Headers-Info', 'https://tailscale.com/s/serve-headers'],
          ['X-Forwarded-For', '100.64.0.7'],
          ['X-Forwarded-Host', 'cameras.example.ts.net'],
          ['X-Forwarded-Proto', 'https'],
        ],
        expect: { user: 'nell@github', role: 'neighbour' },
      },
      {
        name: 'a login that is not listed',
        headers: [['Tailscale-User-Login', 'mallory@example.com']],
        expect: 403,
      },
      {
        name: 'a login that is encoded, and not listed',
        headers: [['Tailscale-User-Login', '=?utf-8?q?j=C3=B6rg@example.com?=']],
        expect: 403,
      },
      { name: 'a tagged device', headers: [['X-Forwarded-For', '100.64.0.9']], expect: 401 },
      { name: 'Funnel', headers: [['Tailscale-Funnel-Request', '?1']], expect: 401 },
    ],
  ],
  [
    // Recorded from the ingress code of Home Assistant 2025.4.4 and of Supervisor, behind docs/sso/home-assistant-ingress/nginx.conf.
    'home-assistant-ingress',
    [
      {
        name: 'a user who is listed',
        headers: [
          ['X-Remote-User-Id', '0123456789abcdef0123456789abcdef'],
          ['X-Remote-User-Name', 'nell'],
          ['X-Remote-User-Display-Name', encoded('Nell Bjørk')],
          ['X-Ingress-Path', '/api/hassio_ingress/kQ3nqkQ0d1VQxSqg5v0bPw8K7cJqv3m2Tn5hJt9xLw0'],
          ['X-Hass-Source', 'core.ingress'],
          ['X-Forwarded-For', '192.168.1.7, 172.30.32.1'],
        ],
        expect: { user: 'nell', role: 'neighbour' },
      },
      {
        name: 'a user who is not listed',
        headers: [['X-Remote-User-Name', 'mallory']],
        expect: 403,
      },
      {
        name: 'a listed name in another letter case',
        headers: [['X-Remote-User-Name', 'Ada']],
        expect: 403,
      },
      {
        // Trusted networks, for one.
        name: 'a user without a user name',
        headers: [
          ['X-Remote-User-Id', '0123456789abcdef0123456789abcdef'],
          ['X-Remote-User-Display-Name', 'ada'],
        ],
        expect: 401,
      },
      { name: 'a session that names no user', headers: [['X-Hass-Source', 'core.ingress']], expect: 401 },
    ],
  ],
];
