import type { UpstreamAddress } from './upstream-pool.ts';
import { createRecorderClient, type RecorderAnswer } from './recorder-client.ts';
import type { Configuration } from '../config/configuration.ts';

export interface Recorder {
  readonly address: UpstreamAddress;
  /** The value of `X-Proxy-Secret`. */
  readonly authSecret: string | undefined;
}

export interface RecorderConnection {
  /** Asks which cameras a role may see. @throws when there is no response */
  askProfile(role: string, signal: AbortSignal): Promise<RecorderAnswer>;
  /** Asks for the recorder's own configuration, as an admin. @throws when there is no response, or one over 8 MiB */
  askConfiguration(signal: AbortSignal): Promise<RecorderAnswer>;
  /**
   * Gives a custom role these cameras in the recorder's own configuration, as an admin; without cameras, deletes
   * the role there.
   * @throws when there is no response
   */
  setRole(role: string, cameras: readonly string[] | undefined, signal: AbortSignal): Promise<RecorderAnswer>;
  close(): void;
}

// Each camera has about ten thousand bytes of it.
export const longestConfiguration = 8 * 1_048_576;

/** The gate's user name at a recorder. */
const user = 'postern';

/** The headers that identify the gate to a recorder. */
export function headersOf(role: string, authSecret: string | undefined): Readonly<Record<string, string>> {
  return {
    accept: 'application/json',
    'remote-user': user,
    'remote-role': role,
    ...(authSecret === undefined ? {} : { 'x-proxy-secret': authSecret }),
  };
}

export function connectRecorder({ address, authSecret }: Recorder): RecorderConnection {
  const client = createRecorderClient(address);
  return {
    askProfile: (role, signal) => client.get('/api/profile', headersOf(role, authSecret), signal),
    askConfiguration: (signal) =>
      client.get('/api/config', headersOf('admin', authSecret), signal, longestConfiguration),
    setRole: (role, cameras, signal) =>
      client.put(
        '/api/config/set',
        // Recorders require it only of browsers, which send their origin.
        { ...headersOf('admin', authSecret), 'x-csrf-token': '1' },
        {
          requires_restart: 0,
          update_topic: 'config/auth',
          config_data: { auth: { roles: { [role]: cameras ?? '' } } },
        },
        signal,
      ),
    close: client.close,
  };
}

/**
 * @param certificate PEM, from the file that `recorder.certificate` names
 * @returns the recorder of a configuration, or `undefined` without one
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
