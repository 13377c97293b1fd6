import { once } from 'node:events';
import {
  createServer,
  request as forward,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http';
import { request as forwardByTls } from 'node:https';
import type { AddressInfo } from 'node:net';

interface Listening {
  /** `http://127.0.0.1:port` */
  readonly origin: string;
  close(): Promise<void>;
}

/** @param port a free one when absent */
export async function listenOnLoopback(server: Server, port = 0): Promise<Listening> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Passes a request on to `host:port` and its answer back. */
export function passOn(
  request: IncomingMessage,
  response: ServerResponse,
  address: string,
  changes: {
    readonly path?: string;
    readonly headers?: Readonly<Record<string, string>>;
    readonly tls?: boolean;
  } = {},
): void {
  const at = address.lastIndexOf(':');
  const asking = (changes.tls === true ? forwardByTls : forward)(
    {
      host: address.slice(0, at),
      port: Number(address.slice(at + 1)),
      method: request.method,
      path: changes.path ?? request.url,
      headers: { ...request.headers, ...changes.headers },
      rejectUnauthorized: false,
    },
    (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    },
  );
  asking.on('error', () => response.destroy());
  request.pipe(asking);
}

export interface PrefixProxy extends Listening {
  /** Targets that were asked for outside the prefix. */
  readonly outside: readonly string[];
  /** Targets inside. */
  readonly inside: readonly string[];
}

/** A third-party front that puts a gateway under a prefix. */
export function startPrefixProxy(options: {
  readonly prefix: string;
  readonly address: string;
  readonly strips: boolean;
  readonly says: boolean;
  readonly tls: boolean;
  readonly port?: number;
}): Promise<PrefixProxy> {
  const { prefix, address, strips, says, tls, port } = options;
  const outside: string[] = [];
  const inside: string[] = [];
  const server = createServer((request, response) => {
    const { url = '' } = request;
    if (!url.startsWith(`${prefix}/`)) {
      outside.push(url);
      response.writeHead(404).end();
      return;
    }
    inside.push(url);
    const headers = {
      'x-forwarded-for': request.socket.remoteAddress ?? '',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': request.headers.host ?? '',
      ...(says ? { 'x-forwarded-prefix': prefix } : {}),
    };
    passOn(request, response, address, { headers, tls, path: strips ? url.slice(prefix.length) : url });
  });
  return listenOnLoopback(server, port).then((listening) => ({ ...listening, outside, inside }));
}
