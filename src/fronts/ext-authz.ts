import type { AuthorizationRequest, EntryPoint } from '../policy/authorization-request.ts';
import { headerValues, type RawHeaders } from '../policy/raw-headers.ts';
import {
  aliasedIdentity,
  faultyRequest,
  isSecure,
  mixedFamilies,
  readFrontHeaders,
  schemeForm,
} from './front-headers.ts';

const prefix = '/api/authz/ext-authz';

/** Whether a request target is an authorization request of Envoy. */
export function isExtAuthz(target: string): boolean {
  return target.startsWith(`${prefix}/`);
}

/**
 * Envoy's ext_authz filter with an HTTP service: method and Host are the client's, and its request target stands behind
 * the `path_prefix`. Exactly 200 allows; any other answer goes to the client as it is.
 * @param strippedHeaders aliases of every header that only the gate or a front may say
 */
export function authorizationRequestOfExtAuthz(
  {
    method,
    target,
    headers,
  }: { readonly method: string; readonly target: string; readonly headers: RawHeaders },
  entryPoint: EntryPoint,
  strippedHeaders: ReadonlySet<string>,
): AuthorizationRequest {
  const front = 'ext-authz';
  const fault = mixedFamilies(headers, front) ?? aliasedIdentity(headers, strippedHeaders);
  if (fault !== undefined) return faultyRequest(front, fault, { entryPoint, headers });
  const read = readFrontHeaders(headers, { 'x-forwarded-proto': schemeForm });
  if ('fault' in read) return faultyRequest(front, read.fault, { entryPoint, headers });
  return {
    entryPoint,
    front,
    method,
    uri: target.slice(prefix.length),
    headers,
    host: headerValues(headers, 'host')[0],
    secure: isSecure(read.values['x-forwarded-proto']),
  };
}
