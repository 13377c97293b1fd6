import { to, withoutBase } from './base-path.ts';

/** The proxy in front sent us away twice within seconds: to go on would never end. */
export class RedirectLoopError extends Error {
  override readonly name = 'RedirectLoopError';
}

const key = 'postern.departed';
const loopTime = 10_000;

/** Goes to another page. @returns a promise that never settles: the page is about to end */
function depart(leave: () => void): Promise<never> {
  leave();
  return new Promise<never>(() => {});
}

/** The session is over: to the login, and back here after. */
export function departToLogin(): Promise<never> {
  const next = encodeURIComponent(withoutBase(location.pathname) + location.search);
  return depart(() => location.assign(to(`/login?ended=1&next=${next}`)));
}

/**
 * Follows a redirect of the proxy in front, once.
 * @param target undefined where the browser hides it: the proxy then takes over a navigation
 * @throws RedirectLoopError
 */
export function departTo(target: URL | undefined): Promise<never> {
  const last = Number(sessionStorage.getItem(key) ?? 0);
  const now = Date.now();
  if (now - last < loopTime) throw new RedirectLoopError('The sign-in proxy keeps sending you away.');
  sessionStorage.setItem(key, String(now));
  return depart(() => (target === undefined ? location.reload() : location.assign(target)));
}

/** The user wants to try once more. */
export function retryDeparture(): void {
  sessionStorage.removeItem(key);
  location.reload();
}
