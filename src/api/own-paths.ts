import type { AccessRule } from '../policy/access-rule.ts';
import type { EntryPoint } from '../policy/authorization-request.ts';
import { monitoringPaths } from '../telemetry/monitoring-answers.ts';
import type { Endpoint, Resource } from './endpoint.ts';
import { isBelowOwnBase, ownBase } from './own-base.ts';
import { guardedResources, openResources } from './routes.ts';

const resources: ReadonlyArray<Pick<Resource<never>, 'path' | 'endpoints'>> = [
  ...openResources,
  ...guardedResources,
];

/** Access rules of the gate's own endpoints, for the table of rules: no operator's rule comes before them. */
export const ownRules: readonly AccessRule[] = [
  ...resources.flatMap(({ path, endpoints }) => [
    ...rulesAt(path, endpoints),
    ...(endpoints.some(({ path: below }) => below !== '') && !isBelowOwnBase(path) ? [closed(path)] : []),
  ]),
  // An endpoint that lost its row is open to nobody but admins.
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

function rulesAt(path: string, endpoints: readonly Endpoint[]): AccessRule[] {
  return endpoints.map(({ method, path: below, level, ...said }): AccessRule => ({
    ...(method === 'all' ? {} : { methods: method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()] }),
    path: patternOf(path + below),
    level,
    recorded: 'now',
    ...(said.requiresSession && { requiresSession: true }),
    ...(said.namesNoCamera && { namesNoCamera: true }),
    ...(said.beforeSecondFactor && { beforeSecondFactor: true }),
  }));
}

function closed(path: string): AccessRule {
  return { path: `${path}/**`, level: 'admin-only', requiresSession: true };
}

function patternOf(path: string): string {
  return path.replaceAll(/:\w+/g, '*');
}

const all = resources.flatMap(({ path, endpoints }) => endpoints.map((endpoint) => ({ at: path, endpoint })));
const exact = new Set([
  ...all.filter(({ endpoint }) => endpoint.path === '').map(({ at }) => at),
  // Leads to the login.
  '/login/',
]);
const trees = [...new Set(all.filter(({ endpoint }) => endpoint.path !== '').map(({ at }) => `${at}/`))];

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
  return exact.has(path) || trees.some((tree) => path.startsWith(tree));
}

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
  return openResources.some(({ path: root }) => path === root || path.startsWith(`${root}/`));
}
