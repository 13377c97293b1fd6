import type { Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { buildConnector, Pool } from 'undici';
import { certificatesIn } from './recorder-certificate.ts';

/** Where permitted requests go. */
export type UpstreamAddress =
  | {
      readonly origin: string;
      /** PEM: certificates to expect of it, in place of those that Node trusts. */
      readonly certificate?: string | undefined;
    }
  | { readonly socketPath: string };

/** Connections to an upstream. */
export function openPool(address: UpstreamAddress, options: Omit<Pool.Options, 'connect'>): Pool {
  if ('socketPath' in address)
    return new Pool('http://upstream', { ...options, socketPath: address.socketPath });
  const { origin, certificate } = address;
  const connect =
    certificate === undefined || !origin.startsWith('https:')
      ? {}
      : { connect: expecting(certificate, options.connectTimeout) };
  return new Pool(origin, { ...options, ...connect });
}

/** Makes one connection to an upstream, for code that does not use the pool. */
export type Connector = (
  callback: (...opened: [error: null, socket: Socket] | [error: Error, socket: null]) => void,
) => void;

/** @param timeout milliseconds */
export function connectorTo(address: UpstreamAddress, timeout: number): Connector {
  if ('socketPath' in address) {
    const connect = buildConnector({ socketPath: address.socketPath, timeout });
    return (callback) => connect({ hostname: 'upstream', protocol: 'http:', port: '80' }, callback);
  }
  const { hostname, host, protocol, port } = new URL(address.origin);
  const connect =
    address.certificate !== undefined && protocol === 'https:'
      ? expecting(address.certificate, timeout)
      : buildConnector({ timeout, allowH2: false });
  return (callback) => connect({ hostname, host, protocol, port }, callback);
}

/**
 * One of the certificates themselves is accepted with any name and time; what they have signed is checked in full.
 * It is looked at before a byte is sent.
 */
function expecting(pem: string, timeout: number | undefined): buildConnector.connector {
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
