import type { Edge } from '../policy/verdict.ts';
import { monitoringPaths } from '../telemetry/monitoring-answers.ts';

/** Pages of the UI that show something of a subject. */
export const innerPages = [
  '/account',
  '/account/api',
  '/settings/users',
  '/settings/roles',
  '/settings/sessions',
  '/settings/tokens',
  '/settings/audit',
  '/settings/configuration',
];

/** Pages that a recorder's own UI has too: ours only when there is no such recorder. */
export const sharedPages = ['/', '/explore', '/settings'];

const exact = new Set([
  '/auth',
  '/logout',
  '/api/login',
  '/api/logout',
  '/api/profile',
  '/api/cameras',
  '/api/openapi.json',
  '/login',
  ...innerPages,
]);
const tree =
  /^\/api\/(?:users|roles|explain|sessions|tokens|audit|configuration)(?:\/|$)|^\/postern\/assets\//;

/**
 * Whether the gateway answers a path itself, on a client-facing listener, instead of passing it on.
 * nginx/postern/server.conf lists the same paths, nginx/postern/shared-pages.conf those of the shared pages, and
 * nginx/postern/monitoring.conf those that are the gateway's on the internal edge alone.
 * @param path canonical
 * @param hasSharedPages whether the shared pages are the gateway's
 * @param edge by which the request came
 */
export function isOwnPath(path: string, hasSharedPages: boolean, edge: Edge = 'authenticated'): boolean {
  return (
    exact.has(path) ||
    tree.test(path) ||
    (hasSharedPages && sharedPages.includes(path)) ||
    (edge === 'internal' && monitoringPaths.includes(path))
  );
}
