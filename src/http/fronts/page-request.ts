import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Identify } from '../../access/evaluated.ts';
import { isDecisionId } from '../../access/decision-log.ts';
import { AppError } from '../../errors.ts';
import type { Identity } from '../../policy/identity.ts';
import { authorizationRequestOfNginx } from './auth-request.ts';
import type { FrontContext } from './front-adapter.ts';
import { errorResponse } from './refusal.ts';

/*
 * nginx does not pass the body of an auth_request answer on to the client. After refusing a browser, it requests the page here, with the
 * client's header lines. Nothing is decided: the page shows the identity of this request, and the id that nginx got before. No location
 * of nginx passes a client's own request on to this path; if one arrived, it would only show its own identity.
 */

/** The page of a refusal that was decided earlier. */
interface PageRequest {
  readonly code: 'unauthenticated' | 'forbidden';
  /** Undefined: the value does not have the form of an id. */
  readonly decision: string | undefined;
}

const codes = { '401': 'unauthenticated', '403': 'forbidden' } as const;

/** @returns undefined for any other request target */
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
  // The page works without the identity.
  identify(request)
    .catch(() => undefined)
    .then(send)
    .catch(() => outgoing.destroy());
}
