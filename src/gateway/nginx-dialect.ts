import { headerValues, type RawHeaders } from '../policy/raw-headers.ts';
import type { AccessRequest, Edge, Verdict } from '../policy/verdict.ts';
import { identityOf } from './identity-of.ts';

/**
 * nginx's `auth_request`: the subrequest says the client's request in X-Original-Method and
 * X-Original-URL; 2xx allows, 401 and 403 refuse, and everything else is an error to nginx.
 */
export function accessRequestOfNginx(headers: RawHeaders, edge: Edge): AccessRequest {
  const methods = headerValues(headers, 'x-original-method');
  const urls = headerValues(headers, 'x-original-url');
  const repeated = methods.length > 1 || urls.length > 1;
  return {
    edge,
    method: repeated ? undefined : methods[0],
    // Two cannot both be the front's; an URI that cannot be parsed is refused.
    uri: repeated ? '' : urls[0],
    headers,
  };
}

/**
 * The body is empty and says so: without Content-Length nginx could not keep the connection.
 * @param loginUrl where the client may log in; undefined when there is no login of ours
 */
export function answerNginx(verdict: Verdict, loginUrl: string | undefined): Response {
  const common = { 'content-length': '0', 'cache-control': 'no-store' };
  switch (verdict.kind) {
    case 'allow':
      return new Response(null, { status: 200, headers: { ...common, ...identityOf(verdict.subject) } });
    case 'unauthenticated': {
      const location =
        loginUrl !== undefined && verdict.reason === 'no_session' ? { location: loginUrl } : {};
      return new Response(null, { status: 401, headers: { ...common, ...location } });
    }
    case 'forbidden':
      return new Response(null, { status: 403, headers: { ...common, 'x-postern-reason': verdict.reason } });
  }
}
