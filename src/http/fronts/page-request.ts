import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identify } from '../../access/evaluated.ts';
import { isDecisionId } from '../../access/decision-log.ts';
import { AppError } from '../../errors.ts';
import type { RequestContext } from '../../policy/request-context.ts';
import type { Identity } from '../../policy/identity.ts';
import { authorizationRequestOfNginx } from './auth-request.ts';
import type { FrontContext } from './front-adapter.ts';
import { errorResponse } from './refusal.ts';

/*
 * nginx passes no body of an answer to auth_request on to the client. When it has refused a browser, it asks here for the page, with
 * the header lines of the client once more. Nothing is decided: the page tells whom this request itself identifies, and the id that
 * nginx was given before. No location of nginx passes a client's own request on to this path; one that came would learn of itself.
 */

/** The page of a refusal that was decided before. */
interface PageRequest {
  readonly code: 'unauthenticated' | 'forbidden';
  /** Undefined: what was sent has not the form of an id. */
  readonly decision: string | undefined;
}

const codes = { '401': 'unauthenticated', '403': 'forbidden' } as const;

/** @returns undefined when a request target is another one */
export function pageRequestOf(target: string): PageRequest | undefined {
  if (!target.startsWith('/api/authz/refusal?')) return undefined;
  const [, status, decision = ''] = /\?status=(401|403)&decision=(.*)$/.exec(target) ?? [];
  if (status !== '401' && status !== '403') return undefined;
  return { code: codes[status], decision: isDecisionId(decision) ? decision : undefined };
}

export function answerPageRequest(
  { code, decision }: PageRequest,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { entryPoint, recipientOf, identify }: FrontContext & { readonly identify: Identify },
): void {
  const request = authorizationRequestOfNginx(incoming.rawHeaders, entryPoint);
  incoming.resume();
  const send = (identity: Identity | undefined) => {
    const { reader } = recipientOf(incoming, request);
    const { status, headers, body } = errorResponse(new AppError(code), reader, { identity, decision });
    outgoing.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) }).end(body);
  };
  const identity = identifyIfPossible(identify, request);
  if (!(identity instanceof Promise)) {
    send(identity);
    return;
  }
  identity
    .catch(() => undefined)
    .then(send)
    .catch(() => outgoing.destroy());
}

/** Who it is, is a courtesy here: a page without it is a page. */
function identifyIfPossible(identify: Identify, request: RequestContext): ReturnType<Identify> {
  try {
    return identify(request);
  } catch {
    return undefined;
  }
}
