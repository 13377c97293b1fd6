import { keepInput } from './ui/forms/kept-input.ts';
import { text } from './text.ts';
import { pathTo, withoutPrefix } from './path-prefix.ts';

/** The proxy in front redirected us twice within seconds: continuing would loop forever. */
export class RedirectLoopError extends Error {
  override readonly name = 'RedirectLoopError';
}

const key = 'postern.departed';
// Milliseconds.
const loopTime = 10_000;

// Several calls may be redirected at once; the page leaves once.
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

/** The page leaves by the form that signs out: answers to calls that the end of the session refuses lead nowhere else. */
export function departBySigningOut(): void {
  void depart(() => undefined);
}

/** The session is over: sign in, and come back here. */
export function departToLogin(): Promise<never> {
  const next = encodeURIComponent(withoutPrefix(location.pathname) + location.search);
  return depart(() => location.assign(pathTo(`/login?ended=1&next=${next}`)));
}

/**
 * Follows a redirect of the proxy in front, once.
 * @param target `undefined` if the browser hides it: then a page load lets the proxy redirect
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

/** The user tries again. */
export function retryDeparture(): void {
  sessionStorage.removeItem(key);
  location.reload();
}
