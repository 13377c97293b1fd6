import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A request as it reached what stands behind the gate. */
export interface ReachedRequest {
  readonly method: string;
  readonly uri: string;
  readonly rawHeaders: readonly string[];
}

export interface RecordingUpstream {
  /** `host:port` */
  readonly address: string;
  /** Takes out what has reached the upstream since the last call. */
  readonly takeReached: () => ReachedRequest[];
  readonly server: Server;
  close(): Promise<void>;
}

/** Stands where the recorder stands, answers everything with 200, and keeps what reached it. */
export async function startRecordingUpstream(): Promise<RecordingUpstream> {
  const reached: ReachedRequest[] = [];
  const server = createServer((request, response) => {
    reached.push({ method: request.method ?? '', uri: request.url ?? '', rawHeaders: request.rawHeaders });
    request.resume();
    response.end('recorder');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeReached: () => reached.splice(0),
    server,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
