import type { AccessRule } from '../policy/access-rule.ts';
import type { EntryPoint } from '../policy/request-context.ts';
import { monitoringPaths } from '../telemetry/monitoring-answers.ts';
import type { Endpoint } from './endpoint.ts';

/** All paths below it belong to the gate. */
export const ownBase = '/postern';

/** @param path canonical */
export function isBelowOwnBase(path: string): boolean {
  return path === ownBase || path.startsWith(`${ownBase}/`);
}

/** The part before the first parameter, of each path that has one. */
function treesOf(some: readonly Endpoint[]): string[] {
  return [...new Set(some.flatMap(({ path }) => (path.includes('/:') ? [path.replace(/\/:.*/s, '')] : [])))];
}

const reading = ['GET', 'HEAD'];

/** Rules of the gate's own pages, and of every path below `/postern/` that has no rule of its own. */
const rulesOfPages: readonly AccessRule[] = [
  // An endpoint in no list is open to admins only.
  closed(`${ownBase}/api`),
  // The page that sets up a second factor.
  {
    methods: ['GET', 'HEAD'],
    path: `${ownBase}/account`,
    level: 'any',
    may: 'shell',
    recorded: 'now',
    beforeSecondFactor: true,
  },
  // Pages of one thing, and of admins: opening them is decided and recorded like anything else.
  {
    methods: reading,
    path: `${ownBase}/cameras/:camera`,
    level: 'camera-in-path',
    may: 'live-or-history',
    recorded: 'now',
  },
  // The previous address of a camera's page.
  {
    methods: reading,
    path: `${ownBase}/live/:camera`,
    level: 'camera-in-path',
    may: 'live',
    recorded: 'now',
  },
  {
    methods: reading,
    path: `${ownBase}/events/:event`,
    level: 'camera-of-event',
    may: 'history',
    recorded: 'row',
  },
  { methods: reading, path: `${ownBase}/explore`, level: 'any', may: 'history', recorded: 'now' },
  // An id that cannot be in a path is in the query.
  { methods: reading, path: `${ownBase}/events`, level: 'any', may: 'history', recorded: 'now' },
  { methods: reading, path: `${ownBase}/settings/**`, level: 'admin-only', may: 'shell', recorded: 'now' },
  { methods: reading, path: `${ownBase}/people/**`, level: 'admin-only', may: 'shell', recorded: 'now' },
  { methods: ['GET', 'HEAD'], path: `${ownBase}/**`, level: 'any', may: 'shell', recorded: 'now' },
  closed(ownBase),
];

function ruleOf({ method, path, level, may, ...flags }: Endpoint): AccessRule {
  return {
    ...(method === 'all' ? {} : { methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()] }),
    path: path.replaceAll(level === 'camera-in-path' ? /:(?!camera\b)\w+/g : /:\w+/g, '*'),
    level,
    may: may ?? 'shell',
    recorded: 'now',
    ...(flags.requiresSession && { requiresSession: true }),
    ...(flags.display && { display: true }),
    ...(flags.namesNoCamera && { namesNoCamera: true }),
    ...(flags.beforeSecondFactor && { beforeSecondFactor: true }),
  };
}

function closed(path: string): AccessRule {
  return { path: `${path}/**`, level: 'admin-only', may: 'everything', requiresSession: true };
}

/** The paths that the gate answers itself. */
export interface OwnPaths {
  /** Access rules of the gate's own endpoints; they come before an operator's rules. */
  readonly rules: readonly AccessRule[];
  /**
   * Whether the gate answers a path itself on a client-facing listener, instead of passing it on.
   * @param path canonical
   * @param hasRecorder whether a recorder's UI is behind the gate, and has `/`
   */
  readonly isOwn: (path: string, hasRecorder: boolean, entryPoint?: EntryPoint) => boolean;
  /**
   * Whether the gate answers a request without an identity, and therefore also while the store is away. A login needs no
   * identity, but its answer depends on the store: it lists cameras, or gives a role.
   */
  readonly isOpen: (path: string, method: string) => boolean;
}

/** Endpoints that are answered before anyone is authorized, and those that need a permission. */
export interface EndpointLists {
  readonly open: readonly Endpoint[];
  readonly guarded: readonly Endpoint[];
}

/** The gate's own paths. A path of no endpoint and no page is unknown. */
export function ownPathsOf({ open, guarded }: EndpointLists): OwnPaths {
  const endpoints = [...open, ...guarded];
  const outside = endpoints.filter(({ path }) => !isBelowOwnBase(path));
  const treesOutside = treesOf(outside);
  // `/login/` leads to the login.
  const pathsOutside = new Set([...outside.map(({ path }) => path), '/login/']);
  const openRoots = [...open.map(({ path }) => path), ...treesOf(open)];
  return {
    rules: [...endpoints.map(ruleOf), ...treesOutside.map(closed), ...rulesOfPages],
    isOwn: (path, hasRecorder, entryPoint = 'authenticated') => {
      if (isBelowOwnBase(path)) return true;
      if (entryPoint === 'internal' && monitoringPaths.includes(path)) return true;
      if (path === '/') return !hasRecorder;
      return pathsOutside.has(path) || treesOutside.some((tree) => path.startsWith(`${tree}/`));
    },
    isOpen: (path, method) => {
      if (monitoringPaths.includes(path)) return true;
      if (path === '/api/login' || path.startsWith('/postern/api/login/')) return method !== 'POST';
      if (path === '/postern/oidc/callback') return false;
      // Displays and invitations are in the store.
      if (/^\/postern\/api\/(?:displays|invitations)(?:\/|$)/.test(path)) return false;
      // A share shows what its creator may see.
      if (path === '/postern/api/shares' || path.startsWith('/postern/api/shares/')) return false;
      return openRoots.some((root) => path === root || path.startsWith(`${root}/`));
    },
  };
}
