/** The path prefix of the site behind a proxy. Empty at the root. The bundle derives it from its own URL. */
const prefix = (new URL(import.meta.url).pathname.split('/postern/assets/')[0] ?? '')
  // `//login` is served like `/login`, but a path with two leading slashes is another host.
  .replace(/\/{2,}/g, '/')
  .replace(/\/$/, '');

/** @returns one of Postern's paths, with the prefix of this deployment */
export function pathTo(path: string): string {
  return prefix + path;
}

const base = '/postern';

/** @returns the path of one of Postern's own pages or endpoints, such as `/settings/users` and `/api/roles` */
export function gatePath(path: string): string {
  return prefix + base + path;
}

/** @returns the page of a path, such as `/settings/users` */
export function pageOf(path: string): string {
  const own = withoutPrefix(path);
  if (own === base) return '/';
  return own.startsWith(`${base}/`) ? own.slice(base.length) : own;
}

/** @returns the path without the prefix */
export function withoutPrefix(path: string): string {
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return rest === '' ? '/' : rest.startsWith('/') ? rest : path;
}
