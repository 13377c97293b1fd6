import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Pool } from 'undici';
import { AppError } from '../errors.ts';
import type { RawHeaders } from '../policy/raw-headers.ts';
import { clientHeaders } from './upstream-headers.ts';

/** Where permitted requests go. */
export type UpstreamAddress = { readonly origin: string } | { readonly socketPath: string };

export interface Upstream {
  /**
   * Streams both ways.
   * @param added header lines of the answer that are ours
   * @throws AppError `upstream_unavailable` when there is no answer, and nothing was sent to the client
   */
  forward(
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    headers: string[],
    added: readonly string[],
  ): Promise<void>;
  /** Joins a client's connection with the upstream's after a protocol upgrade (RFC 9110, 7.8). @throws as `forward` */
  upgrade(
    request: IncomingMessage,
    client: Duplex,
    head: Buffer,
    path: string,
    headers: string[],
  ): Promise<void>;
  /** Lets what is under way come to its end, and takes nothing more. */
  close(): Promise<void>;
  /** Cuts what is under way. */
  destroy(): Promise<void>;
}

// Recorders take their time to cut a clip; streams may pause for as long as they like.
const headersTimeout = 300_000;

export function createUpstream(address: UpstreamAddress): Upstream {
  const options = { headersTimeout, bodyTimeout: 0, connectTimeout: 5_000 };
  const pool =
    'socketPath' in address
      ? new Pool('http://upstream', { ...options, socketPath: address.socketPath })
      : new Pool(address.origin, options);

  return {
    async forward(request, response, path, headers, added) {
      const aborted = new AbortController();
      response.once('close', () => aborted.abort());
      const answer = await pool
        .request({
          method: request.method as 'GET',
          path,
          headers,
          body: hasBody(request) ? request : null,
          signal: aborted.signal,
          responseHeaders: 'raw',
        })
        .catch((cause: unknown) => {
          throw new AppError('upstream_unavailable', { cause });
        });
      response.writeHead(answer.statusCode, [...clientHeaders(rawHeadersOf(answer.headers)), ...added]);
      // A failure from here on can only cut the connection: the status is gone. pipeline() does that.
      await pipeline(answer.body, response).catch(() => undefined);
    },

    async upgrade(request, client, head, path, headers) {
      const { headers: answered, socket } = await pool
        .upgrade({
          method: 'GET',
          path,
          headers: headers,
          protocol: request.headers.upgrade ?? '',
          responseHeaders: 'raw',
        })
        .catch((cause: unknown) => {
          throw new AppError('upstream_unavailable', { cause });
        });
      const lines = clientHeaders(rawHeadersOf(answered));
      let head101 = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${request.headers.upgrade}\r\n`;
      for (let i = 0; i < lines.length; i += 2) head101 += `${lines[i]}: ${lines[i + 1]}\r\n`;
      client.write(`${head101}\r\n`, 'latin1');
      if (head.length > 0) socket.write(head);
      await Promise.allSettled([pipeline(client, socket), pipeline(socket, client)]);
    },

    close: () => pool.close(),
    destroy: () => pool.destroy(),
  };
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** With `responseHeaders: 'raw'` undici gives name, value, name, value …, which its types do not say. */
function rawHeadersOf(headers: unknown): RawHeaders {
  return headers as RawHeaders;
}
