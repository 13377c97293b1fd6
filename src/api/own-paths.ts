import type { EntryPoint } from '../policy/authorization-request.ts';
import { monitoringPaths } from '../telemetry/monitoring-answers.ts';

/** Pages of the UI that show something of an identity. */
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
 * nginx/postern/monitoring.conf those that are the gateway's on the internal entry point alone.
 * @param path canonical
 * @param hasSharedPages whether the shared pages are the gateway's
 * @param edge by which the request came
 */
export function isOwnPath(
  path: string,
  hasSharedPages: boolean,
  entryPoint: EntryPoint = 'authenticated',
): boolean {
  return (
    exact.has(path) ||
    tree.test(path) ||
    (hasSharedPages && sharedPages.includes(path)) ||
    (entryPoint === 'internal' && monitoringPaths.includes(path))
  );
}
