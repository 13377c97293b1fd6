import type { IncomingMessage } from 'node:http';
import type { AuthorizationResult } from '../../policy/authorization-result.ts';
import type { RequestContext, EntryPoint } from '../../policy/request-context.ts';
import type { FrontAnswer } from './front-answer.ts';
import type { Recipient } from './refusal.ts';

/** What an adapter needs from its listener. */
export interface FrontContext {
  readonly entryPoint: EntryPoint;
  /** Aliases of every header that only the gate or a front may send. */
  readonly strippedHeaders: ReadonlySet<string>;
  /** The login for a request's client; undefined if the gate has none. */
  readonly loginPathOf: (incoming: IncomingMessage) => string | undefined;
  /** The page on which the client of a request sets up a second factor. */
  readonly accountPathOf: (incoming: IncomingMessage) => string;
  /** The client of a request, who receives a refusal. */
  readonly recipientOf: (incoming: IncomingMessage, request: RequestContext) => Recipient;
}

/** Translates between one kind of front and the pipeline, on one listener. */
export interface FrontAdapter {
  /** Whether such fronts send their authorization requests to this request target. */
  readonly isAskedAt: (target: string) => boolean;
  readonly requestOf: (incoming: IncomingMessage) => RequestContext;
  readonly answerOf: (
    request: RequestContext,
    result: AuthorizationResult,
    incoming: IncomingMessage,
  ) => FrontAnswer;
}
