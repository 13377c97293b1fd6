import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { RawHeaders } from '../../policy/raw-headers.ts';
import type { Connector } from '../../recorder/upstream-pool.ts';

/** Filters each message of a WebSocket; undefined: it is dropped. */
export interface MessageFilter {
  readonly toClient: (text: string) => string | undefined;
  readonly toUpstream: (text: string) => string | undefined;
}

// Bytes of a message. Clients ask for little, and the activity of a hundred cameras takes some hundred KiB.
const longestOfClient = 16_384;
const longestOfUpstream = 1_048_576;

/** Bytes waiting for the other end, above which no more is read. */
const mostWaiting = 262_144;

// Milliseconds.
const handshakeTimeout = 30_000;
const closeTimeout = 5_000;

// Per message. Each fragment keeps everything that was read with it: 16,384 of a byte held a gigabyte. Browsers and recorders send one.
const maxFragments = 64;

const bounds = { perMessageDeflate: false, closeTimeout, maxFragments } as const;

/** Status code for a message of an unacceptable kind (RFC 6455, 7.4.1). */
const unacceptable = 1003;

// Frames end at this hop: the other end only gets text that the filter returned.
const server = new WebSocketServer({
  ...bounds,
  noServer: true,
  clientTracking: false,
  maxPayload: longestOfClient,
  handleProtocols: () => false,
});

/** @returns an open WebSocket to the upstream. @throws if there is none */
export function openWebSocket(
  connect: Connector,
  path: string,
  headers: RawHeaders,
  left: AbortSignal,
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const upstream = new WebSocket(`ws://upstream${path}`, {
      ...bounds,
      maxPayload: longestOfUpstream,
      handshakeTimeout,
      headers: headersOf(headers),
      // Its type does not allow for a connection that is opened later.
      createConnection: ((_: unknown, callback: Parameters<Connector>[0]) => connect(callback)) as never,
    });
    const leave = () => upstream.terminate();
    if (left.aborted) leave();
    left.addEventListener('abort', leave);
    upstream.once('open', () => {
      left.removeEventListener('abort', leave);
      // Nothing is read before there is a client to send it to.
      upstream.pause();
      resolve(upstream);
    });
    upstream.on('error', reject);
  });
}

/** @returns when both ends are closed */
export async function filterWebSocket(
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  upstream: WebSocket,
  filter: MessageFilter,
): Promise<void> {
  const closed = [closing(upstream)];
  let client: WebSocket | undefined;
  // It calls back synchronously, or has refused the handshake.
  server.handleUpgrade(request, socket, head, (opened) => (client = opened));
  if (client === undefined) {
    upstream.terminate();
  } else {
    closed.push(closing(client));
    join(upstream, client, filter.toClient);
    join(client, upstream, filter.toUpstream);
    upstream.resume();
    // It was paused while waiting for the upstream.
    socket.resume();
  }
  await Promise.all(closed);
}

function closing(end: WebSocket): Promise<void> {
  // It closes by itself afterwards.
  end.on('error', () => undefined);
  return new Promise((resolve) => {
    if (end.readyState === WebSocket.CLOSED) resolve();
    else end.once('close', () => resolve());
  });
}

/** Passes the filtered messages of one end on to the other, and stops reading while that one does. */
function join(from: WebSocket, to: WebSocket, filter: (text: string) => string | undefined): void {
  from.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary) {
      from.close(unacceptable);
      return;
    }
    let kept;
    try {
      kept = filter((data as Buffer).toString());
    } catch {
      // Nested too deeply to be serialized: an error here would end the process.
      from.close(unacceptable);
      return;
    }
    if (kept === undefined || to.readyState !== WebSocket.OPEN) return;
    to.send(kept, () => {
      if (from.isPaused && to.bufferedAmount < mostWaiting) from.resume();
    });
    if (to.bufferedAmount >= mostWaiting) from.pause();
  });
  from.once('close', (code: number) => {
    // The codes for a missing status and an aborted connection are never sent.
    if (code === 1005 || code === 1006) to.close();
    else to.close(code);
  });
}

/** The handshake's own headers are created again. */
function headersOf(lines: RawHeaders): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const name = (lines[i] as string).toLowerCase();
    const value = lines[i + 1] as string;
    if (name.startsWith('sec-websocket-')) continue;
    const former = headers[name];
    if (former === undefined) headers[name] = value;
    else if (name === 'cookie') headers[name] = `${String(former)}; ${value}`;
    else headers[name] = [former, value].flat();
  }
  return headers;
}
