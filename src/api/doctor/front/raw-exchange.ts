import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, createSecureContext, TLSSocket, type SecureContext } from 'node:tls';
import { answerOf, isComplete, noAnswer, type Answer } from './answer.ts';

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
  /** Header lines, byte for byte and in order, besides `Host` and `Connection: close`. */
  readonly headers?: readonly HeaderLine[];
  /** JSON. */
  readonly body?: string;
}

/** Bytes; probes need no longer answers, and the rest is not read. */
const maxBytes = 4 * 1024 * 1024;

/**
 * Sends one request over a connection of its own and reads the answer (RFC 9112). An invalid certificate is noted, but not
 * refused: the caller decides whether to send secrets.
 * @param timeout milliseconds for everything
 */
export function exchange(place: Place, request: RawRequest, timeout: number): Promise<Answer> {
  return new Promise((resolve) => {
    const socket = open(place);
    const chunks: Buffer[] = [];
    let length = 0;
    let certificateProblem: string | undefined;
    const end = (failure: string) => {
      clearTimeout(timer);
      socket.destroy();
      const answer = answerOf(Buffer.concat(chunks)) ?? noAnswer(failure);
      resolve(certificateProblem === undefined ? answer : { ...answer, certificateProblem });
    };
    const timer = setTimeout(() => end('ETIMEDOUT'), timeout);
    socket.once(place.tls ? 'secureConnect' : 'connect', () => {
      if (socket instanceof TLSSocket && !socket.authorized)
        certificateProblem = String(socket.authorizationError);
      socket.write(requestText(place, request), 'latin1');
    });
    socket.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > maxBytes || isComplete(Buffer.concat(chunks))) end('');
    });
    socket.once('error', (error: NodeJS.ErrnoException) => end(error.code ?? 'an error'));
    socket.once('close', () => end('the connection was closed'));
  });
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

function requestText(place: Place, { method = 'GET', target, headers = [], body }: RawRequest): string {
  const lines: HeaderLine[] = [['Host', authority(place)], ['Connection', 'close'], ...headers];
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
