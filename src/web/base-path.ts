/** The path prefix that a front has put the site under; empty at the root. The bundle knows it by its own address. */
const base = (new URL(import.meta.url).pathname.split('/postern/assets/')[0] ?? '')
  // `//login` is served as `/login` is, and what begins with two slashes is another host.
  .replace(/\/{2,}/g, '/')
  .replace(/\/$/, '');

/** @returns the path of the site that a path of ours is in this deployment */
export function to(path: string): string {
  return base + path;
}

/** @returns the path of ours, without the prefix */
export function withoutBase(path: string): string {
  const rest = path.startsWith(base) ? path.slice(base.length) : path;
  return rest === '' ? '/' : rest.startsWith('/') ? rest : path;
}

/** Whether Explore and the start page are ours, and not those of a recorder behind the gate. */
export const hasFrontPages = document.documentElement.dataset['frontPages'] === 'yes';
