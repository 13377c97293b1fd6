import type { RequestContext } from './request-context.ts';
import type { Reason } from './reasons.ts';
import { sentAuthority } from './canonical-uri.ts';
import { hostName } from './forwarded.ts';
import { headerValues } from './raw-headers.ts';

/**
 * Refuses for every client and path, before the gate answers anything: methods that are not supported, and, on the internal
 * entry point, a host that could belong to someone else.
 * @param internalHosts `networking.internal_hosts`, lower-case
 */
export function globalDenial(
  request: Pick<RequestContext, 'entryPoint' | 'front' | 'peer' | 'method' | 'uri' | 'headers' | 'host'>,
  internalHosts: ReadonlySet<string>,
): Reason | undefined {
  const { method } = request;
  if (method !== 'GET' && refusedMethods.has(method?.toUpperCase() ?? '')) return 'method_refused';
  if (request.entryPoint !== 'internal') return undefined;
  const hosts = namedHosts(request);
  const areKnown = hosts.length > 0 && hosts.every((host) => isInternalHost(host, internalHosts));
  return areKnown ? undefined : 'host_unknown';
}

/** TRACE shows a script what the browser hides from it (RFC 9110, 9.3.8); CONNECT asks for a tunnel. */
const refusedMethods: ReadonlySet<string> = new Set(['TRACE', 'CONNECT']);

/**
 * Every host that a client's request names: in Host, in a target of absolute-form, and in X-Forwarded-Host from a front or a
 * trusted proxy. Which of them is the client's own depends on the front's configuration, and a page in a browser can set
 * any header but Host: all of them count.
 */
export function namedHosts({
  front,
  peer,
  uri = '',
  headers,
  host,
}: Pick<RequestContext, 'front' | 'peer' | 'uri' | 'headers' | 'host'>): string[] {
  const lists = peer === undefined ? headerValues(headers, 'x-forwarded-host') : [];
  const forwarded = lists.flatMap((hosts) => hosts.split(',').map((part) => part.trim()));
  // Traefik requests one of the gate's own addresses, and has to name the client's host.
  if (front === 'forward-auth') return host === undefined ? [] : [host, ...forwarded];
  const authority = sentAuthority(uri);
  return [
    ...headerValues(headers, 'host'),
    ...forwarded,
    ...(host === undefined ? [] : [host]),
    ...(authority === undefined ? [] : [authority]),
  ];
}

/**
 * Whether a host is a name for a service in this network: an address, `localhost`, a name without a dot, a name below a
 * domain that does not exist in public DNS (RFC 6762, 3; RFC 8375; ICANN's `internal`; `lan`), or one that the operator
 * lists. No one else can make such a name resolve to the gate (DNS rebinding).
 * @param host as in a Host header, optionally with a port
 * @param listed lower-case
 */
export function isInternalHost(host: string, listed: ReadonlySet<string>): boolean {
  const name = hostName(host);
  return name !== undefined && (address.test(name) || internalName.test(name) || listed.has(name));
}

/** Brackets hold an IPv6 address, which DNS cannot resolve (RFC 3986, 3.2.2). */
const address = /^\[|^(?:(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)(?:\.(?!$)|$)){4}$/;
const internalName = /^[a-z0-9_-]+$|^(?:[a-z0-9_-]+\.)+(?:local|lan|internal|home\.arpa)$/;
