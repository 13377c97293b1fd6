import { headerValues, isNamed } from './raw-headers.ts';
import type { RequestContext } from './request-context.ts';

/** The challenge of a 401 (RFC 7617, 2): programs answer it with the user name and password of the address they were given. */
export const challenge = 'Basic realm="Postern", charset="UTF-8"';

const ofBrowsers = ['origin', 'cookie'];
const startOfFetchMetadata = 'sec-fetch-';
const browserAgent = /^\s*(?:Mozilla|Opera)\//i;

/**
 * Whether a refused request comes from a program that may wait for the challenge. A browser would ask its user for a password instead of
 * showing the sign-in page, and each one sends at least one of these headers. Envoy hides headers that its configuration does not list, so
 * there the program has to name itself.
 */
export function awaitsChallenge({ headers, front }: Pick<RequestContext, 'headers' | 'front'>): boolean {
  for (let i = 0; i + 1 < headers.length; i += 2) {
    const name = headers[i] as string;
    if (ofBrowsers.some((other) => isNamed(name, other))) return false;
    if (name.toLowerCase().startsWith(startOfFetchMetadata)) return false;
  }
  if (headerValues(headers, 'accept').some((value) => value.toLowerCase().includes('text/html')))
    return false;
  const agents = headerValues(headers, 'user-agent');
  if (front === 'ext-authz' && agents.length === 0) return false;
  return !agents.some((agent) => browserAgent.test(agent));
}
