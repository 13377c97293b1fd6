import type { AccessRule } from '../policy/access-rule.ts';
import type { EntryPoint } from '../policy/authorization-request.ts';
import { monitoringPaths } from '../telemetry/monitoring-answers.ts';
import type { Endpoint, Resource } from './endpoint.ts';
import { isBelowOwnBase, ownBase } from './own-base.ts';
import { guardedResources, openResources } from './routes.ts';
import { pages, sharedPaths } from './ui/pages.ts';

const resources: ReadonlyArray<Pick<Resource<never>, 'path' | 'formerPath' | 'endpoints'>> = [
  ...openResources,
  ...guardedResources,
];

const formerPages = pages.map((page) => `/${page}`);

/** Access rules of the gate's own endpoints, for the table of rules: no operator's rule comes before them. */
export const ownRules: readonly AccessRule[] = [
  ...resources.flatMap(({ path, formerPath, endpoints }) => [
    ...rulesAt(path, endpoints),
    ...(endpoints.some(({ path: below }) => below !== '') && !isBelowOwnBase(path) ? [closed(path)] : []),
    ...(formerPath === undefined ? [] : [...rulesAt(formerPath, endpoints), closed(formerPath)]),
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

const all = resources.flatMap(({ path, formerPath, endpoints }) =>
  [path, ...(formerPath === undefined ? [] : [formerPath])].flatMap((at) =>
    endpoints.map((endpoint) => ({ at, endpoint })),
  ),
);
const exact = new Set([
  ...all.filter(({ endpoint }) => endpoint.path === '').map(({ at }) => at),
  ...formerPages,
  // Leads to the login.
  '/login/',
]);
const trees = [...new Set(all.filter(({ endpoint }) => endpoint.path !== '').map(({ at }) => `${at}/`))];

/**
 * Whether the gate answers a path itself on a client-facing listener, instead of passing it on.
 * @param path canonical
 * @param hasSharedPages whether there is no recorder's UI that has pages at the shared paths
 */
export function isOwnPath(
  path: string,
  hasSharedPages: boolean,
  entryPoint: EntryPoint = 'authenticated',
): boolean {
  if (isBelowOwnBase(path)) return true;
  if (entryPoint === 'internal' && monitoringPaths.includes(path)) return true;
  if (sharedPaths.has(path)) return hasSharedPages;
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

const former = resources.flatMap(({ formerPath }) => (formerPath === undefined ? [] : [formerPath]));

/** @returns the path that takes the place of one of the first edition; undefined for any other path */
export function successorOf(path: string): string | undefined {
  const isFormer =
    formerPages.includes(path) || former.some((root) => path === root || path.startsWith(`${root}/`));
  return isFormer ? ownBase + path : undefined;
}
