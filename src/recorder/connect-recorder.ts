import type { UpstreamAddress } from '../reverse-proxy/upstream-pool.ts';
import { createRecorderClient } from './recorder-client.ts';

/** A recorder that can be asked. */
export interface Recorder {
  readonly address: UpstreamAddress;
  /** For `X-Proxy-Secret`. */
  readonly authSecret: string | undefined;
}

export interface RecorderConnection {
  /** Asks what somebody of a role may see. @throws when there is no answer */
  askProfile(role: string, signal: AbortSignal): Promise<{ readonly status: number; readonly body: string }>;
  close(): void;
}

export function connectRecorder({ address, authSecret }: Recorder): RecorderConnection {
  const client = createRecorderClient(address);
  const secret = authSecret === undefined ? {} : { 'x-proxy-secret': authSecret };
  return {
    askProfile: (role, signal) =>
      client.get(
        '/api/profile',
        { accept: 'application/json', 'remote-user': 'postern', 'remote-role': role, ...secret },
        signal,
      ),
    close: client.close,
  };
}
