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
 * nginx/postern/server.conf lists the same paths, and nginx/postern/shared-pages.conf those of the shared pages.
 * @param path canonical
 * @param hasSharedPages whether the shared pages are the gateway's
 */
export function isOwnPath(path: string, hasSharedPages: boolean): boolean {
  return exact.has(path) || tree.test(path) || (hasSharedPages && sharedPages.includes(path));
}
