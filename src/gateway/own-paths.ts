const exact = new Set([
  '/auth',
  '/logout',
  '/api/login',
  '/api/logout',
  '/api/profile',
  '/api/cameras',
  '/login',
  '/account',
  '/settings/users',
  '/settings/roles',
]);
const tree = /^\/api\/(?:users|roles|explain)(?:\/|$)|^\/postern\/assets\//;

/** Pages that a recorder's own UI has too: ours only when there is no such recorder. */
const front = new Set(['/', '/explore', '/settings']);

/**
 * Whether the gateway answers a path itself, on a client-facing listener, instead of passing it on.
 * nginx/postern/server.conf lists the same paths, and nginx/postern/front-page.conf those of the front pages.
 * @param path canonical
 * @param frontPages whether the front pages are the gateway's
 */
export function isOwnPath(path: string, frontPages: boolean): boolean {
  return exact.has(path) || tree.test(path) || (frontPages && front.has(path));
}
