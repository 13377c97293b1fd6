import type { RequestContext } from '../../policy/request-context.ts';
import type { Identity, ShareScope } from '../../policy/identity.ts';
import type { Reason } from '../../policy/reasons.ts';
import type { Session } from '../../identity/sessions/session.ts';
import type { Reading } from '../../store/permit.ts';

/** Who is asking, with the session of a session token or the scope of a share; or why that is not known. */
export type Authenticated =
  | { readonly identity: Identity; readonly session?: Session; readonly share?: ShareScope }
  | { readonly refused: Reason };

/**
 * Finds out who is asking: at once, or later when something has to be read.
 * @param on a transaction to read through: then nothing that is remembered counts
 * @param revalidated the session of the same request when it was decided before, and is decided again
 */
export type Authenticate = (
  request: RequestContext,
  on?: Reading,
  revalidated?: Session,
) => Authenticated | Promise<Authenticated>;

/** One way of knowing who is asking. @returns undefined when the next strategy has to say */
export type Strategy = (
  request: RequestContext,
  on?: Reading,
  revalidated?: Session,
) => Authenticated | Promise<Authenticated> | undefined;

/** Asks one strategy after the other. What one says is final: a later one never rescues what it refused. */
export function authenticateBy(strategies: readonly Strategy[]): Authenticate {
  return (request, on, revalidated) => {
    for (const strategy of strategies) {
      const authenticated = strategy(request, on, revalidated);
      if (authenticated !== undefined) return authenticated;
    }
    return { refused: 'no_session' };
  };
}
