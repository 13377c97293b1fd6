const exact = new Set(['/auth', '/logout', '/api/login', '/api/logout', '/api/profile', '/api/cameras']);
const tree = /^\/api\/(?:users|roles|explain)(?:\/|$)/;

/**
 * Whether the gateway answers a path itself, on a client-facing listener, instead of passing it on.
 * nginx/postern/server.conf lists the same paths.
 * @param path canonical
 */
export function isOwnPath(path: string): boolean {
  return exact.has(path) || tree.test(path);
}
