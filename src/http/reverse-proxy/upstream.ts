import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Duplex, Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout } from 'node:timers/promises';
import type { WebSocket } from 'ws';
import { withTimeout } from '../../clock.ts';
import { AppError } from '../../errors.ts';
import { madeOnce } from '../../made-once.ts';
import { isNamed, type RawHeaders } from '../../policy/raw-headers.ts';
import { createFairShare, type FairShare } from './fair-share.ts';
import type { WantedWebSocket } from './filtered-web-socket.ts';
import type { MessageFilter } from './message-filter.ts';
import { AnswerStream } from './answer-stream.ts';
import { connectorTo, lazyPool, openPool, type UpstreamAddress } from '../../recorder/upstream-pool.ts';
import { forWholeAnswer, WholeAnswer } from '../../recorder/whole-answer.ts';

/** A client's request in the form for the upstream. */
interface Passage {
  readonly request: IncomingMessage;
  readonly path: string;
  readonly headers: string[];
  /** Read completely, or passed on as it arrives. Absent when there is none. */
  readonly body?: Buffer | AsyncIterable<Buffer> | undefined;
  /** Whether an answer with an error is sent to the client without its body. */
  readonly hidesErrors?: boolean;
  /** Filters the header lines of the answer. */
  readonly answerHeaders: (lines: RawHeaders) => string[];
}

/** A client that waits for its upgrade. */
interface UpgradingClient {
  readonly socket: Duplex;
  /** Aborts if the client leaves. */
  readonly left: AbortSignal;
  /** @returns the bytes that the client has sent already */
  readonly early: () => readonly Buffer[];
}

export interface Upstream extends Pick<FairShare, 'take'> {
  /**
   * Streams both ways. The caller has to hold a place.
   * @param added our own header lines of the answer
   * @param transform replaces the body of the answer, which is then read completely
   * @throws AppError `upstream_unavailable` if there is no answer, and nothing was sent to the client
   */
  forward(
    passage: Passage,
    response: ServerResponse,
    added: readonly string[],
    transform?: (body: Buffer) => Buffer,
  ): Promise<void>;
  /**
   * Joins a client's connection with the upstream's after a protocol upgrade (RFC 9110, 7.8).
   * @param filter for the messages of a WebSocket. Omit to pass its bytes on unread
   * @throws as `forward`
   */
  upgrade(passage: Passage, client: UpgradingClient, filter?: MessageFilter): Promise<void>;
  /** Lets open requests finish, and accepts no more. */
  close(): Promise<void>;
  /** Cuts open requests. */
  destroy(): Promise<void>;
}

// Recorders take their time to cut a clip; streams may pause as long as they like.
const headersTimeout = 300_000;

/** Events of an upstream. */
export interface UpstreamNotices {
  /** No connection was free in time for a client's request. */
  readonly onBusy: (client: string) => void;
  /** The upstream does not answer, or broke an answer off. */
  readonly onFailure: () => void;
}

// Milliseconds.
const connectTimeout = 5_000;

// Waits for WebSockets that are closing already, when everything ends. Milliseconds.
const closingTimeout = 1_000;

// Before what has to end is sent again: an upstream that starts again is away for so long. Milliseconds.
const pauses = [0, 1_000, 2_000, 4_000, 8_000, 16_000, 32_000];

// Waits for a free connection. Milliseconds.
const placeTimeoutMs = 10_000;

// An upstream may offer longer; then idle connections would remain besides all those in use.
const keepAliveTimeout = 4_000;

// With `ws`, which only filtered WebSockets need.
const filtering = () => import('./filtered-web-socket.ts');

/**
 * Opens nothing before the first request.
 * @param connections maximum number of open ones
 */
export function createUpstream(
  address: UpstreamAddress,
  connections: number,
  { onBusy, onFailure }: UpstreamNotices,
  open = openPool,
): Upstream {
  const options = {
    connections,
    headersTimeout,
    bodyTimeout: 0,
    connectTimeout,
    keepAliveTimeout,
    keepAliveMaxTimeout: keepAliveTimeout,
  };
  const pool = lazyPool(() => open(address, options));
  const connector = madeOnce(() => connectorTo(address, connectTimeout));
  // WebSockets with a filter, which the pool does not include.
  const webSockets = new Set<WebSocket>();
  const destroyed = new AbortController();
  const share = createFairShare(connections, placeTimeoutMs, onBusy);
  const openFiltered = async (wanted: WantedWebSocket) => {
    const { openWebSocket } = await filtering();
    const upstream = await openWebSocket(await connector(), wanted);
    webSockets.add(upstream);
    upstream.once('close', () => webSockets.delete(upstream));
    return upstream;
  };
  /** The upstream closed the WebSocket of a client, and what that has begun continues. */
  const end = async (messages: readonly string[], wanted: WantedWebSocket) => {
    const { signal } = destroyed;
    for (const pause of pauses) {
      try {
        await setTimeout(pause, undefined, { ref: false, signal });
        const { sendAlone } = await filtering();
        await sendAlone(await openFiltered({ ...wanted, left: signal }), messages);
        return;
      } catch {
        if (signal.aborted) return;
      }
    }
    onFailure();
  };
  return {
    take: share.take,

    async forward(passage, response, added, transform) {
      const { request, path, headers: sent, body = null, answerHeaders, hidesErrors } = passage;
      const opened = await pool.opened();
      await new Promise<void>((resolve, reject) => {
        const passed = {
          method: request.method as 'GET' | 'HEAD',
          path,
          // One part at a time: the last one follows when the others have been sent.
          body: body === null || Buffer.isBuffer(body) ? body : Readable.from(body, { highWaterMark: 1 }),
        };
        const headers = Buffer.isBuffer(body) ? withLength(sent, body.length) : sent;
        const answer = { response, added, answerHeaders, hidesErrors, onFailure, resolve, reject };
        if (transform === undefined) opened.dispatch({ ...passed, headers }, new AnswerStream(answer));
        else
          opened.dispatch(
            // The length of the client's answer is known once all of it was read.
            {
              ...passed,
              method: passed.method === 'HEAD' ? 'GET' : passed.method,
              headers: forWholeAnswer(headers),
            },
            new WholeAnswer(answer, transform),
          );
      });
    },

    async upgrade({ request, path, headers, answerHeaders }, { socket, left, early }, filter) {
      const failed = (cause: unknown): never => {
        if (!left.aborted) onFailure();
        throw new AppError('upstream_unavailable', { cause });
      };
      if (filter !== undefined) {
        const { filterWebSocket } = await filtering();
        const wanted = { path, headers, left, accepted: filter.accepted };
        const upstream = await openFiltered(wanted).catch(failed);
        const unsent = await filterWebSocket(
          { request, socket, head: Buffer.concat(early()) },
          upstream,
          filter,
        );
        if (unsent.length > 0) void end(unsent, wanted);
        return;
      }
      const opened = await pool.opened();
      const { headers: answered, socket: upstream } = await opened
        .upgrade({
          method: 'GET',
          path,
          headers,
          protocol: request.headers.upgrade ?? '',
          signal: left,
          responseHeaders: 'raw',
        })
        .catch(failed);
      socket.write(switchingProtocols(request, answerHeaders(rawHeadersOf(answered))), 'latin1');
      for (const chunk of early()) upstream.write(chunk);
      // Both pipelines listen for its end, besides the server: over TLS that exceeds Node's limit for warnings.
      socket.setMaxListeners(0);
      await Promise.allSettled([pipeline(socket, upstream), pipeline(upstream, socket)]);
    },

    close: () => pool.close(),
    destroy: async () => {
      destroyed.abort();
      // The clients are gone: what the upstream gets because of that may still be under way.
      const closing = [...webSockets].filter(({ readyState, CLOSING }) => readyState === CLOSING);
      await withTimeout(Promise.all(closing.map((upstream) => once(upstream, 'close'))), closingTimeout);
      for (const upstream of webSockets) upstream.terminate();
      await pool.destroy();
    },
  };
}

function switchingProtocols({ headers }: IncomingMessage, lines: RawHeaders): string {
  let head = `HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: ${headers.upgrade}\r\n`;
  for (let i = 0; i < lines.length; i += 2) head += `${lines[i]}: ${lines[i + 1]}\r\n`;
  return `${head}\r\n`;
}

/** Replaces the length that the client declared, in whatever form. */
function withLength(headers: RawHeaders, length: number): string[] {
  const kept: string[] = [];
  for (let i = 0; i + 1 < headers.length; i += 2)
    if (!isNamed(headers[i] as string, 'content-length'))
      kept.push(headers[i] as string, headers[i + 1] as string);
  return [...kept, 'content-length', String(length)];
}

/** undici returns name, value, name, value … with `responseHeaders: 'raw'`, which its types do not include. */
function rawHeadersOf(headers: unknown): RawHeaders {
  return headers as RawHeaders;
}
