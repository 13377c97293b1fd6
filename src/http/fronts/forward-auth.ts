import type { RequestContext, EntryPoint } from '../../policy/request-context.ts';
import { firstForwarded, isForwardedSecure, isHost } from '../../policy/forwarded.ts';
import type { RawHeaders } from '../../policy/raw-headers.ts';
import { answerToClient } from './front-answer.ts';
import {
  type FrontAdapter,
  type FrontContext,
  aliasedIdentity,
  faultyRequest,
  methodForm,
  mixedFamilies,
  overriddenRequest,
  readFrontHeaders,
  schemeForm,
} from './front-adapter.ts';

const path = '/api/authz/forward-auth';
const narrowPath = `${path}/narrow`;

/**
 * Traefik and Caddy, at `/api/authz/forward-auth`; at `/narrow` below it if the front passes on the request target of the answer. This
 * is part of the path, because Caddy keeps the client's query when it sets its own path.
 */
export function forwardAuth({ entryPoint, strippedHeaders, recipientOf }: FrontContext): FrontAdapter {
  return {
    isAskedAt: (target) => {
      const asked = pathOf(target);
      return asked === path || asked === narrowPath;
    },
    requestOf: ({ rawHeaders, url = '' }) =>
      authorizationRequestOfForwardAuth(rawHeaders, entryPoint, strippedHeaders, pathOf(url) === narrowPath),
    answerOf: (request, result, incoming) => {
      return answerToClient(result, () => {
        const recipient = recipientOf(incoming, request);
        const { loginUrl } = recipient;
        return { ...recipient, loginUrl: loginUrl && `${originOf(request)}${loginUrl}` };
      });
    },
  };
}

function pathOf(target: string): string | undefined {
  return target.split('?', 1)[0];
}

const forms = {
  'x-forwarded-method': methodForm,
  'x-forwarded-proto': schemeForm,
  'x-forwarded-host': { test: (list: string) => isHost(firstForwarded(list)) },
  'x-forwarded-uri': /^\//,
};

/**
 * Traefik's ForwardAuth and Caddy's forward_auth: the client's request is in X-Forwarded-Method, -Proto, -Host and -Uri,
 * beside the client's own header lines. 2xx allows; any other answer goes to the client unchanged.
 * @param strippedHeaders aliases of every header that only the gate or a front may send
 */
export function authorizationRequestOfForwardAuth(
  headers: RawHeaders,
  entryPoint: EntryPoint,
  strippedHeaders: ReadonlySet<string>,
  narrows?: boolean,
): RequestContext {
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
    narrows,
    method: values['x-forwarded-method'],
    uri: values['x-forwarded-uri'],
    headers,
    host: firstForwarded(values['x-forwarded-host']),
    secure: isForwardedSecure(values['x-forwarded-proto']),
  };
}

/** Origin that the client asked for: the front would resolve a mere path against its own. */
export function originOf({ host, secure }: RequestContext): string {
  return host === undefined ? '' : `${secure ? 'https' : 'http'}://${host}`;
}
