import { type Socket, connect as connectTcp, isIP } from 'node:net';
import { type SecureContext, TLSSocket, connect as connectTls, createSecureContext } from 'node:tls';
import { type CertificateFacts, factsOf } from './certificate-advice.ts';
import { readJson } from '../../../policy/json.ts';

/** Where a server is. */
export interface Place {
  /** Name or address, IPv6 without brackets. */
  readonly host: string;
  readonly port: number;
  readonly tls: boolean;
}

export type HeaderLine = readonly [name: string, value: string];

export interface RawRequest {
  readonly method?: string;
  /** Request target, byte for byte: Node's own client would normalize it. */
  readonly target: string;
  /** Header lines, byte for byte and in order, besides `Host` and `Connection`. */
  readonly headers?: readonly HeaderLine[];
  /** JSON. */
  readonly body?: string;
  /** Asks for a WebSocket; `Connection: close` otherwise. */
  readonly upgrade?: true;
  /** Reads no body: a live stream has no end. */
  readonly headOnly?: true;
}

/** Bytes; probes need no longer answers, and the rest is not read. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Sends one request over a connection of its own and reads the answer (RFC 9112). An invalid certificate is noted, but not
 * refused: the caller decides whether to send secrets.
 * @param timeout milliseconds for everything
 */
export function exchange(place: Place, request: RawRequest, timeout: number): Promise<ProbeAnswer> {
  return new Promise((resolve) => {
    const socket = open(place);
    const chunks: Buffer[] = [];
    let length = 0;
    let certificateProblem: string | undefined;
    let certificate: CertificateFacts | undefined;
    const end = (failure: string) => {
      clearTimeout(timer);
      socket.destroy();
      const answer = answerOf(Buffer.concat(chunks)) ?? noAnswer(failure);
      resolve({
        ...answer,
        ...(certificateProblem !== undefined && { certificateProblem }),
        ...(certificate !== undefined && { certificate }),
      });
    };
    const timer = setTimeout(() => end('ETIMEDOUT'), timeout);
    socket.once(place.tls ? 'secureConnect' : 'connect', () => {
      if (socket instanceof TLSSocket && !socket.authorized) {
        certificateProblem = problemOf(socket.authorizationError);
        certificate = factsOf(socket.getPeerCertificate());
      }
      socket.write(requestText(place, request), 'latin1');
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      const bytes = Buffer.concat(chunks);
      const isEnough = request.headOnly === true ? bytes.includes('\r\n\r\n') : isComplete(bytes);
      if (length > maxBytes || isEnough) end('');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'an error'));
    socket.once('close', () => end('the connection was closed'));
  });
}

/** Node tells the code of OpenSSL as a text, and its own one in an error. */
function problemOf(error: unknown): string {
  return error instanceof Error ? ((error as NodeJS.ErrnoException).code ?? error.message) : String(error);
}

/** The certificates are read once, and not for each of some thousand connections. */
let secureContext: SecureContext | undefined;

function open({ host, port, tls }: Place): Socket {
  if (!tls) return connectTcp({ host, port });
  secureContext ??= createSecureContext();
  const name = isIP(host) === 0 ? { servername: host } : {};
  const options = { rejectUnauthorized: false, ALPNProtocols: ['http/1.1'], secureContext };
  return connectTls({ host, port, ...name, ...options });
}

const closing: readonly HeaderLine[] = [['Connection', 'close']];
const webSocket: readonly HeaderLine[] = [
  ['Connection', 'Upgrade'],
  ['Upgrade', 'websocket'],
  ['Sec-WebSocket-Version', '13'],
  // The example of RFC 6455: any 16 bytes will do.
  ['Sec-WebSocket-Key', 'dGhlIHNhbXBsZSBub25jZQ=='],
];

function requestText(
  place: Place,
  { method = 'GET', target, headers = [], body, upgrade }: RawRequest,
): string {
  const connection = upgrade === undefined ? closing : webSocket;
  const lines: HeaderLine[] = [['Host', authority(place)], ...connection, ...headers];
  const bytes = Buffer.from(body ?? '', 'utf8');
  if (body !== undefined) {
    lines.push(['Content-Type', 'application/json'], ['Content-Length', String(bytes.length)]);
  }
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return `${method} ${target} HTTP/1.1\r\n${head}\r\n${bytes.toString('latin1')}`;
}

/** `host` or `host:port`, as it stands in a URL. */
export function authority({ host, port, tls }: Place): string {
  const name = isIP(host) === 6 ? `[${host}]` : host;
  return port === (tls ? 443 : 80) ? name : `${name}:${port}`;
}

/** The answer to a request. */
export interface ProbeAnswer {
  /** 0 without an answer that is HTTP. */
  readonly status: number;
  /** Lower-case names; the values of repeated headers in order. */
  readonly headers: ReadonlyMap<string, readonly string[]>;
  readonly body: string;
  /** Why there is no answer: an error code of the system. */
  readonly failure?: string;
  /** Why the certificate is not valid: an error code of TLS. */
  readonly certificateProblem?: string;
  /** Present beside `certificateProblem`. */
  readonly certificate?: CertificateFacts;
}

function noAnswer(failure: string): ProbeAnswer {
  return { status: 0, headers: new Map(), body: '', failure };
}

/** Whether the answer is complete, by its length or its last chunk; otherwise only the end of the connection ends it. */
export function isComplete(bytes: Buffer): boolean {
  const end = bytes.indexOf('\r\n\r\n');
  if (end === -1) return false;
  const head = bytes.toString('latin1', 0, end);
  if (/^HTTP\/1\.[01] (?:204|304)/.test(head)) return true;
  const length = /\r\ncontent-length:[ \t]*(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return bytes.length >= end + 4 + Number(length);
  return isChunked(head) && bytes.subarray(-5).toString('latin1') === '0\r\n\r\n';
}

/** @returns undefined if the bytes do not begin like an answer of HTTP/1.1 */
export function answerOf(bytes: Buffer): ProbeAnswer | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  const [statusLine = '', ...lines] = bytes.toString('latin1', 0, Math.max(end, 0)).split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})(?: |$)/.exec(statusLine)?.[1]);
  if (!(status > 0)) return undefined;
  const headers = new Map<string, string[]>();
  for (const line of lines) {
    const colon = line.indexOf(':');
    const name = line.slice(0, colon).toLowerCase();
    headers.set(name, [...(headers.get(name) ?? []), line.slice(colon + 1).trim()]);
  }
  const sent = bytes.subarray(end + 4);
  const body = isChunked(`\r\n${lines.join('\r\n')}`) ? unchunked(sent) : sent;
  return { status, headers, body: body.toString('utf8') };
}

function isChunked(head: string): boolean {
  return /\r\ntransfer-encoding:[ \t]*chunked/i.test(head);
}

function unchunked(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; ;) {
    const line = bytes.indexOf('\r\n', at);
    const size = line === -1 ? 0 : Number.parseInt(bytes.toString('latin1', at, line), 16);
    if (!(size > 0)) return Buffer.concat(parts);
    parts.push(bytes.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

/** A short description of an answer, without any text from the other side. */
export function inWords({ status, failure }: ProbeAnswer): string {
  return status === 0 ? `no answer (${failure ?? 'none'})` : String(status);
}

export function isSuccess({ status }: ProbeAnswer): boolean {
  return status >= 200 && status < 300;
}

/** Whether the gate has permitted the request: success, or a failure of the server behind the gate. */
export function hasPassed(answer: ProbeAnswer): boolean {
  const refusals = [400, 401, 403];
  const isRefusal = refusals.includes(answer.status) || (answer.status >= 300 && answer.status < 400);
  return isSuccess(answer) || (answer.headers.has('x-postern-decision') && !isRefusal);
}

/** @returns undefined if the body is not JSON */
export function jsonOf({ body }: ProbeAnswer): unknown {
  return readJson(body);
}

/** @returns the cameras of the events in a JSON body */
export function camerasIn(answer: ProbeAnswer): ReadonlySet<string> {
  const events = jsonOf(answer);
  if (!Array.isArray(events)) return new Set();
  return new Set(
    (events as ReadonlyArray<{ readonly camera?: unknown }>).map(({ camera }) => String(camera)),
  );
}
