import type { AccessRule } from '../policy/access-rule.ts';
import type { EntryPoint } from '../policy/request-context.ts';
import { monitoringPaths } from '../telemetry/monitoring-answers.ts';
import type { Endpoint } from './endpoint.ts';
import { guardedEndpoints, openEndpoints } from './endpoints.ts';
import { isBelowOwnBase, ownBase } from './own-base.ts';

const endpoints: readonly Endpoint[] = [...openEndpoints, ...guardedEndpoints];

/** What is before the first parameter of each path that has one. */
function treesOf(some: readonly Endpoint[]): string[] {
  return [...new Set(some.flatMap(({ path }) => (path.includes('/:') ? [path.replace(/\/:.*/s, '')] : [])))];
}

const outside = endpoints.filter(({ path }) => !isBelowOwnBase(path));
const treesOutside = treesOf(outside);

/** Access rules of the gate's own endpoints, for the table of rules: no operator's rule comes before them. */
export const ownRules: readonly AccessRule[] = [
  ...endpoints.map(ruleOf),
  ...treesOutside.map(closed),
  // An endpoint that is in no list is open to admins alone.
  closed(`${ownBase}/api`),
  // Where a second factor is set up.
  {
    methods: ['GET', 'HEAD'],
    path: `${ownBase}/account`,
    level: 'any',
    recorded: 'now',
    beforeSecondFactor: true,
  },
  { methods: ['GET', 'HEAD'], path: `${ownBase}/**`, level: 'any', recorded: 'now' },
  closed(ownBase),
];

function ruleOf({ method, path, level, ...flags }: Endpoint): AccessRule {
  return {
    ...(method === 'all' ? {} : { methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()] }),
    path: path.replaceAll(/:\w+/g, '*'),
    level,
    recorded: 'now',
    ...(flags.requiresSession && { requiresSession: true }),
    ...(flags.namesNoCamera && { namesNoCamera: true }),
    ...(flags.beforeSecondFactor && { beforeSecondFactor: true }),
  };
}

function closed(path: string): AccessRule {
  return { path: `${path}/**`, level: 'admin-only', requiresSession: true };
}

// `/login/` leads to the login.
const pathsOutside = new Set([...outside.map(({ path }) => path), '/login/']);

/**
 * Whether the gate answers a path itself on a client-facing listener, instead of passing it on.
 * @param path canonical
 * @param hasRecorder whether a recorder's UI is behind the gate, and has `/`
 */
export function isOwnPath(
  path: string,
  hasRecorder: boolean,
  entryPoint: EntryPoint = 'authenticated',
): boolean {
  if (isBelowOwnBase(path)) return true;
  if (entryPoint === 'internal' && monitoringPaths.includes(path)) return true;
  if (path === '/') return !hasRecorder;
  return pathsOutside.has(path) || treesOutside.some((tree) => path.startsWith(`${tree}/`));
}

const openRoots = [...openEndpoints.map(({ path }) => path), ...treesOf(openEndpoints)];

/**
 * Whether the gate answers a request without an identity, so that it is answered while the store is away too. A login is, but it
 * says which cameras somebody may see, or gives a role.
 */
export function isOpenPath(path: string, method: string): boolean {
  if (monitoringPaths.includes(path)) return true;
  if (path === '/api/login' || path.startsWith('/postern/api/login/')) return method !== 'POST';
  if (path === '/postern/oidc/callback') return false;
  // What a share shows depends on what its maker may see.
  if (path === '/postern/api/shares' || path.startsWith('/postern/api/shares/')) return false;
  return openRoots.some((root) => path === root || path.startsWith(`${root}/`));
}
