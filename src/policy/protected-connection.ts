import { networksOf, type InNetworks } from './client-address.ts';
import { hasHeader } from './raw-headers.ts';
import type { RequestContext } from './request-context.ts';

const isLoopback = networksOf(['127.0.0.0/8', '::1']);
const forwardingHeaders = ['x-forwarded-for', 'x-forwarded-proto', 'forwarded'];

/**
 * Whether no one between the client and the gate can read a request: it came over TLS, or from this machine. A proxy on this machine
 * whose headers are not trusted is not its client.
 * @param address of the client
 */
export function isProtectedConnection(
  { secure, peer, headers }: Pick<RequestContext, 'secure' | 'peer' | 'headers'>,
  address: string,
  isTrustedProxy: InNetworks,
): boolean {
  if (secure) return true;
  const isForwarded = forwardingHeaders.some((name) => hasHeader(headers, name));
  const isClientNamed = hasHeader(headers, 'x-forwarded-for') && (peer === undefined || isTrustedProxy(peer));
  return isLoopback(address) && (!isForwarded || isClientNamed);
}
