import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { buildConnector, Pool } from 'undici';
import { X509Certificate } from 'node:crypto';
import { ConfigurationError } from '../config/problem.ts';
import { readText } from '../config/read-file.ts';
import { AppError } from '../errors.ts';
import { isCutPem } from '../config/whole-secret.ts';

/** Where permitted requests go. */
export type UpstreamAddress =
  | {
      readonly origin: string;
      /** PEM: certificates to expect of it, in place of those that Node trusts. */
      readonly certificate?: string | undefined;
    }
  | { readonly socketPath: string };

type PoolOptions = Omit<Pool.Options, 'connect'>;

// A gate that opens no connection takes 6 MiB less without it.
const library = () => import('undici');

/** Connections to an upstream. */
export async function openPool(address: UpstreamAddress, options: PoolOptions): Promise<Pool> {
  const { Pool } = await library();
  if ('socketPath' in address)
    return new Pool('http://upstream', { ...options, socketPath: address.socketPath });
  const { origin, certificate } = address;
  const connect =
    certificate === undefined || !origin.startsWith('https:')
      ? {}
      : { connect: await expecting(certificate, options.connectTimeout) };
  return new Pool(origin, { ...options, ...connect });
}

/** Connections to an upstream that the first request opens. */
export interface LazyPool {
  /**
   * @returns the same pool each time
   * @throws AppError `upstream_unavailable` if it was closed before the first call, or cannot be opened at the moment
   */
  opened(): Promise<Pool>;
  /** Lets open requests finish, and accepts no more. */
  close(): Promise<void>;
  /** Cuts open requests. */
  destroy(): Promise<void>;
}

export function lazyPool(open: () => Promise<Pool>): LazyPool {
  let pool: Promise<Pool> | undefined;
  let isClosed = false;
  const end = async (how: 'close' | 'destroy') => {
    isClosed = true;
    const opened = await pool?.catch(() => undefined);
    await opened?.[how]();
  };
  return {
    opened: () => {
      if (pool === undefined && isClosed) return Promise.reject(new AppError('upstream_unavailable'));
      // A package whose file can't be opened now may be there for the next request.
      return (pool ??= open().catch((cause: unknown) => {
        pool = undefined;
        throw new AppError('upstream_unavailable', { cause });
      }));
    },
    close: () => end('close'),
    destroy: () => end('destroy'),
  };
}

/** Makes one connection to an upstream, for code that does not use the pool. */
export type Connector = (
  callback: (...opened: [error: null, socket: Socket] | [error: Error, socket: null]) => void,
) => void;

/** @param timeout milliseconds */
export async function connectorTo(address: UpstreamAddress, timeout: number): Promise<Connector> {
  const { buildConnector } = await library();
  if ('socketPath' in address) {
    const connect = buildConnector({ socketPath: address.socketPath, timeout });
    return (callback) => connect({ hostname: 'upstream', protocol: 'http:', port: '80' }, callback);
  }
  const { hostname, host, protocol, port } = new URL(address.origin);
  const connect =
    address.certificate !== undefined && protocol === 'https:'
      ? await expecting(address.certificate, timeout)
      : buildConnector({ timeout, allowH2: false });
  return (callback) => connect({ hostname, host, protocol, port }, callback);
}

/**
 * One of the certificates themselves is accepted with any name and time; what they have signed is checked in full.
 * It is looked at before a byte is sent.
 */
async function expecting(pem: string, timeout: number | undefined): Promise<buildConnector.connector> {
  const { buildConnector } = await library();
  const expected = new Set(certificatesIn(pem).map(({ fingerprint256 }) => fingerprint256));
  // The name is not compared again when a session is resumed.
  const limits = { maxCachedSessions: 0, allowH2: false, ...(timeout === undefined ? {} : { timeout }) };
  const connect = buildConnector({ ...limits, ca: pem, rejectUnauthorized: false });
  return (options, callback) =>
    connect(options, (error, socket) => {
      if (error !== null) return callback(error, null);
      const { authorized, authorizationError } = socket as TLSSocket;
      const { fingerprint256 } = (socket as TLSSocket).getPeerCertificate();
      if (authorized || expected.has(fingerprint256)) return callback(null, socket);
      socket.destroy();
      return callback(new Error(`another certificate than expected: ${String(authorizationError)}`), null);
    });
}

/**
 * The certificates that the recorder may present.
 * @returns PEM
 * @throws ConfigurationError when the file cannot be read or contains none
 */
export function readRecorderCertificate(file: string): string {
  const refuse = (found: string): never => {
    throw new ConfigurationError([
      {
        path: 'recorder.certificate',
        found: `${file}, ${found}`,
        allowed: 'a readable PEM file with a certificate',
      },
    ]);
  };
  let pem = '';
  try {
    pem = readText(file);
  } catch (error) {
    refuse(`a file that cannot be read (${(error as NodeJS.ErrnoException).code})`);
  }
  if (isCutPem(pem)) refuse('which is cut off or damaged');
  try {
    if (certificatesIn(pem).length === 0) refuse('which has no certificate in it');
  } catch (error) {
    if (error instanceof ConfigurationError) throw error;
    refuse('which has something else for a certificate in it');
  }
  return pem;
}

/** @throws when one of them is not a certificate */
function certificatesIn(pem: string): X509Certificate[] {
  const parts = pem.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  return parts.map((part) => new X509Certificate(part));
}
