import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { RawHeaders } from '../../policy/raw-headers.ts';
import type { Connector } from '../../recorder/upstream-pool.ts';

/** What gets through of each message of a WebSocket; undefined: nothing. */
export interface MessageFilter {
  readonly toClient: (text: string) => string | undefined;
  readonly toUpstream: (text: string) => string | undefined;
}

// Bytes of a message. Clients ask for little, and the activity of a hundred cameras takes some hundred KiB.
const longestOfClient = 16_384;
const longestOfUpstream = 1_048_576;

/** Bytes that wait for the other end, with which no more is read. */
const mostWaiting = 262_144;

// Milliseconds.
const handshakeTimeout = 30_000;
const closeTimeout = 5_000;

// Of a message. Each keeps all that was read with it: 16,384 of a byte held a gigabyte. Browsers and recorders send one.
const maxFragments = 64;

const bounds = { perMessageDeflate: false, closeTimeout, maxFragments } as const;

/** How the protocol says that a message is of a kind that is not taken (RFC 6455, 7.4.1). */
const unacceptable = 1003;

// What a message is made of is this hop's own: no message reaches the other end but as text that the filter gave.
const server = new WebSocketServer({
  ...bounds,
  noServer: true,
  clientTracking: false,
  maxPayload: longestOfClient,
  handleProtocols: () => false,
});

/** @returns a WebSocket to the upstream, once it is open. @throws when there is none */
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
      // Its type knows no connection that is made later.
      createConnection: ((_: unknown, callback: Parameters<Connector>[0]) => connect(callback)) as never,
    });
    const leave = () => upstream.terminate();
    if (left.aborted) leave();
    left.addEventListener('abort', leave);
    upstream.once('open', () => {
      left.removeEventListener('abort', leave);
      // Nothing is read before there is somebody to tell it to.
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
  // It calls back at once, or has refused the handshake.
  server.handleUpgrade(request, socket, head, (opened) => (client = opened));
  if (client === undefined) {
    upstream.terminate();
  } else {
    closed.push(closing(client));
    join(upstream, client, filter.toClient);
    join(client, upstream, filter.toUpstream);
    upstream.resume();
    // It was paused while it waited for the upstream.
    socket.resume();
  }
  await Promise.all(closed);
}

function closing(end: WebSocket): Promise<void> {
  // It closes by itself then.
  end.on('error', () => undefined);
  return new Promise((resolve) => {
    if (end.readyState === WebSocket.CLOSED) resolve();
    else end.once('close', () => resolve());
  });
}

/** Passes on what is left of each message of one end to the other, and reads no more while that one does not. */
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
      // Nested deeper than can be written again: an error here would end the process.
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
    // What says that there was no code, or none in time, is sent by nobody.
    if (code === 1005 || code === 1006) to.close();
    else to.close(code);
  });
}

/** Those of the handshake are made anew. */
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
