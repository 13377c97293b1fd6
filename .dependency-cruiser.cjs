// Which folder may import which, and why. `script/check` enforces it.

/** What anyone may import; they import each other only where `mayImport` says so. */
const leaves = [
  'config',
  'language',
  'policy',
  'telemetry',
  'clock.ts',
  'errors.ts',
  'bounded-cache.ts',
  'keep-latest.ts',
  'made-once.ts',
  'round-robin.ts',
  'version.ts',
  'store/permit.ts',
];

/** What every feature may import. */
const core = ['features/feature.ts', 'access', 'accounts', 'api', 'audit', 'http', 'store'];

/** What a feature imports besides. Displays are API tokens of screens, and pushes are posted as alerts are. */
const features = {
  'access-requests': [],
  alerts: ['cli/frame'],
  'api-tokens': ['cli/frame'],
  displays: ['cli/frame', 'features/api-tokens'],
  invitations: ['cli/frame'],
  oidc: [],
  push: ['recorder', 'features/alerts'],
  shares: ['cli/frame', 'events'],
};

/** By folder or file, the innermost wins: what it may import besides itself and the leaves, and the reason. */
const mayImport = {
  'main.ts': [['gate', 'store'], 'the process starts the gate, and explains what stops a start'],
  gate: [
    [
      'access',
      'accounts',
      'api',
      'audit',
      'events',
      'features/alerts',
      'features/feature.ts',
      'features/index.ts',
      'features/oidc',
      'http',
      'recorder',
      'store',
    ],
    'construction: everything is made here, in order',
  ],
  'features/index.ts': [
    ['features', 'api', 'store'],
    'the one place that imports the features: what is off is not loaded',
  ],
  'features/commands.ts': [['features'], 'the subcommands of features, for the command'],
  'features/feature.ts': [
    ['access', 'accounts', 'api', 'audit', 'events', 'http', 'recorder', 'store'],
    'what a feature gets from the gate, and gives it',
  ],
  ...Object.fromEntries(
    Object.entries(features).map(([name, others]) => [
      `features/${name}`,
      [[...core, ...others], 'a feature builds on the core'],
    ]),
  ),
  api: [
    ['access', 'accounts', 'audit', 'events', 'http', 'recorder'],
    'endpoints use identities and the pipeline, never the store itself; the document names the events app too',
  ],
  'api/doctor': [
    ['access', 'accounts', 'api', 'http', 'recorder', 'store'],
    'one list of checks, for the command and for the API: each looks at what it checks',
  ],
  http: [
    ['access', 'audit', 'recorder'],
    'transport: an adapter translates between a front and the pipeline',
  ],
  'http/connections': [[], 'a connection is the same whatever is asked over it'],
  'http/tls': [[], 'certificates are files'],
  'http/reverse-proxy': [
    ['access/streams', 'http/connections', 'recorder'],
    'the embedded front gets the rest by parameter, so that any front could take its place',
  ],
  access: [
    ['accounts', 'audit', 'recorder'],
    'the pipeline authenticates, evaluates and records, whatever the front is',
  ],
  'access/streams': [['audit'], 'an open stream is decided again by what passed it on'],
  accounts: [['audit', 'store'], 'users, roles and sessions are kept in the store; accounts know no feature'],
  recorder: [[], 'what the gate asks the recorder, for all that depend on its answers'],
  events: [['http', 'store'], 'the events app shares headers and answers with the gate, and nothing else'],
  audit: [['store'], 'what happened is kept in the store, and nothing there decides anything'],
  store: [[], 'the database is the same for all that use it'],
  adopt: [['accounts', 'store'], "a plan of files and users, from a recorder's own; the command writes it"],
  cli: [
    [
      'accounts',
      'adopt',
      'api/doctor',
      'audit',
      'events',
      'features/commands.ts',
      'http/tls',
      'recorder',
      'store',
    ],
    'the command works on the files, beside the running gate',
  ],
  'cli/frame': [
    ['accounts', 'audit', 'events', 'store'],
    'what every subcommand has: the store, the audit, lists',
  ],
  web: [[], 'the UI runs in the browser, and takes nothing but types of the API'],
  config: [['clock.ts', 'errors.ts', 'policy'], 'a leaf: what is configured depends on nothing that runs'],
  policy: [[], 'pure: what decides access has no I/O, clock or framework'],
  telemetry: [
    ['config', 'made-once.ts'],
    'a leaf: everything logs, at the levels that the configuration names; the metrics start when they are first read',
  ],
  language: [['policy', 'web/locales'], 'a leaf: the texts of every page; every reason has one'],
  'clock.ts': [[], 'a leaf: what time it is, and how long to wait'],
  'errors.ts': [[], 'a leaf: one table of errors'],
  'version.ts': [[], 'a leaf: the version in package.json, and where the program is'],
  'bounded-cache.ts': [[], 'a leaf: a cache that grows as it fills'],
  'keep-latest.ts': [[], 'a leaf: makes something again only when what it is made of has changed'],
  'made-once.ts': [[], 'a leaf: makes something at the first call, and again only after a failure'],
  'round-robin.ts': [['errors.ts'], 'a leaf: takes turns'],
  'store/permit.ts': [
    ['config', 'policy', 'store'],
    'what a change is permitted by, for what reads through its transaction; whether access becomes wider',
  ],
};

/** Packages that one folder alone may import. */
const owners = {
  undici: [
    '(http/reverse-proxy|recorder|features/alerts/targets)',
    'the clients of the recorder and of targets',
  ],
  nodemailer: ['features/alerts/targets', 'mail is sent in one place'],
  'web-push': ['features/push', 'pushes are sent in one place'],
  ws: ['http/reverse-proxy', 'the messages of a WebSocket are read in one place'],
  jose: ['(accounts|features/oidc)', 'each kind of token is made or read in one place'],
  'openid-client': ['features/oidc', 'the one client of a provider'],
  '@simplewebauthn/server': ['accounts/second-factor', 'passkeys are verified in one place'],
  otpauth: ['accounts/second-factor', 'one-time codes are verified in one place'],
  kysely: ['(store|accounts|audit|events|features)', 'what has tables'],
  pg: ['store/postgres', 'the one client of PostgreSQL'],
  'prom-client': ['telemetry', 'metrics are registered in one place'],
  selfsigned: ['http/tls', 'certificates are made in one place'],
};
const pathOf = (module) => (module.endsWith('.ts') ? `src/${module.replace('.', '\\.')}` : `src/${module}/`);

const arrows = Object.entries(mayImport).map(([module, [others, reason]]) => {
  const shared = leaves.includes(module) ? [] : leaves;
  const allowed = [module, ...others, ...shared].map(pathOf).join('|');
  const inner = Object.keys(mayImport).filter((other) => other.startsWith(`${module}/`));
  return {
    name: `${module} imports ${others.join(', ') || 'leaves only'}`,
    comment: reason,
    severity: 'error',
    from: {
      path: `^(${pathOf(module)})`,
      ...(inner.length === 0 ? {} : { pathNot: `^(${inner.map(pathOf).join('|')})` }),
    },
    to: {
      path: '^src/',
      pathNot: `^(${allowed})`,
      ...(module === 'web' ? { dependencyTypesNot: ['type-only'] } : {}),
    },
  };
});

const packages = Object.entries(owners).map(([name, [owner, reason]]) => ({
  name: `${name} belongs to ${owner}`,
  comment: reason,
  severity: 'error',
  from: { path: '^src/', pathNot: `^src/${owner}/` },
  to: { path: `node_modules/${name}/`, dependencyTypesNot: ['type-only'] },
}));

module.exports = {
  forbidden: [
    ...arrows,
    ...packages,
    {
      name: 'policy is pure',
      comment: 'what decides access is tested with values alone',
      severity: 'error',
      from: { path: '^src/policy/' },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?(crypto|net)$' },
    },
    {
      name: 'sqlite belongs to store',
      comment: 'databases are opened in one place',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/store/' },
      to: { path: '^(node:)?sqlite$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'a page of the UI imports no other',
      comment: 'what several pages use is a part, in web/ui',
      severity: 'error',
      from: { path: '^src/web/pages/([^/]+)/' },
      to: { path: '^src/web/pages/', pathNot: '^src/web/pages/$1/' },
    },
    {
      name: 'a part of the UI imports no page',
      comment: 'a part does not depend on who uses it',
      severity: 'error',
      from: { path: '^src/web/ui/' },
      to: { path: '^src/web/pages/' },
    },
    {
      name: 'no cycle of files',
      comment: 'two files that import each other are one',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no cycle of folders',
      comment:
        'two folders that import each other are one: neither can be understood, tested or moved without the other',
      severity: 'error',
      scope: 'folder',
      from: {},
      to: { circular: true },
    },
    {
      name: 'every module has its rule',
      comment: 'add the new module to mayImport, with its reason',
      severity: 'error',
      from: { path: '^src/', pathNot: `^(${Object.keys(mayImport).map(pathOf).join('|')})` },
      to: {},
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    parser: 'swc',
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      extensions: ['.ts', '.tsx', '.js'],
      conditionNames: ['import', 'node', 'default'],
      exportsFields: ['exports'],
    },
  },
};
