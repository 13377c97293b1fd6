import { isDeepStrictEqual } from 'node:util';
import { featureNames } from '../policy/features.ts';
import type { Configuration } from './configuration.ts';

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

/** Settings that are opened once, at the start, by key of config.yml. */
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
  ...featureNames.map((name) => ({
    key: `features.${name}`,
    of: ({ features }: Configuration) => features.has(name),
  })),
];

/** Keys whose change needs a restart. */
export const keysOpenedOnce: readonly string[] = openedOnce.map(({ key }) => key);

/** @returns the configuration that applies without a restart, and the keys whose change needs one */
export function keepListeners(
  wanted: Configuration,
  running: Configuration,
): { readonly configuration: Configuration; readonly waiting: readonly string[] } {
  const waiting = openedOnce.filter(({ of }) => !isDeepStrictEqual(of(wanted), of(running)));
  const keys = waiting.map(({ key }) => key);
  // Warnings about a listener still apply to the one that stays.
  const staying = (kind: 'warnings' | 'exposures') => [
    ...new Set([
      ...running[kind].filter((warning) => keys.some((key) => warning.includes(key))),
      ...wanted[kind],
    ]),
  ];
  return {
    configuration: {
      ...wanted,
      warnings: staying('warnings'),
      exposures: staying('exposures'),
      listen: running.listen,
      eventsDatabase: running.eventsDatabase,
      store: running.store,
      features: running.features,
      tls: { ...wanted.tls, enabled: running.tls.enabled },
    },
    waiting: keys,
  };
}
