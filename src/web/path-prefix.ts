/** The path prefix that a front has put the site under; empty at the root. The bundle knows it by its own address. */
const prefix = (new URL(import.meta.url).pathname.split('/postern/assets/')[0] ?? '')
  // `//login` is served as `/login` is, and what begins with two slashes is another host.
  .replace(/\/{2,}/g, '/')
  .replace(/\/$/, '');

/** @returns the path of the site that a path of ours is in this deployment */
export function pathTo(path: string): string {
  return prefix + path;
}

const base = '/postern';

/** @returns the path of a page or an endpoint that is the gate's alone, such as `/settings/users` and `/api/roles` */
export function gatePath(path: string): string {
  return prefix + base + path;
}

/** @returns the page at a path, such as `/settings/users` */
export function pageOf(path: string): string {
  const own = withoutPrefix(path);
  if (own === base) return '/';
  return own.startsWith(`${base}/`) ? own.slice(base.length) : own;
}

/** @returns the path of ours, without the prefix */
export function withoutPrefix(path: string): string {
  const rest = path.startsWith(prefix) ? path.slice(prefix.length) : path;
  return rest === '' ? '/' : rest.startsWith('/') ? rest : path;
}
