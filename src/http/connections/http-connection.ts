import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { gatherChunks } from './gather-chunks.ts';

/**
 * What node:http knows of a connection and has no other way to tell: which request is being read, which answer is being
 * written, and how to stop reading requests. Nothing else of the program touches these fields;
 * test/attack/pipelining.test.ts and test/attack/stalled-clients.test.ts fail when Node has others.
 */
interface HttpSocket extends Socket {
  /** The answer that has the connection; the answers to what was sent after it would wait for it. */
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: {
    /** The message that is being read, or was read last. */
    readonly incoming: HttpRequest | null;
    onIncoming: (request: HttpRequest, keepAlive: boolean) => number;
  } | null;
  readonly _handle?: (Handle & { readonly _parent?: Handle }) | null;
}

interface HttpRequest extends IncomingMessage {
  upgrade?: boolean;
}

interface Handle {
  /** Handed over to the system, or waiting for it. */
  readonly bytesWritten: number;
  /** Waiting for the system. */
  readonly writeQueueSize: number;
}

/** What the parser is told about a message: it has no body, and nothing behind it is to be parsed. */
const stopParsing = 2;

/** Calls back with each connection that requests can come by: with TLS, after the handshake. */
export function onConnection(server: Server, listener: (socket: Socket) => void): void {
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', listener);
}

/** The answer that a connection is busy with. */
export function currentAnswer(socket: Socket): ServerResponse | undefined {
  return (socket as HttpSocket)._httpMessage ?? undefined;
}

/** The request whose body is still arriving. */
export function arrivingRequest(socket: Socket): IncomingMessage | undefined {
  const request = (socket as HttpSocket).parser?.incoming ?? undefined;
  return request === undefined || request.complete || request.upgrade === true ? undefined : request;
}

/**
 * Asks about each message whose header lines have arrived, before anything is made of it.
 * @param filter `drop`: the message is nobody's, and what was read behind it is not parsed. `wait`: it begins when the
 *   filter calls `begin`, which is undefined for an upgrade
 */
export function filterRequests(
  socket: Socket,
  filter: (begin: (() => void) | undefined) => 'begin' | 'wait' | 'drop',
): void {
  const { parser } = socket as HttpSocket;
  if (!parser) return;
  const serve = parser.onIncoming;
  parser.onIncoming = (request, keepAlive) => {
    if (request.headers['transfer-encoding'] !== undefined) gatherChunks(request);
    const found = filter(request.upgrade === true ? undefined : () => void serve(request, keepAlive));
    if (found === 'begin') return serve(request, keepAlive);
    if (found === 'wait') return 0;
    // Or the connection would be handed over as upgraded.
    request.upgrade = false;
    return stopParsing;
  };
}

/** Bytes that the system has taken so far: with TLS, after encryption. */
export function bytesTaken(socket: Socket): number {
  const [handle, lowest = handle] = handlesOf(socket);
  return lowest === undefined ? 0 : lowest.bytesWritten - lowest.writeQueueSize;
}

/** Whether something that was written waits for the client to read. */
export function isWriting(socket: Socket): boolean {
  return socket.writableLength > 0 || handlesOf(socket).some(({ writeQueueSize }) => writeQueueSize > 0);
}

/** Whether the system has everything that was written, even if Node's streams have not been told yet. */
export function isAllTaken(socket: Socket): boolean {
  const handles = handlesOf(socket);
  return socket.bytesWritten === handles[0]?.bytesWritten && handles.at(-1)?.writeQueueSize === 0;
}

/** The handle that the socket writes to, and with TLS the one below. */
function handlesOf(socket: Socket): readonly Handle[] {
  const handle = (socket as HttpSocket)._handle;
  return [handle, handle?._parent].filter((found) => found !== undefined && found !== null);
}
