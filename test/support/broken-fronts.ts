import type { NginxOptions } from './start-nginx.ts';

/** The gateway behind a broken front: each is started once. */
export type GatewayKind =
  | 'sessions'
  | 'short sessions'
  | 'proxy headers'
  | 'signed on'
  | 'open configuration'
  | 'another role'
  | 'no recorder'
  | 'on TCP';

/** Where the things are that the doctor's options name. */
export interface Whereabouts {
  readonly internal: string;
  readonly gate: string;
  readonly events: string;
  /** Frigate's port, without a login. */
  readonly recorder: string;
  /** A config.yml with mistakes. */
  readonly config: string;
}

/** A proxy that signs users on by a cookie and sets their name; it sends all others to its own page. */
const signsOn = (more: string): NonNullable<BrokenFront['changes']> => ({
  'postern/server.conf': [
    [
      'absolute_redirect off;',
      "absolute_redirect off;\nif ($cookie_sso != '1') { return 302 https://sign-on.invalid/; }",
    ],
  ],
  'postern/authorization-request.conf': [
    [
      'proxy_set_header Host postern;',
      `proxy_set_header Host postern;\nproxy_set_header Remote-User vera;${more}`,
    ],
  ],
});
/** The proxy sets the role too. */
export const healthySignOn = signsOn('\nproxy_set_header Remote-Groups viewer;');

/** A front with one mistake in it, and the probes that must find it. */
export interface BrokenFront {
  readonly name: string;
  /** By default `sessions`. */
  readonly gateway?: GatewayKind;
  readonly changes?: NginxOptions['changes'];
  readonly tls?: false;
  /** The doctor's options besides the URL. */
  readonly options?: (where: Whereabouts) => readonly string[];
  /** Not run with `--insecure`. */
  readonly secure?: true;
  /** The user who signs in; null: no login. By default one of a limited role. */
  readonly user?: null | 'vera' | 'ada';
  /** Names of the probes that find it: the mistake itself, then what follows from it. */
  readonly faults: readonly string[];
  /** A text that the table has about it. */
  readonly says?: string;
}

const serverConf = 'postern/server.conf';
const authorizationRequestConf = 'postern/authorization-request.conf';
const ownConf = 'postern/own.conf';
const recorderConf = 'postern/recorder.conf';
const gateConf = 'postern/gate-answer.conf';

const originalUrl = 'proxy_set_header X-Original-URL $request_uri;';
const originalMethod = 'proxy_set_header X-Original-Method $request_method;';
const remoteRole = 'proxy_set_header Remote-Role $gate_role;';
/** A location as guides for Frigate have it, which passes everything on. */
const opens = (location: string): NonNullable<BrokenFront['changes']> => ({
  [serverConf]: [
    [
      catchAll,
      `location ${location} {\n  include postern/media.conf;\n  proxy_pass http://recorder;\n}\n${catchAll}`,
    ],
  ],
});
const catchAll = 'location / {\n  include postern/gate-narrow.conf;';
/** Without it nginx would pass nothing on that was not asked about. */
const passesOnAnyway = [
  'proxy_pass http://$recorder_of_somebody$gate_target;',
  'proxy_pass http://recorder;',
] as const;

/** A variable with the client's value, or nginx's own if the client sends none. */
const preferClient = (variable: string, header: string, otherwise: string) =>
  [
    'http {',
    `http {\n  map ${header} ${variable} {\n    '' ${otherwise};\n    default ${header};\n  }\n`,
  ] as const;

export const brokenFronts: readonly BrokenFront[] = [
  {
    name: 'without TLS',
    tls: false,
    faults: ['tls', 'cookie-secure'],
    says: 'plain HTTP',
  },
  {
    name: 'with a self-signed certificate',
    secure: true,
    faults: ['tls'],
    says: 'nothing secret is sent to a server whose certificate is no good',
  },
  {
    name: 'a port of plain HTTP that answers',
    options: ({ internal }) => ['--http', internal],
    faults: ['tls'],
    says: 'return 301 https://$host$request_uri;',
  },
  {
    name: 'location / does not ask',
    changes: {
      [serverConf]: [
        // Where no location asks, nginx does not start.
        [catchAll, `location /other/ {\n  include postern/gate.conf;\n}\nlocation / {`],
        passesOnAnyway,
      ],
    },
    faults: ['login-required', 'traversal', 'question-reachable', 'identity-reaches-upstream'],
    says: 'include postern/gate.conf; in the location of this path',
  },
  {
    name: 'the authorization request goes to the internal entry point',
    changes: { 'nginx.conf': [['http://gateway_authenticated;', 'http://gateway_internal;']] },
    user: null,
    faults: ['login-required', 'question-reachable'],
    says: 'ask networking.forward_auth.authenticated there',
  },
  {
    name: 'the gate is away',
    changes: { 'nginx.conf': [['http://gateway_authenticated;', 'http://127.0.0.1:1;']] },
    user: null,
    faults: ['login-required'],
    says: 'start Postern and look at the error log',
  },
  {
    name: 'proxy headers on a front that anyone reaches',
    gateway: 'proxy headers',
    user: null,
    faults: ['spoofed-identity', 'aliases'],
    says: 'set proxy.auth_secret',
  },
  {
    name: 'proxy headers of which nginx reads the aliases',
    gateway: 'proxy headers',
    changes: {
      'postern/http.conf': [['underscores_in_headers off;', 'underscores_in_headers on;']],
      [authorizationRequestConf]: [
        [
          'proxy_set_header Host postern;',
          'proxy_pass_request_headers off;\nproxy_set_header Host postern;\nproxy_set_header Remote-User $http_remote_user;\nproxy_set_header Remote-Groups $http_remote_groups;',
        ],
      ],
    },
    user: null,
    faults: ['spoofed-identity', 'aliases'],
    says: 'with Remote_User, Remote_Groups …',
  },
  {
    name: 'a sign-on proxy sets only the user',
    gateway: 'signed on',
    changes: signsOn(''),
    options: () => ['--cookie', 'sso=1'],
    user: null,
    faults: ['proxy-headers'],
    says: 'set remote-groups for each request, or remove it',
  },
  {
    name: 'a sign-on proxy that knows users by a header sets only the user',
    gateway: 'signed on',
    changes: {
      ...signsOn(''),
      'postern/server.conf': [
        [
          'absolute_redirect off;',
          "absolute_redirect off;\nif ($http_x_sso != '1') { return 302 https://sign-on.invalid/; }",
        ],
      ],
    },
    options: () => ['--header', 'X-SSO: 1'],
    user: null,
    faults: ['proxy-headers'],
    says: 'as another user or role',
  },
  {
    name: 'a proxy that signs everyone in sets only the user',
    gateway: 'signed on',
    changes: {
      'postern/authorization-request.conf': [
        [
          'proxy_set_header Host postern;',
          'proxy_set_header Host postern;\nproxy_set_header Remote-User vera;',
        ],
      ],
    },
    user: null,
    faults: ['login-required', 'proxy-headers', 'question-reachable'],
    says: 'set remote-groups for each request, or remove it',
  },
  {
    name: 'the client says X-Original-URL',
    changes: {
      'nginx.conf': [preferClient('$said', '$http_x_original_url', '$request_uri')],
      [authorizationRequestConf]: [[originalUrl, 'proxy_set_header X-Original-URL $said;']],
    },
    faults: ['original-url', 'question-reachable'],
  },
  {
    name: 'the client alone says X-Original-URL',
    changes: {
      [authorizationRequestConf]: [[originalUrl, 'proxy_set_header X-Original-URL $http_x_original_url;']],
    },
    user: null,
    faults: ['original-url', 'question-reachable'],
  },
  {
    name: 'the client says X-Original-Method',
    changes: {
      'nginx.conf': [preferClient('$said', '$http_x_original_method', '$request_method')],
      [authorizationRequestConf]: [[originalMethod, 'proxy_set_header X-Original-Method $said;']],
      // The relay looks at the request itself.
      [serverConf]: [['{ return 418; }', '{ set $changes yes; }']],
    },
    faults: ['original-url'],
    says: 'POST /postern-doctor with X-Original-Method: GET',
  },
  {
    name: 'the authorization request for visits believes the client',
    changes: {
      [serverConf]: [
        [
          'location = /auth {\n',
          'location = /auth {\n  proxy_set_header X-Original-Method GET;\n  proxy_set_header X-Original-URL $http_x_original_url;\n',
        ],
        [
          '  proxy_set_header Content-Length "";\n  include postern/authorization-request.conf;\n  include postern/gate-away.conf;\n}\n\n# The gate forwards these itself',
          '  proxy_set_header Content-Length "";\n}\n\n# The gate forwards these itself',
        ],
      ],
    },
    user: null,
    faults: ['question-reachable'],
  },
  {
    name: 'only /api/ is guarded, and slashes are not merged',
    changes: {
      [serverConf]: [
        ['absolute_redirect off;', 'absolute_redirect off;\nmerge_slashes off;'],
        [
          catchAll,
          `location = / {
  include postern/gate.conf;
  include postern/recorder.conf;
  proxy_pass http://recorder;
}
location /api/ {
  include postern/gate.conf;
  include postern/recorder.conf;
  proxy_pass http://recorder;
}
location / {`,
        ],
        passesOnAnyway,
      ],
    },
    faults: ['traversal', 'media-guarded'],
    says: 'GET //api/config ',
  },
  ...[
    ['^~ /clips/', '/clips/'],
    ['^~ /recordings/', '/recordings/'],
    ['^~ /exports/', '/exports/'],
    ['^~ /vod/', '/vod/'],
    ['^~ /stream/', '/stream/'],
    ['^~ /live/jsmpeg/', '/live/'],
    ['= /ws', '/ws'],
    ['^~ /api/go2rtc/api/', '/api/go2rtc/'],
    ['~ ^/api/[^/]+/latest\\.jpg$', '/latest.jpg'],
    ['~ ^/api/events/.*/snapshot\\.jpg$', '/api/events/'],
    ['^~ /api/preview/', '/api/preview/'],
  ].map(([location = '', says = '']): BrokenFront => ({
    name: `location ${location} does not ask`,
    changes: opens(location),
    user: null,
    faults: ['media-guarded'],
    says,
  })),
  {
    name: 'a location that does not ask, and a recorder without such a file',
    changes: {
      [serverConf]: [[catchAll, `location ^~ /clips/ {\n  return 404;\n}\n${catchAll}`]],
    },
    user: null,
    faults: ['media-guarded'],
    says: 'the front does not ask Postern about /clips/',
  },
  {
    name: 'a location that asks the internal entry point',
    changes: {
      [serverConf]: [
        [
          catchAll,
          `location = /_everyone {
  internal;
  proxy_pass http://gateway_internal/auth;
  proxy_pass_request_body off;
  proxy_set_header Content-Length "";
  include postern/authorization-request.conf;
}
location ^~ /vod/ {
  auth_request /_everyone;
  include postern/gate-answer.conf;
  proxy_pass http://recorder;
}
${catchAll}`,
        ],
      ],
    },
    user: null,
    faults: ['media-guarded'],
    says: 'everyone may open /vod/',
  },
  {
    name: 'a front that passes every WebSocket on',
    changes: {
      [serverConf]: [
        [
          'location ^~ /ws {',
          'location ^~ /ws {\n  error_page 419 = @stranger;\n  if ($http_upgrade) { return 419; }',
        ],
        [catchAll, `location @stranger {\n  proxy_pass http://recorder;\n}\n${catchAll}`],
      ],
    },
    user: null,
    faults: ['media-guarded'],
    says: 'GET /ws as a WebSocket',
  },
  {
    name: 'the authorization request is about another target',
    changes: {
      'nginx.conf': [
        [
          'http {',
          'http {\n  map $uri $said {\n    ~^/(_gate_narrow|auth)$ /api/version;\n    default $request_uri;\n  }\n',
        ],
      ],
      [authorizationRequestConf]: [[originalUrl, 'proxy_set_header X-Original-URL $said;']],
    },
    // A visit to /auth is no longer taken for one, so it does not refresh.
    faults: ['traversal', 'cookie-refresh'],
    says: 'GET /api/garage/latest.jpg with the session',
  },
  {
    name: 'the gate can be reached',
    gateway: 'on TCP',
    options: ({ gate }) => ['--gate', gate, '--gate', '127.0.0.1:1'],
    user: null,
    faults: ['gate-direct'],
    says: 'no answer (ECONNREFUSED)',
  },
  {
    name: 'the events app can be reached',
    gateway: 'on TCP',
    options: ({ events }) => ['--events', events],
    user: null,
    faults: ['events-direct'],
  },
  {
    name: 'the internal entry point can be reached',
    options: ({ internal }) => ['--internal', internal],
    user: null,
    faults: ['internal-direct'],
  },
  {
    name: 'Frigate itself has the port of the internal entry point',
    options: ({ recorder }) => ['--internal', recorder],
    user: null,
    faults: ['internal-direct'],
    says: 'Frigate, which lets everyone in',
  },
  {
    name: 'Frigate answers beside Postern',
    options: ({ recorder }) => ['--recorder', recorder, '--recorder', '127.0.0.1:1'],
    user: null,
    faults: ['recorder-direct'],
    says: "delete this port from Frigate's service",
  },
  {
    name: 'the cookie gets lost on the way to the gate',
    changes: { [ownConf]: [['proxy_pass $gateway;', 'proxy_set_header Cookie "";\nproxy_pass $gateway;']] },
    faults: ['session'],
  },
  {
    name: 'the gate does not learn of TLS',
    changes: { [authorizationRequestConf]: [['proxy_set_header X-Forwarded-Proto $scheme;', '']] },
    faults: ['cookie-secure'],
    says: 'no secure',
  },
  {
    name: 'nginx changes the cookie',
    changes: {
      [serverConf]: [
        [
          'location = /api/login {',
          'location = /api/login {\n  proxy_cookie_flags ~ nohttponly samesite=none;\n  proxy_cookie_path / /api;',
        ],
      ],
    },
    faults: ['cookie-secure'],
    says: 'no httponly, no path=/, no samesite',
  },
  {
    name: 'nginx keeps the cookie of the login',
    changes: {
      [serverConf]: [['location = /api/login {', 'location = /api/login {\n  proxy_hide_header Set-Cookie;']],
    },
    faults: ['session', 'cookie-secure'],
    says: 'no cookie with a token',
  },
  {
    name: 'the refreshed cookie gets lost at /auth',
    changes: {
      [serverConf]: [['location = /auth {', 'location = /auth {\n  proxy_hide_header Set-Cookie;']],
    },
    faults: ['cookie-refresh'],
    says: 'refreshed cookie lost',
  },
  {
    name: 'the refreshed cookie gets lost elsewhere',
    gateway: 'short sessions',
    changes: { [gateConf]: [['add_header Set-Cookie $gate_cookie always;', '']] },
    faults: ['cookie-refresh'],
    says: 'a refresh being due',
  },
  {
    name: 'the identity does not reach the recorder',
    changes: {
      [recorderConf]: [
        ['proxy_set_header Remote-User $gate_user;', ''],
        [remoteRole, ''],
      ],
    },
    faults: ['identity-reaches-upstream'],
    says: '401: identity headers do not reach the upstream',
  },
  {
    name: 'Frigate is away',
    changes: {
      [serverConf]: [
        [
          'proxy_pass http://$recorder_of_somebody$gate_target;',
          'proxy_pass http://127.0.0.1:1$gate_target;',
        ],
      ],
    },
    faults: ['identity-reaches-upstream'],
    says: 'First: start Frigate',
  },
  {
    name: 'the role is what the client says',
    changes: { [recorderConf]: [[remoteRole, 'proxy_set_header Remote-Role $http_remote_role;']] },
    faults: ['identity-reaches-upstream'],
    says: "200: the client's identity headers reach the upstream",
  },
  {
    name: 'the role is what the client says, if it says one',
    changes: {
      'nginx.conf': [preferClient('$said', '$http_remote_role', '$gate_role')],
      [recorderConf]: [[remoteRole, 'proxy_set_header Remote-Role $said;']],
    },
    faults: ['identity-reaches-upstream'],
    says: "200: the client's identity headers reach the upstream",
  },
  {
    name: 'the same, for a user who sees everything',
    changes: {
      'nginx.conf': [preferClient('$said', '$http_remote_role', '$gate_role')],
      [recorderConf]: [[remoteRole, 'proxy_set_header Remote-Role $said;']],
    },
    user: 'vera',
    faults: ['identity-reaches-upstream'],
    says: 'Remote-Role: postern-doctor',
  },
  {
    name: 'the recorder has another role of that name',
    gateway: 'another role',
    faults: ['identity-reaches-upstream', 'recorder-roles'],
    says: 'unverified: more_cameras',
  },
  {
    name: 'the gate does not reach the recorder',
    gateway: 'no recorder',
    user: 'ada',
    faults: ['recorder-roles', 'recorder-cameras'],
    says: 'no_answer; nothing was ever read',
  },
  {
    name: 'the gate narrows lists, and the client’s target is passed on',
    gateway: 'another role',
    changes: { [serverConf]: [['$recorder_of_somebody$gate_target;', '$recorder_of_somebody;']] },
    faults: ['identity-reaches-upstream', 'narrowed-lists', 'recorder-roles'],
    says: '200: events of 1 other camera(s)',
  },
  {
    name: 'the front logs out by itself',
    changes: {
      [serverConf]: [['location = /api/logout {', 'location = /api/logout {\n  return 303 /login;']],
    },
    faults: ['logout'],
    says: '200 (the logout: 303)',
  },
  {
    name: 'the address of the client is what it says',
    changes: {
      [authorizationRequestConf]: [
        ['X-Forwarded-For $proxy_add_x_forwarded_for;', 'X-Forwarded-For $http_x_forwarded_for;'],
      ],
    },
    options: () => ['--login-probe'],
    user: null,
    faults: ['forwarded-for'],
    says: '401 to all 8',
  },
  {
    name: 'a configuration with mistakes',
    options: ({ config }) => ['--config', config],
    user: null,
    faults: ['config'],
    says: 'auth.roles.family: one of front_door',
  },
];
