import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RawData, WebSocket, WebSocketServer } from 'ws';
import type { RawHeaders } from '../../policy/raw-headers.ts';
import type { Connector } from '../../recorder/upstream-pool.ts';
import { watchPresence } from './client-end.ts';
import type { AcceptedMessages, MessageFilter } from './message-filter.ts';

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

// Frames end at this hop: the other end only gets messages that the filter returned.
const serverOf = (maxPayload: number) =>
  new WebSocketServer({
    ...bounds,
    noServer: true,
    clientTracking: false,
    maxPayload,
    handleProtocols: () => false,
  });
/** Readers by the longest message that each accepts. */
const servers = new Map<number, WebSocketServer>();

function serverFor(longest: number): WebSocketServer {
  const server = servers.get(longest) ?? serverOf(longest);
  servers.set(longest, server);
  return server;
}

/** A WebSocket to open to the upstream. */
export interface WantedWebSocket extends Pick<MessageFilter, 'accepted'> {
  readonly path: string;
  readonly headers: RawHeaders;
  /** Aborts if the client leaves. */
  readonly left: AbortSignal;
}

/** @returns an open WebSocket to the upstream. @throws if it does not open */
export function openWebSocket(
  connect: Connector,
  { path, headers, left, accepted }: WantedWebSocket,
): Promise<WebSocket> {
  return new Promise((resolve, reject) => {
    const upstream = new WebSocket(`ws://upstream${path}`, {
      ...bounds,
      maxPayload: accepted.ofUpstream.longest,
      handshakeTimeout,
      headers: headersOf(headers),
      // Its type does not allow for a connection that is opened later. Node would use one that is returned at once, before its
      // certificate was compared.
      createConnection: ((_: unknown, callback: Parameters<Connector>[0]) => {
        connect(callback);
      }) as never,
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
    upstream.on('error', (error) => {
      left.removeEventListener('abort', leave);
      reject(error);
    });
  });
}

/** The client's handshake, which the server answers. */
interface Handshake {
  readonly request: IncomingMessage;
  readonly socket: Duplex;
  /** Bytes that the client has sent after it. */
  readonly head: Buffer;
}

/** @returns when both ends are closed, the messages of `ending` that the upstream was closed to */
export async function filterWebSocket(
  { request, socket, head }: Handshake,
  upstream: WebSocket,
  filter: MessageFilter,
): Promise<readonly string[]> {
  const closed = [closing(upstream)];
  const unsent: string[] = [];
  const { ofClient, ofUpstream } = filter.accepted;
  let client: WebSocket | undefined;
  // It calls back synchronously, or has refused the handshake.
  serverFor(ofClient.longest).handleUpgrade(request, socket, head, (opened) => (client = opened));
  if (client === undefined) {
    upstream.terminate();
  } else {
    closed.push(closing(client));
    const opened: WebSocket = client;
    // Its last messages may be read only now.
    const reply = (text: string) => {
      // A client that reads none of its answers gets no more of them.
      if (opened.bufferedAmount < mostWaiting) opened.send(text);
    };
    const toUpstream = (text: string) =>
      opened.readyState === WebSocket.OPEN ? filter.toUpstream(text, reply) : undefined;
    endFor(client, upstream, filter, unsent);
    join(upstream, client, { ...ofUpstream, filter: filter.toClient, isBinaryRead: false });
    join(client, upstream, { ...ofClient, filter: toUpstream, isBinaryRead: true });
    watchPresence(client, filter.needsClient);
    upstream.resume();
    // It was paused while waiting for the upstream.
    socket.resume();
  }
  await Promise.all(closed);
  return unsent;
}

/** Sends messages by a WebSocket that nothing else uses. @param upstream as `openWebSocket` returns it */
export async function sendAlone(upstream: WebSocket, messages: readonly string[]): Promise<void> {
  const closed = closing(upstream);
  for (const text of messages) upstream.send(text);
  upstream.close();
  upstream.resume();
  await closed;
}

function closing(end: WebSocket): Promise<void> {
  // It closes by itself afterwards.
  end.on('error', () => undefined);
  return new Promise((resolve) => {
    if (end.readyState === WebSocket.CLOSED) resolve();
    else end.once('close', () => resolve());
  });
}

/**
 * Ends at the upstream what the client has begun, when it is gone or may not continue. `join` closes the upstream, and comes later.
 * @param unsent gets what the upstream did not, because it was closed first
 */
function endFor(client: WebSocket, upstream: WebSocket, filter: MessageFilter, unsent: string[]): void {
  const send = (messages: readonly string[]) => {
    if (upstream.readyState !== WebSocket.OPEN) unsent.push(...messages);
    else for (const text of messages) upstream.send(text, (error) => void (error && unsent.push(text)));
  };
  const endAll = () => send(filter.ending());
  filter.onDecided(send);
  client.once('error', endAll);
  client.once('close', endAll);
}

interface Joining extends Pick<AcceptedMessages, 'binary'> {
  readonly filter: (text: string) => string | undefined;
  /** Whether the filter gets binary messages too, as far as they are accepted; video is passed on unread. */
  readonly isBinaryRead: boolean;
}

/**
 * Passes the filtered messages of one end on to the other, and stops reading while that one does.
 */
function join(from: WebSocket, to: WebSocket, { binary, filter, isBinaryRead }: Joining): void {
  from.on('message', (data: RawData, isBinary: boolean) => {
    if (isBinary && !binary) {
      from.close(unacceptable);
      return;
    }
    let kept: Buffer | string | undefined;
    try {
      kept = isBinary && !isBinaryRead ? (data as Buffer) : filtered(data as Buffer, filter);
    } catch {
      // Nested too deeply to be serialized: an error here would end the process.
      from.close(unacceptable);
      return;
    }
    if (kept === undefined || to.readyState !== WebSocket.OPEN) return;
    to.send(kept, { binary: isBinary }, () => {
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

/** @returns the same bytes if the filter changes nothing */
function filtered(data: Buffer, filter: (text: string) => string | undefined): Buffer | string | undefined {
  const text = data.toString();
  const kept = filter(text);
  return kept === text ? data : kept;
}

/** The handshake's own headers are created again. */
function headersOf(lines: RawHeaders): Record<string, string | string[]> {
  const headers: Record<string, string | string[]> = Object.create(null) as Record<string, string | string[]>;
  for (let i = 0; i + 1 < lines.length; i += 2) {
    const name = (lines[i] as string).toLowerCase();
    const value = lines[i + 1] as string;
    if (name.startsWith('sec-websocket-')) continue;
    const previous = headers[name];
    if (previous === undefined) headers[name] = value;
    else if (name === 'cookie') headers[name] = `${String(previous)}; ${value}`;
    else headers[name] = [previous, value].flat();
  }
  return headers;
}
