import { keepInput } from './ui/forms/kept-input.ts';
import { text } from './text.ts';
import { pathTo, withoutPrefix } from './path-prefix.ts';

/** The proxy in front sent us away twice within seconds: to go on would never end. */
export class RedirectLoopError extends Error {
  override readonly name = 'RedirectLoopError';
}

const key = 'postern.departed';
// Milliseconds.
const loopTime = 10_000;

// Several calls may find at once that they are sent away; the page leaves once.
let leaving: Promise<never> | undefined;

/** Goes to another page. @returns a promise that never settles: the page is about to end */
function depart(leave: () => void): Promise<never> {
  if (leaving === undefined) {
    leaving = new Promise<never>(() => {});
    keepInput();
    leave();
  }
  return leaving;
}

export function isDeparting(): boolean {
  return leaving !== undefined;
}

/** The session is over: to the login, and back here after. */
export function departToLogin(): Promise<never> {
  const next = encodeURIComponent(withoutPrefix(location.pathname) + location.search);
  return depart(() => location.assign(pathTo(`/login?ended=1&next=${next}`)));
}

/**
 * Follows a redirect of the proxy in front, once.
 * @param target undefined where the browser hides it: the proxy then takes over a navigation
 * @throws RedirectLoopError
 */
export function departTo(target: URL | undefined): Promise<never> {
  if (leaving !== undefined) return leaving;
  const last = Number(sessionStorage.getItem(key) ?? 0);
  const now = Date.now();
  if (now - last < loopTime) throw new RedirectLoopError(text.progress.sentAway);
  sessionStorage.setItem(key, String(now));
  return depart(() => (target === undefined ? location.reload() : location.assign(target)));
}

/** The user wants to try once more. */
export function retryDeparture(): void {
  sessionStorage.removeItem(key);
  location.reload();
}
