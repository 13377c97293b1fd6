import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { identityHeaders } from '../identity-headers.ts';
import { headerAlias } from '../policy/raw-headers.ts';
import type { AccessRequest, Edge } from '../policy/verdict.ts';
import type { Authorise, Decision } from './authoriser.ts';
import type { GatewayDependencies } from './dependencies.ts';
import { accessRequestOfExtAuthz, isExtAuthz } from './ext-authz-dialect.ts';
import { accessRequestOfForwardAuth, originOf } from './forward-auth-dialect.ts';
import { loginUrlOf } from './gateway-environment.ts';
import { faultyRequest, misplacedQuestion } from './front-headers.ts';
import { isAuthRequest, nginxAnswer } from './nginx-dialect.ts';
import { asksForPage, refusalAnswer } from './refusal.ts';

export interface FrontQuestionsOptions {
  readonly edge: Edge;
  readonly dependencies: Pick<GatewayDependencies, 'inForce'>;
  readonly authorise: Authorise;
  /** Aliases of every header that a client may not say to what stands behind. */
  readonly strippedHeaders: ReadonlySet<string>;
}

/**
 * Answers the questions of the fronts that pass any refusal on to the client as it is: Traefik and Caddy at
 * `/api/authz/forward-auth`, Envoy below `/api/authz/ext-authz`, with whatever method. Everything else goes to the other
 * listener.
 */
export function createFrontQuestions(
  other: RequestListener,
  options: FrontQuestionsOptions,
): RequestListener {
  const { edge, dependencies, authorise, strippedHeaders } = options;
  const { inForce } = dependencies;
  const toRemove = [...strippedHeaders]
    .filter((name) => !frontsOwn.has(name) && !setByAnswer.has(name))
    .join(',');

  const render = (
    request: AccessRequest,
    decision: Decision,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => {
    const { verdict, id } = decision;
    if (verdict.kind === 'allow') {
      const { status, headers } = nginxAnswer(decision, undefined);
      if (request.front === 'ext-authz') headers.push('x-envoy-auth-headers-to-remove', toRemove);
      outgoing.writeHead(status, headers);
      outgoing.end();
      return;
    }
    const loginPath = loginUrlOf({ incoming, edge, listener: 'forward-auth', tls: false }, inForce());
    const origin = request.front === 'forward-auth' ? originOf(request) : '';
    const loginUrl = loginPath === undefined ? undefined : `${origin}${loginPath}`;
    const navigatedTo = request.method === 'GET' ? request.uri : undefined;
    const { status, headers, body } = refusalAnswer(
      verdict,
      loginUrl,
      asksForPage(incoming),
      id,
      navigatedTo,
    );
    // What these fronts call a redirect to the login.
    outgoing.writeHead(status === 303 ? 302 : status, {
      ...headers,
      'content-length': Buffer.byteLength(body),
    });
    outgoing.end(body);
  };

  const questionOf = ({ url = '', method = '', rawHeaders: headers }: IncomingMessage) => {
    // Caddy keeps the client's query when it writes its own path.
    if (url.split('?', 1)[0] === '/api/authz/forward-auth')
      return accessRequestOfForwardAuth(headers, edge, strippedHeaders);
    if (isExtAuthz(url))
      return accessRequestOfExtAuthz({ method, target: url, headers }, edge, strippedHeaders);
    const misplaced = isAuthRequest(url) ? undefined : misplacedQuestion(headers, url);
    if (misplaced === undefined) return undefined;
    return { ...faultyRequest(misplaced.front, misplaced.fault, { edge, headers }), method, uri: url };
  };

  return (incoming, outgoing) => {
    const request = questionOf(incoming);
    if (request === undefined) {
      other(incoming, outgoing);
      return;
    }
    incoming.resume();
    authorise(request)
      .then((decision) => render(request, decision, incoming, outgoing))
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
