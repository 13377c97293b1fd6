import { once } from 'node:events';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerConfiguration, answerGate, figuresOf, type KnownRoles } from './recorder-profile.ts';

/** A request as it reached the upstream. */
export interface ReachedRequest {
  readonly method: string;
  readonly uri: string;
  readonly rawHeaders: readonly string[];
  /** Of a body in chunks: complete when the request was answered. */
  readonly rawTrailers?: readonly string[];
}

export interface RecordingUpstream {
  /** `host:port` */
  readonly address: string;
  /** Takes out what has reached the upstream since the last call. */
  readonly takeReached: () => ReachedRequest[];
  readonly server: Server;
  /** Lets the events app at `unix:/path` answer what is about events. */
  readonly passEventsTo: (address: string) => void;
  close(): Promise<void>;
}

/**
 * Stands where the recorder stands and keeps what reached it. The events app answers what is about events, when
 * there is one, and everything else is answered with 200. What the gate itself asks about roles is answered as a recorder does.
 * @param known the roles of the recorder; without them it takes every role for a viewer of one camera
 */
export async function startRecordingUpstream(
  known: KnownRoles = { cameras: ['somewhere'], roles: {} },
): Promise<RecordingUpstream> {
  const reached: ReachedRequest[] = [];
  let current = known;
  let eventsApp: string | undefined;
  const server = createServer({ maxHeaderSize: 128 * 1024 }, (request, response) => {
    if (answerGate(request, response, current, (roles) => (current = { ...current, roles }))) return;
    const { method = '', url = '', rawHeaders } = request;
    // Node fills this very list when the body has come to its end.
    const rawTrailers: string[] = [];
    request.once('end', () => rawTrailers.push(...request.rawTrailers));
    reached.push({ method, uri: url, rawHeaders, rawTrailers });
    if (method === 'GET' && answerConfiguration(request, response, current)) return;
    // Answers of which the gate reads something, whatever case of letters a server takes.
    if (
      method === 'GET' &&
      /^\/api\/(?:config|stats|go2rtc\/(?:api\/streams|streams\/[^/?]+))(?:\?|$)/i.test(url)
    ) {
      response.end(JSON.stringify(figuresOf(current)));
      return;
    }
    if (eventsApp === undefined || !/^\/api\/event(?:s|_ids)(?:\?|$)/.test(url)) {
      request.resume().once('end', () => response.end('recorder'));
      return;
    }
    const asking = forward(
      { socketPath: eventsApp, method, path: url, headers: request.headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 500, answer.headers);
        answer.pipe(response);
      },
    );
    request.pipe(asking);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    address: `127.0.0.1:${(server.address() as AddressInfo).port}`,
    takeReached: () => reached.splice(0),
    server,
    passEventsTo: (address) => {
      eventsApp = address.slice('unix:'.length);
    },
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
