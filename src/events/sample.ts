import type { Configuration } from '../config/configuration.ts';

/** Whether the configuration names no recorder's file. */
export function hasSampleDatabase({ eventsDatabase }: Pick<Configuration, 'eventsDatabase'>): boolean {
  return eventsDatabase === undefined;
}

/** Whether there is a sample to see: it is gone once a recorder is connected. */
export function isSample(configuration: Pick<Configuration, 'eventsDatabase' | 'upstream'>): boolean {
  return hasSampleDatabase(configuration) && configuration.upstream === undefined;
}

/** Whether users see the sample: the events app can be reached, and serves no recorder's events. */
export function servesSample(
  configuration: Pick<Configuration, 'eventsDatabase' | 'upstream' | 'listen'>,
): boolean {
  const { listen } = configuration;
  return (
    isSample(configuration) &&
    [listen.authenticated, listen.internal, listen.events].some((address) => address !== undefined)
  );
}
