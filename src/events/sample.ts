import { join } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { programDirectory } from '../version.ts';

/** The database with made-up events that comes with the program. */
const sampleDatabase = join(programDirectory, 'data', 'sample.db');

export function hasSampleDatabase({ eventsDatabase }: Pick<Configuration, 'eventsDatabase'>): boolean {
  return eventsDatabase === sampleDatabase;
}

/** Whether users see the sample's events: the events app can be reached, and serves no recorder's events. */
export function servesSample(
  configuration: Pick<Configuration, 'eventsDatabase' | 'upstream' | 'listen'>,
): boolean {
  const { upstream, listen } = configuration;
  const isReached = [listen.authenticated, listen.internal, listen.events].some(
    (address) => address !== undefined,
  );
  return hasSampleDatabase(configuration) && upstream === undefined && isReached;
}
