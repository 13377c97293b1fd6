import type { RequestContext } from '../policy/request-context.ts';
import type { Decision } from '../policy/decision.ts';
import type { Identity } from '../policy/identity.ts';
import type { Session } from '../accounts/sessions/session.ts';
import type { Evaluate, Evaluated, Identify } from './evaluated.ts';

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
 * @param failed the result if the store cannot be asked
 */
export function evaluateByCurrentRoles(
  evaluate: Evaluate,
  { areCurrent, renew }: CurrentRoles,
  failed: (error: unknown) => Evaluated,
): Evaluate {
  const hold = (request: RequestContext, revalidated: Session | undefined, evaluated: Evaluated) =>
    areCurrent() || !dependsOnRoles(evaluated.decision)
      ? evaluated
      : renew()
          .then((now) => now.evaluate(request, revalidated))
          .catch(failed);
  return (request, revalidated) => {
    const evaluated = evaluate(request, revalidated);
    return evaluated instanceof Promise
      ? evaluated.then((later) => hold(request, revalidated, later))
      : hold(request, revalidated, evaluated);
  };
}

/** The same for authentication. */
export function identifyByCurrentRoles(identify: Identify, { areCurrent, renew }: CurrentRoles): Identify {
  const hold = (request: RequestContext, identity: Identity | undefined) =>
    areCurrent() || identity?.source === 'internal' ? identity : renew().then((now) => now.identify(request));
  return (request) => {
    const identity = identify(request);
    return identity instanceof Promise
      ? identity.then((later) => hold(request, later))
      : hold(request, identity);
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
