import type { RequestContext } from '../policy/request-context.ts';
import type { AuthorizationResult } from '../policy/authorization-result.ts';
import type { Identity } from '../policy/identity.ts';
import type { Session } from '../accounts/sessions/session-token.ts';
import type { Decision } from '../policy/decision.ts';

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

/** Checks that the custom roles of a runtime are those of a store that other processes change too. */
export interface CurrentRoles {
  /** Whether they are, as far as is known at this moment. */
  readonly areCurrent: () => boolean;
  /** Reads them again, once for all that wait. @returns functions that decide by them. @throws AppError `store_unavailable` */
  readonly renew: () => Promise<{ readonly evaluate: Evaluate; readonly identify: Identify }>;
}

/**
 * A decision is valid only if its roles are still those of the store once it is made, however long it had to wait. Otherwise it is made
 * again, by the runtime of the roles as they are read then.
 */
export function isByCurrentRoles({ decision }: Evaluated, { areCurrent }: CurrentRoles): boolean {
  return areCurrent() || !dependsOnRoles(decision);
}

/** Authenticates by the current roles. */
export function identifyByCurrentRoles(identify: Identify, { areCurrent, renew }: CurrentRoles): Identify {
  return async (request) => {
    const identity = await identify(request);
    if (areCurrent() || identity?.source === 'internal') return identity;
    const now = await renew();
    return now.identify(request);
  };
}

/**
 * A client of the internal entry point is always admin, so that the gate can be managed while its store is unavailable. Public paths
 * and unknown identities need no role.
 */
function dependsOnRoles({ identity, reason }: Decision): boolean {
  if (identity !== undefined) return identity.source !== 'internal';
  return reason === 'no_role' || reason === 'api_token_too_wide';
}
