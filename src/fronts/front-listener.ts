import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { AuthorizationResult, Authorize } from '../authorization/authorize.ts';
import { identityHeaders } from '../identity-headers.ts';
import type { AuthorizationRequest, EntryPoint } from '../policy/authorization-request.ts';
import { headerAlias } from '../policy/raw-headers.ts';
import type { Settings } from '../settings/settings.ts';
import { answerAuthRequest, authorizationRequestOfNginx, isAuthRequest } from './auth-request.ts';
import { loginUrlOf } from './client.ts';
import { authorizationRequestOfExtAuthz, isExtAuthz } from './ext-authz.ts';
import { authorizationRequestOfForwardAuth, originOf } from './forward-auth.ts';
import { allowedLines, type FrontAnswer } from './front-answer.ts';
import { faultyRequest, misplacedAuthorizationRequest } from './front-headers.ts';
import { asksForPage, refusalAnswer } from './refusal.ts';

export interface FrontListenerOptions {
  readonly entryPoint: EntryPoint;
  readonly settings: Settings;
  readonly authorize: Authorize;
  /** Aliases of every header that a client may not say to what stands behind. */
  readonly strippedHeaders: ReadonlySet<string>;
}

/**
 * Answers authorization requests: of nginx at `/auth` and `/api/authz/auth-request`, of Traefik and Caddy at
 * `/api/authz/forward-auth`, of Envoy below `/api/authz/ext-authz`. Everything else goes to the other listener.
 */
export function createFrontListener(other: RequestListener, options: FrontListenerOptions): RequestListener {
  const { entryPoint, settings, authorize, strippedHeaders } = options;
  const toRemove = [...strippedHeaders]
    .filter((name) => !frontsOwn.has(name) && !setByAnswer.has(name))
    .join(',');

  const requestOf = ({ url = '', method = '', rawHeaders: headers }: IncomingMessage) => {
    if (isAuthRequest(url)) return authorizationRequestOfNginx(headers, entryPoint);
    // Caddy keeps the client's query when it writes its own path.
    if (url.split('?', 1)[0] === '/api/authz/forward-auth')
      return authorizationRequestOfForwardAuth(headers, entryPoint, strippedHeaders);
    if (isExtAuthz(url))
      return authorizationRequestOfExtAuthz({ method, target: url, headers }, entryPoint, strippedHeaders);
    const misplaced = misplacedAuthorizationRequest(headers, url);
    if (misplaced === undefined) return undefined;
    return { ...faultyRequest(misplaced.front, misplaced.fault, { entryPoint, headers }), method, uri: url };
  };

  const loginPathOf = (incoming: IncomingMessage) =>
    loginUrlOf({ incoming, entryPoint, listener: 'forward-auth', tls: false }, settings);

  /** Traefik, Caddy and Envoy pass any refusal on to the client as it is. */
  const answerToClient = (
    request: AuthorizationRequest,
    result: AuthorizationResult,
    incoming: IncomingMessage,
  ): FrontAnswer => {
    const { id, decision } = result;
    if (decision.outcome === 'allow') {
      const headers = allowedLines(result).flat();
      if (request.front === 'ext-authz') headers.push('x-envoy-auth-headers-to-remove', toRemove);
      return { status: 200, headers };
    }
    const loginPath = loginPathOf(incoming);
    const origin = request.front === 'forward-auth' ? originOf(request) : '';
    const loginUrl = loginPath === undefined ? undefined : `${origin}${loginPath}`;
    const navigatedTo = request.method === 'GET' ? request.uri : undefined;
    const refusal = refusalAnswer(decision, loginUrl, asksForPage(incoming), id, navigatedTo);
    const { status, headers, body } = refusal;
    const lines = [...Object.entries(headers), ['content-length', String(Buffer.byteLength(body))]].flat();
    // What these fronts call a redirect to the login.
    return { status: status === 303 ? 302 : status, headers: lines, body };
  };

  const answer = (
    request: AuthorizationRequest,
    result: AuthorizationResult,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => {
    const { status, headers, body } =
      request.front === 'auth-request'
        ? answerAuthRequest(
            result,
            result.decision.outcome === 'unauthenticated' ? loginPathOf(incoming) : undefined,
          )
        : answerToClient(request, result, incoming);
    outgoing.writeHead(status, headers);
    outgoing.end(body);
  };

  return (incoming, outgoing) => {
    const request = requestOf(incoming);
    if (request === undefined) {
      other(incoming, outgoing);
      return;
    }
    incoming.resume();
    const result = authorize(request);
    if (!(result instanceof Promise)) {
      answer(request, result, incoming, outgoing);
      return;
    }
    result
      .then((later) => answer(request, later, incoming, outgoing))
      .catch(() => outgoing.writeHead(403, { 'content-length': 0 }).end());
  };
}

/** What fronts say to the gate and to what stands behind alike. */
const frontsOwn: ReadonlySet<string> = new Set([
  'host',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-real-ip',
]);

/** What is to be removed is removed after these are set. */
const setByAnswer: ReadonlySet<string> = new Set(identityHeaders.map(headerAlias));
