import { join } from 'node:path';
import type { Configuration } from '../config/configuration.ts';
import { programDirectory } from '../program-directory.ts';

/** A recorder's database with made-up events, which the program brings along. */
const sampleDatabase = join(programDirectory, 'data', 'sample.db');

/** Whether the events that people are shown are the sample: no recorder answers for them, and somebody reaches the events app. */
export function servesSample({
  eventsDatabase,
  upstream,
  listen,
}: Pick<Configuration, 'eventsDatabase' | 'upstream' | 'listen'>): boolean {
  const isReached = [listen.authenticated, listen.internal, listen.events].some(
    (address) => address !== undefined,
  );
  return eventsDatabase === sampleDatabase && upstream === undefined && isReached;
}
