import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { networksOf } from '../../policy/client-address.ts';
import { isSecret } from '../../policy/secret.ts';
import { headerValues, type RawHeaders } from '../../policy/raw-headers.ts';
import type { AuditLog } from '../../audit/audit-log.ts';
import type { DecisionTally } from '../../telemetry/decision-tally.ts';

/** Identifies fronts on a TCP listener; a Unix socket is protected by its permissions. */
export interface FrontProof {
  /** Whether a peer's address is enough; it is absent when the connection is closed already. */
  readonly isTrusted: (address: string | undefined) => boolean;
  /** The secret for fronts from any other address. Omit it to refuse those. */
  readonly secret: string | undefined;
}

const loopback = ['127.0.0.0/8', '::1/128'];

/** @param trusted networks (CIDR) besides loopback */
export function frontProof(trusted: readonly string[], secret: string | undefined): FrontProof {
  const isInNetworks = networksOf([...loopback, ...trusted]);
  return { isTrusted: (address) => address !== undefined && isInNetworks(address), secret };
}

/**
 * Accepts only fronts that prove themselves: by their address, or by the secret. A connection from any other address is cut
 * before it is parsed; if there is a secret, a request without it is refused.
 * @returns whether a request comes from a front; one that does not is recorded
 */
export function requireFrontProof(
  server: Server,
  proof: () => FrontProof,
  audit: Pick<AuditLog, 'record'>,
  tally: DecisionTally,
): (request: IncomingMessage) => boolean {
  const record = (address: string | undefined) => {
    tally.count(undefined, 'forbidden', 'front_unproven', undefined);
    const detail = { verdict: 'forbidden' };
    void audit.record({ event: 'refused', address, reason: 'front_unproven', detail });
  };
  server.on('connection', (socket) => {
    const { isTrusted, secret } = proof();
    if (secret !== undefined || isTrusted(socket.remoteAddress)) return;
    record(socket.remoteAddress);
    socket.destroy();
  });
  return ({ rawHeaders, socket: { remoteAddress } }) => {
    const { isTrusted, secret } = proof();
    const shows = secret !== undefined && showsFrontSecret(rawHeaders, secret);
    if (shows || isTrusted(remoteAddress)) return true;
    record(remoteAddress);
    return false;
  };
}

/** Answers 403 to all other clients. */
export function onlyFronts(
  isFront: (request: IncomingMessage) => boolean,
  listener: RequestListener,
): RequestListener {
  return (incoming, outgoing) => {
    if (isFront(incoming)) {
      listener(incoming, outgoing);
      return;
    }
    incoming.resume();
    outgoing.writeHead(403, { 'content-length': 0, connection: 'close' }).end();
  };
}

/** Whether a request has the secret that fronts share with the gate. */
export function showsFrontSecret(headers: RawHeaders, secret: string): boolean {
  const [value, ...others] = headerValues(headers, 'x-front-secret');
  return value !== undefined && others.length === 0 && isSecret(value, secret);
}
