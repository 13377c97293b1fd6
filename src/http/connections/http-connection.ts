import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Private fields of node:http for which there is no public API: the request being read, the response being written, and how
 * to stop reading requests. Only this file uses them; test/attack/pipelining.test.ts and test/attack/stalled-clients.test.ts
 * fail when Node changes them.
 */
interface HttpSocket extends Socket {
  /** The response being written; responses to later requests would wait for it. */
  readonly _httpMessage?: ServerResponse | null;
  readonly parser?: {
    /** The message being read, or read last. */
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

/** Makes the parser expect no body, and parse nothing after it. */
const stopParsing = 2;

/** Calls back for each connection that can send requests: with TLS, after the handshake. */
export function onConnection(server: Server, listener: (socket: Socket) => void): void {
  server.on('setSecureContext' in server ? 'secureConnection' : 'connection', listener);
}

/** The response that the connection is sending. */
export function currentAnswer(socket: Socket): ServerResponse | undefined {
  return (socket as HttpSocket)._httpMessage ?? undefined;
}

/** The request whose body is still arriving. */
export function arrivingRequest(socket: Socket): IncomingMessage | undefined {
  const request = (socket as HttpSocket).parser?.incoming ?? undefined;
  return request === undefined || request.complete || request.upgrade === true ? undefined : request;
}

/**
 * Filters each message after its header lines, before node:http handles it.
 * @param filter `drop`: the message is discarded, and nothing after it is parsed. `wait`: it begins when the filter
 * calls `begin`,
 *   which is undefined for an upgrade
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
    // Otherwise the connection would be handed over as upgraded.
    request.upgrade = false;
    return stopParsing;
  };
}

/** Bytes that the system has accepted so far: with TLS, encrypted ones. */
export function bytesTaken(socket: Socket): number {
  const [handle, lowest = handle] = handlesOf(socket);
  return lowest === undefined ? 0 : lowest.bytesWritten - lowest.writeQueueSize;
}

/** Whether written data waits for the client to read. */
export function isWriting(socket: Socket): boolean {
  return socket.writableLength > 0 || handlesOf(socket).some(({ writeQueueSize }) => writeQueueSize > 0);
}

/** Whether the system has accepted everything written, even if Node's streams do not know yet. */
export function isAllTaken(socket: Socket): boolean {
  const handles = handlesOf(socket);
  return socket.bytesWritten === handles[0]?.bytesWritten && handles.at(-1)?.writeQueueSize === 0;
}

/** The socket's handle, and with TLS also the one below. */
function handlesOf(socket: Socket): readonly Handle[] {
  const handle = (socket as HttpSocket)._handle;
  return [handle, handle?._parent].filter((found) => found !== undefined && found !== null);
}

// Bytes. Smaller chunks are joined.
const pageSize = 4_096;

/**
 * Joins small chunks of a chunked body that arrive at once. Node makes an object of each: 64 KiB from the client, in chunks
 * of one byte, would take megabytes until they are read.
 */
export function gatherChunks(request: IncomingMessage): void {
  const push = request.push.bind(request);
  let wantsMore = true;
  let page: Buffer | undefined;
  let used = 0;
  const flush = () => {
    if (page === undefined || used === 0) return;
    const gathered = page.subarray(0, used);
    page = undefined;
    used = 0;
    wantsMore = push(gathered);
  };
  request.push = (chunk: Buffer | null) => {
    if (chunk === null || used + chunk.length > pageSize) flush();
    if (chunk === null || chunk.length >= pageSize) {
      wantsMore = push(chunk);
      return wantsMore;
    }
    if (page === undefined) {
      page = Buffer.allocUnsafeSlow(pageSize);
      // Ticks run after each chunk; this runs after all that was read has been parsed.
      setImmediate(flush);
    }
    used += chunk.copy(page, used);
    return wantsMore;
  };
}
