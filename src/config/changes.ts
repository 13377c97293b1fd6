import { isDeepStrictEqual } from 'node:util';
import type { Configuration } from './configuration.ts';

/** What config.yml calls each listener. */
export const listenerKeys = {
  authenticated: 'networking.listen.authenticated',
  internal: 'networking.listen.internal',
  metrics: 'networking.listen.metrics',
  forwardAuthAuthenticated: 'networking.forward_auth.authenticated',
  forwardAuthInternal: 'networking.forward_auth.internal',
  relayAuthenticated: 'networking.relay.authenticated',
  relayInternal: 'networking.relay.internal',
  events: 'events.listen',
} as const satisfies Readonly<Record<keyof Configuration['listen'], string>>;

/** What is opened once, at the start: by key of config.yml. */
const openedOnce: ReadonlyArray<{
  readonly key: string;
  readonly of: (configuration: Configuration) => unknown;
}> = [
  ...Object.entries(listenerKeys).map(([name, key]) => ({
    key,
    of: ({ listen }: Configuration) => listen[name as keyof typeof listenerKeys],
  })),
  { key: 'events.database', of: ({ eventsDatabase }) => eventsDatabase },
  { key: 'store.url', of: ({ store }) => store.url },
  { key: 'tls.enabled', of: ({ tls }) => tls.enabled },
  { key: 'server.workers', of: ({ server }) => server.workers },
];

/** Keys whose change waits for a restart. */
export const keysOpenedOnce: readonly string[] = openedOnce.map(({ key }) => key);

/**
 * @returns the configuration that can be applied without a restart, and the keys whose change waits for one
 */
export function keepListeners(
  wanted: Configuration,
  running: Configuration,
): { readonly configuration: Configuration; readonly waiting: readonly string[] } {
  const waiting = openedOnce.filter(({ of }) => !isDeepStrictEqual(of(wanted), of(running)));
  const keys = waiting.map(({ key }) => key);
  // What is said of a listener is still true of the one that stays.
  const shared = running.warnings.filter((warning) => keys.some((key) => warning.includes(key)));
  return {
    configuration: {
      ...wanted,
      warnings: [...new Set([...shared, ...wanted.warnings])],
      listen: running.listen,
      eventsDatabase: running.eventsDatabase,
      store: running.store,
      tls: { ...wanted.tls, enabled: running.tls.enabled },
      server: running.server,
    },
    waiting: keys,
  };
}
