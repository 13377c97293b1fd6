import { join } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { programDirectory } from '../version.ts';

/** A recorder's database with made-up events, which the program brings along. */
const sampleDatabase = join(programDirectory, 'data', 'sample.db');

export function hasSampleDatabase({ eventsDatabase }: Pick<Configuration, 'eventsDatabase'>): boolean {
  return eventsDatabase === sampleDatabase;
}

/** Whether the events that people are shown are the sample: no recorder answers for them, and somebody reaches the events app. */
export function servesSample(
  configuration: Pick<Configuration, 'eventsDatabase' | 'upstream' | 'listen'>,
): boolean {
  const { upstream, listen } = configuration;
  const isReached = [listen.authenticated, listen.internal, listen.events].some(
    (address) => address !== undefined,
  );
  return hasSampleDatabase(configuration) && upstream === undefined && isReached;
}
