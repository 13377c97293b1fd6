import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { AppError, type ErrorCode } from '../errors.ts';
import type { OpenExchanges } from '../exchanges/open-exchanges.ts';
import type { AssertedRequest, IdentityHeaders } from '../identity-headers.ts';
import type { AuthorizationRequest } from '../policy/authorization-request.ts';
import type { Decision } from '../policy/decision.ts';
import type { Identity } from '../policy/identity.ts';
import type { RawHeaders } from '../policy/raw-headers.ts';
import type { Reason } from '../policy/reasons.ts';
import type { Logger } from '../telemetry/logger.ts';
import { answerTo } from './client-end.ts';
import { hasBody } from './read-ahead.ts';
import { send, type Answer } from './send-answer.ts';
import type { Upstream } from './upstream.ts';
import { upstreamHeaders, type ClientConnection } from './upstream-headers.ts';

/** What the recorder is asked, and as whom. */
interface Passage {
  readonly target: string;
  readonly maker: Identity;
}

interface MediaDecision {
  readonly decision: Decision;
  readonly passage?: Passage;
}

export interface ServeSharedMediaDependencies {
  readonly logger: Logger;
  readonly authorizationRequest: (request: IncomingMessage) => AuthorizationRequest;
  /** Decides about a request for media of a share. */
  readonly decideSharedMedia: (request: AuthorizationRequest) => Promise<MediaDecision>;
  /** Signs that the gate has asked; undefined: nothing behind it checks that. */
  readonly assert: ((request: AssertedRequest) => Promise<string>) | undefined;
  readonly exchanges: Pick<OpenExchanges, 'mark' | 'open'>;
  /** The address of the client. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** @returns the id of the decision */
  readonly record: (request: AuthorizationRequest, decision: Decision) => string;
  readonly errorAnswer: (error: unknown) => Answer;
  readonly identityOf: (identity: Identity) => IdentityHeaders;
  readonly strippedHeaders: ReadonlySet<string>;
  /** What the upstream expects in X-Proxy-Secret. */
  readonly upstreamSecret: string | undefined;
  readonly connectionOf: (request: IncomingMessage) => ClientConnection;
  /** Who counts as one client when connections to the upstream are shared out. */
  readonly clientOf: (request: IncomingMessage) => string;
  readonly upstream: Upstream;
}

/** What somebody who has opened a share says to the recorder: nothing of the browser but how it wants the answer. */
const passedOn: ReadonlySet<string> = new Set([
  'accept',
  'accept-encoding',
  'host',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
]);

/** What the recorder says to somebody who has opened a share: what the answer is. */
const passedBack: ReadonlySet<string> = new Set([
  'accept-ranges',
  'content-encoding',
  'content-length',
  'content-range',
  'content-type',
  'date',
  'etag',
  'last-modified',
]);

/** Nobody keeps it, nobody finds it, and nothing in it runs or says where it is from. */
const added: readonly string[] = Object.entries({
  'cache-control': 'private, no-store',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow',
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; sandbox",
}).flat();

/** Answers requests for media of shares from the upstream, as whoever made them. */
export function serveSharedMedia(dependencies: ServeSharedMediaDependencies): RequestListener {
  return (request, response) => void serve(dependencies, request, response);
}

async function serve(
  front: ServeSharedMediaDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { socket } = request;
  try {
    if (hasBody(request)) throw new AppError('bad_request');
    const refused = await pass(front, request, response);
    if (refused !== undefined) send(response, refused);
  } catch (error) {
    if (!(error instanceof AppError) || error.cause !== undefined)
      if (!socket.destroyed) front.logger.error({ err: error }, 'media of a share failed');
    if (response.headersSent) response.destroy();
    else send(response, front.errorAnswer(error));
  }
}

/**
 * As long as it is passed on it is an open exchange, which ends with the share.
 * @returns the refusal, when it is not passed on
 */
async function pass(
  front: ServeSharedMediaDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Answer | undefined> {
  const end = answerTo(response, request.socket);
  let last = await decide(front, request);
  if (last.passage === undefined) return refusal(front, last);
  const place = await front.upstream.take(front.clientOf(request), end);
  try {
    // Whoever had to wait may have lost the right.
    if (place.hasWaited) last = await decide(front, request);
    const { id, mark, decision, passage } = last;
    if (passage === undefined || decision.outcome !== 'allow') return refusal(front, last);
    const headers = await headersFor(front, request, passage);
    const exchange = front.exchanges.open({
      id,
      kind: end.kind,
      mark,
      permitted: decision,
      address: () => front.addressOf(request),
      decideAgain: () => front.decideSharedMedia(front.authorizationRequest(request)),
      cut: end.cut,
    });
    try {
      await front.upstream.forward({ request, path: passage.target, headers, answerHeaders }, response, [
        ...added,
        'x-postern-decision',
        id,
      ]);
    } catch (error) {
      // Whoever has lost the right to it gets no answer.
      if (!exchange.isCut) throw error;
    } finally {
      end.whenSent(() => exchange.close());
    }
    return undefined;
  } finally {
    place.giveBack();
  }
}

async function decide(front: ServeSharedMediaDependencies, request: IncomingMessage) {
  const mark = front.exchanges.mark();
  const asked = front.authorizationRequest(request);
  const { decision, passage } = await front.decideSharedMedia(asked);
  return { id: front.record(asked, decision), mark, decision, passage };
}

/** What is over is over, whyever: the reason is for those who look after the gate. */
const errorOf: Partial<Record<Reason, ErrorCode>> = {
  share_unopened: 'unauthenticated',
  share_scope: 'forbidden',
  host_unknown: 'host_unknown',
  method_refused: 'forbidden',
};

function refusal(
  { errorAnswer }: ServeSharedMediaDependencies,
  { id, decision }: { readonly id: string; readonly decision: Decision },
): Answer {
  const { reason } = decision;
  const isMalformed = reason.startsWith('uri_');
  const answer = errorAnswer(new AppError(errorOf[reason] ?? (isMalformed ? 'forbidden' : 'share_over')));
  return {
    ...answer,
    headers: {
      ...answer.headers,
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, nofollow',
      'x-postern-decision': id,
    },
  };
}

async function headersFor(
  front: ServeSharedMediaDependencies,
  request: IncomingMessage,
  { target, maker }: Passage,
): Promise<string[]> {
  const { user, role } = maker;
  return upstreamHeaders(
    only(passedOn, request.rawHeaders),
    front.strippedHeaders,
    front.identityOf(maker),
    front.connectionOf(request),
    front.upstreamSecret,
    await front.assert?.({ user, role, method: request.method ?? '', target }),
  );
}

function answerHeaders(answered: RawHeaders): string[] {
  return only(passedBack, answered);
}

function only(names: ReadonlySet<string>, headers: RawHeaders): string[] {
  return headers.flatMap((name, i) =>
    i % 2 === 0 && names.has(name.toLowerCase()) ? [name, headers[i + 1] ?? ''] : [],
  );
}
