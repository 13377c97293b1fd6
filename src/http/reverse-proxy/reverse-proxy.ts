import { type IncomingMessage, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { AppError, isStateLogged, type Answer } from '../../errors.ts';
import { canonicalOf, type RequestContext } from '../../policy/request-context.ts';
import type { AuthorizationResult } from '../../policy/authorization-result.ts';
import type { DecidedAgain, StreamSession, OpenStream } from '../../access/streams/stream.ts';
import type { OpenStreams } from '../../access/streams/open-streams.ts';
import type { Allowed, Decision, Refused } from '../../policy/decision.ts';
import type { Identity } from '../../policy/identity.ts';
import type { IdentityHeaders } from '../../policy/identity-headers.ts';
import { withoutAuthority } from '../../policy/canonical-uri.ts';
import type { RequestLog } from '../../telemetry/request-log.ts';
import { withSlash } from '../../policy/forwarded.ts';
import { bodyToPassOn, dependsOnBody } from '../../policy/evaluate/evaluate.ts';
import { hidesErrors } from '../../policy/recorder/changed-answers.ts';
import { refuseRevalidation } from '../../policy/evaluate/revalidation.ts';
import { hopsHeader, type Hops } from './hops.ts';
import { holdEarly, send, sendRaw, answerTo, webSocketOf, type ClientEnd } from './client-end.ts';
import { hasBody, readAhead, type StreamedBody } from './read-ahead.ts';
import type { MessageFilter } from './message-filter.ts';
import type { Upstream } from './upstream.ts';
import { upstreamHeaders, type ClientConnection, type PassedHeaders } from './upstream-headers.ts';
import type { Transformer } from '../../recorder/whole-answer.ts';

/** Information about a request whose answer failed. */
interface Known {
  identity?: Identity | undefined;
  decision?: string;
}

type Authorized = AuthorizationResult<StreamSession>;

/** Everything needed to pass a request on. */
/** How requests are passed on to the upstream. */
interface Forwarding {
  readonly upstream: Upstream;
  readonly hops: Hops;
  /** The secret that the upstream expects in X-Proxy-Secret. */
  readonly secret: string | undefined;
  readonly strippedHeaders: ReadonlySet<string>;
  readonly headers: PassedHeaders;
  readonly identityOf: (identity: Identity | undefined) => IdentityHeaders;
  /** The first that applies to an answer changes it. */
  readonly transformers: readonly Transformer[];
}

/** The client of a request, as the listener sees it. */
interface ClientFacts {
  /** Created once per request, by the configuration of these dependencies. */
  readonly contextOf: (request: IncomingMessage) => RequestContext;
  /** The part of the client's connection that is passed on to the upstream. */
  readonly connectionOf: (request: IncomingMessage) => ClientConnection;
  readonly addressOf: (request: IncomingMessage) => string;
  /** Whether the only answer to anyone is a refusal. */
  readonly isDenied: (request: IncomingMessage) => boolean;
  /** The key of a client for its fair share of connections to the upstream. */
  readonly keyOf: (request: IncomingMessage) => string;
}

export interface PassingDependencies {
  readonly logger: RequestLog;
  readonly client: ClientFacts;
  readonly authorize: (request: RequestContext) => Authorized | Promise<Authorized>;
  /** Decides as `authorize` would about a permitted request that is still open, without recording anything. */
  evaluate(request: RequestContext, session: StreamSession | undefined): Promise<DecidedAgain>;
  /** Every request that is passed on, until it ends. */
  readonly streams: Pick<OpenStreams, 'mark' | 'open' | 'end'>;
  readonly refusalAnswer: (
    refused: Refused,
    request: IncomingMessage,
    decision: string,
    error?: unknown,
  ) => Answer;
  readonly errorAnswer: (error: unknown, request: IncomingMessage, known?: Known) => Answer;
  /** Filters the messages of a WebSocket by the last decision on it. Absent when its bytes are passed on unread. */
  readonly messageFilterOf: (stream: OpenStream, request: IncomingMessage) => MessageFilter | undefined;
  readonly forwarding: Forwarding;
}

export interface ReverseProxyDependencies extends PassingDependencies {
  /** Answers the gate's own endpoints. */
  readonly own: RequestListener;
  readonly isOwnPath: (path: string) => boolean;
  /** Prefix that a proxy in front may leave in the URI; empty: none. */
  readonly basePath: () => string;
}

/**
 * The embedded front of one entry point, or its relay: answers the gate's own requests, passes permitted ones on, and refuses the rest.
 * @param current a request keeps the dependencies with which it began, unless it has to wait before it is passed on
 * @param refuse the answer to a request that is not even read, or `undefined` to read it
 */
export function attachReverseProxy(
  server: Server,
  current: () => ReverseProxyDependencies,
  refuse: (request: IncomingMessage) => Answer | undefined,
): void {
  server.on('request', (request, response) => {
    const refused = refuse(request);
    if (refused === undefined) void serve(current, request, response);
    else send(response, refused);
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    const refused = refuse(request);
    if (refused === undefined) void serveUpgrade(current, request, socket, head);
    else sendRaw(socket, refused);
  });
  // The gate is no forward proxy, and without a listener Node would close the connection without an answer.
  server.on('connect', (request, socket) => {
    socket.on('error', () => socket.destroy());
    sendRaw(socket, current().errorAnswer(new AppError('bad_request'), request));
  });
}

async function serve(
  current: () => ReverseProxyDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const front = current();
  try {
    const slashed = withSlash(request.url ?? '', front.basePath());
    if (slashed !== undefined && !front.client.isDenied(request)) {
      send(response, { status: 308, headers: { location: slashed }, body: '' });
      return;
    }
    if (isOwn(front, request) && !front.client.isDenied(request)) {
      front.own(request, response);
      return;
    }
  } catch (error) {
    logFailure(front, request, request.socket, error);
    send(response, front.errorAnswer(error, request));
    return;
  }
  await passOn(current, request, response);
}

/** Passes a request on, or answers with the refusal. */
export async function passOn(
  current: () => PassingDependencies,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const front = current();
  const { socket } = request;
  const known: Known = {};
  try {
    const refused = await pass(
      { current, request, known, end: answerTo(response, socket) },
      (headers, { permitted }, { id, setCookie }, body) => {
        const added = [...front.forwarding.headers.added, 'x-postern-decision', id];
        if (setCookie !== undefined) added.push('set-cookie', setCookie);
        const transformer = front.forwarding.transformers.find(({ isFor }) => isFor(permitted));
        const transform = transformer && ((answer: Buffer) => transformer.transform(answer, permitted));
        return front.forwarding.upstream.forward(
          {
            request,
            path: targetOf(front.client.contextOf(request), permitted),
            headers,
            body,
            answerHeaders: front.forwarding.headers.answered,
            hidesErrors: hidesErrors(permitted.path ?? '', { role: permitted.identity?.role ?? '' }),
          },
          response,
          added,
          transform,
        );
      },
    );
    if (refused !== undefined) send(response, refused);
  } catch (error) {
    logFailure(front, request, socket, error);
    if (response.headersSent) {
      response.destroy();
      return;
    }
    // The rest of the body is not read.
    if (error instanceof AppError && error.code === 'payload_too_large')
      response.setHeader('connection', 'close');
    send(response, front.errorAnswer(error, request, known));
  }
}

async function serveUpgrade(
  current: () => ReverseProxyDependencies,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const front = current();
  try {
    if (isOwn(front, request) && !front.client.isDenied(request)) throw new AppError('bad_request');
    const { left, release } = holdEarly(socket, head);
    const refused = await pass(
      { current, request, known: {}, end: webSocketOf(socket, left) },
      (headers, stream) =>
        front.forwarding.upstream.upgrade(
          {
            request,
            path: targetOf(front.client.contextOf(request), stream.permitted),
            headers,
            answerHeaders: front.forwarding.headers.answered,
          },
          { socket, left, early: release },
          front.messageFilterOf(stream, request),
        ),
    );
    if (refused !== undefined) sendRaw(socket, refused);
  } catch (error) {
    logFailure(front, request, socket, error);
    // The handshake fails here when the next hop refuses it.
    const isLoop =
      error instanceof AppError && error.code === 'upstream_unavailable' && front.forwarding.hops.isLooping();
    sendRaw(socket, front.errorAnswer(isLoop ? new AppError('loop_detected') : error, request));
  }
}

/** A request that is about to be passed on. */
interface Arriving {
  readonly current: () => PassingDependencies;
  readonly request: IncomingMessage;
  /** Gets the identity, for the answer if passing it on fails. */
  readonly known: Known;
  readonly end: ClientEnd;
}

/**
 * The whole life of a stream to the upstream. Decides about a request, and passes it on when there is a connection to the upstream. If
 * it had to wait for one, it is decided again, because its access may have been revoked. So is a request with a body once that has arrived:
 * before any of it is passed on if it is short, and before its end otherwise. While it is passed on it is an open stream, by a mark from
 * before its decision.
 * @param on passes it on, with its header lines for the upstream
 * @returns the refusal, if it is not passed on
 */
async function pass(
  { current, request, known, end }: Arriving,
  on: (
    headers: string[],
    stream: OpenStream,
    result: Authorized,
    body?: Buffer | AsyncIterable<Buffer>,
  ) => Promise<void>,
): Promise<Answer | undefined> {
  const front = current();
  const hops = front.forwarding.hops.next(request.rawHeaders);
  let mark = front.streams.mark();
  const result = await front.authorize(front.client.contextOf(request));
  const { decision } = result;
  if (decision.outcome !== 'allow') return front.refusalAnswer(decision, request, result.id, result.error);
  requireIdentity(decision);
  known.identity = decision.identity;
  known.decision = result.id;
  const place = await front.forwarding.upstream.take(front.client.keyOf(request), end);
  let body: Buffer | StreamedBody | undefined;
  try {
    let now = front;
    let last = result;
    const whole = () => (Buffer.isBuffer(body) ? body : undefined);
    const decideAgain = async () => {
      now = current();
      mark = now.streams.mark();
      last = await now.authorize(askedBy(now, request, whole()));
    };
    if (place.hasWaited) await decideAgain();
    body = await bodyOf(request, end, last.decision);
    if (body !== undefined) await decideAgain();
    if (last.decision.outcome !== 'allow')
      return now.refusalAnswer(last.decision, request, last.id, last.error);
    const { decision: permitted } = last;
    requireIdentity(permitted);
    // The role may have changed since the body began.
    if (dependsOnBody(permitted, request.method) && whole() === undefined)
      throw new AppError('payload_too_large');
    const stream = front.streams.open({
      id: last.id,
      kind: end.kind,
      mark,
      permitted,
      session: last.session,
      viewed: last.viewed,
      address: () => front.client.addressOf(request),
      agent: () => request.headers['user-agent'],
      decideAgain: (session) => {
        const by = current();
        return by.evaluate(askedBy(by, request, whole()), session);
      },
      cut: end.cut,
    });
    const confirm = async () => {
      const { decision: again } = await stream.decideAgain();
      const reason = refuseRevalidation(stream.permitted, again);
      if (reason !== undefined) now.streams.end(stream, reason);
      if (stream.isCut) throw new AppError('forbidden');
    };
    try {
      const headers = headersFor(now, request, permitted, hops);
      const passed = Buffer.isBuffer(body)
        ? bodyToPassOn(body, askedBy(now, request, body), permitted)
        : body?.passOn(confirm);
      await on(headers, stream, last, passed);
    } catch (error) {
      // A client that has lost access gets no answer.
      if (!stream.isCut) throw error;
    } finally {
      end.whenSent(() => stream.close());
    }
    return undefined;
  } finally {
    place.giveBack();
    if (body !== undefined && !Buffer.isBuffer(body)) body.drop();
  }
}

/**
 * An upgrade has no body, and neither has another GET.
 * @returns undefined without a body
 */
async function bodyOf(
  request: IncomingMessage,
  { kind }: ClientEnd,
  decision: Decision,
): Promise<Buffer | StreamedBody | undefined> {
  if (decision.outcome !== 'allow') return undefined;
  const isNeeded = dependsOnBody(decision, request.method);
  if (isNeeded && (request.method === 'GET' || request.method === 'HEAD')) return Buffer.alloc(0);
  return isNeeded || (kind === 'answer' && hasBody(request)) ? readAhead(request, isNeeded) : undefined;
}

function askedBy(
  front: PassingDependencies,
  request: IncomingMessage,
  body: Buffer | undefined,
): RequestContext {
  const asked = front.client.contextOf(request);
  return body === undefined ? asked : { ...asked, body };
}

function isOwn(front: ReverseProxyDependencies, request: IncomingMessage): boolean {
  const uri = canonicalOf(front.client.contextOf(request));
  return uri !== undefined && 'path' in uri && front.isOwnPath(uri.path);
}

/** A request that needs no identity is the gate's own to answer, and must not reach the upstream. */
function requireIdentity({ identity }: Allowed): void {
  if (identity === undefined) throw new AppError('not_found');
}

/** The original target, in origin-form, or the narrowed one: the upstream reads the same target as the decision. */
function targetOf({ uri = '' }: RequestContext, { narrowed, onBehalf }: Allowed): string {
  const target = onBehalf?.target ?? narrowed ?? withoutAuthority(uri);
  if (target === undefined) throw new AppError('bad_request');
  return target;
}

function headersFor(
  front: PassingDependencies,
  request: IncomingMessage,
  { identity, onBehalf }: Allowed,
  hops: string,
): string[] {
  const { headers: passed, strippedHeaders, identityOf, secret } = front.forwarding;
  const headers = upstreamHeaders(passed.sent(request.rawHeaders, identity), strippedHeaders, {
    identity: identityOf(onBehalf?.identity ?? identity),
    client: front.client.connectionOf(request),
    secret,
  });
  return [...headers, hopsHeader, hops];
}

/** A client that leaves is no failure. */
function logFailure(
  { logger, client }: PassingDependencies,
  request: IncomingMessage,
  socket: Duplex,
  error: unknown,
): void {
  const code = error instanceof AppError ? error.code : 'internal';
  if (socket.destroyed) {
    logger.info(
      { code: 'client_left', address: client.addressOf(request) },
      'the client left before its answer',
    );
    return;
  }
  if (code === 'upstream_busy' || code === 'payload_too_large' || code === 'loop_detected') return;
  if (isStateLogged(error)) return;
  logger.error({ err: error, code, address: client.addressOf(request) }, 'request failed');
}
