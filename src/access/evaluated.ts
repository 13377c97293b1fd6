import type { RequestContext } from '../policy/request-context.ts';
import type { AuthorizationResult } from '../policy/authorization-result.ts';
import type { Identity } from '../policy/identity.ts';
import type { Session } from '../accounts/sessions/session-token.ts';

/** A decision and its session, without logging, recording or refreshing anything. */
export type Evaluated = Pick<AuthorizationResult<Session>, 'decision' | 'session' | 'viewed' | 'error'>;

/**
 * Decides as `authorize` would at this moment.
 * @param revalidated the session in which the same request was permitted, if its stream is still open: the stream continues while the
 *   session does, even if the request's own token has expired
 */
export type Evaluate = (request: RequestContext, revalidated?: Session) => Promise<Evaluated>;

/** Authenticates without a decision: nothing is logged, kept or refreshed. @returns undefined for an unknown identity */
export type Identify = (request: RequestContext) => Promise<Identity | undefined>;
