import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from './configuration.ts';

/** What is opened once, at the start: by key of config.yml. */
const openedOnce: ReadonlyArray<{
  readonly key: string;
  readonly of: (configuration: Configuration) => unknown;
}> = [
  { key: 'networking.listen.authenticated', of: ({ listen }) => listen.authenticated },
  { key: 'networking.listen.internal', of: ({ listen }) => listen.internal },
  { key: 'networking.listen.metrics', of: ({ listen }) => listen.metrics },
  { key: 'networking.forward_auth.authenticated', of: ({ listen }) => listen.forwardAuthAuthenticated },
  { key: 'networking.forward_auth.internal', of: ({ listen }) => listen.forwardAuthInternal },
  { key: 'events.listen', of: ({ listen }) => listen.events },
  { key: 'events.database', of: ({ eventsDatabase }) => eventsDatabase },
  { key: 'tls.enabled', of: ({ tls }) => tls.enabled },
];

/** Keys whose change waits for a restart. */
export const keysOpenedOnce: readonly string[] = openedOnce.map(({ key }) => key);

/**
 * @returns the configuration that can be in force without a restart, and the keys whose change waits for one
 */
export function keepListeners(
  wanted: Configuration,
  running: Configuration,
): { readonly configuration: Configuration; readonly waiting: readonly string[] } {
  const waiting = openedOnce.filter(({ of }) => !isDeepStrictEqual(of(wanted), of(running)));
  return {
    configuration: {
      ...wanted,
      listen: running.listen,
      eventsDatabase: running.eventsDatabase,
      tls: { ...wanted.tls, enabled: running.tls.enabled },
    },
    waiting: waiting.map(({ key }) => key),
  };
}
