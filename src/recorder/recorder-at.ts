import type { Configuration } from '../config/configuration.ts';
import type { UpstreamAddress } from './upstream-pool.ts';
import type { Recorder } from './connect-recorder.ts';

/**
 * @param certificate PEM, from the file that `recorder.certificate` names
 * @returns the recorder of a configuration; undefined without one
 */
export function recorderAt(
  { upstream, recorder }: Pick<Configuration, 'upstream' | 'recorder'>,
  certificate: string | undefined,
): Recorder | undefined {
  if (upstream === undefined) return undefined;
  const address = upstream.startsWith('unix:') ? upstreamAt(upstream) : { origin: upstream, certificate };
  return { address, authSecret: recorder.authSecret };
}

/** @param place `unix:/path` or `host:port` */
export function upstreamAt(place: string): UpstreamAddress {
  return place.startsWith('unix:')
    ? { socketPath: place.slice('unix:'.length) }
    : { origin: `http://${place}` };
}
