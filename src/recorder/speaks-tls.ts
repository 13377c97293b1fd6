import { isIP } from 'node:net';
import { connect } from 'node:tls';

/** The error of a plain HTTP request to a TLS port. */
export const speaksTls = 'the port speaks TLS';

/**
 * Tries a TLS handshake at a port that got plain HTTP. TLS servers answer plain HTTP in too many ways to recognize: with 400,
 * with an alert, or by closing the connection. Nothing is sent after the handshake.
 * @param origin of a plain HTTP address
 */
export function hasTlsAt(origin: string, signal: AbortSignal): Promise<boolean> {
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
