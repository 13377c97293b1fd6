import { listenerKeys } from './changes.ts';
import type { Configuration } from './configuration.ts';
import { isLoopback } from './listen.ts';
import type { Findings } from './problem.ts';

/**
 * Warns when the gate accepts passwords over plain HTTP on an address that other machines reach. A front that uses
 * `networking.forward_auth` serves the clients itself, and does not need that listener.
 */
export function warnOfPlainHttp(
  { auth, tls, listen }: Pick<Configuration, 'auth' | 'tls' | 'listen'>,
  { warn }: Pick<Findings, 'warn'>,
): void {
  const { authenticated } = listen;
  if (!auth.enabled || tls.enabled || authenticated === undefined || isLoopback(authenticated)) return;
  warn(
    `tls.enabled is false, and other machines reach ${listenerKeys.authenticated}: passwords and session cookies cross the ` +
      'network in plain HTTP. Remove the key, or let the gate listen on loopback alone behind a proxy that speaks TLS',
  );
}
