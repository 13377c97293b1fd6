import { BlockList, isIP, isIPv6 } from 'node:net';
import { hasHeader } from './raw-headers.ts';
import type { RequestContext } from './request-context.ts';

/** Whether an address lies in a set of networks. An IPv4 address mapped to IPv6 counts as IPv4. */
export type InNetworks = (address: string) => boolean;

/** @param networks CIDR or single addresses, already validated */
export function networksOf(networks: readonly string[]): InNetworks {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix] = network.split('/');
    const family = isIPv6(address) ? 'ipv6' : 'ipv4';
    list.addSubnet(address, prefix === undefined ? (family === 'ipv6' ? 128 : 32) : Number(prefix), family);
  }
  const isIn = (address: string) => {
    const plain = canonicalAddress(address);
    return isIP(plain) !== 0 && list.check(plain, isIPv6(plain) ? 'ipv6' : 'ipv4');
  };
  // A front sends requests from one address, and the list never changes: this saves a microsecond per decision.
  let last = { address: '', isIn: isIn('') };
  return (address) => {
    if (address !== last.address) last = { address, isIn: isIn(address) };
    return last.isIn;
  };
}

interface Hops {
  /** Address of the connection's other end; undefined on a Unix socket. */
  readonly peer: string | undefined;
  /** Whether the peer is one of our fronts, which is always trusted. */
  readonly behindFront: boolean;
  /** Values of X-Forwarded-For, in order of arrival. */
  readonly forwardedFor: readonly string[];
}

/**
 * The address of the client: from the peer backwards through X-Forwarded-For, as long as the hop that wrote an entry
 * is trusted. The client may have invented everything to the left of the first untrusted or malformed hop.
 */
export function clientAddress({ peer, behindFront, forwardedFor }: Hops, isTrusted: InNetworks): string {
  let address = canonicalAddress(peer ?? '');
  if (!behindFront && !isTrusted(address)) return address;
  const hops = forwardedFor.flatMap((value) => value.split(',')).map((hop) => hop.trim());
  for (const hop of hops.toReversed()) {
    const named = addressInHop(hop);
    if (named === undefined) return address;
    address = canonicalAddress(named);
    if (!isTrusted(address)) return address;
  }
  return address;
}

/** Characters: an IPv6 address with a zone, quotes, brackets and a port. */
const longestHop = 100;

/**
 * @param hop an entry of X-Forwarded-For. Azure, IIS and HAProxy write ports, IPv6 then in brackets (RFC 3986, 3.2.2); some programs quote
 * it as RFC 7239, 6 does
 * @returns undefined if it names no address
 */
function addressInHop(hop: string): string | undefined {
  if (hop.length > longestHop) return undefined;
  if (isIP(hop) !== 0) return hop;
  const text = /^"(.*)"$/.exec(hop)?.[1] ?? hop;
  const [, name, address = name, port = '0'] =
    /^(?:\[(.*:.*)\]|(.*\.\d{1,3}|[^[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
  return address !== undefined && isIP(address) !== 0 && Number(port) <= 65_535 ? address : undefined;
}

/**
 * One spelling for each address: IPv6 in its canonical form (RFC 5952), and plain IPv4 for one that a dual-stack
 * socket shows as `::ffff:192.0.2.1` (RFC 4291, 2.5.5.2).
 */
export function canonicalAddress(address: string): string {
  // Most are IPv4, for which Node's test of IPv6 would run its longest expression.
  if (!address.includes(':') || !isIPv6(address)) return address;
  const canonical = new URL(`http://[${address.split('%', 1)[0]}]/`).hostname.slice(1, -1);
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/.exec(canonical);
  if (mapped === null) return canonical;
  return mapped
    .slice(1)
    .map((group) => Number.parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff])
    .join('.');
}

/** @param address an IPv6 address in its canonical form. @returns its eight groups, in hexadecimal digits */
export function groupsOfIPv6(address: string): string[] {
  const [head = '', tail = ''] = address.split('::');
  const before = head.split(':').filter(Boolean);
  const after = tail.split(':').filter(Boolean);
  return [...before, ...Array.from({ length: 8 - before.length - after.length }, () => '0'), ...after];
}

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
