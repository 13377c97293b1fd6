import type { AuthorizationRequest, EntryPoint } from '../policy/authorization-request.ts';
import { isHost } from '../policy/host.ts';
import type { RawHeaders } from '../policy/raw-headers.ts';
import { answerToClient } from './answer-to-client.ts';
import type { FrontAdapter, FrontContext } from './front-adapter.ts';
import {
  aliasedIdentity,
  faultyRequest,
  isSecure,
  methodForm,
  mixedFamilies,
  overriddenRequest,
  readFrontHeaders,
  schemeForm,
} from './front-headers.ts';

/** Traefik and Caddy, at `/api/authz/forward-auth`. Caddy keeps the client's query when it writes its own path. */
export function forwardAuth({ entryPoint, strippedHeaders, loginPathOf }: FrontContext): FrontAdapter {
  return {
    isAskedAt: (target) => target.split('?', 1)[0] === '/api/authz/forward-auth',
    requestOf: ({ rawHeaders }) => authorizationRequestOfForwardAuth(rawHeaders, entryPoint, strippedHeaders),
    answerOf: (request, result, incoming) => {
      const path = loginPathOf(incoming);
      return answerToClient(request, result, incoming, path && `${originOf(request)}${path}`);
    },
  };
}

const forms = {
  'x-forwarded-method': methodForm,
  'x-forwarded-proto': schemeForm,
  'x-forwarded-host': { test: isHost },
  'x-forwarded-uri': /^\//,
};

/**
 * Traefik's ForwardAuth and Caddy's forward_auth: the client's request is in X-Forwarded-Method, -Proto, -Host and -Uri,
 * beside the client's own header lines. 2xx allows; any other answer goes to the client as it is.
 * @param strippedHeaders aliases of every header that only the gate or a front may say
 */
export function authorizationRequestOfForwardAuth(
  headers: RawHeaders,
  entryPoint: EntryPoint,
  strippedHeaders: ReadonlySet<string>,
): AuthorizationRequest {
  const front = 'forward-auth';
  const fault =
    mixedFamilies(headers, front) ?? overriddenRequest(headers) ?? aliasedIdentity(headers, strippedHeaders);
  if (fault !== undefined) return faultyRequest(front, fault, { entryPoint, headers });
  const read = readFrontHeaders(headers, forms);
  if ('fault' in read) return faultyRequest(front, read.fault, { entryPoint, headers });
  const { values } = read;
  return {
    entryPoint,
    front,
    method: values['x-forwarded-method'],
    uri: values['x-forwarded-uri'],
    headers,
    host: values['x-forwarded-host'],
    secure: isSecure(values['x-forwarded-proto']),
  };
}

/** Origin that the client asked for: the front would make a path its own. */
export function originOf({ host, secure }: AuthorizationRequest): string {
  return host === undefined ? '' : `${secure ? 'https' : 'http'}://${host}`;
}
