import type { RequestContext } from '../../policy/request-context.ts';
import type { Identity, ShareScope } from '../../policy/identity.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { Session } from '../../accounts/sessions/session-token.ts';
import type { Reading } from '../../store/permit.ts';

/** The identity, with the session of a session token or the scope of a share; or why it is unknown. */
export type Authenticated =
  | { readonly identity: Identity; readonly session?: Session; readonly share?: ShareScope }
  | { readonly refused: Reason };

/**
 * Authenticates a request: immediately, or later if something has to be read.
 * @param on a transaction to read through, without any cache
 * @param revalidated the session of the same request, if an open stream is decided again
 */
export type Authenticate = (
  request: RequestContext,
  on?: Reading,
  revalidated?: Session,
) => Authenticated | Promise<Authenticated>;

/** One way to authenticate. @returns undefined to leave it to the next strategy */
export type Strategy = (
  request: RequestContext,
  on?: Reading,
  revalidated?: Session,
) => Authenticated | Promise<Authenticated> | undefined;

/** Tries one strategy after the other. Any result is final: a later strategy never overrides a refusal. */
export function authenticateBy(strategies: readonly Strategy[]): Authenticate {
  return (request, on, revalidated) => {
    for (const strategy of strategies) {
      const authenticated = strategy(request, on, revalidated);
      if (authenticated !== undefined) return authenticated;
    }
    return { refused: 'no_session' };
  };
}
