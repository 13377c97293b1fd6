import type { RequestContext } from '../policy/request-context.ts';
import type { AuthorizationResult } from '../policy/authorization-result.ts';
import type { Identity } from '../policy/identity.ts';
import type { Session } from '../identity/sessions/session.ts';

/** A decision, and the session that it was made in: nothing is logged, kept or refreshed. */
export type Evaluated = Pick<AuthorizationResult<Session>, 'decision' | 'session' | 'error'>;

/**
 * What `authorize` would decide at this moment.
 * @param revalidated the session in which the same request was permitted, when its exchange has not ended: it goes on while the session
 *   does, though the token that came with the request may be over
 */
export type Evaluate = (request: RequestContext, revalidated?: Session) => Evaluated | Promise<Evaluated>;

/** Who is asking, without a decision: nothing is logged, kept or refreshed. Undefined: nobody is known. */
export type Identify = (request: RequestContext) => Identity | undefined | Promise<Identity | undefined>;
