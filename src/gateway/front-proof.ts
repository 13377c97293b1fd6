import type { RequestListener, Server } from 'node:http';
import { networksOf } from '../accounts/client-address.ts';
import { showsFrontSecret } from '../policy/secrets.ts';
import type { Logger } from '../telemetry/logger.ts';

export interface FrontProof {
  /** Whether the listener is a Unix socket, whose permissions say who is a front. */
  readonly isUnixSocket: boolean;
  /** Networks (CIDR) besides loopback. */
  readonly trusted: readonly string[];
  /** What a front from anywhere else shows; undefined: none may ask from anywhere else. */
  readonly secret: string | undefined;
}

const loopback = ['127.0.0.0/8', '::1/128'];

/**
 * Lets only fronts ask that prove themselves: by a Unix socket, by their address, or by the secret. A connection from
 * anywhere else is cut before anything of it is parsed; where there is a secret, a request without it gets 403.
 */
export function requireFrontProof(
  server: Server,
  { isUnixSocket, trusted, secret }: FrontProof,
  logger: Logger,
): (listener: RequestListener) => RequestListener {
  if (isUnixSocket) return (listener) => listener;
  const isInNetworks = networksOf([...loopback, ...trusted]);
  // A peer that is gone already has no address.
  const isTrusted = (address: string | undefined) => address !== undefined && isInNetworks(address);
  const logRefusal = (address: string | undefined) =>
    logger.info({ verdict: 'forbidden', reason: 'front_unproven', address }, 'refused');
  if (secret === undefined) {
    server.on('connection', (socket) => {
      if (isTrusted(socket.remoteAddress)) return;
      logRefusal(socket.remoteAddress);
      socket.destroy();
    });
    return (listener) => listener;
  }
  return (listener) => (incoming, outgoing) => {
    const { remoteAddress } = incoming.socket;
    if (isTrusted(remoteAddress) || showsFrontSecret(incoming.rawHeaders, secret)) {
      listener(incoming, outgoing);
      return;
    }
    logRefusal(remoteAddress);
    incoming.resume();
    outgoing.writeHead(403, { 'content-length': 0, connection: 'close' }).end();
  };
}
