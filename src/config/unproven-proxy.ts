import { listenerKeys } from './changes.ts';
import type { Configuration } from './configuration.ts';
import { isLoopback } from './listen.ts';
import type { Findings } from './problem.ts';

/**
 * Warns where the headers of an upstream proxy are believed of anybody: without a secret they are as good from a client
 * that goes past the proxy. A client-facing listener of loopback is for a proxy on this machine; of a front, nobody here
 * knows who reaches it.
 */
export function warnOfUnprovenProxy(
  { auth, proxy, listen }: Pick<Configuration, 'auth' | 'proxy' | 'listen'>,
  { warn }: Findings,
): void {
  const { userHeader, roleHeader, authSecret } = proxy;
  if (auth.enabled || authSecret !== undefined || (userHeader ?? roleHeader) === undefined) return;
  const { authenticated, forwardAuthAuthenticated, relayAuthenticated } = listen;
  const ways = [
    ...(authenticated === undefined || isLoopback(authenticated) ? [] : [listenerKeys.authenticated]),
    ...(forwardAuthAuthenticated === undefined ? [] : ['a front of networking.forward_auth.authenticated']),
    ...(relayAuthenticated === undefined ? [] : ['a front of networking.relay.authenticated']),
  ];
  if (ways.length === 0) return;
  const claims = [
    ...(userHeader === undefined ? [] : [`any user by ${userHeader}`]),
    ...(roleHeader === undefined ? [] : [`admin by ${roleHeader}`]),
  ];
  warn(
    `auth.enabled is false and proxy.auth_secret is not set: whoever reaches ${ways.join(' or ')} past the proxy is ` +
      `${claims.join(', ')}. Set proxy.auth_secret, and let the proxy send it in X-Proxy-Secret`,
  );
}
