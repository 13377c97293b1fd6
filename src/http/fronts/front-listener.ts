import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Authorize } from '../../access/authorize.ts';
import type { Identify } from '../../access/current-roles.ts';
import type { RequestContext } from '../../policy/request-context.ts';
import type { AuthorizationResult } from '../../policy/authorization-result.ts';
import type { Settings } from '../../access/settings/settings.ts';
import type { WarnOnce } from '../../telemetry/logger.ts';
import { authRequest, authorizationRequestOfNginx } from './auth-request.ts';
import { accountUrlOf, isChallenged, loginUrlOf, recipientOf } from './client.ts';
import { extAuthz } from './ext-authz.ts';
import { forwardAuth } from './forward-auth.ts';
import {
  type FrontAdapter,
  type FrontContext,
  faultyRequest,
  misplacedAuthorizationRequest,
} from './front-adapter.ts';
import { isDecisionId, type DecisionLog } from '../../access/decision-log.ts';
import { AppError } from '../../errors.ts';
import type { Identity } from '../../policy/identity.ts';
import { errorResponse, refusalAnswer } from './refusal.ts';

interface FrontListenerOptions extends Omit<
  FrontContext,
  'loginPathOf' | 'accountPathOf' | 'isChallenged' | 'recipientOf'
> {
  readonly settings: Settings;
  readonly authorize: Authorize;
  readonly identify: Identify;
  readonly decisions: Pick<DecisionLog, 'find'>;
  /** Whether a front should pass a path on to the gate without an authorization request. */
  readonly isOwnPath: (path: string) => boolean;
  readonly warnOnce: WarnOnce;
}

/** Answers the authorization requests of all kinds of fronts, each at its path. The other listener gets everything else. */
export function createFrontListener(other: RequestListener, options: FrontListenerOptions): RequestListener {
  const { entryPoint, settings, authorize, identify, decisions, isOwnPath, warnOnce } = options;
  const facts = { entryPoint, listener: 'forward-auth', tls: false } as const;
  const context: FrontContext = {
    entryPoint,
    strippedHeaders: options.strippedHeaders,
    loginPathOf: (incoming) => loginUrlOf({ incoming, ...facts }, settings),
    accountPathOf: (incoming) => accountUrlOf({ incoming, ...facts }, settings),
    isChallenged: (request) => isChallenged(request, settings),
    recipientOf: (incoming, request) => recipientOf({ incoming, ...facts }, settings, request),
  };

  const adapters = {
    'auth-request': authRequest(context),
    'forward-auth': forwardAuth(context),
    'ext-authz': extAuthz(context),
  };
  const allAdapters: readonly FrontAdapter[] = Object.values(adapters);

  /** The headers of an authorization request, at a path that no front uses. */
  const misplacedRequest = ({ url = '', method = '', rawHeaders: headers }: IncomingMessage) => {
    const misplaced = misplacedAuthorizationRequest(headers, url);
    if (misplaced === undefined) return undefined;
    const { front, fault } = misplaced;
    const request = { ...faultyRequest(front, fault, { entryPoint, headers }), method, uri: url };
    return { adapter: adapters[front], request };
  };

  /** Such a front passes the gate's own paths on to the recorder. */
  const noteOwnPath = ({ decision: { path } }: AuthorizationResult) => {
    if (path === undefined || !isOwnPath(path)) return;
    warnOnce(
      'authorization request about an own path',
      { path },
      "a front asks about a path below /postern/, which is Postern's own: give it one location for /postern/ that asks nothing first, as docs/fronts describes",
    );
  };

  const answer = async (
    { answerOf }: FrontAdapter,
    request: RequestContext,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ) => {
    incoming.resume();
    try {
      const authorized = authorize(request);
      const result = authorized instanceof Promise ? await authorized : authorized;
      noteOwnPath(result);
      const { status, headers, body } = answerOf(request, result, incoming);
      outgoing.writeHead(status, headers);
      outgoing.end(body);
    } catch {
      outgoing.writeHead(500, { 'content-length': 0 }).end();
    }
  };

  return (incoming, outgoing) => {
    const { url = '' } = incoming;
    const page = pageRequestOf(url);
    if (page !== undefined) {
      answerPageRequest(page, incoming, outgoing, { ...context, identify, decisions });
      return;
    }
    const adapter = allAdapters.find(({ isAskedAt }) => isAskedAt(url));
    if (adapter !== undefined) {
      void answer(adapter, adapter.requestOf(incoming), incoming, outgoing);
      return;
    }
    const misplaced = misplacedRequest(incoming);
    if (misplaced === undefined) other(incoming, outgoing);
    else void answer(misplaced.adapter, misplaced.request, incoming, outgoing);
  };
}

/*
 * nginx does not pass the body of an auth_request answer on to the client. After refusing a browser, it requests the page here, with the
 * client's header lines. The gate decides nothing then: the page shows the identity of this request, the id that nginx got before, and what
 * the same user was told by that decision. No
 * location of nginx passes a client's own request on to this path; if one arrived, it would only show its own identity.
 */

/** The page of a refusal that was decided earlier. */
interface PageRequest {
  readonly code: 'unauthenticated' | 'forbidden';
  /** Absent when the value does not have the form of an id. */
  readonly decision: string | undefined;
}

const codes = { '401': 'unauthenticated', '403': 'forbidden' } as const;

/** @returns `undefined` for any other request target */
function pageRequestOf(target: string): PageRequest | undefined {
  if (!target.startsWith('/api/authz/refusal?')) return undefined;
  const [, status, decision = ''] = /\?status=(401|403)&decision=(.*)$/.exec(target) ?? [];
  if (status !== '401' && status !== '403') return undefined;
  return { code: codes[status], decision: isDecisionId(decision) ? decision : undefined };
}

function answerPageRequest(
  { code, decision }: PageRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  {
    entryPoint,
    recipientOf,
    identify,
    decisions,
  }: FrontContext & Pick<FrontListenerOptions, 'identify' | 'decisions'>,
): void {
  const request = authorizationRequestOfNginx(incoming.rawHeaders, entryPoint);
  incoming.resume();
  const send = (identity: Identity | undefined) => {
    const recipient = recipientOf(incoming, request);
    const kept = decision === undefined ? undefined : decisions.find(decision)?.decision;
    const isTheirs =
      identity !== undefined &&
      kept?.identity?.user === identity.user &&
      kept.identity.source === identity.source;
    const told =
      code === 'forbidden' && isTheirs && kept?.outcome === 'forbidden' && decision !== undefined
        ? refusalAnswer(kept, recipient, decision)
        : undefined;
    const { status, headers, body } =
      told?.status === 403
        ? told
        : errorResponse(new AppError(code), recipient.reader, { identity, decision });
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  };
  // The page works without the identity.
  identify(request)
    .catch(() => undefined)
    .then(send)
    .catch(() => outgoing.destroy());
}
