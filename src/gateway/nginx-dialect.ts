import { headerValues, type RawHeaders } from '../policy/raw-headers.ts';
import { sessionReasons } from '../policy/reasons.ts';
import type { AccessRequest, Edge, FrontFault } from '../policy/verdict.ts';
import type { Decision } from './authoriser.ts';
import { faultyRequest, methodForm, mixedFamilies } from './front-headers.ts';
import { identityOf } from './identity-of.ts';

/**
 * nginx's `auth_request`: the subrequest says the client's request in X-Original-Method and
 * X-Original-URL; 2xx allows, 401 and 403 refuse, and everything else is an error to nginx.
 */
export function accessRequestOfNginx(headers: RawHeaders, edge: Edge): AccessRequest {
  const front = 'auth-request';
  const methods = headerValues(headers, 'x-original-method');
  const urls = headerValues(headers, 'x-original-url');
  const fault =
    repeated('x-original-method', methods) ??
    repeated('x-original-url', urls) ??
    malformed(methods[0]) ??
    mixedFamilies(headers, front);
  if (fault !== undefined) return faultyRequest(front, fault, { edge, headers });
  return {
    edge,
    front,
    method: methods[0],
    uri: urls[0],
    headers,
    host: headerValues(headers, 'x-forwarded-host')[0] ?? headerValues(headers, 'host')[0],
    secure: headerValues(headers, 'x-forwarded-proto')[0] === 'https',
  };
}

/** Nothing that a client could ask with; none at all is something else. */
function malformed(method: string | undefined): FrontFault | undefined {
  return method === undefined || method === '' || methodForm.test(method)
    ? undefined
    : { reason: 'front_header_malformed', header: 'x-original-method' };
}

/** Two cannot both be the front's. */
function repeated(header: string, values: readonly string[]): FrontFault | undefined {
  return values.length > 1 ? { reason: 'front_header_repeated', header } : undefined;
}

/** An answer to nginx; header lines as name, value, name, value …. The body is empty. */
export interface NginxAnswer {
  readonly status: number;
  readonly headers: string[];
}

/** Where the id of the decision stands among the header lines. */
export const decisionPlace = 5;

/**
 * The body is empty and says so: without Content-Length nginx could not keep the connection.
 * @param loginUrl where the client may log in; undefined when there is no login of ours
 */
export function nginxAnswer(
  { id, verdict, path, setCookie }: Pick<Decision, 'id' | 'verdict' | 'path' | 'setCookie'>,
  loginUrl: string | undefined,
): NginxAnswer {
  const headers = ['content-length', '0', 'cache-control', 'no-store', 'x-postern-decision', id];
  switch (verdict.kind) {
    case 'allow':
      for (const [name, value] of Object.entries(identityOf(verdict.subject))) headers.push(name, value);
      if (setCookie !== undefined) headers.push('set-cookie', setCookie);
      return { status: 200, headers };
    case 'unauthenticated':
      if (loginUrl !== undefined && sessionReasons.has(verdict.reason)) headers.push('location', loginUrl);
      return { status: 401, headers };
    case 'forbidden':
      // A client's own visit is answered to the client, who learns nothing.
      if (path !== '/auth') headers.push('x-postern-reason', verdict.reason);
      return { status: 403, headers };
  }
}

/** The same as a Response. */
export function answerNginx(
  decision: Pick<Decision, 'id' | 'verdict' | 'path' | 'setCookie'>,
  loginUrl: string | undefined,
): Response {
  const { status, headers } = nginxAnswer(decision, loginUrl);
  const response = new Headers();
  for (let i = 0; i + 1 < headers.length; i += 2) response.append(headers[i] ?? '', headers[i + 1] ?? '');
  return new Response(null, { status, headers: response });
}

/** Whether a request target is where nginx asks. */
export function isAuthRequest(target: string | undefined): boolean {
  return target === '/auth' || target === '/api/authz/auth-request';
}
