import type { RequestContext } from './request-context.ts';
import { isInternalHost, namedHosts } from './internal-host.ts';
import type { Reason } from './reasons.ts';

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
