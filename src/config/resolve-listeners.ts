import { listenerKeys } from './changes.ts';
import type { Configuration } from './configuration.ts';
import { isLoopback, parseListenAddress, type ListenAddress } from './listen.ts';
import type { Findings } from './problem.ts';
import type { ConfigurationFile } from './schema.ts';

/** Resolves the listen addresses. Refuses addresses that would expose an internal listener to other machines. */
export function resolveListeners(
  { networking: { listen, forward_auth: forwardAuth, relay }, events, fronts }: ConfigurationFile,
  { refuse, warn }: Findings,
): Configuration['listen'] {
  const read = (path: string, value: string | number | undefined): ListenAddress | undefined => {
    if (value === undefined || value === 'off') return undefined;
    const address = parseListenAddress(value);
    if (address === undefined) refuse(path, 'text', 'a port, host:port, unix:/path, or off');
    return address;
  };
  // A bare port would listen on every address.
  const readBehindFront = (path: string, value: string | undefined): ListenAddress | undefined => {
    const address = read(path, value);
    if (address === undefined || 'path' in address || address.host !== undefined) return address;
    refuse(path, 'a port without a host', 'unix:/path, host:port, or off');
    return undefined;
  };
  const listeners = {
    authenticated: read('networking.listen.authenticated', listen.authenticated),
    internal: read('networking.listen.internal', listen.internal),
    metrics: onLoopback(read('networking.listen.metrics', listen.metrics)),
    forwardAuthAuthenticated: readBehindFront(
      'networking.forward_auth.authenticated',
      forwardAuth.authenticated,
    ),
    forwardAuthInternal: readBehindFront('networking.forward_auth.internal', forwardAuth.internal),
    relayAuthenticated: readBehindFront('networking.relay.authenticated', relay.authenticated),
    relayInternal: readBehindFront('networking.relay.internal', relay.internal),
    events: readBehindFront('events.listen', events.listen),
  };
  if (listeners.events !== undefined && !isLoopback(listeners.events)) {
    refuse(
      'events.listen',
      'an address that other machines can reach',
      'a Unix socket or a loopback address',
    );
  }
  for (const name of forFronts) {
    const address = listeners[name];
    if (address === undefined || isLoopback(address)) continue;
    if (fronts.trusted.length === 0 && fronts.secret === undefined)
      refuse(
        listenerKeys[name],
        'an address that other machines can reach',
        'a Unix socket or a loopback address, or fronts.trusted or fronts.secret beside it',
      );
  }
  if (
    ['authenticated', 'internal', ...forFronts].every(
      (name) => listeners[name as keyof typeof listeners] === undefined,
    )
  )
    warn('every listener of Postern is off: set networking.listen or networking.forward_auth');
  return listeners;
}

const forFronts = [
  'forwardAuthAuthenticated',
  'forwardAuthInternal',
  'relayAuthenticated',
  'relayInternal',
] as const;

/** Adds the loopback address to a bare port, which would listen on every address. */
function onLoopback(address: ListenAddress | undefined): ListenAddress | undefined {
  if (address === undefined || 'path' in address) return address;
  return { ...address, host: address.host ?? '127.0.0.1' };
}
