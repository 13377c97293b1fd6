import { isIP } from 'node:net';
import { connect } from 'node:tls';
import { lazyPool, openPool, type UpstreamAddress } from './upstream-pool.ts';
import { withTimeout, type Timers } from '../clock.ts';

export interface RecorderAnswer {
  readonly status: number;
  readonly body: string;
  /** Where a redirect points. */
  readonly location?: string | undefined;
}

/** The gate's own requests to an upstream, over connections of their own: clients' requests do not delay them. */
interface RecorderClient {
  /** @throws when there is no response, or a long one; `speaksTls` when plain HTTP went to a TLS port */
  get(
    path: string,
    headers: Readonly<Record<string, string>>,
    signal: AbortSignal,
    /** Bytes of the response at most. */
    longest?: number,
  ): Promise<RecorderAnswer>;
  /** Sends JSON. @throws as `get` */
  put(
    path: string,
    headers: Readonly<Record<string, string>>,
    body: unknown,
    signal: AbortSignal,
  ): Promise<RecorderAnswer>;
  /** Cuts requests that are under way. */
  close(): void;
}

const connections = 4;

// A response that names thousands of cameras is shorter.
const longestAnswer = 1_048_576;

/** The error of a response that is longer than allowed. */
export const tooLong = 'the answer is too long';

export function createRecorderClient(address: UpstreamAddress): RecorderClient {
  const pool = lazyPool(() => openPool(address, { connections }));
  const plainOrigin = 'origin' in address && address.origin.startsWith('http:') ? address.origin : undefined;
  const isTls = async (signal: AbortSignal) =>
    plainOrigin !== undefined && !signal.aborted && (await hasTlsAt(plainOrigin, signal));
  return {
    get: async (path, headers, signal, longest = longestAnswer) => {
      const asked = pool
        .opened()
        .then((opened) => opened.request({ method: 'GET', path, headers, signal }))
        .then((answer) => whole(answer, longest));
      const answer = await asked.catch(async (error: unknown) => {
        throw (await isTls(signal)) ? new Error(speaksTls) : error;
      });
      if (answer.status === 400 && (await isTls(signal))) throw new Error(speaksTls);
      return answer;
    },
    put: async (path, headers, body, signal) => {
      const opened = await pool.opened();
      const answer = await opened.request({
        method: 'PUT',
        path,
        headers: { ...headers, 'content-type': 'application/json' },
        body: JSON.stringify(body),
        signal,
      });
      return whole(answer, longestAnswer);
    },
    close: () => void pool.destroy(),
  };
}

interface PoolAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: AsyncIterable<Buffer>;
}

async function whole({ statusCode, headers, body }: PoolAnswer, longest: number): Promise<RecorderAnswer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > longest) throw new Error(tooLong);
    chunks.push(chunk);
  }
  const { location } = headers;
  const answer = { status: statusCode, body: Buffer.concat(chunks).toString() };
  return typeof location === 'string' ? { ...answer, location } : answer;
}

/** The error of a plain HTTP request to a TLS port. */
const speaksTls = 'the port speaks TLS';

/**
 * Tries a TLS handshake at a port that got plain HTTP. TLS servers answer plain HTTP in too many ways to recognize: with 400,
 * with an alert, or by closing the connection. Nothing is sent after the handshake.
 * @param origin of a plain HTTP address
 */
function hasTlsAt(origin: string, signal: AbortSignal): Promise<boolean> {
  const { hostname, port } = new URL(origin);
  const host = hostname.replace(/^\[|\]$/g, '');
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const socket = connect({
    host,
    port: Number(port === '' ? 80 : port),
    servername: isIP(host) === 0 ? host : '',
    // The certificate does not matter here: the connection ends with the handshake.
    rejectUnauthorized: false,
  });
  const end = (isTls: boolean) => {
    signal.removeEventListener('abort', abort);
    socket.destroy();
    resolve(isTls);
  };
  const abort = () => end(false);
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  socket.once('secureConnect', () => end(true));
  socket.on('error', () => end(false));
  socket.once('close', () => end(false));
  return promise;
}

/** The outcome of one request: the answer, or why it is missing. */
type Told<T> = { readonly answer: T } | { readonly silence: string };

/** Asks, and aborts the request when there is no answer in time. */
export async function askWithTimeout<T>(
  timers: Timers,
  timeoutMs: number,
  ask: (signal: AbortSignal) => Promise<T>,
): Promise<Told<T>> {
  const late = new AbortController();
  try {
    const answer = await withTimeout(ask(late.signal), timeoutMs, timers.after);
    if (answer !== undefined) return { answer };
    late.abort();
    return { silence: `nothing within ${timeoutMs / 1_000} s` };
  } catch (error) {
    return { silence: errorText(error) };
  }
}

function errorText(error: unknown): string {
  if (!(error instanceof Error)) return 'an error';
  return (error as NodeJS.ErrnoException).code ?? error.message;
}

/** Why there is no readable response of the recorder. Operators search for these words. */
export const unheardReasons = {
  no_answer: 'the recorder does not answer at upstream',
  speaks_tls:
    "the port at upstream speaks TLS: set tls.enabled: false in the recorder's own configuration, or begin upstream with https://",
  speaks_no_tls: 'the port at upstream does not speak TLS: begin upstream with http://',
  certificate_unknown:
    "the certificate at upstream is not one that this machine trusts: name its file in recorder.certificate, or set tls.enabled: false in the recorder's own configuration",
  asks_for_login:
    "the recorder has its own login on at this port: set auth.enabled: false in the recorder's own configuration; if proxy.auth_secret is set there, recorder.auth_secret must be the same",
  error_status: 'the recorder answers with an error; the detail is its status',
} as const;

type UnheardReason = keyof typeof unheardReasons;

// Node's errors about a certificate, and about a plain HTTP response to a TLS handshake.
const certificateErrors = /CERT|UNABLE_TO_|another certificate/;
const plainAnswers = /^ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG)$/;

/** @param silence why there is no answer, as `askWithTimeout` returns it */
export function reasonOf(silence: string): UnheardReason {
  if (silence === speaksTls) return 'speaks_tls';
  if (plainAnswers.test(silence)) return 'speaks_no_tls';
  return certificateErrors.test(silence) ? 'certificate_unknown' : 'no_answer';
}

/** @returns why a response cannot be read, or `undefined` if its status is 200 */
export function refusalOf({ status, location = '' }: RecorderAnswer): UnheardReason | undefined {
  if (status === 200) return undefined;
  const leadsToLogin = status >= 300 && status < 400 && /\/login\/?(?:[?#]|$)/.test(location);
  return status === 401 || leadsToLogin ? 'asks_for_login' : 'error_status';
}
