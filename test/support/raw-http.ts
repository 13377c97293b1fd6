import { connect as connectTcp, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext } from 'node:tls';
import { patience } from './patience.ts';

export interface RawAnswer {
  readonly status: number;
  /** Lower-case names; the values of repeated headers in order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
}

export interface RawRequest {
  readonly method?: string;
  /** Request target, byte for byte. */
  readonly uri: string;
  /** Header lines, byte for byte and in order. `Host: gate.local` is added if missing. */
  readonly headers?: ReadonlyArray<readonly [name: string, value: string]>;
  readonly body?: string;
}

/**
 * Opens a connection to `host:port` (with TLS when asked) or `unix:/path`.
 * @param localAddress from which it comes: all of 127.0.0.0/8 is this machine
 */
export function connectTo(address: string, tls = false, localAddress = '127.0.0.1'): Socket {
  if (address.startsWith('unix:')) return connectTcp(address.slice('unix:'.length));
  const at = address.lastIndexOf(':');
  const options = { host: address.slice(0, at), port: Number(address.slice(at + 1)), localAddress };
  if (!tls) return connectTcp(options);
  const session = sessions.get(address);
  const socket = connectTls({
    ...options,
    secureContext,
    rejectUnauthorized: false,
    ...(session && { session }),
  });
  return socket.on('session', (issued: Buffer) => sessions.set(address, issued));
}

const secureContext = createSecureContext();

/** TLS sessions by address: to resume one takes a fraction of a handshake, and thousands of rows connect again. */
const sessions = new Map<string, Buffer>();

/**
 * Sends exactly the bytes of a request, which no client library would send, and reads the answer.
 * @param localAddress from which it comes
 */
export async function sendRaw(
  address: string,
  request: RawRequest,
  tls = false,
  localAddress?: string,
): Promise<RawAnswer> {
  const isClosing = request.headers?.some(([name]) => name.toLowerCase() === 'connection') === true;
  const headers = [...(request.headers ?? []), ...(isClosing ? [] : [['Connection', 'close'] as const])];
  const socket = connectTo(address, tls, localAddress).on('error', ignore);
  const answer = await exchange(socket, { ...request, headers });
  socket.destroy();
  return answer;
}

/** Sends one request after the other over one connection, and reconnects when the server ends it. */
export function keptConnection(address: string, tls = false) {
  let socket: Socket | undefined;
  const send = async (request: RawRequest): Promise<RawAnswer> => {
    const isReused = socket?.writable === true;
    const current = isReused && socket !== undefined ? socket : connectTo(address, tls).on('error', ignore);
    socket = current;
    const answer = await exchange(current, request);
    if (answer.status === 0 || answer.headers.get('connection')?.includes('close') === true) {
      current.destroy();
      socket = undefined;
    }
    // The server may have ended the connection before it read this request, which was then never looked at.
    return answer.status === 0 && isReused ? send(request) : answer;
  };
  return {
    send,
    [Symbol.dispose]: () => void socket?.destroy(),
  };
}

/** The end of the connection follows. */
function ignore(): void {}

async function exchange(socket: Socket, request: RawRequest): Promise<RawAnswer> {
  const headers = [...(request.headers ?? [])];
  if (!headers.some(([name]) => name.toLowerCase() === 'host')) headers.unshift(['Host', 'gate.local']);
  if (request.body !== undefined) headers.push(['Content-Length', String(Buffer.byteLength(request.body))]);
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  const chunks: Buffer[] = [];
  const { promise, resolve } = Promise.withResolvers<void>();
  const onData = (chunk: Buffer) => {
    chunks.push(chunk);
    if (isComplete(Buffer.concat(chunks).toString('latin1'), request.method === 'HEAD')) resolve();
  };
  const end = () => resolve();
  socket.on('data', onData).once('close', end).setTimeout(patience, end);
  socket.write(`${request.method ?? 'GET'} ${request.uri} HTTP/1.1\r\n${lines}\r\n`, 'latin1');
  if (request.body !== undefined) socket.write(request.body, 'utf8');
  await promise;
  socket.off('data', onData).off('close', end).off('timeout', end);
  return parseAnswer(Buffer.concat(chunks));
}

function isComplete(text: string, withoutBody: boolean): boolean {
  const end = text.indexOf('\r\n\r\n');
  if (end === -1) return false;
  if (withoutBody) return true;
  const length = /\r\ncontent-length: *(\d+)/i.exec(text.slice(0, end));
  return length === null ? text.endsWith('\r\n0\r\n\r\n') : text.length >= end + 4 + Number(length[1]);
}

function parseAnswer(bytes: Buffer): RawAnswer {
  const text = bytes.toString('latin1');
  const end = text.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = text.slice(0, Math.max(end, 0)).split('\r\n');
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const sent = end === -1 ? '' : text.slice(end + 4);
  const body = headers.get('transfer-encoding')?.[0] === 'chunked' ? unchunk(sent) : sent;
  return {
    status: Number(statusLine.split(' ')[1] ?? 0),
    headers,
    body: Buffer.from(body, 'latin1').toString('utf8'),
  };
}

function unchunk(text: string): string {
  const size = Number.parseInt(text, 16);
  if (!(size > 0)) return '';
  const start = text.indexOf('\r\n') + 2;
  return text.slice(start, start + size) + unchunk(text.slice(start + size + 2));
}
