import { listenerKeys } from './changes.ts';
import type { Configuration } from './configuration.ts';
import { isLoopback } from './listen.ts';
import type { Findings } from './problem.ts';

/**
 * Warns when headers of an upstream proxy are trusted without a secret: a client that bypasses the proxy can send them too. A
 * client-facing listener on loopback is for a proxy on this machine; who reaches a front cannot be known here.
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
    `auth.enabled is false and proxy.auth_secret is not set: anyone who reaches ${ways.join(' or ')} past the proxy is ` +
      `${claims.join(', ')}. Set proxy.auth_secret, and let the proxy send it in X-Proxy-Secret`,
  );
}
