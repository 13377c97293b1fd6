// Which module may import which, and why. `script/check` enforces it.

/** Modules that everybody may import; they import each other only where `mayImport` says so. */
const leaves = [
  'config',
  'language',
  'policy',
  'telemetry',
  'clock.ts',
  'compress-answers.ts',
  'errors.ts',
  'fetch-listener.ts',
  'identity-headers.ts',
  'own-cookies.ts',
  'validation.ts',
  'version.ts',
  'file-owner.ts',
  'sealing',
  'program-directory.ts',
  'round-robin.ts',
  'with-timeout.ts',
  'with-cleanup.ts',
  'store/permit.ts',
];

/** By module: what it may import besides the leaves, and the reason. */
const mayImport = {
  'main.ts': [
    ['server', 'store', 'workers'],
    'the process knows the server as a whole, and what stops a start',
  ],
  workers: [
    ['accounts', 'audit', 'connections', 'exchanges', 'server'],
    'several processes run the same server: what they share is asked for between them',
  ],
  server: [
    [
      'accounts',
      'api',
      'api-tokens',
      'assertion',
      'audit',
      'authentication',
      'authorization',
      'connections',
      'events',
      'exchanges',
      'fronts',
      'recorder',
      'reverse-proxy',
      'second-factor',
      'sessions',
      'settings',
      'shares',
      'sign-on',
      'store',
      'tls',
    ],
    'the composition root puts together what the other modules make',
  ],
  api: [
    [
      'accounts',
      'api-tokens',
      'audit',
      'authentication',
      'authorization',
      'connections',
      'doctor',
      'events',
      'exchanges',
      'fronts',
      'recorder',
      'second-factor',
      'sessions',
      'settings',
      'shares',
      'sign-on',
    ],
    'endpoints use accounts and sessions, never the store itself; the document names the events app too',
  ],
  doctor: [
    ['accounts', 'recorder', 'sessions', 'settings', 'sign-on', 'store'],
    'one list of checks, for the command and for the API: what they look at is asked of each module',
  ],
  fronts: [
    ['authorization', 'audit', 'settings'],
    'an adapter translates between a front and the one pipeline',
  ],
  authorization: [
    ['api-tokens', 'audit', 'authentication', 'sessions', 'settings'],
    'the pipeline authenticates, evaluates and records, and knows no front',
  ],
  authentication: [['api-tokens', 'sessions'], 'who is asking is known by headers, sessions and API tokens'],
  settings: [['recorder', 'authentication'], 'what one configuration means for a request'],
  recorder: [['reverse-proxy'], 'the recorder is asked over the connections that requests take'],
  'reverse-proxy': [
    ['connections', 'exchanges', 'tls'],
    'the embedded front gets the rest by parameter, so that any front could take its place',
  ],
  exchanges: [['audit'], 'what goes on is decided again by whoever has passed it on, whatever the front'],
  connections: [[], 'a connection knows nothing of what is asked over it'],
  tls: [[], 'certificates are files'],
  events: [['store'], 'the events app shares the identity headers with the gate, and nothing else'],
  accounts: [['store'], 'accounts are kept in the store'],
  shares: [
    ['accounts', 'api-tokens', 'authentication', 'sessions', 'settings', 'store'],
    'a share is kept in the store, and shows what its maker may see',
  ],
  'api-tokens': [['store'], 'API tokens are kept in the store'],
  sessions: [['store'], 'sessions are kept in the store'],
  'sign-on': [
    ['accounts', 'audit', 'sessions', 'store'],
    'people of a provider have rows of users, and sessions that the provider may end, which is recorded',
  ],
  'second-factor': [['accounts', 'store'], 'what users prove besides a password is kept in the store'],
  assertion: [
    ['authorization', 'store'],
    'what the pipeline allows is signed with keys that are kept in the store',
  ],
  audit: [['store'], 'what happened is kept in the store, and nothing there decides anything'],
  store: [[], 'the database knows nobody who uses it'],
  backup: [['store'], 'a backup holds copies of the databases'],
  cli: [
    [
      'accounts',
      'api-tokens',
      'audit',
      'backup',
      'doctor',
      'events',
      'recorder',
      'second-factor',
      'sessions',
      'shares',
      'sign-on',
      'store',
      'tls',
    ],
    'the command works on the files, beside the running gate',
  ],
  web: [[], 'the UI runs in the browser, and takes nothing but types of the API'],
  config: [
    ['clock.ts', 'errors.ts', 'file-owner.ts', 'policy'],
    'a leaf: what is configured depends on nothing that runs',
  ],
  policy: [[], 'pure: what decides access has no I/O, clock or framework'],
  telemetry: [[], 'a leaf: everybody logs'],
  'clock.ts': [[], 'a leaf: what time it is'],
  'compress-answers.ts': [[], 'a leaf: an answer is compressed whatever it says'],
  'own-cookies.ts': [
    ['policy'],
    'a leaf: which cookies are the gate’s own, for those who set, read or drop them; policy reads header lines',
  ],
  language: [
    ['own-cookies.ts', 'policy'],
    'a leaf: the texts of every page, for the UI and for the pages of refusals; every reason has one',
  ],
  'errors.ts': [[], 'a leaf: one table of errors'],
  'fetch-listener.ts': [[], 'a leaf: answers by whatever function it is given'],
  'identity-headers.ts': [[], 'a leaf: the contract between the gate and what stands behind it'],
  'validation.ts': [['errors.ts'], 'a leaf: one shape of a 422'],
  'program-directory.ts': [[], 'a leaf: where the program is'],
  'version.ts': [['program-directory.ts'], 'a leaf: what package.json says'],
  'file-owner.ts': [[], 'a leaf: who owns a file'],
  'store/permit.ts': [['store'], 'what a change is permitted by, for whoever reads through its transaction'],
  'with-timeout.ts': [[], 'a leaf: waits for whatever it is given'],
  'with-cleanup.ts': [[], 'a leaf: closes whatever was opened'],
  sealing: [['clock.ts'], 'a leaf: keeps a text that nobody else may read, whatever it says'],
  'round-robin.ts': [['errors.ts'], 'a leaf: takes turns for whatever it is given'],
};

/** Packages that one module alone may import. */
const owners = {
  undici: ['reverse-proxy', 'the one client of an upstream'],
  ws: ['reverse-proxy', 'the messages of a WebSocket are looked at in one place'],
  jose: ['(sessions|sealing|sign-on|assertion)', 'each kind of token is made or read in one place'],
  'openid-client': ['sign-on', 'the one client of a provider'],
  '@simplewebauthn/server': ['second-factor', 'passkeys are verified in one place'],
  otpauth: ['second-factor', 'one-time codes are verified in one place'],
  kysely: [
    '(store|accounts|api-tokens|assertion|sessions|audit|events|backup|shares|sign-on|second-factor)',
    'whoever has tables',
  ],
  pg: ['store/postgres', 'the one client of PostgreSQL'],
  'prom-client': ['telemetry', 'metrics are registered in one place'],
  selfsigned: ['tls', 'certificates are made in one place'],
};

const pathOf = (module) => (module.endsWith('.ts') ? `src/${module.replace('.', '\\.')}` : `src/${module}/`);

const arrows = Object.entries(mayImport).map(([module, [others, reason]]) => {
  const shared = leaves.includes(module) ? [] : leaves;
  const allowed = [module, ...others, ...shared].map(pathOf).join('|');
  return {
    name: `${module} imports ${others.join(', ') || 'leaves only'}`,
    comment: reason,
    severity: 'error',
    from: { path: `^(${pathOf(module)})` },
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
