import { refuseProxySecret } from './secrets.ts';
import type { Reason } from './reasons.ts';
import type { AccessRequest, Subject } from './verdict.ts';

/** Who is asking, or why that is not known. */
export type Identification = { readonly subject: Subject } | { readonly refused: Reason };

const anonymous: Identification = {
  subject: { user: 'anonymous', role: 'admin', source: 'internal', groups: '', email: '', name: '' },
};

/**
 * What is settled before any user is looked at: the internal edge is anonymous whatever its headers
 * say, and a proxy that has a secret must show it.
 * @returns undefined when the user has to be identified, by proxy headers or by session
 */
export function identifyByEdge(
  request: AccessRequest,
  proxySecret: string | undefined,
): Identification | undefined {
  if (request.edge === 'internal') return anonymous;
  const refused = proxySecret === undefined ? undefined : refuseProxySecret(request.headers, proxySecret);
  return refused === undefined ? undefined : { refused };
}
